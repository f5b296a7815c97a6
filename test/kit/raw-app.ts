// An app that speaks the wire with its bare hands: no client runtime, no buffering, no manners.
// For tests of the server; `url` is the server's `/ingest`.
import type { ClientOptions } from 'ws'
import { openSocket, type Socket } from './socket.ts'

export interface RawEnvelope {
  gm: number
  seq: number
  ts: number
  runId: string
  type: string
  payload: Record<string, unknown>
}

export interface RawApp extends Socket<RawEnvelope> {
  /** Says hello and gives the ack's payload. */
  hello(payload?: Record<string, unknown>): Promise<Record<string, unknown>>
  /** Sends one event with the next seq of that run; gives the envelope that was sent. */
  emit(runId: string, type: string, payload: Record<string, unknown>, seq?: number): RawEnvelope
  /** `run.started`, with the fields that the contract asks for. */
  startRun(runId: string, more?: Record<string, unknown>): RawEnvelope
}

/** Connects without hello. */
export async function connectApp(url: string, options: ClientOptions & { token?: string } = {}): Promise<RawApp> {
  const { token, ...rest } = options
  const socket = await openSocket<RawEnvelope>(url, token ? [`graphmind.token.${token}`] : [], rest)
  const seqs = new Map<string, number>()
  const emit: RawApp['emit'] = (runId, type, payload, seq) => {
    const next = seq ?? seqs.get(runId) ?? 0
    seqs.set(runId, Math.max(next + 1, seqs.get(runId) ?? 0))
    const envelope = { gm: 1, seq: next, ts: Date.now(), runId, type, payload }
    socket.send(envelope)
    return envelope
  }
  return Object.assign(socket, {
    emit,
    startRun: (runId: string, more: Record<string, unknown> = {}) =>
      emit(runId, 'run.started', { app: 'raw-app', sdk: { name: 'raw', version: '1.0.0' }, ...more }),
    async hello(payload: Record<string, unknown> = {}) {
      const before = socket.messages.length
      emit('*', 'hello', {
        versions: { protocol: 1, client: 'raw/1.0.0' },
        capabilities: ['pause', 'step', 'inject', 'retry', 'abort', 'edit-input'],
        app: 'raw-app',
        sdk: { name: 'raw', version: '1.0.0' },
        ...payload,
      })
      const ack = await socket.next((m) => m.type === 'hello.ack' && socket.messages.indexOf(m) >= before, 'hello.ack')
      return ack.payload
    },
  })
}
