// Shortens a payload that is too large to keep, on its text: numbers, escapes and key order of
// what remains are as they were, and every field keeps its JSON type. The largest fields give
// way first, so names and ids survive. Client and server shrink with this one function.
import { MAX_PAYLOAD_BYTES, TRUNCATED } from './limits.ts'
import { scanObject, skipSpace, skipValue, type Member } from './scan.ts'

const PREVIEW_CHARS = 2000
const MARKS_BYTES = 24 * 1024 // room for __graphmindTruncated, bytes, preview (6 bytes a character at worst), fields
const MAX_DEPTH = 4 // what lies deeper is emptied; it also bounds the work to four passes
const MAX_FIELDS = 50
const MARKS = new Set([TRUNCATED, 'bytes', 'preview', 'fields'])

/** The same payload in at most 512 KiB of UTF-8, marked as shortened; itself when it fits. */
export function shrinkPayload(payloadText: string, limit = MAX_PAYLOAD_BYTES): string {
  if (payloadText.length * 3 <= limit) return payloadText
  const bytes = utf8Length(payloadText)
  if (bytes <= limit) return payloadText
  const members = (scanObject(payloadText) ?? []).filter((member) => !MARKS.has(member.key))
  const fields: string[] = []
  const room = Math.max(2, limit - Math.min(MARKS_BYTES, limit >> 1))
  const body = shortenMembers(payloadText, members, room, fields, '', 0)
  const marks = `"${TRUNCATED}":true,"bytes":${bytes},"preview":${JSON.stringify(preview(payloadText))},"fields":${JSON.stringify(fields.slice(0, MAX_FIELDS))}`
  return body === '{}' ? `{${marks}}` : `${body.slice(0, -1)},${marks}}`
}

/** One JSON value in at most about `limit` bytes of UTF-8, of the same JSON type. */
export function shortenJson(text: string, limit: number): string {
  return shorten(text, Math.max(2, limit), [], '', 0)
}

function shorten(text: string, room: number, fields: string[], path: string, depth: number): string {
  if (fits(text, room)) return text
  const first = text[skipSpace(text, 0)]
  if (first === '{') {
    const members = depth < MAX_DEPTH ? scanObject(text) : null
    return shortenMembers(text, members ?? [], room, fields, path, depth)
  }
  fields.push(path)
  if (first === '[') return shortenArray(text, room, depth)
  if (first === '"') return shortenString(text, room)
  return '0' // a number of more digits than there is room for
}

/** Every member may take up to one level; those that need less leave the rest to the others. */
function shortenMembers(text: string, members: Member[], room: number, fields: string[], path: string, depth: number): string {
  const parts = members.map((member) => ({ member, keyBytes: sizeOf(text, member.keyStart, member.start, room) + 1, bytes: sizeOf(text, member.start, member.end, room) }))
  const kept = keepMembers(parts, room)
  if (kept.length < parts.length) fields.push(path)
  const level = waterLevel(kept.map((part) => part.bytes), room - 2 - kept.reduce((sum, part) => sum + part.keyBytes, 0))
  const out = kept.map(({ member, bytes }) => {
    const value = text.slice(member.start, member.end)
    const name = path === '' ? member.key : `${path}.${member.key}`
    return text.slice(member.keyStart, member.start) + (bytes <= level ? value : shorten(value, level, fields, name, depth + 1))
  })
  return `{${out.join(',')}}`
}

/** The first members for whose keys and two bytes of value there is room. */
function keepMembers<T extends { keyBytes: number }>(parts: T[], room: number): T[] {
  let used = 2
  const end = parts.findIndex((part) => (used += part.keyBytes + 2) > room)
  return end < 0 ? parts : parts.slice(0, end)
}

/** The largest height such that the sizes, each cut to it, sum to at most `room`. */
function waterLevel(sizes: number[], room: number): number {
  const rising = [...sizes].sort((a, b) => a - b)
  let left = room
  for (let i = 0; i < rising.length; i++) {
    const share = Math.floor(left / (rising.length - i))
    const size = rising[i] ?? 0
    if (size > share) return Math.max(2, share)
    left -= size
  }
  return Infinity
}

/** The first elements that fit; of a first one that does not, as much as fits. Reads no further than that. */
function shortenArray(text: string, room: number, depth: number): string {
  const kept: string[] = []
  let left = room - 2
  for (let start = skipSpace(text, skipSpace(text, 0) + 1); depth < MAX_DEPTH; ) {
    const end = skipValue(text, start)
    if (end < 0) break
    const bytes = sizeOf(text, start, end, left) + 1
    if (bytes > left) {
      if (kept.length === 0 && left > 64) kept.push(shorten(text.slice(start, end), left, [], '', depth + 1))
      break
    }
    kept.push(text.slice(start, end))
    left -= bytes
    const next = skipSpace(text, end)
    if (text[next] !== ',') break
    start = skipSpace(text, next + 1)
  }
  return `[${kept.join(',')}]`
}

/** UTF-8 bytes of a slice; where its characters alone exceed `room`, their number will do. */
function sizeOf(text: string, start: number, end: number, room: number): number {
  return end - start > room ? end - start : utf8Length(text.slice(start, end))
}

function shortenString(text: string, room: number): string {
  const mark = `[graphmind cut ${text.length} characters]` // at least as long as the final one
  let left = room - 2 - mark.length
  let i = 1
  const end = text.length - 1
  while (i < end) {
    const next = unitEnd(text, i)
    left -= unitBytes(text, i, next)
    if (left < 0) break
    i = next
  }
  return room < mark.length + 2 ? '""' : `${text.slice(0, i)}[graphmind cut ${end - i} characters]"`
}

/** The end of one character or escape; a surrogate pair stays whole, escaped or not. */
function unitEnd(text: string, i: number): number {
  const code = text.charCodeAt(i)
  if (code === 92) {
    if (text[i + 1] !== 'u') return i + 2
    return /^\\u[dD][89abAB]/.test(text.slice(i, i + 4)) && text.startsWith('\\u', i + 6) ? i + 12 : i + 6
  }
  return code >= 0xd800 && code < 0xdc00 ? i + 2 : i + 1
}

function unitBytes(text: string, i: number, next: number): number {
  const code = text.charCodeAt(i)
  if (code < 0x80) return next - i
  return code < 0x800 ? 2 : next - i === 2 ? 4 : 3
}

function preview(text: string): string {
  return text.slice(0, PREVIEW_CHARS).toWellFormed()
}

function fits(text: string, room: number): boolean {
  return text.length <= room && (text.length * 3 <= room || utf8Length(text) <= room)
}

/** The length of the text in UTF-8; a lone surrogate counts as the three bytes of U+FFFD. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x80) continue
    if (code < 0x800) bytes += 1
    else if (code >= 0xd800 && code < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      bytes += 2
      i++
    } else bytes += 2
  }
  return bytes
}
