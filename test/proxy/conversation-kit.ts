// A conversation with a real run, real holds and real hide switches, and a relay of ten lines in
// place of pipes: literal bytes in, literal bytes out, a clock that stands still unless told.
import { Arms } from '../../src/client/arms.ts'
import { Holds } from '../../src/client/holds.ts'
import type { Session } from '../../src/client/index.ts'
import type { ResumeRequest } from '../../src/client/resume.ts'
import { OpenRun } from '../../src/client/run.ts'
import { hidden, type HideSwitches } from '../../src/client/switches.ts'
import { createConversation } from '../../src/proxy/conversation.ts'
import type { Direction, Frame, LaunchInfo } from '../../src/proxy/frame.ts'
import { parseEnvelope, rawMember, type Matcher } from '../../src/wire/index.ts'

export interface Event { type: string; payload: Record<string, unknown>; text: string }
export interface Line { dir: Direction; text: string; bytes: Buffer; by: 'peer' | 'graphmind' }
interface Options { hide?: Partial<HideSwitches>; arm?: Matcher[]; step?: boolean; attached?: boolean; launch?: Partial<LaunchInfo> }

const LAUNCH: LaunchInfo = { command: 'node', args: ['server.js'], cwd: '/work', env: { PATH: '/bin', TOKEN: 'hush' }, viewerUrl: 'http://127.0.0.1:4747', version: '1.0.0', parentPid: 7 }

export type Talk = ReturnType<typeof startTalk>

/** `arm`: breakpoints. Frames go through `c2s` and `s2c`, as text or as bytes, the line end included or not. */
export function startTalk(options: Options = {}) {
  const switches: HideSwitches = { hideInputs: false, hideOutputs: false, hideToolArgs: false, hideToolResults: false, ...options.hide }
  const holds = new Holds(() => {})
  const arms = new Arms()
  const events: Event[] = []
  const lines: Line[] = []
  const said: string[] = []
  const warnings: string[] = []
  const attachers = new Set<() => void>()
  const state = { now: 1000, attached: options.attached ?? true, alive: true, n: 0, ids: 0 }
  const run = new OpenRun('run', 0, { app: 'app', sdk: { name: 'proxy', version: '1' } }, {
    switches, holds, capabilities: new Set(['pause', 'step', 'inject', 'retry', 'abort', 'edit-input']), pauseTimeoutMs: 0,
    now: () => state.now, newId: () => `pause_${++state.ids}`, attached: () => state.attached,
    append: (entry) => { events.push(readEvent(entry.text)) },
    finished: () => {}, warn: (_, message) => { warnings.push(message) },
  })
  const rearm = () => { run.arms = state.attached ? arms.forRun('run') : null }
  for (const matcher of options.arm ?? []) arms.set(matcher)
  if (options.step) arms.setMode('step')
  rearm()
  const session = {
    enabled: true, switches, hidden: (kind: Parameters<Session['hidden']>[0], side: 'input' | 'output') => hidden(switches, kind, side),
    get attached() { return state.attached },
    onAttach: (fn: () => void) => { attachers.add(fn); return () => attachers.delete(fn) },
  } as unknown as Session
  const onLane = (dir: Direction, bytes: Buffer, by: 'peer' | 'graphmind') => {
    lines.push({ dir, bytes: Buffer.from(bytes), text: bytes.toString(), by })
    return by === 'graphmind' ? ++state.n : 0
  }
  const talk = createConversation(run, session, { write: onLane, childAlive: () => state.alive, say: (line) => { said.push(line) }, now: () => state.now }, { ...LAUNCH, ...options.launch })

  function relay(dir: Direction, what: string | Buffer | object, extra: Partial<Frame> = {}) {
    const bytes = Buffer.isBuffer(what) ? what : Buffer.from(typeof what === 'string' ? (what.endsWith('\n') || extra.cut ? what : `${what}\n`) : `${JSON.stringify(what)}\n`)
    const frame: Frame = { n: ++state.n, dir, bytes, at: state.now, ...extra }
    if (!talk.mayHold(dir) || !talk.mayHoldFrame(dir, [bytes])) {
      onLane(dir, bytes, 'peer')
      talk.seen(frame)
      return 'write'
    }
    const decision = talk.decide(frame)
    if (decision === 'write') onLane(dir, bytes, 'peer')
    bytes.fill(0) // the view on the chunk is gone: whoever kept it is found out
    return decision
  }

  return {
    talk, run, events, lines, said, warnings, state,
    c2s: (what: string | Buffer | object, extra?: Partial<Frame>) => relay('c2s', what, extra),
    s2c: (what: string | Buffer | object, extra?: Partial<Frame>) => relay('s2c', what, extra),
    arm(matcher: Matcher) { arms.set(matcher); rearm() },
    disarm(matcher: Matcher) { arms.clear(matcher); rearm() },
    attach() { state.attached = true; rearm(); for (const fn of attachers) fn() },
    /** The debugger's socket closes. */
    detach() { state.attached = false; rearm(); holds.letGo('disconnect') },
    /** Answers the newest hold, or that of the id; values are JSON text. */
    resume(request: ResumeRequest, pauseId = `pause_${state.ids}`) { holds.resume(pauseId, request, undefined) },
    get held() { return holds.size },
    of: (type: string) => events.filter((event) => event.type === type).map((event) => event.payload),
    findings: () => events.filter((event) => event.type === 'finding').map((event) => event.payload as { code: string; message: string; frames: number[]; level: string; instanceId?: string }),
    finding(code: string) { return this.findings().find((finding) => finding.code === code) },
    to: (dir: Direction) => lines.filter((line) => line.dir === dir).map((line) => line.text),
    node: (nodeId: string) => events.filter((event) => event.payload.nodeId === nodeId),
  }
}

function readEvent(text: string): Event {
  const parsed = parseEnvelope(text)
  if (parsed.status !== 'ok') throw new Error(`not a valid event (${parsed.status} ${'path' in parsed ? `${parsed.path} ${parsed.message}` : ''}): ${text.slice(0, 500)}`)
  return { type: parsed.envelope.type, payload: parsed.envelope.payload as Record<string, unknown>, text: parsed.payloadText }
}

/** The raw text of a member of an event's payload. */
export function raw(event: Event | undefined, key: string): string | undefined {
  return event && rawMember(event.text, key)
}

export function request(id: unknown, method = 'tools/call', params: unknown = { name: 'add', arguments: { a: 1 } }) {
  return { jsonrpc: '2.0', id, method, params }
}

export function result(id: unknown, value: unknown = { content: [{ type: 'text', text: 'fine' }] }) {
  return { jsonrpc: '2.0', id, result: value }
}

export function toolError(id: unknown, text = 'broken') {
  return result(id, { content: [{ type: 'text', text }], isError: true })
}

export function notice(method: string, params: unknown = {}) {
  return { jsonrpc: '2.0', method, params }
}
