// A server that speaks the wire with its bare hands, so that tests decide what it says and when.
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import { until } from '../kit/index.ts'

export interface Received {
  gm: number
  seq: number
  ts: number
  runId: string
  type: string
  payload: Record<string, unknown>
}

export interface IngestServer {
  readonly port: number
  readonly url: string
  /** All messages of all connections, in order of arrival. */
  readonly received: Received[]
  /** The same as they were spelt. */
  readonly texts: string[]
  readonly sockets: WebSocket[]
  /** Headers of the upgrades. */
  readonly headers: Record<string, string | string[] | undefined>[]
  /** What the next acks say. */
  ack: Record<string, unknown>
  /** Events of a type. */
  events(type: string): Received[]
  /** The first event of a type that fits, waiting for it. */
  event(type: string, fits?: (event: Received) => boolean): Promise<Received>
  /** To the newest connection. */
  send(type: string, payload: object | string, runId?: string): void
  /** Arms, and waits until the app has certainly seen it. */
  arm(type: string, payload: object): Promise<void>
  /** Ends connections and listening, without a farewell. */
  close(): Promise<void>
}

export interface IngestOptions {
  port?: number
  /** Default: answers hello at once. */
  handshake?: 'answers' | 'never'
  /** HTTP status instead of an upgrade. */
  refuse?: number
}

const open = new Set<IngestServer>()

/** Ends what a test left open. */
export async function closeAll(): Promise<void> {
  for (const server of [...open]) await server.close()
}

export async function ingestServer({ port = 0, handshake = 'answers', refuse }: IngestOptions = {}): Promise<IngestServer> {
  const wss = new WebSocketServer({
    port, host: '127.0.0.1', perMessageDeflate: false,
    ...refuse === undefined ? {} : { verifyClient: (_info: object, answer: (ok: boolean, code?: number) => void) => answer(false, refuse) },
  })
  await new Promise<void>((resolve, reject) => wss.once('listening', resolve).once('error', reject))
  const actual = (wss.address() as AddressInfo).port
  let seq = 0
  const server: IngestServer = {
    port: actual,
    url: `ws://127.0.0.1:${actual}/ingest`,
    received: [], texts: [], sockets: [], headers: [],
    ack: {},
    events: (type) => server.received.filter((event) => event.type === type),
    event: (type, fits = () => true) => until(() => server.events(type).find(fits), {
      what: () => `${type}; so far ${server.received.map((event) => event.type).join(' ').slice(-1000)}`,
    }),
    send(type, payload, runId = '*') {
      const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
      server.sockets.at(-1)?.send(`{"gm":1,"seq":${seq++},"ts":${Date.now()},"runId":${JSON.stringify(runId)},"type":${JSON.stringify(type)},"payload":${text}}`)
    },
    async arm(type, payload) {
      const socket = server.sockets.at(-1)
      server.send(type, payload)
      const pong = new Promise((resolve) => socket?.once('pong', resolve))
      socket?.ping()
      await pong
    },
    async close() {
      open.delete(server)
      for (const socket of wss.clients) socket.terminate()
      await new Promise((resolve) => wss.close(resolve))
    },
  }
  wss.on('connection', (socket, request) => {
    server.sockets.push(socket)
    server.headers.push(request.headers)
    socket.on('error', () => {}) // the app may go without a farewell
    socket.on('message', (data) => {
      server.texts.push(String(data))
      const message = JSON.parse(String(data)) as Received
      server.received.push(message)
      if (message.type === 'hello' && handshake === 'answers') server.send('hello.ack', {
        versions: { protocol: 1, viewer: 'test' }, capabilities: message.payload.capabilities, breakpoints: [], mode: 'run',
        sessionToken: `token-${server.sockets.length}`, hubCapabilities: ['pause', 'step', 'inject', 'retry', 'abort', 'edit-input'], ...server.ack,
      })
    })
  })
  open.add(server)
  return server
}
