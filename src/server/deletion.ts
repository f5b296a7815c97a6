// Removes runs: one that a viewer names, or what retention does not keep. The run is gone for
// everyone at once; its events are erased in small steps between other work.
import { databaseFault, type Retention, type Store } from '../store/index.ts'
import type { Answer } from './control.ts'
import type { LiveRun } from './live-run.ts'
import type { Ownership } from './ownership.ts'
import type { Registry } from './registry.ts'
import type { Turn } from './turn.ts'
import type { Viewers } from './viewers.ts'

const STEP_PAUSE_MS = 5
const RETRY_MS = 1000
const PRUNED_AT_ONCE = 50

export class Deletion {
  readonly #store: Store
  readonly #registry: Registry
  readonly #ownership: Ownership
  readonly #turn: Turn
  readonly #viewers: Viewers
  #timer: NodeJS.Timeout | null = null
  /** Something was erased that may still lie in the log. */
  #erased = false

  constructor(store: Store, registry: Registry, ownership: Ownership, turn: Turn, viewers: Viewers) {
    this.#store = store
    this.#registry = registry
    this.#ownership = ownership
    this.#turn = turn
    this.#viewers = viewers
  }

  delete(runId: string): Answer {
    this.#turn.flush()
    const run = this.#registry.held(runId)
    const row = this.#registry.row(runId)
    const refuse = (message: string): Answer => ({ ok: false, message, about: { runId } })
    if (row === null) return refuse(`There is no run ${JSON.stringify(runId)}.`)
    if (run?.owner) return refuse('A live run cannot be deleted; stop its app first.')
    if (row.status === 'running' && row.lease !== this.#store.leases.number && this.#store.leases.isHeld(row.lease, Date.now())) {
      return refuse('Another graphmind server is recording this run; delete it there, or when it has ended.')
    }
    try {
      this.#store.eraser.hide(runId)
    } catch (error) {
      return refuse(databaseFault(error, this.#store.path).message)
    }
    if (run) this.forget(run)
    else this.#viewers.runDeleted(runId)
    this.eraseSoon()
    return { ok: true }
  }

  /** The run's row is gone: an event that still comes for it starts a new run. */
  forget(run: LiveRun): void {
    this.#ownership.forget(run)
    this.#registry.forget(run)
    this.#viewers.runDeleted(run.row.id)
  }

  /** Deletes some of what retention does not keep, never a run that is live or watched; says how many. Call again until it is none. */
  prune(retention: Retention, now: number): number {
    const outdated = this.#store.eraser.outdated(retention, now).filter((id) => {
      const run = this.#registry.held(id)
      return !run || (run.owner === null && run.subscriptions.size === 0)
    })
    return outdated.slice(0, PRUNED_AT_ONCE).filter((id) => this.delete(id).ok).length
  }

  /** Goes on with what is hidden but not erased yet. */
  eraseSoon(pauseMs = STEP_PAUSE_MS): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.#step()
    }, pauseMs).unref()
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }

  #step(): void {
    try {
      if (this.#store.eraser.step()) {
        this.#erased = true
        this.eraseSoon()
      } else if (this.#erased) {
        this.#store.eraser.sweep()
        this.#erased = false
      }
    } catch {
      this.eraseSoon(RETRY_MS) // locked or full: later
    }
  }
}
