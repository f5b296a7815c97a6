// The viewer's page as the server takes it. It is carried once, compressed by brotli; the other
// forms are made when somebody first asks for them, so that starting up costs nothing.
import { brotliCompressSync, brotliDecompressSync, constants, gzipSync } from 'node:zlib'
import { builtPage, packedPage } from './built-in.ts'
import { pageEtag, scriptHashes } from './page-policy.ts'

export interface Page {
  readonly html: string
  readonly brotli: Uint8Array
  readonly gzip: Uint8Array
  readonly etag: string
  /** Hashes of its scripts, for the policy's `script-src`. */
  readonly csp: string
}

/** Null: no viewer was built in this checkout. */
export function viewerPage(): Page | null {
  const packed = packedPage()
  if (packed) {
    const brotli = once(() => Buffer.from(packed.brotli, 'base64'))
    return page(packed, brotli, once(() => brotliDecompressSync(brotli()).toString('utf8')))
  }
  const html = builtPage()
  if (html === null) return null
  const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
  return page({ etag: pageEtag(html), csp: scriptHashes(html) }, once(() => brotliCompressSync(html, quick)), () => html)
}

function page({ etag, csp }: { etag: string; csp: string }, brotli: () => Uint8Array, html: () => string): Page {
  const gzip = once(() => gzipSync(html()))
  return {
    etag,
    csp,
    get brotli() { return brotli() },
    get gzip() { return gzip() },
    get html() { return html() },
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => (made ??= { value: make() }).value
}
