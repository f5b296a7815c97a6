// What a built graphmind carries with it. In the bundle, build/ replaces this whole file by one with
// the version and the viewer's page in it; this one serves the sources as they lie in a checkout.
import { readFileSync } from 'node:fs'

/** The viewer's page, packed. `brotli` is base64 of the compressed page. */
export interface PackedPage { brotli: string; etag: string; csp: string }

/** The version of the package. */
export function version(): string {
  return (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version
}

/** The page as the build packed it; null in a checkout, where `builtPage` looks for it. */
export function packedPage(): PackedPage | null {
  return null
}

/** The viewer that was built in this checkout, as HTML; null when there is none. */
export function builtPage(): string | null {
  try {
    return readFileSync(new URL('../../viewer/dist/index.html', import.meta.url), 'utf8')
  } catch {
    return null // not built yet: the server then says how to
  }
}
