// Turns what happened into events of the run. It decides nothing; what a hide switch covers is
// taken out by the client, and what only we know to be sensitive is left out here.
import type { Run, Session } from '../../client/index.ts'
import { REDACTED, type EventPayload, type FrameInfo, type InstanceLink } from '../../wire/index.ts'
import { cutMarks, valueOf } from './frame-info.ts'
import type { Message, Span } from './frame-reader.ts'
import type { Direction } from '../frame.ts'
import type { Outcome } from './outcome.ts'
import { SESSION, SESSION_INSTANCE, type Instance, type Place } from './place.ts'

export type Frame = FrameInfo | { n: number; i: number }
export interface Told {
  frame?: Frame
  link?: InstanceLink
  parentId?: string
  /** A notification: the server's are output, as its log is. */
  saidBy?: Direction
}
type Extra = Record<string, unknown>
interface Spliced { raw?: Record<string, string>; marks?: Extra }

/** Methods of any kind whose result is a tool's. */
const CARRIES_TOOL_RESULT = new Set(['tasks/result', 'tasks/get'])

export class Report {
  readonly #run: Run
  readonly #session: Session

  constructor(run: Run, session: Session) {
    this.#run = run
    this.#session = session
  }

  /** An execution begins; `input`: its params. */
  started({ id, place }: Instance, message: Message, { frame, link, parentId, saidBy }: Told): void {
    const asOutput = saidBy === 's2c' && this.#session.hidden(place.kind, 'output')
    const { raw, marks } = spliced('input', message, message.params, frame, asOutput || this.#session.hidden(place.kind, 'input'))
    const seen = asOutput ? withoutText(frame) : frame
    this.#run.emit('node.started', { nodeId: place.nodeId, parentId: parentId ?? SESSION.nodeId, kind: place.kind, name: place.name, instanceId: id, link, frame: seen, ...marks }, raw)
  }

  /** It ended as the outcome says. */
  ended({ id, place, startedAt, heldMs }: Instance, { status, message, output, error }: Outcome, at: number, frame?: Frame): void {
    const own = { nodeId: place.nodeId, instanceId: id, heldMs: heldMs || undefined, durationMs: Math.max(0, at - startedAt) }
    const { raw, marks } = this.#output(place, message, output, frame)
    const seen = this.#frameOf(place.name, frame)
    if (status === 'error') this.#run.emit('node.error', { ...own, error: error ?? { name: 'Error', message: 'unknown' }, frame: seen, ...marks }, raw)
    else this.#run.emit('node.finished', { ...own, status, frame: seen, ...marks, ...(error === null ? {} : { error }) }, raw)
  }

  /** It ended without an answer that counts. */
  closed({ id, place, startedAt, heldMs }: Instance, status: 'ok' | 'aborted' | 'unanswered' | 'warning', at: number, frame?: Frame): void {
    this.#run.emit('node.finished', { nodeId: place.nodeId, instanceId: id, heldMs: heldMs || undefined, durationMs: Math.max(0, at - startedAt), status, frame })
  }

  failed({ id, place, startedAt, heldMs }: Instance, name: string, message: string, at: number): void {
    this.#run.emit('node.error', { nodeId: place.nodeId, instanceId: id, heldMs: heldMs || undefined, durationMs: Math.max(0, at - startedAt), error: { name, message } })
  }

  /** An answer that is held: the person who decides must see it. */
  waiting({ id, place }: Instance, { message, output, error }: Outcome, frame: Frame): void {
    const { raw, marks } = this.#output(place, message, output, frame)
    const payload: EventPayload<'node.token'> & Extra = { nodeId: place.nodeId, instanceId: id, deltas: [], frame: this.#frameOf(place.name, frame), ...marks }
    if (error !== null) payload.error = error
    this.#run.emit('node.token', payload, raw)
  }

  /** Something about an execution while it runs: text, or a frame that belongs to it. */
  shown({ id, place }: Pick<Instance, 'id' | 'place'>, text: string, frame?: Frame): void {
    this.#run.emit('node.token', { nodeId: place.nodeId, instanceId: id, deltas: text === '' ? [] : [{ t: 'text', v: text }], frame })
  }

  /** A frame that belongs to no execution. */
  stray(frame: Frame): void {
    this.shown({ id: SESSION_INSTANCE, place: SESSION }, '', frame)
  }

  /** A line that is no JSON-RPC. `text` null: only its length may be told. */
  line({ id, place }: Instance, text: string | null, frame: FrameInfo): void {
    const told = text === null ? withoutText(frame) : frame
    const input = text ?? `${frame.bytes} bytes, hidden`
    this.#run.emit('node.started', { nodeId: place.nodeId, parentId: SESSION.nodeId, kind: place.kind, name: place.name, instanceId: id, input, frame: told })
  }

  #output({ kind, name }: Place, message: Message, span: Span | null, frame: Frame | undefined): Spliced {
    return spliced('output', message, span, frame, this.#hides(name) || this.#session.hidden(kind, 'output'))
  }

  #frameOf(method: string, frame: Frame | undefined): Frame | undefined {
    return this.#hides(method) ? withoutText(frame) : frame
  }

  #hides(method: string): boolean {
    return CARRIES_TOOL_RESULT.has(method) && this.#session.hidden('tool', 'output')
  }
}

function withoutText<T extends Frame>(frame: T | undefined): T | undefined {
  if (frame === undefined) return undefined
  const rest: T & { text?: string; b64?: string } = { ...frame }
  delete rest.text
  delete rest.b64
  return rest
}

/** The value as raw text; a hidden one is not even read, since its beginning would tell of it. */
function spliced(key: 'input' | 'output', message: Message, span: Span | null, frame: Frame | undefined, hide: boolean): Spliced {
  if (span === null) return {}
  if (hide) return { marks: { [key]: REDACTED } }
  const value = valueOf(message, span)
  const raw = { [key]: value.json }
  if (!value.cut) return { raw }
  return { raw, marks: cutMarks(message.bytes.length + value.bytes, value.json, frame && 'text' in frame ? [key, 'frame.text'] : [key]) }
}
