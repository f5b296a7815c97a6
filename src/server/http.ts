// HTTP: health, the API, the viewer's page. Reads only; every request is asked first where it
// comes from. Answers are streams of text that the store already has, never rebuilt objects.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { databaseFault, type SearchHit, type Store } from '../store/index.ts'
import { hasToken, refusal } from './guard.ts'
import { Page } from './page.ts'
import type { Registry } from './registry.ts'
import type { ViewerPage } from './viewer-page.ts'

const PAGE_EVENTS = 1000
const MOST_EVENTS = 5000
const PAGE_BYTES = 8 * 1024 * 1024
const SEARCH_HITS = 100
const MOST_HITS = 1000
/** What every answer carries. */
const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
}

export interface HttpParts {
  store: Store
  registry: Registry
  allowedOrigins: readonly string[]
  token: string | undefined
  version: string
  viewer: ViewerPage | null
  viewerDist: string | undefined
  /** What waits to be stored is stored before anything is read. */
  flush(): void
  refused(why: string): void
}

export class Http {
  readonly #parts: HttpParts
  readonly #page: Page

  constructor(parts: HttpParts) {
    this.#parts = parts
    this.#page = new Page(parts.viewer, parts.viewerDist)
  }

  /** Answers one request. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    try {
      this.#route(request, response)
    } catch (error) {
      if (response.headersSent) response.destroy()
      else fail(response, 500, databaseFault(error, this.#parts.store.path).message)
    }
  }

  #route(request: IncomingMessage, response: ServerResponse): void {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value)
    const foreign = refusal(request.headers, this.#parts.allowedOrigins)
    if (foreign !== null) {
      this.#parts.refused(foreign)
      return fail(response, 403, foreign)
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD')
      return fail(response, 405, `${request.method} is not answered here: only GET and HEAD.`)
    }
    const url = URL.parse(request.url ?? '/', 'http://localhost')
    if (url === null) return fail(response, 400, 'The address cannot be read.')
    if (url.pathname === '/health') return send(response, JSON.stringify({ ok: true, name: 'graphmind-ai', version: this.#parts.version }))
    if (!url.pathname.startsWith('/api/')) return this.#page.send(request, response)
    if (!hasToken(request.headers, this.#parts.token)) return fail(response, 401, 'This server asks for its token.')
    return this.#api(url, response)
  }

  #api({ pathname, searchParams }: URL, response: ServerResponse): void {
    if (pathname === '/api/runs') {
      this.#parts.flush()
      return send(response, `{"runs":[${this.#parts.registry.listJson()}]}`)
    }
    const match = /^\/api\/runs\/([^/]+)\/(events|search)$/.exec(pathname)
    const runId = match?.[1] === undefined ? null : decode(match[1])
    if (runId === null) return fail(response, 404, `There is nothing at ${pathname}.`)
    if (match?.[2] === 'events') return this.#events(runId, searchParams, response)
    return this.#search(runId, searchParams, response)
  }

  #events(runId: string, query: URLSearchParams, response: ServerResponse): void {
    const after = whole(query, 'afterSeq', -1)
    const limit = whole(query, 'limit', PAGE_EVENTS)
    if (after === null || after < -1) return fail(response, 400, `afterSeq is a whole number from -1 on, not ${JSON.stringify(query.get('afterSeq'))}.`)
    if (limit === null || limit < 1) return fail(response, 400, `limit is a whole number from 1 on, not ${JSON.stringify(query.get('limit'))}.`)
    this.#parts.flush()
    const row = this.#parts.registry.row(runId)
    if (row === null) return fail(response, 404, `There is no run ${JSON.stringify(runId)}.`)
    const { bytes, count, lastSeq, more } = this.#parts.store.pages.read(row, after, Math.min(limit, MOST_EVENTS), PAGE_BYTES)
    const head = `{"runId":${JSON.stringify(runId)},"total":${row.eventCount},"events":[`
    const tail = `],"nextAfterSeq":${count > 0 && more ? lastSeq : 'null'}}`
    send(response, Buffer.concat([Buffer.from(head), bytes, Buffer.from(tail)]))
  }

  /** Works through the run a slice a turn, so that a long one keeps nobody waiting. */
  #search(runId: string, query: URLSearchParams, response: ServerResponse): void {
    const words = query.get('q') ?? ''
    const limit = whole(query, 'limit', SEARCH_HITS)
    if (words === '') return fail(response, 400, 'q is what to search for; it is empty.')
    if (limit === null || limit < 1) return fail(response, 400, `limit is a whole number from 1 on, not ${JSON.stringify(query.get('limit'))}.`)
    this.#parts.flush()
    const row = this.#parts.registry.row(runId)
    if (row === null) return fail(response, 404, `There is no run ${JSON.stringify(runId)}.`)
    const most = Math.min(limit, MOST_HITS)
    const hits: SearchHit[] = []
    const step = (after: number): void => {
      if (response.destroyed) return
      try {
        const slice = this.#parts.store.search.slice(row, words, after, most + 1 - hits.length) // one more tells whether there are more
        hits.push(...slice.hits)
        if (slice.nextAfterSeq === null || hits.length > most) return send(response, JSON.stringify({ hits: hits.slice(0, most), more: hits.length > most }))
        setImmediate(step, slice.nextAfterSeq)
      } catch (error) {
        fail(response, 500, databaseFault(error, this.#parts.store.path).message)
      }
    }
    step(-1)
  }
}

function send(response: ServerResponse, body: string | Buffer): void {
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(body), 'Cache-Control': 'no-store' })
  response.end(body)
}

function fail(response: ServerResponse, status: number, error: string): void {
  const body = JSON.stringify({ error })
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(body), 'Cache-Control': 'no-store' })
  response.end(body)
}

/** A whole number of the query; its default when it is not there, null when it is none. */
function whole(query: URLSearchParams, name: string, absent: number): number | null {
  const text = query.get(name)
  if (text === null) return absent
  const value = Number(text)
  return /^-?\d+$/.test(text) && Number.isSafeInteger(value) ? value : null
}

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null // a broken percent escape names no run
  }
}
