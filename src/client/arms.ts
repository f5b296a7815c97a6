// What is armed: the server's breakpoints and mode, and those of single runs. Changes are rare and
// questions are not, so each run gets a ready-made answer: null where nothing can hold.
import { matches, parseMatcher, sameMatcher, type FullMatcher, type GatePoint, type HelloAckPayload, type Matcher, type NodeKind, type PauseReason, type RunMode } from '../wire/index.ts'

/** All that can hold a run's nodes now. */
export interface RunArms {
  readonly matchers: readonly FullMatcher[]
  readonly step: boolean
  /** The points at which some node could hold. */
  readonly before: boolean
  readonly after: boolean
  readonly error: boolean
}

interface Scope { matchers: FullMatcher[]; mode: RunMode | null }

export class Arms {
  #matchers: FullMatcher[] = []
  #mode: RunMode = 'run'
  readonly #scopes = new Map<string, Scope>()

  /** The whole state, at an attachment; a scoped one ended with the last. */
  replace(ack: HelloAckPayload): void {
    this.#matchers = []
    this.#scopes.clear()
    this.#mode = ack.mode
    for (const matcher of ack.breakpoints) this.set(matcher)
  }

  set(value: Matcher, runId?: string): void {
    const parsed = parseMatcher(value)
    if (!parsed.ok) return
    const matchers = this.#list(runId)
    if (!matchers.some((each) => sameMatcher(each, parsed.matcher))) matchers.push(parsed.matcher)
  }

  clear(matcher: Matcher, runId?: string): void {
    const matchers = this.#list(runId)
    const at = matchers.findIndex((each) => sameMatcher(each, matcher))
    if (at >= 0) matchers.splice(at, 1)
  }

  setMode(mode: RunMode, runId?: string): void {
    if (runId === undefined) this.#mode = mode
    else this.#scope(runId).mode = mode
  }

  /** The run is over. */
  endScope(runId: string): void {
    this.#scopes.delete(runId)
  }

  /** Null: nothing can hold. */
  forRun(runId: string): RunArms | null {
    const scope = this.#scopes.get(runId)
    const matchers = scope ? [...this.#matchers, ...scope.matchers] : [...this.#matchers]
    const step = (scope?.mode ?? this.#mode) === 'step'
    if (matchers.length === 0 && !step) return null
    const at = (point: GatePoint) => matchers.some((each) => each.point === point)
    return { matchers, step, before: step || at('before'), after: at('after'), error: step || at('error') }
  }

  #list(runId: string | undefined): FullMatcher[] {
    return runId === undefined ? this.#matchers : this.#scope(runId).matchers
  }

  #scope(runId: string): Scope {
    const scope = this.#scopes.get(runId) ?? { matchers: [], mode: null }
    this.#scopes.set(runId, scope)
    return scope
  }
}

/** Why this node would hold at this point; null: it would not. Allocates nothing. */
export function reasonToHold(arms: RunArms, point: GatePoint, node: { kind: NodeKind; name: string }): PauseReason | null {
  if (!arms[point]) return null
  const { matchers } = arms
  for (let i = 0; i < matchers.length; i++) {
    const matcher = matchers[i]
    if (matcher !== undefined && matches(matcher, node, point)) return point === 'error' ? 'error' : 'breakpoint'
  }
  return arms.step && point !== 'after' ? 'step' : null
}
