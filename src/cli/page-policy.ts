// What a browser needs to know of a page before it runs it: the hashes of the scripts that the page
// itself brings, and a tag that changes with its bytes. Used by the build, and for a checkout's page.
import { createHash } from 'node:crypto'

const SCRIPT = /<script\b[^>]*>([\s\S]*?)<\/script>/gi

/**
 * Hashes of the page's inline scripts, as the sources of a `script-src`. Inert ones (`text/plain`)
 * count too: the viewer runs them later by their text.
 */
export function scriptHashes(html: string): string {
  const bodies = [...html.matchAll(SCRIPT)].map((match) => match[1] ?? '').filter((body) => body.trim() !== '')
  const hashes = bodies.map((body) => `'sha256-${createHash('sha256').update(body).digest('base64')}'`)
  return [...new Set(hashes)].join(' ')
}

/** A strong entity tag, quotes included. */
export function pageEtag(html: string): string {
  return `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`
}
