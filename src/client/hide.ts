// Takes hidden values out of an event before it is encoded, so that no buffer, socket or file ever
// has them. What cannot be read safely (a getter that throws, a shape that is not the contract's)
// goes hidden, never raw. Works on a shallow copy: what was checked is what is sent.
import { REDACTED, scanObject, type NodeKind } from '../wire/index.ts'
import { hidden, type HideSwitches } from './switches.ts'

type Raw = Readonly<Record<string, string>>
export interface Hiding { payload: object; raw: Raw | undefined }

/** Members that say what and when, never with which values. */
const HARMLESS = ['nodeId', 'parentId', 'instanceId', 'kind', 'name', 'durationMs', 'heldMs', 'status', 'pauseId', 'point', 'reason', 'action']

/** The event without what the switches hide. `kindOf`: the kind of a node that was started or hinted. */
export function hideValues(
  type: string,
  payload: object,
  raw: Raw | undefined,
  switches: HideSwitches,
  kindOf: (nodeId: unknown) => NodeKind | undefined,
): Hiding {
  try {
    const copy: Record<string, unknown> = { ...payload }
    if (typeof copy.toJSON === 'function') delete copy.toJSON // it would put back what is taken out here
    const kind = type === 'node.started' ? ownKind(copy) : kindOf(copy.nodeId)
    return hideMembers(type, copy, raw, switches, kind)
  } catch {
    return { payload: harmlessOnly(payload), raw: undefined }
  }
}

function hideMembers(type: string, copy: Record<string, unknown>, raw: Raw | undefined, switches: HideSwitches, kind: NodeKind | undefined): Hiding {
  const rest: Record<string, string> = { ...raw }
  const take = (member: string) => {
    if (copy[member] === undefined && rest[member] === undefined) return
    delete rest[member]
    copy[member] = REDACTED
  }
  const input = hidden(switches, kind, 'input')
  const output = hidden(switches, kind, 'output')
  if (input) take('input')
  if (output) take('output')
  if (type === 'exec.resumed' && (copy.edited !== undefined || rest.edited !== undefined)) {
    delete rest.edited
    copy.edited = { after: REDACTED }
  }
  if (type === 'node.token') {
    delete rest.deltas
    copy.deltas = hideDeltas(copy.deltas, input, output)
  }
  hideFrame(type, copy, rest, input, output)
  return { payload: copy, raw: rest }
}

function hideDeltas(deltas: unknown, input: boolean, output: boolean): unknown {
  if (!Array.isArray(deltas)) return []
  return deltas.map((delta: { t: unknown; v: unknown }) => {
    const { t, v } = delta
    if (t === 'tool-args' ? !input : !output) return { ...delta, t, v }
    return t === 'tool-args' ? { t, v: '' } : { t, v: '', chars: typeof v === 'string' ? v.length : 0 }
  })
}

/** The raw text of a frame goes with what it contains; the text of a batch contains more than this event's. */
function hideFrame(type: string, copy: Record<string, unknown>, rest: Record<string, string>, input: boolean, output: boolean): void {
  const covered = (text: unknown) => {
    if (typeof text === 'string' && /^\s*\[/.test(text)) return true
    if (type === 'node.started') return input
    if (type === 'node.finished' || type === 'node.error') return output
    return true // any other frame may hold either side
  }
  if (rest.frame !== undefined) {
    const kept = (scanObject(rest.frame) ?? []).filter((member) => member.key !== 'text' && member.key !== 'b64')
    const frame = rest.frame
    const text = (scanObject(frame) ?? []).findLast((member) => member.key === 'text')
    const plain: unknown = text === undefined ? undefined : JSON.parse(frame.slice(text.start, text.end))
    if (covered(plain)) rest.frame = `{${kept.map((member) => frame.slice(member.keyStart, member.end)).join(',')}}`
  }
  if (typeof copy.frame !== 'object' || copy.frame === null) return
  const { text, b64, ...kept } = copy.frame as Record<string, unknown>
  if (!covered(text)) return
  delete kept.toJSON
  copy.frame = kept
}

function ownKind(copy: Record<string, unknown>): NodeKind | undefined {
  return typeof copy.kind === 'string' ? copy.kind as NodeKind : undefined
}

function harmlessOnly(payload: object): object {
  const safe: Record<string, unknown> = { input: REDACTED, output: REDACTED, deltas: [] }
  for (const name of HARMLESS) {
    try {
      const value = (payload as Record<string, unknown>)[name]
      if (typeof value === 'string' || typeof value === 'number') safe[name] = value
    } catch {
      // a getter that throws: this member is lost, as everything unreadable is
    }
  }
  return safe
}
