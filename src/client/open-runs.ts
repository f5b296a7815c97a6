// The runs that are open, and what is armed for each: applies what the server says about
// breakpoints and mode, and hands every run its ready-made answer.
import type { Capability, HelloAckPayload, Matcher, RunMode } from '../wire/index.ts'
import { Arms } from './arms.ts'
import type { OpenRun } from './run.ts'

/** Finished runs whose numbering goes on when they are opened again. */
const MOST_REMEMBERED = 1000

interface ControlPayload { matcher: Matcher; mode: RunMode; scope?: { runId: string } }

export class OpenRuns {
  readonly #arms = new Arms()
  readonly #runs = new Map<string, OpenRun>()
  /** The next seq of runs that are over: an event with a number that was used would be dropped. */
  readonly #nextSeqs = new Map<string, number>()
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

  /** The number with which a run of this id starts. */
  firstSeq(runId: string): number {
    return this.#nextSeqs.get(runId) ?? 0
  }

  add(run: OpenRun): void {
    this.#runs.set(run.runId, run)
    this.#arm(run)
  }

  remove(run: OpenRun): void {
    this.#runs.delete(run.runId)
    this.#arms.endScope(run.runId)
    this.#nextSeqs.set(run.runId, run.nextSeq)
    if (this.#nextSeqs.size > MOST_REMEMBERED) for (const oldest of this.#nextSeqs.keys()) { this.#nextSeqs.delete(oldest); break }
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
