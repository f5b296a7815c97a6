// Who may connect. Pure: headers in, verdict out. It keeps out web pages of other origins and
// names that were rebound to this machine; with a token, also everyone who does not have it.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const LOOPBACK_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]'])
/** Stands before the token in the list of WebSocket subprotocols, where browsers can put it. */
export const TOKEN_PROTOCOL = 'graphmind.token.'

/** Null: come in. Otherwise the sentence for the 403. */
export function refusal(headers: IncomingHttpHeaders, allowedOrigins: readonly string[]): string | null {
  const host = headers.host?.toLowerCase()
  if (host === undefined || !LOOPBACK_NAMES.has(host.replace(/:\d*$/, ''))) {
    return `The host ${JSON.stringify(host ?? '')} is not this machine. Use 127.0.0.1 or localhost.`
  }
  const { origin } = headers
  if (origin === undefined || allowedOrigins.includes('*')) return null
  if (authorityOf(origin) === withoutDefaultPort(host)) return null
  if (allowedOrigins.some((allowed) => sameOrigin(allowed, origin))) return null
  return `Pages of the origin ${JSON.stringify(origin)} may not connect. GRAPHMIND_ALLOWED_ORIGINS can let them in.`
}

/** Does the request carry the token? True where none is asked for. */
export function hasToken(headers: IncomingHttpHeaders, token: string | undefined): boolean {
  if (token === undefined) return true
  const bearer = /^bearer (.+)$/i.exec(headers.authorization ?? '')?.[1]
  if (bearer !== undefined && same(bearer.trim(), token)) return true
  return protocolsOf(headers).some((each) => each.startsWith(TOKEN_PROTOCOL) && same(each.slice(TOKEN_PROTOCOL.length), token))
}

function protocolsOf(headers: IncomingHttpHeaders): string[] {
  return (headers['sec-websocket-protocol'] ?? '').split(',').map((each) => each.trim())
}

/** Host and port of an http origin as a Host header would spell them; null: not one. */
function authorityOf(origin: string): string | null {
  const url = URL.parse(origin)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null
  return url.host
}

function withoutDefaultPort(host: string): string {
  return host.replace(/:(80)?$/, '')
}

function sameOrigin(a: string, b: string): boolean {
  return a === b || (URL.parse(a)?.origin ?? a) === (URL.parse(b)?.origin ?? b) && URL.parse(b)?.origin !== 'null'
}

function same(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(wanted))
}
