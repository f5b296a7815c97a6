// The runs that are open, and what is armed for each: applies what the server says about
// breakpoints and mode, and hands every run its ready-made answer.
import type { Capability, HelloAckPayload, Matcher, RunMode } from '../wire/index.ts'
import { Arms } from './arms.ts'
import type { OpenRun } from './run.ts'

interface ControlPayload { matcher: Matcher; mode: RunMode; scope?: { runId: string } }

export class OpenRuns {
  readonly #arms = new Arms()
  readonly #runs = new Map<string, OpenRun>()
  readonly #capabilities: ReadonlySet<Capability>
  #canPause = false

  constructor(capabilities: ReadonlySet<Capability>) {
    this.#capabilities = capabilities
  }

  /** Could anything hold? */
  get canPause(): boolean {
    return this.#canPause
  }

  find(runId: string): OpenRun | undefined {
    return this.#runs.get(runId)
  }

  add(run: OpenRun): void {
    this.#runs.set(run.runId, run)
    this.#arm(run)
  }

  remove(run: OpenRun): void {
    this.#runs.delete(run.runId)
    this.#arms.endScope(run.runId)
  }

  /** A server says all that is armed, and what it will use of what we can. */
  rearm(ack: HelloAckPayload): void {
    this.#arms.replace(ack)
    this.#canPause = this.#capabilities.has('pause') && ack.capabilities.includes('pause')
    this.#armAll()
  }

  /** No server: nothing can hold. */
  disarm(): void {
    this.#canPause = false
    this.#armAll()
  }

  /** A change while attached; one for a run that is not ours is none of our business. */
  control(type: string, { matcher, mode, scope }: ControlPayload): void {
    const runId = scope?.runId
    if (runId !== undefined && !this.#runs.has(runId)) return
    if (type === 'breakpoint.set') this.#arms.set(matcher, runId)
    else if (type === 'breakpoint.clear') this.#arms.clear(matcher, runId)
    else if (type === 'mode.set') this.#arms.setMode(mode, runId)
    else return
    this.#armAll()
  }

  #arm(run: OpenRun): void {
    run.arms = this.#canPause ? this.#arms.forRun(run.runId) : null
  }

  #armAll(): void {
    for (const run of this.#runs.values()) this.#arm(run)
  }
}
