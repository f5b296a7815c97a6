// What happens by the clock: the lease is renewed, runs of dead servers are settled, other
// processes' changes are noticed, unattended holds go on, old runs are pruned.
import type { Retention, Store } from '../store/index.ts'
import type { Control } from './control.ts'
import type { Deletion } from './deletion.ts'
import { infoJson } from './live-run.ts'
import type { Registry } from './registry.ts'
import type { Turn } from './turn.ts'
import type { Viewers } from './viewers.ts'

const LOOK_MS = 250
const HOLDS_MS = 250
const LEASE_RENEW_MS = 5000
const PRUNE_MS = 10 * 60_000
const PRUNE_PAUSE_MS = 50
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
  #runs: number

  constructor(parts: HousekeepingParts) {
    this.#parts = parts
    this.#runs = parts.store.list.count()
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

  /** Did another process write? Then viewers see it as if it had come in here. */
  #look(): void {
    const { store } = this.#parts
    const changes = store.changes.look()
    if (changes === null) return
    for (const key of changes.keys) this.#changedElsewhere(key)
    if (changes.count < this.#runs) this.#deletedElsewhere()
    this.#runs = changes.count
  }

  #deletedElsewhere(): void {
    const { store, registry, deletion, viewers } = this.#parts
    for (const run of [...registry.all()]) if (run.row.key !== 0 && store.rows.get(run.row.key) === null) deletion.forget(run)
    viewers.listChanged()
  }

  #changedElsewhere(key: number): void {
    const { store, registry, viewers } = this.#parts
    const row = store.rows.get(key)
    if (row === null) return
    const run = registry.held(row.id)
    if (!run) return viewers.storedRunChanged(store.list.one(key))
    if (run.owner !== null) return // its app is here; ours is the newer word
    Object.assign(run.row, row)
    if (row.lease !== store.leases.number) registry.stopGrace(run)
    viewers.storedRunChanged(infoJson(run))
    for (const subscription of run.subscriptions) if (subscription.state === 'live') subscription.viewer.replayer.add(subscription)
    registry.release(run)
  }

  /** Some at a time, with pauses, since each run is a transaction. */
  #prune(before = 0): void {
    const { deletion, retention, now, log } = this.#parts
    if (retention === null) return
    this.#quietly(() => {
      const some = deletion.prune(retention, now())
      const pruned = before + some
      if (some > 0) this.#timers.push(setTimeout(() => this.#prune(pruned), PRUNE_PAUSE_MS).unref())
      else if (pruned > 0) log(`${pruned} old ${pruned === 1 ? 'run was' : 'runs were'} deleted, as GRAPHMIND_RETENTION asks for.`)
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
