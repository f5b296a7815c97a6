// A WebSocket that keeps what it was sent, for the raw app and the raw viewer.
import { WebSocket, type ClientOptions } from 'ws'
import { until } from './until.ts'

export interface Socket<T> {
  readonly ws: WebSocket
  /** Everything received so far, parsed. */
  readonly messages: T[]
  /** Set once it is closed. */
  closed(): { code: number; reason: string } | null
  send(value: unknown): void
  sendText(text: string): void
  /** The first message that fits, waiting for it. */
  next<M extends T>(fits: (message: T) => message is M, what?: string): Promise<M>
  next(fits: (message: T) => boolean, what?: string): Promise<T>
  close(): Promise<void>
}

export class Refused extends Error {
  readonly status: number
  constructor(status: number) {
    super(`the upgrade was answered with HTTP ${status}`)
    this.status = status
  }
}

const open = new Set<WebSocket>()
process.once('exit', () => {
  for (const ws of open) ws.terminate()
})

/** Opens a socket; rejects with `Refused` when the upgrade is answered with an HTTP status. */
export async function openSocket<T>(url: string, protocols: string[] = [], options: ClientOptions = {}): Promise<Socket<T>> {
  const ws = new WebSocket(url, protocols, { perMessageDeflate: false, ...options })
  const messages: T[] = []
  let end: { code: number; reason: string } | null = null
  ws.on('message', (data) => messages.push(JSON.parse(String(data)) as T))
  ws.on('close', (code, reason) => {
    end = { code, reason: String(reason) }
    open.delete(ws)
  })
  open.add(ws)
  await new Promise<void>((resolve, reject) => {
    ws.once('open', resolve)
    ws.once('unexpected-response', (_request, response) => {
      reject(new Refused(response.statusCode ?? 0))
      ws.terminate()
    })
    ws.on('error', reject) // stays: an error after opening must not end the test process
  })
  return {
    ws,
    messages,
    closed: () => end,
    send: (value) => ws.send(JSON.stringify(value)),
    sendText: (text) => ws.send(text),
    next: (fits: (message: T) => boolean, what = 'a message') => until(() => messages.find(fits) ?? null, {
      what: () => `${what}; received: ${JSON.stringify(messages.slice(-10)).slice(0, 2000)}`,
    }) as Promise<never>,
    async close() {
      ws.close()
      await until(() => end, { what: 'the socket to close' })
    },
  }
}
