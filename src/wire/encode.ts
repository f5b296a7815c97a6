// Turns a payload into JSON text, whatever the host put into it. What cannot be written (a
// cycle, nesting too deep for the stack, a getter that throws) loses only that field.
import { UNREADABLE } from './limits.ts'

const RESCUE_DEPTH = 3

/**
 * The payload as JSON text. `raw` holds members that are JSON text already (input, output);
 * they are spliced in as they are. Never throws.
 */
export function encodePayload(payload: object, raw?: Readonly<Record<string, string>>): string {
  const text = encodeValue(payload, 0) ?? '{}'
  return raw === undefined ? text : spliceMembers(text, raw)
}

function spliceMembers(text: string, raw: Readonly<Record<string, string>>): string {
  let out = text.slice(0, -1)
  for (const key in raw) out += `${out === '{' ? '' : ','}${JSON.stringify(key)}:${raw[key]}`
  return `${out}}`
}

function encodeValue(value: unknown, depth: number): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return depth < RESCUE_DEPTH ? rescue(value, depth) : JSON.stringify(UNREADABLE)
  }
}

/** Encodes each member by itself, so that only the one at fault is lost. */
function rescue(value: unknown, depth: number): string {
  if (typeof value === 'bigint') return JSON.stringify(String(value))
  if (Array.isArray(value) && value.length <= 1000) {
    return `[${value.map((item) => encodeValue(item, depth + 1) ?? 'null').join(',')}]`
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(UNREADABLE)
  const members: string[] = []
  for (const key of Object.keys(value)) {
    const member = encodeMember(value, key, depth)
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${member}`)
  }
  return `{${members.join(',')}}`
}

function encodeMember(value: object, key: string, depth: number): string | undefined {
  try {
    return encodeValue((value as Record<string, unknown>)[key], depth + 1)
  } catch {
    return JSON.stringify(UNREADABLE) // a getter that throws
  }
}
