// One app's connection, as the rest of the server sees it: what it may do, which runs it streams,
// how to tell it something. Messages to it are few (controls); it is never flooded.
import { randomBytes } from 'node:crypto'
import type { WebSocket } from 'ws'
import { envelopeText, NO_RUN, type HelloPayload } from '../wire/index.ts'
import type { LiveRun } from './live-run.ts'

/** A client that takes no controls off its socket must not cost memory. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024

export class AppLink {
  readonly runs = new Set<LiveRun>()
  /** Null until the handshake; an app without one only gets its events stored. */
  hello: HelloPayload | null = null
  token = ''
  capabilities: ReadonlySet<string> = new Set()
  /** It said once that it speaks another version. */
  saidVersion = false
  readonly #socket: WebSocket
  #seq = 0

  constructor(socket: WebSocket) {
    this.#socket = socket
  }

  get name(): string {
    return this.hello?.app ?? 'an app without a name'
  }

  get open(): boolean {
    return this.#socket.readyState === this.#socket.OPEN
  }

  /** A new secret by which the app can claim its runs after a drop. */
  newToken(): string {
    return this.token = randomBytes(18).toString('base64url')
  }

  /** Sends a message; numbered anew. `payload`: its JSON text. */
  send(type: string, payload: string, runId: string = NO_RUN): boolean {
    if (!this.open || this.#socket.bufferedAmount > MOST_WAITING_BYTES) return false
    this.#socket.send(envelopeText({ runId, seq: this.#seq++, ts: Date.now() }, type, payload))
    return true
  }

  /** The same for a payload that is built here. */
  tell(type: string, payload: object, runId: string = NO_RUN): boolean {
    return this.send(type, JSON.stringify(payload), runId)
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason)
  }

  /** For a socket that may be half-open: no farewell is waited for. */
  drop(): void {
    this.#socket.terminate()
  }
}
