// What is armed: the breakpoints and the mode, the same for all apps and viewers, and the
// breakpoints that belong to one run alone. Pure state; telling others is up to the caller.
import { sameMatcher, type FullMatcher, type NodeKind, type RunMode, type ScopedMatcher } from '../wire/index.ts'

export class Armed {
  mode: RunMode = 'run'
  readonly #global: FullMatcher[] = []
  readonly #scoped = new Map<string, FullMatcher[]>()

  /** Arms the default error breakpoint. */
  constructor(pauseOnError: 'on' | 'off' | NodeKind) {
    if (pauseOnError === 'on') this.#global.push({ point: 'error' })
    else if (pauseOnError !== 'off') this.#global.push({ kind: pauseOnError, point: 'error' })
  }

  /** Those that every app gets. */
  get global(): readonly FullMatcher[] {
    return this.#global
  }

  /** All of them, as viewers see them. */
  all(): ScopedMatcher[] {
    const scoped = [...this.#scoped].flatMap(([runId, matchers]) => matchers.map((matcher) => ({ ...matcher, scope: { runId } })))
    return [...this.#global, ...scoped]
  }

  set(matcher: FullMatcher, runId?: string): void {
    const list = this.#list(runId)
    if (!list.some((each) => sameMatcher(each, matcher))) list.push(matcher)
    if (runId !== undefined) this.#scoped.set(runId, list)
  }

  /** Whether there was one. */
  clear(matcher: FullMatcher, runId?: string): boolean {
    const list = this.#list(runId)
    const at = list.findIndex((each) => sameMatcher(each, matcher))
    if (at < 0) return false
    list.splice(at, 1)
    if (runId !== undefined && list.length === 0) this.#scoped.delete(runId)
    return true
  }

  /** A run's own ones end with it; they are answered with, in case its app is still there. */
  endScope(runId: string): FullMatcher[] {
    const ended = this.#scoped.get(runId) ?? []
    this.#scoped.delete(runId)
    return ended
  }

  #list(runId: string | undefined): FullMatcher[] {
    return runId === undefined ? this.#global : this.#scoped.get(runId) ?? []
  }
}
