// The one parser of wire messages. It never throws; it answers, in this order: not an envelope,
// another protocol version, an unknown type (accepted), a known type with a bad payload, ok.
// What it accepts comes with the payload's own text, so that nothing is ever serialised again.
import { compile, type Check, type Fault } from './check.ts'
import { envelopeSchema, payloads } from './contract.ts'
import { PROTOCOL, type WireEnvelope } from './envelope.ts'
import { scanObject, skipValue, type Member } from './scan.ts'

export interface ParsedEnvelope {
  status: 'ok' | 'unknown-type'
  envelope: WireEnvelope<string, Record<string, unknown>>
  /** The payload as it was spelt. */
  payloadText: string
  /** Members of the envelope that the contract does not know, as JSON text `"a":1,"b":2`; null: none. */
  extra: string | null
}

export type Parsed =
  | ParsedEnvelope
  | { status: 'version-mismatch'; gm: unknown }
  | { status: 'invalid'; path: string; message: string }

const checkEnvelope = compile(envelopeSchema)
const payloadChecks = new Map<string, Check>(Object.entries(payloads).map(([type, rules]) => [type, compile(rules)]))

/** Reads one message. The text is one JSON object; anything else is `invalid` with the reason. */
export function parseEnvelope(text: string): Parsed {
  const value = parseJson(text)
  if (value === undefined) return { status: 'invalid', path: '', message: 'is not JSON' }
  const gm = typeof value === 'object' && value !== null ? (value as { gm?: unknown }).gm : undefined
  if (typeof gm === 'number' && gm !== PROTOCOL) return { status: 'version-mismatch', gm }
  const fault = checkEnvelope(value)
  if (fault) return { status: 'invalid', path: fault.path.slice(1), message: fault.message }
  const envelope = value as ParsedEnvelope['envelope']
  const check = payloadChecks.get(envelope.type)
  const payloadFault = check?.(envelope.payload)
  if (payloadFault) return { status: 'invalid', path: `payload${payloadFault.path}`, message: payloadFault.message }
  const status = check ? 'ok' : 'unknown-type'
  const canonical = canonicalPayload(text)
  if (canonical !== null) return { status, envelope, payloadText: canonical, extra: null }
  const members = scanObject(text) ?? [] // never null: JSON.parse took it
  return { status, envelope, payloadText: payloadOf(text, members), extra: extraOf(text, members) }
}

// An envelope spelt as we spell it, up to its payload. Sticky, so that a test leaves the end in lastIndex.
const CANONICAL_HEAD = /\{"gm":1,"seq":\d+,"ts":\d+,"runId":"[^"\\]*","type":"[^"\\]*","payload":/y

/** The payload's text where the envelope is spelt as we spell it, which nearly all are: half the time of a scan. */
function canonicalPayload(text: string): string | null {
  CANONICAL_HEAD.lastIndex = 0
  if (!CANONICAL_HEAD.test(text)) return null
  const start = CANONICAL_HEAD.lastIndex
  const end = text.length - 1
  return skipValue(text, start) === end ? text.slice(start, end) : null
}

/** Checks a payload against its type; null: it fits, or the type is unknown. The path starts at the payload. */
export function checkPayload(type: string, payload: unknown): Fault | null {
  const fault = payloadChecks.get(type)?.(payload)
  return fault ? { path: fault.path.replace(/^\./, ''), message: fault.message } : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined // JSON has no undefined, so it can stand for "is not JSON"
  }
}

function payloadOf(text: string, members: Member[]): string {
  const payload = members.findLast((member) => member.key === 'payload')
  return payload ? text.slice(payload.start, payload.end) : '{}'
}

const ENVELOPE_KEYS = new Set(['gm', 'seq', 'ts', 'runId', 'type', 'payload'])

function extraOf(text: string, members: Member[]): string | null {
  const extra = members.filter((member) => !ENVELOPE_KEYS.has(member.key)).map((member) => text.slice(member.keyStart, member.end))
  return extra.length === 0 ? null : extra.join(',')
}
