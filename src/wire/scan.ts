// The one raw scanner of JSON text. It finds where the members of an object or the elements of
// an array begin and end without building values, so numbers, escapes and key order stay as
// they were spelt. It is iterative, so depth costs nothing.
//
// It works on any string. For bytes, pass `buffer.toString('latin1')`: JSON's structure is
// ASCII and UTF-8 never reuses those bytes, so every offset is then a byte offset.

/** A member of an object: the value is `text.slice(start, end)`. */
export interface Member {
  /** The decoded key. */
  key: string
  keyStart: number
  start: number
  end: number
}

export interface Span { start: number; end: number }

const QUOTE = 34, COMMA = 44, COLON = 58, BACKSLASH = 92
const OPEN_BRACKET = 91, CLOSE_BRACKET = 93, OPEN_BRACE = 123, CLOSE_BRACE = 125

/** The top-level members of the object at or after `from`; null when there is none or its structure is broken. */
export function scanObject(text: string, from = 0): Member[] | null {
  let i = skipSpace(text, from)
  if (text.charCodeAt(i) !== OPEN_BRACE) return null
  const members: Member[] = []
  i = skipSpace(text, i + 1)
  if (text.charCodeAt(i) === CLOSE_BRACE) return members
  for (;;) {
    if (text.charCodeAt(i) !== QUOTE) return null
    const keyStart = i
    const keyEnd = stringEnd(text, i)
    if (keyEnd < 0) return null
    i = skipSpace(text, keyEnd)
    if (text.charCodeAt(i) !== COLON) return null
    const start = skipSpace(text, i + 1)
    const end = skipValue(text, start)
    if (end < 0) return null
    const key = decodeKey(text, keyStart, keyEnd)
    if (key === null) return null
    members.push({ key, keyStart, start, end })
    i = skipSpace(text, end)
    const next = text.charCodeAt(i)
    if (next === CLOSE_BRACE) return members
    if (next !== COMMA) return null
    i = skipSpace(text, i + 1)
  }
}

/** The elements of the array at or after `from`; null when there is none or its structure is broken. */
export function scanArray(text: string, from = 0): Span[] | null {
  let i = skipSpace(text, from)
  if (text.charCodeAt(i) !== OPEN_BRACKET) return null
  const spans: Span[] = []
  i = skipSpace(text, i + 1)
  if (text.charCodeAt(i) === CLOSE_BRACKET) return spans
  for (;;) {
    const end = skipValue(text, i)
    if (end < 0) return null
    spans.push({ start: i, end })
    i = skipSpace(text, end)
    const next = text.charCodeAt(i)
    if (next === CLOSE_BRACKET) return spans
    if (next !== COMMA) return null
    i = skipSpace(text, i + 1)
  }
}

/** The raw text of a member of the object that `text` is; the last one wins, as with JSON.parse. */
export function rawMember(text: string, key: string): string | undefined {
  const found = scanObject(text)?.findLast((member) => member.key === key)
  return found && text.slice(found.start, found.end)
}

/** The index after the value that starts at `i`; -1 when it does not end. */
export function skipValue(text: string, i: number): number {
  const first = text.charCodeAt(i)
  if (first === QUOTE) return stringEnd(text, i)
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return containerEnd(text, i)
  const start = i
  while (i < text.length && !isDelimiter(text.charCodeAt(i))) i++
  return i > start ? i : -1
}

/** The index after the string that starts at `i` (a quote); -1 when it does not end. */
export function stringEnd(text: string, i: number): number {
  let from = i + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote < 0) return -1
    let slashes = quote - 1
    while (slashes >= from && text.charCodeAt(slashes) === BACKSLASH) slashes--
    if ((quote - 1 - slashes) % 2 === 0) return quote + 1
    from = quote + 1
  }
}

function containerEnd(text: string, i: number): number {
  // The kinds of open containers, so that `[}` is broken; a plain counter until they differ would not tell.
  const open: number[] = []
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) {
      i = stringEnd(text, i) - 1
      if (i < 0) return -1
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      open.push(code + 2)
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      if (open.pop() !== code) return -1
      if (open.length === 0) return i + 1
    }
  }
  return -1
}

/** The index of the first character from `i` on that is not JSON white space. */
export function skipSpace(text: string, i: number): number {
  for (;;) {
    const code = text.charCodeAt(i)
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return i
    i++
  }
}

function isDelimiter(code: number): boolean {
  return code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || code === COLON ||
    code === QUOTE || code === 32 || code === 10 || code === 13 || code === 9
}

function decodeKey(text: string, start: number, end: number): string | null {
  const bare = text.slice(start + 1, end - 1)
  if (!bare.includes('\\')) return bare
  try {
    return JSON.parse(text.slice(start, end)) as string
  } catch {
    return null // an escape that JSON does not know: the object is broken
  }
}

/** The same JSON without the white space between its tokens; nothing else changes, so `1.0` stays `1.0`. */
export function compactJson(text: string): string {
  let out = ''
  let from = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) {
      const end = stringEnd(text, i)
      if (end < 0) break
      i = end - 1
    } else if (code === 32 || code === 10 || code === 13 || code === 9) {
      out += text.slice(from, i)
      from = i + 1
    }
  }
  return out + text.slice(from)
}
