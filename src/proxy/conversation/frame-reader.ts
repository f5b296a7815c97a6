// Reads one line of a pipe as JSON-RPC, by scanning its top level alone: a frame of 32 MiB costs a
// pass over its bytes, and numbers, escapes and ids stay as they were spelt. Offsets count in the
// frame's bytes, since the text is their latin1 view. Never throws, never recurses.
import { scanArray, scanObject, skipSpace, type Member, type Span } from '../../wire/index.ts'

export type { Span }

/** One JSON-RPC message: a whole frame, or an element of a batch. */
export interface Message {
  kind: 'request' | 'notification' | 'response' | 'other'
  /** The frame's bytes; a view, so it must be replaced by a copy where the message is kept. */
  bytes: Buffer
  /** The same as latin1, without the line feed. */
  text: string
  start: number
  end: number
  /** The id token as it was spelt; '' when there is none. */
  id: string
  method: string
  params: Span | null
  result: Span | null
  error: Span | null
  /** Does it say `"jsonrpc": "2.0"`? */
  versioned: boolean
}

export type Reading =
  | { shape: 'message'; messages: [Message] }
  | { shape: 'batch'; messages: Message[] }
  | { shape: 'blank'; text: string }
  | { shape: 'not JSON'; text: string }

/** What a line is. */
export function readFrame(bytes: Buffer): Reading {
  const text = bytes.toString('latin1', 0, endOfText(bytes))
  const from = skipSpace(text, 0)
  if (from >= text.length) return { shape: 'blank', text }
  if (text[from] === '{') {
    const members = scanObject(text, from)
    if (members === null) return { shape: 'not JSON', text }
    const end = afterLast(text, members.at(-1)?.end ?? from + 1)
    return isAll(text, end) ? { shape: 'message', messages: [readMessage(bytes, text, from, end, members)] } : { shape: 'not JSON', text }
  }
  const spans = text[from] === '[' ? scanArray(text, from) : null
  if (spans === null || !isAll(text, afterLast(text, spans.at(-1)?.end ?? from + 1))) return { shape: 'not JSON', text }
  return { shape: 'batch', messages: spans.map(({ start, end }) => readMessage(bytes, text, start, end, scanObject(text, start))) }
}

/** Where the line ends, its line feed left out; a carriage return is part of what was said. */
export function endOfText(bytes: Buffer): number {
  return bytes.at(-1) === 10 ? bytes.length - 1 : bytes.length
}

function afterLast(text: string, from: number): number {
  return skipSpace(text, from) + 1
}

function isAll(text: string, end: number): boolean {
  return skipSpace(text, end) >= text.length
}

function readMessage(bytes: Buffer, text: string, start: number, end: number, members: Member[] | null): Message {
  const message: Message = { kind: 'other', bytes, text, start, end, id: '', method: '', params: null, result: null, error: null, versioned: false }
  for (const { key, start, end } of members ?? []) { // the last of a repeated key wins, as with JSON.parse
    if (key === 'id') message.id = text.slice(start, end)
    else if (key === 'method') message.method = stringOf(bytes.toString('utf8', start, end)) ?? ''
    else if (key === 'params' || key === 'result' || key === 'error') message[key] = { start, end }
    else if (key === 'jsonrpc') message.versioned = text.slice(start, end) === '"2.0"'
  }
  message.kind = kindOf(message)
  return message
}

/** A request whose id is null can never be answered, so it counts as a notification. */
function kindOf({ method, id, result, error }: Message): Message['kind'] {
  if (method !== '') return id === '' || id === 'null' ? 'notification' : 'request'
  return result !== null || error !== null ? 'response' : 'other'
}

/** The value of a JSON string; undefined for anything else. */
export function stringOf(json: string | undefined): string | undefined {
  if (json === undefined || json[0] !== '"') return undefined
  try {
    return JSON.parse(json) as string
  } catch {
    return undefined // an escape that JSON does not know
  }
}

/** UTF-8 text of a part of a message. */
export function textOf({ bytes }: Message, span: Span): string {
  return bytes.toString('utf8', span.start, span.end)
}

/** Where a member's value is, below an object in the message, along a path of keys. */
export function find(message: Message, span: Span | null, ...path: string[]): Span | null {
  let at = span
  for (const key of path) {
    if (at === null || !mayHave(message.text, at, key)) return null
    const found: Member | undefined = scanObject(message.text.slice(at.start, at.end))?.findLast((member) => member.key === key)
    at = found ? { start: at.start + found.start, end: at.start + found.end } : null
  }
  return at
}

/** The raw JSON of a member, as `find` finds it. */
export function rawOf(message: Message, span: Span | null, ...path: string[]): string | undefined {
  const found = find(message, span, ...path)
  return found === null ? undefined : textOf(message, found)
}

/** The same as its bytes were spelt, in latin1: for ids and tokens, which compare raw. '' when there is none. */
export function tokenOf(message: Message, span: Span | null, ...path: string[]): string {
  const found = find(message, span, ...path)
  return found === null ? '' : message.text.slice(found.start, found.end)
}

/** A large object is not scanned for a key whose text is nowhere in the frame. */
function mayHave(text: string, { start, end }: Span, key: string): boolean {
  return end - start < 4096 || text.includes(`"${key}"`, start) || text.includes('\\u', start)
}
