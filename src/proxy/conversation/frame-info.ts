// The `frame` member of an event, and values that are spliced into events as the JSON text they
// were. What is large is cut before it is decoded: a frame of 32 MiB never becomes a string of 32 MiB.
import { isUtf8 } from 'node:buffer'
import { shortenJson, TRUNCATED, type FrameInfo } from '../../wire/index.ts'
import type { Direction } from '../frame.ts'
import { endOfText, type Message, type Span } from './frame-reader.ts'

/** Up to here a frame is told whole; the client shortens the event where it has to. */
const WHOLE_BYTES = 512 * 1024
/** Of a larger one, this much of its text and of each value is told. */
const KEPT_BYTES = 128 * 1024

export interface FrameMark { n: number; dir: Direction; bytes: Buffer; by?: 'graphmind' }

/** How a frame is told. `i`: the element of a batch that the event stands for. */
export function frameInfo({ n, dir, bytes, by }: FrameMark, i?: number): FrameInfo {
  const info: FrameInfo = { n, dir, bytes: bytes.length }
  const end = endOfText(bytes)
  if (isUtf8(bytes)) info.text = end > WHOLE_BYTES ? beginning(bytes, end) : bytes.toString('utf8', 0, end)
  else info.b64 = bytes.toString('base64', 0, Math.min(end, KEPT_BYTES - KEPT_BYTES % 3))
  if (by !== undefined) info.by = by
  if (i !== undefined) info.i = i
  return info
}

function beginning(bytes: Buffer, end: number): string {
  let kept = KEPT_BYTES
  while (((bytes[kept] ?? 0) & 0xc0) === 0x80) kept-- // not in the middle of a character
  return `${bytes.toString('utf8', 0, kept)}[graphmind cut ${end - kept} characters]`
}

/** A value as JSON text, and what was cut of it. */
export interface Value { json: string; bytes: number; cut: boolean }

/** The JSON text of a part of a message. What only looked like JSON becomes a string of it. */
export function valueOf(message: Message, { start, end }: Span): Value {
  const bytes = end - start
  const cut = bytes > WHOLE_BYTES
  const json = cut ? shortened(message.text.slice(start, end)) : message.bytes.toString('utf8', start, end)
  return { json: isJson(json) ? json : JSON.stringify(cut ? json.slice(0, KEPT_BYTES).toWellFormed() : json), bytes, cut }
}

/** Shortened as latin1 (so nothing large is decoded); half a character before a cut is dropped. */
function shortened(latin1: string): string {
  return Buffer.from(shortenJson(latin1, KEPT_BYTES), 'latin1').toString('utf8').replace(/\uFFFD+(?=\[graphmind cut )/g, '')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false // a bare word, a raw control character: the scanner looks at structure alone
  }
}

/** The members that mark an event whose values were cut here. */
export function cutMarks(bytes: number, preview: string, fields: string[]): Record<string, unknown> {
  return { [TRUNCATED]: true, bytes, preview: preview.slice(0, 2000).toWellFormed(), fields }
}
