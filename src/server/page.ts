// Serves the viewer: its own compressed bytes with their tag, or the files of another build, or a
// page that says how to build one. Only GET and HEAD get here.
import { readFileSync, realpathSync, statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, sep } from 'node:path'
import type { ViewerPage } from './viewer-page.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml', '.json': 'application/json', '.map': 'application/json', '.png': 'image/png',
}
const ABSENT = `<!doctype html><meta charset="utf-8"><title>GraphMind</title>
<p>The viewer was not built in this checkout. Build it with <code>npm run build</code> and start again.
<p>The API and the sockets work all the same.\n`

export class Page {
  readonly #page: ViewerPage | null
  readonly #dist: string | undefined

  constructor(page: ViewerPage | null, dist: string | undefined) {
    this.#page = page
    this.#dist = dist
  }

  send(request: IncomingMessage, response: ServerResponse): void {
    if (this.#dist !== undefined) return sendFile(this.#dist, request, response)
    if (this.#page === null) return sendHtml(response, 200, ABSENT)
    sendPage(this.#page, request, response)
  }
}

function sendPage(page: ViewerPage, { headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Content-Security-Policy', policy(page.csp))
  response.setHeader('ETag', page.etag)
  response.setHeader('Cache-Control', 'no-cache')
  response.setHeader('Vary', 'Accept-Encoding')
  if (headers['if-none-match']?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === page.etag)) {
    response.writeHead(304).end()
    return
  }
  const accepted = String(headers['accept-encoding'] ?? '')
  const [encoding, body] = accepts(accepted, 'br') ? ['br', page.brotli] as const
    : accepts(accepted, 'gzip') ? ['gzip', page.gzip] as const : [null, Buffer.from(page.html)] as const
  if (encoding !== null) response.setHeader('Content-Encoding', encoding)
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': body.byteLength })
  response.end(body)
}

/** The page may run its own scripts, by their hashes, and talk to this server alone. */
function policy(scripts: string): string {
  return `default-src 'none'; script-src ${scripts || "'none'"}; style-src 'unsafe-inline'; img-src data:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}

function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((part) => {
    const [name, ...parameters] = part.split(';').map((each) => each.trim().toLowerCase())
    return name === encoding && !parameters.some((each) => /^q=0(\.0*)?$/.test(each))
  })
}

/** A file of a folder that a developer named; anything else of the folder's page is its index.html. */
function sendFile(dist: string, { url = '/' }: IncomingMessage, response: ServerResponse): void {
  const path = fileIn(dist, url.split('?', 1)[0] ?? '/') ?? fileIn(dist, '/index.html')
  if (path === null) return sendHtml(response, 404, `<!doctype html><meta charset="utf-8"><p>There is no index.html in the folder of GRAPHMIND_VIEWER_DIST.\n`)
  const body = readFileSync(path)
  response.setHeader('Content-Security-Policy', policy("'self' 'unsafe-inline'").replace("style-src", "style-src 'self'").replace('img-src', "img-src 'self'"))
  response.writeHead(200, { 'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream', 'Content-Length': body.byteLength, 'Cache-Control': 'no-store' })
  response.end(body)
}

/** The file in the folder, links resolved; null: none, or it lies outside. */
function fileIn(dist: string, pathname: string): string | null {
  try {
    const root = realpathSync(dist)
    const path = realpathSync(join(root, decodeURIComponent(pathname)))
    return path.startsWith(root + sep) && statSync(path).isFile() ? path : null
  } catch {
    return null // not there, or not a path
  }
}

function sendHtml(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, { 'Content-Type': TYPES['.html'], 'Content-Length': Buffer.byteLength(html), 'Cache-Control': 'no-store' })
  response.end(html)
}
