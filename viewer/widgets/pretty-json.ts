// JSON text with line breaks and indents; every token stays as it was spelt. Iterative.
import { compactJson, stringEnd } from '../../src/wire/index.ts'

const MOST_CHARS = 2_000_000

/** The text indented by two spaces; as it is where it is too large to be read anyway. */
export function prettyJson(text: string): string {
  if (text.length > MOST_CHARS) return text
  const json = compactJson(text)
  const parts: string[] = []
  let depth = 0
  for (let i = 0; i < json.length; i++) {
    const char = json[i] as string
    if (char === '"') {
      const end = stringEnd(json, i)
      if (end < 0) return text
      parts.push(json.slice(i, end))
      i = end - 1
    } else if (char === '{' || char === '[') {
      const close = json[i + 1]
      if (close === '}' || close === ']') {
        parts.push(char + close)
        i++
      } else parts.push(char, newLine(++depth))
    } else if (char === '}' || char === ']') parts.push(newLine(--depth), char)
    else if (char === ',') parts.push(',', newLine(depth))
    else if (char === ':') parts.push(': ')
    else parts.push(char)
  }
  return parts.join('')
}

function newLine(depth: number): string {
  return `\n${'  '.repeat(Math.max(0, Math.min(depth, 100)))}`
}
