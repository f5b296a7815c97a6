// WebSocket upgrades, and finding sockets whose other end is gone without a word.
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { MAX_FRAME_BYTES } from '../wire/index.ts'
import { hasToken, refusal, TOKEN_PROTOCOL } from './guard.ts'

const PING_MS = 10_000
const SILENT_ROUNDS = 3.5 // an app that is stopped in its own debugger is left some time

export interface SocketsOptions {
  allowedOrigins: readonly string[]
  token: string | undefined
  /** Takes an accepted socket, by path. */
  accept: Readonly<Record<string, (socket: WebSocket) => void>>
  refused(why: string): void
  /** Between two pings; a socket that is silent for more than three is ended. */
  pingMs?: number
}

export class Sockets {
  readonly #options: SocketsOptions
  readonly #lastHeard = new Map<WebSocket, { at: number }>()
  readonly #upgrades = new WebSocketServer({
    noServer: true, maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false, clientTracking: false,
    handleProtocols: (offered) => [...offered].find((each) => !each.startsWith(TOKEN_PROTOCOL)) ?? [...offered][0] ?? false,
  })
  readonly #pingMs: number
  #lastRound = Date.now()
  readonly #pings: NodeJS.Timeout

  constructor(server: Server, options: SocketsOptions) {
    this.#options = options
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => this.#upgrade(request, socket, head))
    this.#pingMs = options.pingMs ?? PING_MS
    this.#pings = setInterval(() => this.#round(Date.now()), this.#pingMs).unref()
  }

  /** How many are open. */
  get size(): number {
    return this.#lastHeard.size
  }

  /** Ends all that are left without a farewell. */
  terminate(): void {
    clearInterval(this.#pings)
    for (const socket of this.#lastHeard.keys()) socket.terminate()
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy()) // before ws takes over, an error has nobody else
    const { headers } = request
    const foreign = refusal(headers, this.#options.allowedOrigins)
    if (foreign !== null) return this.#deny(socket, '403 Forbidden', foreign)
    const accept = this.#options.accept[(request.url ?? '').split('?', 1)[0] ?? '']
    if (!accept) return this.#deny(socket, '404 Not Found', 'WebSockets are at /ingest and /ws/ui.')
    if (!hasToken(headers, this.#options.token)) return this.#deny(socket, '401 Unauthorized', 'This server asks for its token.')
    this.#upgrades.handleUpgrade(request, socket, head, (webSocket) => {
      this.#watch(webSocket)
      accept(webSocket)
    })
  }

  #deny(socket: Duplex, status: string, why: string): void {
    this.#options.refused(why)
    const body = `${JSON.stringify({ error: why })}\n`
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
    socket.once('finish', () => socket.destroy())
  }

  #watch(socket: WebSocket): void {
    const last = { at: Date.now() }
    const heard = () => { last.at = this.#lastRound } // no look at the clock for every message
    this.#lastHeard.set(socket, last)
    socket.on('pong', heard)
    socket.on('ping', heard)
    socket.on('message', heard)
    socket.on('close', () => this.#lastHeard.delete(socket))
    socket.on('error', () => {}) // a protocol violation or a reset: `close` follows and is where it is handled
  }

  #round(now: number): void {
    const slept = now - this.#lastRound > this.#pingMs * 2 // the machine or this process was stopped: nobody could be heard
    this.#lastRound = now
    for (const [socket, heard] of this.#lastHeard) {
      if (slept) heard.at = now
      else if (now - heard.at > this.#pingMs * SILENT_ROUNDS) socket.terminate()
      else if (socket.bufferedAmount === 0) socket.ping()
    }
  }
}
