// What happens by the clock: the lease is renewed, runs of dead servers are settled, other
// processes' changes are noticed, unattended holds go on, old runs are pruned.
import { runInfo, type Retention, type Store } from '../store/index.ts'
import type { Control } from './control.ts'
import type { Deletion } from './deletion.ts'
import type { Registry } from './registry.ts'
import type { Turn } from './turn.ts'
import type { Viewers } from './viewers.ts'

const LOOK_MS = 250
const HOLDS_MS = 250
const LEASE_RENEW_MS = 5000
const PRUNE_MS = 10 * 60_000
const LARGE_BYTES = 1e9

export interface HousekeepingParts {
  store: Store
  registry: Registry
  viewers: Viewers
  turn: Turn
  control: Control
  deletion: Deletion
  retention: Retention | null
  unattendedMs: number
  log(line: string): void
  now(): number
}

export class Housekeeping {
  readonly #parts: HousekeepingParts
  readonly #timers: NodeJS.Timeout[] = []
  #runs = -1

  constructor(parts: HousekeepingParts) {
    this.#parts = parts
  }

  start(): void {
    const { store, registry, control, viewers, deletion, turn, unattendedMs, now } = this.#parts
    this.#quietly(() => {
      registry.adopt(now())
      turn.schedule()
    })
    this.#every(LEASE_RENEW_MS, () => {
      store.leases.renew(now())
      registry.adopt(now())
      if (registry.due.size > 0) turn.schedule()
    })
    this.#every(LOOK_MS, () => this.#look())
    this.#every(HOLDS_MS, () => control.releaseUnattended(now(), viewers.absentSince, unattendedMs))
    deletion.eraseSoon()
    if (this.#parts.retention === null) this.#sayIfLarge()
    else {
      setImmediate(() => this.#prune())
      this.#every(PRUNE_MS, () => this.#prune())
    }
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer)
  }

  /** Runs that another process wrote are shown at once. */
  #look(): void {
    const { store, registry, viewers } = this.#parts
    const changes = store.changes.look()
    if (changes === null) return
    for (const key of changes.keys) {
      const row = store.rows.get(key)
      if (row !== null && !registry.held(row.id)) viewers.storedRunChanged(JSON.stringify(runInfo(row, { live: false })))
    }
    if (this.#runs >= 0 && changes.count < this.#runs) viewers.listChanged()
    this.#runs = changes.count
  }

  #prune(): void {
    const { deletion, retention, now, log } = this.#parts
    if (retention === null) return
    this.#quietly(() => {
      const pruned = deletion.prune(retention, now())
      if (pruned > 0) log(`${pruned} old ${pruned === 1 ? 'run was' : 'runs were'} deleted, as GRAPHMIND_RETENTION asks for.`)
    })
  }

  #sayIfLarge(): void {
    const { store, log } = this.#parts
    const bytes = store.size()
    if (bytes > LARGE_BYTES) log(`The database ${store.path} has grown to ${(bytes / 1e9).toFixed(1)} GB. GRAPHMIND_RETENTION=on keeps the newest 200 runs of the last 30 days.`)
  }

  #every(ms: number, job: () => void): void {
    this.#timers.push(setInterval(() => this.#quietly(job), ms).unref())
  }

  /** A file that is locked or gone for a moment is looked at again the next time. */
  #quietly(job: () => void): void {
    try {
      job()
    } catch {
      this.#parts.turn.schedule() // the next commit meets the same trouble, and says it in words
    }
  }
}
