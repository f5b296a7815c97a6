// What viewers do to apps: answer holds, arm and disarm, switch modes, mute. Also what the server
// answers by itself: muted nodes, and holds that nobody is there to see.
import { parseEnvelope, parseMatcher, type Matcher, type ParsedEnvelope, type RunMode } from '../wire/index.ts'
import type { AppLink } from './app-link.ts'
import type { Armed } from './armed.ts'
import type { LiveRun } from './live-run.ts'
import type { Registry } from './registry.ts'

/** Who a message is for, so that an error finds its way back. */
export interface About { runId?: string; requestId?: string; pauseId?: string }
export type Answer = { ok: true } | { ok: false; message: string; about: About }

export interface ControlPorts {
  /** Every app that has shaken hands. */
  apps(): Iterable<AppLink>
  stateChanged(): void
  runChanged(run: LiveRun): void
  log(line: string): void
}

const OK: Answer = { ok: true }
/** What each action asks of the app. */
const NEEDS = { continue: 'pause', retry: 'retry', inject: 'inject', abort: 'abort' } as const

export class Control {
  readonly #armed: Armed
  readonly #registry: Registry
  readonly #ports: ControlPorts

  constructor(armed: Armed, registry: Registry, ports: ControlPorts) {
    this.#armed = armed
    this.#registry = registry
    this.#ports = ports
  }

  /** A control as a viewer sent it: the text of its envelope. */
  handle(text: string | undefined): Answer {
    if (text === undefined) return fault('A control needs an envelope.')
    const parsed = parseEnvelope(text)
    if (parsed.status === 'version-mismatch') return fault(`The control speaks version ${JSON.stringify(parsed.gm)} of the protocol; this server speaks 1.`)
    if (parsed.status === 'invalid') return fault(`The control is not valid: ${parsed.path === '' ? 'it' : parsed.path} ${parsed.message}.`, aboutText(text))
    const { envelope } = parsed
    switch (envelope.type) {
      case 'exec.resume': return this.#resume(parsed)
      case 'breakpoint.set':
      case 'breakpoint.clear': return this.#breakpoint(parsed)
      case 'mode.set': return this.#mode(parsed)
      default: return fault(`${JSON.stringify(envelope.type)} is not a control.`, { runId: envelope.runId })
    }
  }

  /** Answers holds of this node with continue from now on, those of now included. */
  mute(runId: string, nodeId: string, on: boolean): Answer {
    const run = this.#registry.held(runId)
    if (!run?.owner) return fault('The run has no app connected, so there is nothing to mute.', { runId })
    if (on) run.muted.add(nodeId)
    else run.muted.delete(nodeId)
    this.#ports.runChanged(run)
    if (on) for (const [pauseId, hold] of run.holds) if (hold.nodeId === nodeId && !hold.answered) this.#go(run, pauseId, 'muted')
    return OK
  }

  /** A call is held now. */
  held(run: LiveRun, pauseId: string): void {
    const hold = run.holds.get(pauseId)
    if (hold && run.muted.has(hold.nodeId)) this.#go(run, pauseId, 'muted')
  }

  /** Lets go of holds of proxies that no viewer was there to see for `unattendedMs`. */
  releaseUnattended(now: number, absentSince: number | null, unattendedMs: number): void {
    if (unattendedMs === 0 || absentSince === null) return
    for (const run of this.#registry.all()) {
      if (!run.row.proxy) continue
      for (const [pauseId, hold] of run.holds) {
        if (hold.answered || now - Math.max(hold.since, absentSince) < unattendedMs) continue
        if (this.#go(run, pauseId, 'unattended')) this.#ports.log(`Nobody was there to see ${hold.nodeId} of ${run.row.app} held for ${seconds(unattendedMs)}, so it goes on. GRAPHMIND_UNATTENDED_MS=0 would keep it.`)
      }
    }
  }

  /** The server stops: nobody may stay held. */
  releaseAll(): void {
    for (const run of this.#registry.all()) for (const pauseId of run.holds.keys()) this.#go(run, pauseId, 'shutdown')
  }

  /** What was armed for one run alone ends with its connection. */
  endScope(run: LiveRun): void {
    run.muted.clear()
    run.mode = null
    const ended = this.#armed.endScope(run.row.id)
    for (const matcher of ended) run.owner?.tell('breakpoint.clear', { matcher, scope: { runId: run.row.id } })
    if (ended.length > 0) this.#ports.stateChanged()
  }

  #go(run: LiveRun, pauseId: string, principal: string): boolean {
    const hold = run.holds.get(pauseId)
    const sent = run.owner?.tell('exec.resume', { pauseId, action: 'continue', principal }, run.row.id) ?? false
    if (hold && sent) hold.answered = true
    return sent
  }

  #resume({ envelope, payloadText }: ParsedEnvelope): Answer {
    const { runId, payload } = envelope
    const pauseId = String(payload.pauseId)
    const about: About = { runId, pauseId, requestId: typeof payload.requestId === 'string' ? payload.requestId : undefined }
    const run = this.#registry.held(runId)
    const owner = run?.owner
    if (!run || !owner) return fault(this.#absent(runId), about)
    if (owner.hello === null) return fault('The app of this run only reports; it takes no controls.', about)
    if (run.ended.has(pauseId)) return fault('The call is not held any more.', about)
    const hold = run.holds.get(pauseId)
    if (hold?.answered) return fault('The call was answered already.', about)
    const lacking = lackOf(owner, payload)
    if (lacking !== null) return fault(lacking, about)
    if (!owner.send('exec.resume', payloadText, runId)) return fault('The app does not take messages at the moment.', about)
    if (hold) hold.answered = true
    return OK
  }

  #absent(runId: string): string {
    return this.#registry.row(runId) === null ? `There is no run ${JSON.stringify(runId)}.` : 'The app of this run is gone, so nothing is held any more.'
  }

  #breakpoint({ envelope, payloadText }: ParsedEnvelope): Answer {
    const { matcher, scope } = envelope.payload as { matcher: Matcher; scope?: { runId: string } }
    const parsed = parseMatcher(matcher)
    if (!parsed.ok) return fault(`The breakpoint is not valid: ${parsed.message}.`, scope)
    const sent = this.#reach(envelope.type, payloadText, scope?.runId)
    if (!sent.ok) return sent
    if (envelope.type === 'breakpoint.set') this.#armed.set(parsed.matcher, scope?.runId)
    else this.#armed.clear(parsed.matcher, scope?.runId)
    this.#ports.stateChanged()
    return OK
  }

  #mode({ envelope, payloadText }: ParsedEnvelope): Answer {
    const { mode, scope } = envelope.payload as { mode: RunMode; scope?: { runId: string } }
    const sent = this.#reach(envelope.type, payloadText, scope?.runId)
    if (!sent.ok) return sent
    if (scope === undefined) this.#armed.mode = mode
    else this.#setRunMode(scope.runId, mode)
    this.#ports.stateChanged()
    return OK
  }

  #setRunMode(runId: string, mode: RunMode): void {
    const run = this.#registry.held(runId)
    if (run) run.mode = mode
  }

  /** A scoped control goes to the run's app alone, any other to all apps; those may be none. */
  #reach(type: string, payloadText: string, scopedTo: string | undefined): Answer {
    if (scopedTo !== undefined) {
      const owner = this.#registry.held(scopedTo)?.owner
      if (!owner?.hello) return fault(this.#absent(scopedTo), { runId: scopedTo })
      return owner.send(type, payloadText) ? OK : fault('The app does not take messages at the moment.', { runId: scopedTo })
    }
    for (const app of this.#ports.apps()) app.send(type, payloadText)
    return OK
  }
}

/** Why this app cannot do what the resume asks; null: it can. */
function lackOf(owner: AppLink, payload: Record<string, unknown>): string | null {
  const action = payload.action as keyof typeof NEEDS
  const can = owner.capabilities
  if (can.size > 0 && !can.has(NEEDS[action])) return `${owner.name} cannot ${action} a held call.`
  if (payload.input !== undefined && action !== 'inject' && can.size > 0 && !can.has('edit-input')) return `${owner.name} cannot run a held call with another input.`
  return null
}

function aboutText(text: string): About {
  try {
    const { runId, payload } = JSON.parse(text) as { runId?: unknown; payload?: { pauseId?: unknown; requestId?: unknown } }
    const known = (value: unknown) => typeof value === 'string' ? value : undefined
    return { runId: known(runId), pauseId: known(payload?.pauseId), requestId: known(payload?.requestId) }
  } catch {
    return {} // not JSON: it is about nothing
  }
}

function seconds(ms: number): string {
  return ms >= 1000 ? `${Math.round(ms / 1000)} s` : `${ms} ms`
}

function fault(message: string, about: About | undefined = {}): Answer {
  return { ok: false, message, about }
}
