// One run: the events it emits, the gates its calls come to, and its end. It knows no socket; what
// it needs of the session comes through `RunPorts`.
import {
  encodePayload, REDACTED, type Capability, type ErrorInfo, type EventPayload, type EventType, type FinishStatus, type GatePoint, type PauseReason, type SdkInfo,
} from '../wire/index.ts'
import { reasonToHold, type RunArms } from './arms.ts'
import { PASS, type GateNode, type GateOptions } from './gate.ts'
import { hideValues } from './hide.ts'
import { OpenHold, settledHold, type GateResult, type HeldCall, type Hold, type HoldPorts } from './hold.ts'
import type { Holds } from './holds.ts'
import { refuseResume, type Refusal, type ResumeRequest } from './resume.ts'
import { RunLog, type Entry } from './run-log.ts'
import { anyHidden, hidden, type HideSwitches } from './switches.ts'

export interface RunInfo { app: string; sdk: SdkInfo; meta?: Record<string, unknown> }

export interface Run {
  readonly runId: string
  /** Fires with an AbortError when a person aborts. */
  readonly signal: AbortSignal
  /** Tells the run's app or more of its meta, once they are known. */
  update(info: { app?: string; meta?: Record<string, unknown> }): void
  /** `raw`: members that are JSON text already; they are spliced in as they are. Never throws. */
  emit<T extends EventType>(type: T, payload: EventPayload<T>, raw?: Readonly<Record<string, string>>): void
  /** Why this node would hold at this point now; null: it would not. Allocates nothing. */
  wouldHold(point: GatePoint, node: GateNode): PauseReason | null
  /** Could any node hold at this point now? */
  armed(point: GatePoint): boolean
  /** Does a breakpoint at this point name this node by its name? */
  namedByMatcher(point: GatePoint, node: GateNode): boolean
  /** Holds where something armed says so; otherwise one shared promise, resolved with continue. Never rejects. */
  gate(point: GatePoint, node: GateNode, options?: GateOptions): Promise<GateResult>
  /** Holds whatever is armed; over at once (`disconnect`) where no debugger is attached. */
  hold(point: GatePoint, node: GateNode, options: GateOptions & { reason: PauseReason }): Hold
  /** The end, once; lets go of what is still held. */
  finish(status: FinishStatus, error?: ErrorInfo): void
}

/** What a run needs of its session. */
export interface RunPorts {
  readonly switches: HideSwitches
  readonly capabilities: ReadonlySet<Capability>
  readonly pauseTimeoutMs: number
  readonly holds: Holds
  now(): number
  newId(): string
  attached(): boolean
  /** Keeps an event and sends it: with the turn's others, or at once. */
  append(entry: Entry, when: 'soon' | 'at once'): void
  finished(run: OpenRun): void
  warn(kind: string, message: string): void
}

export class OpenRun implements Run {
  readonly runId: string
  /** Set by the session whenever what is armed changes; null: nothing can hold. */
  arms: RunArms | null = null
  readonly #ports: RunPorts
  readonly #log: RunLog
  readonly #hiding: boolean
  readonly #aborter = new AbortController()
  #info: RunInfo
  #over = false

  /** `firstSeq`: above 0 where the run was open before. */
  constructor(runId: string, firstSeq: number, info: RunInfo, ports: RunPorts) {
    this.runId = runId
    this.#log = new RunLog(runId, firstSeq)
    this.#ports = ports
    this.#hiding = anyHidden(ports.switches)
    this.#info = info
    this.emit('run.started', info)
  }

  get signal(): AbortSignal {
    return this.#aborter.signal
  }

  /** The number of its next event. */
  get nextSeq(): number {
    return this.#log.nextSeq
  }

  update({ app, meta }: { app?: string; meta?: Record<string, unknown> }): void {
    const info = { ...this.#info }
    if (app !== undefined) info.app = app
    if (meta !== undefined) info.meta = { ...info.meta, ...meta }
    this.#info = info
    this.emit('run.started', info)
  }

  emit<T extends EventType>(type: T, payload: EventPayload<T>, raw?: Readonly<Record<string, string>>): void {
    try {
      const kept = this.#hiding ? hideValues(type, payload, raw, this.#ports.switches, this.#log.nodes.kindOf) : { payload, raw }
      this.#log.nodes.learn(type, kept.payload)
      this.#append(type, encodePayload(kept.payload, kept.raw), type.startsWith('exec.') ? 'at once' : 'soon')
    } catch (error) {
      this.#ports.warn('emit', `an event could not be recorded (${type}): ${error instanceof Error ? error.message : 'unknown'}`)
    }
  }

  wouldHold(point: GatePoint, node: GateNode): PauseReason | null {
    return this.arms === null ? null : reasonToHold(this.arms, point, node)
  }

  armed(point: GatePoint): boolean {
    return this.arms !== null && this.arms[point]
  }

  namedByMatcher(point: GatePoint, node: GateNode): boolean {
    return this.arms?.matchers.some((each) => each.point === point && each.name === node.name && (each.kind ?? node.kind) === node.kind) ?? false
  }

  gate(point: GatePoint, node: GateNode, options?: GateOptions): Promise<GateResult> {
    if (this.arms === null) return PASS
    const reason = reasonToHold(this.arms, point, node)
    return reason === null ? PASS : this.hold(point, node, { ...options, reason }).done
  }

  hold(point: GatePoint, node: GateNode, options: GateOptions & { reason: PauseReason }): Hold {
    const { reason, editable } = options
    const pauseId = this.#ports.newId()
    if (!this.#ports.attached() || this.#over) return settledHold(pauseId, { action: 'continue', by: this.#over ? 'dispose' : 'disconnect' })
    const call: HeldCall = { pauseId, runId: this.runId, point, reason, node: { ...node }, editable }
    const hold = new OpenHold(call, this.#holdPorts(options), this.#ports.pauseTimeoutMs)
    this.#tell('exec.paused', { pauseId, nodeId: node.nodeId, instanceId: node.instanceId, point, reason, editable })
    this.#ports.holds.add(hold)
    return hold
  }

  finish(status: FinishStatus, error?: ErrorInfo): void {
    if (this.#over) return
    this.#over = true
    this.arms = null
    this.#ports.holds.letGo('dispose', (hold) => hold.call.runId === this.runId)
    this.emit('run.finished', error === undefined ? { status } : { status, error })
    this.#ports.finished(this)
  }

  #append(type: string, payload: string, when: 'soon' | 'at once'): void {
    this.#ports.append(this.#log.entry(type, payload, this.#ports.now()), when)
  }

  /** The gates' own events: what they carry is hidden where they are made. */
  #tell(type: 'exec.paused' | 'exec.resumed' | 'exec.refused', payload: object, raw?: Record<string, string>): void {
    this.#append(type, encodePayload(payload, raw), 'at once')
  }

  #holdPorts(options: GateOptions): HoldPorts {
    return {
      resumed: (call, result, principal) => this.#resumed(call, result, principal),
      refused: ({ pauseId }, { code, message }, requestId) => this.#tell('exec.refused', { pauseId, code, message, requestId }),
      check: (call, request) => this.#check(call, request, options.check),
      abort: () => { if (options.abortsRun !== false) this.#aborter.abort(new DOMException('The run was aborted in the GraphMind viewer.', 'AbortError')) },
      warn: (message) => this.#ports.warn('hold', message),
    }
  }

  #check(call: HeldCall, request: ResumeRequest, own: GateOptions['check']): Refusal | null {
    const refusal = refuseResume(request, this.#ports.capabilities, call.editable)
    if (refusal !== null || own === undefined) return refusal
    try {
      return own(request)
    } catch (error) {
      const message = `The app could not check this: ${error instanceof Error ? error.message : 'unknown'}.`
      this.#ports.warn('check', message)
      return { code: 'unsupported', message }
    }
  }

  #resumed({ pauseId, node }: HeldCall, { action, inputText, outputText, requestId }: GateResult, principal: string | undefined): void {
    const side = action === 'inject' ? 'output' : 'input'
    const after = side === 'output' ? outputText : inputText
    const shown = after !== undefined && hidden(this.#ports.switches, node.kind, side) ? JSON.stringify(REDACTED) : after
    this.#tell('exec.resumed', { pauseId, action, requestId, principal }, shown === undefined ? undefined : { edited: `{"after":${shown}}` })
  }
}
