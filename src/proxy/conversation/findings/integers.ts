// Integers beyond 2^53, which most JSON readers round: the peer may see another number than was sent.
import { skipSpace, stringEnd } from '../../../wire/index.ts'
import { textOf, type Message, type Span } from '../frame-reader.ts'
import { READER, type Finding } from './finding.ts'
import type { Frame } from '../../frame.ts'

const MOST_BYTES = 1024 * 1024
const SUSPICIOUS = /\d{16}/
const INTEGER = /^-?\d{16,}$/

/** `quotes`: may the number be told? Null: there is none. */
export function largeInteger({ n, dir }: Frame, message: Message, span: Span | null, what: string, quotes: boolean): Finding | null {
  if (span === null || span.end - span.start > MOST_BYTES) return null
  const text = message.text.slice(span.start, span.end)
  if (!SUSPICIOUS.test(text)) return null
  const found = firstLarge(textOf(message, span))
  if (found === null) return null
  const shown = quotes ? `${found.slice(0, 60)}, which JavaScript reads as ${String(Number(found))}` : 'hidden'
  return { code: 'integer-beyond-2-53', level: 'warning', message: `${what} holds an integer beyond 2^53 (${shown}). The ${READER[dir]} may see another number; here it is kept exactly.`, frames: [n] }
}

function firstLarge(text: string): string | null {
  for (let i = 0; i < text.length; ) {
    const code = text.charCodeAt(i)
    if (code === 34) {
      i = stringEnd(text, i)
      if (i < 0) return null
    } else if (code === 45 || (code >= 48 && code <= 57)) {
      const end = numberEnd(text, i)
      const token = text.slice(i, end)
      if (INTEGER.test(token) && !Number.isSafeInteger(Number(token))) return token
      i = end
    } else i = skipSpace(text, i + 1)
  }
  return null
}

function numberEnd(text: string, start: number): number {
  let i = start + 1
  while (i < text.length && /[\d.eE+-]/.test(text[i] ?? '')) i++
  return i
}
