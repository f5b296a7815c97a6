// One socket to the server, from dialling to its end: connect, say hello, wait for the ack, then
// carry messages and listen for the other side's heartbeat. It tells its owner once when it is
// over, whatever the reason. `ws` is loaded with the first one, so that an app without a debugger
// never pays for it.
import type { Socket } from 'node:net'
import type { ClientOptions, WebSocket } from 'ws'
import { envelopeText, MAX_FRAME_BYTES, NO_RUN, parseEnvelope, type HelloAckPayload, type HelloPayload, type ParsedEnvelope } from '../wire/index.ts'
import { deadline } from './deadline.ts'
import { Heartbeat } from './heartbeat.ts'
import type { Sink } from './outbox.ts'

const CONNECT_MS = 300
const HANDSHAKE_MS = 1000
/** After our goodbye; the other side may never answer it. */
const CLOSE_MS = 1000
const NO_MASK = (mask: Buffer) => void mask.fill(0)

export interface LinkOptions {
  url: string
  /** The other end is on this machine. */
  loopback: boolean
  token: string | undefined
  hello: HelloPayload
}

/** Why a link ended. `refused`: the server answered the upgrade with this HTTP status. */
export type LinkEnd = { why: 'lost' | 'late' | 'silent' | 'other-version' } | { why: 'refused'; status: number }

export interface LinkOwner {
  attached(link: Link, ack: HelloAckPayload): void
  /** Only after `attached`. */
  message(parsed: ParsedEnvelope): void
  /** Called once, for each link. */
  ended(link: Link, end: LinkEnd): void
}

export class Link implements Sink {
  readonly #options: LinkOptions
  readonly #owner: LinkOwner
  #ws: WebSocket | null = null
  #socket: Socket | null = null
  #attached = false
  #ended = false
  #wanted = false
  #disarm: () => void = () => {}
  readonly #heartbeat: Heartbeat
  readonly #closing: (() => void)[] = []

  constructor(options: LinkOptions, owner: LinkOwner) {
    this.#options = options
    this.#owner = owner
    this.#heartbeat = new Heartbeat(() => this.#ping(), () => this.#end({ why: 'silent' }))
    this.#dial().catch(() => this.#end({ why: 'lost' }))
  }

  get queuedBytes(): number {
    return this.#ws?.bufferedAmount ?? 0
  }

  send(text: string, written?: () => void): void {
    this.#ws?.send(text, written)
  }

  together(writes: () => void): void {
    const socket = this.#socket
    socket?.cork()
    try {
      writes()
    } finally {
      socket?.uncork()
    }
  }

  /** Keep the process alive for this link (somebody waits in a hold), or not. */
  want(on: boolean): void {
    this.#wanted = on
    if (on) this.#socket?.ref()
    else this.#socket?.unref()
  }

  /** Says goodbye; resolves when the other side has read everything, or never will. */
  close(): Promise<void> {
    if (this.#ended) return Promise.resolve()
    this.#ws?.close(1000)
    deadline(CLOSE_MS, () => this.drop())
    return new Promise((resolve) => this.#closing.push(resolve))
  }

  /** Ends it without a farewell. */
  drop(): void {
    this.#end({ why: 'lost' })
  }

  async #dial(): Promise<void> {
    const [{ WebSocket }, { connect }] = await Promise.all([import('ws'), import('node:net')])
    if (this.#ended) return
    this.#disarm = deadline(CONNECT_MS, () => this.#end({ why: 'late' }))
    const { url, loopback, token } = this.#options
    const options: ClientOptions = { perMessageDeflate: false, maxPayload: MAX_FRAME_BYTES, followRedirects: false }
    if (token !== undefined) options.headers = { authorization: `Bearer ${token}` }
    if (loopback) options.generateMask = NO_MASK // masks protect proxies on the way; there are none on a machine
    if (url.startsWith('ws:')) options.createConnection = (to) => this.#plug(connect(addressOf(to)))
    const ws = this.#ws = new WebSocket(url, options)
    ws.on('error', () => {}) // `close` follows, and is where it is handled
    ws.on('unexpected-response', (request, response) => {
      this.#end({ why: 'refused', status: response.statusCode ?? 0 })
      request.destroy()
    })
    ws.on('upgrade', (response) => this.#plug(response.socket))
    ws.on('open', () => this.#greet(ws))
    ws.on('message', (data, binary) => { if (!binary) this.#heard(String(data)) })
    ws.on('pong', () => this.#heartbeat.heard())
    ws.on('ping', () => this.#heartbeat.heard())
    ws.on('close', () => this.#end({ why: 'lost' }))
  }

  #plug(socket: Socket): Socket {
    this.#socket = socket
    socket.setNoDelay(true)
    if (!this.#wanted) socket.unref()
    return socket
  }

  #greet(ws: WebSocket): void {
    this.#disarm()
    this.#disarm = deadline(HANDSHAKE_MS, () => this.#end({ why: 'late' }))
    ws.send(envelopeText({ runId: NO_RUN, seq: 0, ts: Date.now() }, 'hello', JSON.stringify(this.#options.hello)))
  }

  #heard(text: string): void {
    this.#heartbeat.heard()
    if (this.#ended) return
    const parsed = parseEnvelope(text)
    if (parsed.status === 'version-mismatch') {
      if (!this.#attached) this.#end({ why: 'other-version' })
    } else if (parsed.status !== 'invalid') this.#accept(parsed)
  }

  #accept(parsed: ParsedEnvelope): void {
    if (this.#attached) return this.#owner.message(parsed)
    if (parsed.status !== 'ok' || parsed.envelope.type !== 'hello.ack') return
    this.#attached = true
    this.#disarm()
    this.#heartbeat.start()
    this.#owner.attached(this, parsed.envelope.payload as unknown as HelloAckPayload)
  }

  #ping(): boolean {
    const ws = this.#ws
    if (!ws || ws.readyState !== ws.OPEN) return false
    ws.ping()
    return true
  }

  #end(end: LinkEnd): void {
    if (this.#ended) return
    this.#ended = true
    this.#disarm()
    this.#heartbeat.stop()
    this.#ws?.terminate()
    for (const resolve of this.#closing) resolve()
    this.#owner.ended(this, end)
  }
}

/** Only where to: ws passes the path of the request as well, which node:net would take for a local socket's. */
function addressOf(to: unknown): { host: string; port: number } {
  const { host, port } = to as { host: string; port: string | number }
  return { host, port: Number(port) }
}
