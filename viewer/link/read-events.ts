// Reads what the server sends: envelopes with the text of their payloads as it was spelt. The
// server writes envelopes in one way, so their heads are matched, not parsed; of a large payload
// only what is small is parsed, since its input and output are never needed as values.
import { rawMember, scanArray, scanObject, skipSpace, skipValue, type UiServerMessage } from '../../src/wire/index.ts'
import type { AppliedEnvelope } from '../model/apply.ts'

export type SmallMessage = Exclude<UiServerMessage, { type: 'event' | 'events' }>
export interface Reader {
  message(message: SmallMessage): void
  event(runId: string, envelope: AppliedEnvelope, payloadText: string): void
}

/** Above this a payload is not parsed as a whole. */
const SMALL_CHARS = 4096
const MESSAGE_HEAD = /\{"type":"(?:event|events)","runId":("(?:[^"\\]|\\.)*"),"envelopes?":(\[?)/y
const ENVELOPE_HEAD = /\{"gm":1,"seq":(\d+),"ts":(\d+),"runId":"(?:[^"\\]|\\.)*","type":"([^"\\]*)","payload":/y

/** Reads one message. Throws a SyntaxError when it is not JSON. */
export function readMessage(text: string, to: Reader): void {
  MESSAGE_HEAD.lastIndex = 0
  const head = MESSAGE_HEAD.exec(text)
  if (!head) return readOther(text, to)
  const runId = JSON.parse(head[1] as string) as string
  let at = MESSAGE_HEAD.lastIndex
  if (head[2] === '') return void readEnvelope(text, at, runId, to)
  while (text[at] === '{') at = skipSpace(text, skipComma(text, readEnvelope(text, at, runId, to)))
}

/** Reads the envelope at `at`; gives the index after it. */
function readEnvelope(text: string, at: number, runId: string, to: Reader): number {
  ENVELOPE_HEAD.lastIndex = at
  const head = ENVELOPE_HEAD.exec(text)
  if (!head) return readSpelt(text, at, runId, to)
  const start = ENVELOPE_HEAD.lastIndex
  const end = skipValue(text, start)
  const payloadText = text.slice(start, end)
  to.event(runId, { seq: Number(head[1]), ts: Number(head[2]), type: head[3] as string, payload: parsePayload(payloadText) }, payloadText)
  return text[end] === '}' ? end + 1 : skipValue(text, at) // members that we do not know follow the payload
}

/** An envelope that is spelt in another way. */
function readSpelt(text: string, at: number, runId: string, to: Reader): number {
  const end = skipValue(text, at)
  const whole = text.slice(at, end)
  const payloadText = rawMember(whole, 'payload') ?? '{}'
  const { seq, ts, type } = JSON.parse(whole) as AppliedEnvelope
  to.event(runId, { seq, ts, type, payload: parsePayload(payloadText) }, payloadText)
  return end
}

function skipComma(text: string, at: number): number {
  return text[at] === ',' ? at + 1 : at
}

function readOther(text: string, to: Reader): void {
  const message = JSON.parse(text) as UiServerMessage
  if (message.type === 'event') {
    const envelope = rawMember(text, 'envelope')
    if (envelope !== undefined) readEnvelope(envelope, 0, message.runId, to)
  } else if (message.type === 'events') {
    for (const envelope of elements(rawMember(text, 'envelopes'))) readEnvelope(envelope, 0, message.runId, to)
  } else to.message(message)
}

function elements(array: string | undefined): string[] {
  return array === undefined ? [] : (scanArray(array) ?? []).map(({ start, end }) => array.slice(start, end))
}

/** The payload's members; of a large one `input` and `output` are there, but null. */
export function parsePayload(text: string): Record<string, unknown> {
  if (text.length <= SMALL_CHARS) return JSON.parse(text) as Record<string, unknown>
  const payload: Record<string, unknown> = {}
  for (const { key, start, end } of scanObject(text) ?? []) {
    const value = key === 'input' || key === 'output' ? null : JSON.parse(text.slice(start, end)) as unknown
    Object.defineProperty(payload, key, { value, writable: true, enumerable: true, configurable: true }) // a key may be __proto__
  }
  return payload
}
