// The runs in memory, and no others: those that an app streams, that a viewer watches, or whose
// app may still come back. Everything else is read from the store when it is asked for.
import type { RunRow, Store } from '../store/index.ts'
import { abandon, infoJson, liveRun, newRow, type LiveRun } from './live-run.ts'

export interface RegistryPorts {
  /** A run is new, ended, or its app came or went. */
  changed(run: LiveRun): void
  graceMs: number
}

export class Registry {
  /** Runs whose row is to be written with the next transaction. */
  readonly due = new Set<LiveRun>()
  readonly #store: Store
  readonly #ports: RegistryPorts
  readonly #byId = new Map<string, LiveRun>()
  #closed = false

  constructor(store: Store, ports: RegistryPorts) {
    this.#store = store
    this.#ports = ports
  }

  /** The run, if it is in memory. */
  held(id: string): LiveRun | undefined {
    return this.#byId.get(id)
  }

  all(): IterableIterator<LiveRun> {
    return this.#byId.values()
  }

  /** The run, taken into memory if it is stored. */
  find(id: string): LiveRun | null {
    const held = this.#byId.get(id)
    if (held) return held
    const row = this.#store.rows.find(id)
    return row === null ? null : this.#take(row)
  }

  /** The run that an event belongs to; made if there is none. */
  forEvent(id: string, ts: number): LiveRun {
    const held = this.#byId.get(id)
    if (held) return held
    const row = this.#stored(id)
    if (row === null) return this.#take(newRow(id, ts, this.#store.leases.number))
    if (row.status === 'running' && row.lease !== this.#store.leases.number) this.#store.recount(row)
    return this.#take(row)
  }

  /** A row of the store as the file has it, without taking it into memory. */
  row(id: string): RunRow | null {
    return this.#byId.get(id)?.row ?? this.#store.rows.find(id)
  }

  /** Writes the run's row with the next transaction, and tells viewers. */
  touch(run: LiveRun): void {
    this.due.add(run)
    this.#ports.changed(run)
  }

  /** Gives its app time to come back; then the run is abandoned. */
  startGrace(run: LiveRun): void {
    if (this.#closed || run.row.status !== 'running' || run.grace !== null) return
    run.grace = setTimeout(() => {
      run.grace = null
      if (run.owner !== null || run.row.status !== 'running') return
      abandon(run)
      this.touch(run)
      this.release(run)
    }, this.#ports.graceMs)
  }

  /** The server stops: no run is abandoned any more, the next server sees to it. */
  close(): void {
    this.#closed = true
    for (const run of this.#byId.values()) this.stopGrace(run)
  }

  stopGrace(run: LiveRun): void {
    if (run.grace !== null) clearTimeout(run.grace)
    run.grace = null
  }

  /** Forgets the run if nothing keeps it; the row is written first where that is due. */
  release(run: LiveRun): void {
    if (run.owner !== null || run.subscriptions.size > 0 || run.grace !== null || run.queued > 0 || this.due.has(run)) return
    if (run.row.key === 0 || run.row.status === 'running') return
    this.forget(run)
  }

  /** Forgets it whatever its state: it was deleted, or another server has it now. */
  forget(run: LiveRun): void {
    this.stopGrace(run)
    this.due.delete(run)
    if (this.#byId.get(run.row.id) === run) this.#byId.delete(run.row.id)
  }

  /** Takes over what dead servers left running: each run gets the grace that a lost app gets. */
  adopt(now: number): void {
    for (const key of this.#store.leases.adopt(now)) {
      const row = this.#store.rows.get(key)
      if (row === null || this.#byId.has(row.id)) continue
      this.#store.recount(row)
      const run = this.#take(row)
      this.due.add(run)
      this.startGrace(run)
    }
  }

  /** The list that viewers and /api/runs get: RunInfos as JSON text, newest start first. */
  listJson(): string {
    const stored = new Map<number, string>()
    const unstored: string[] = []
    for (const run of this.#byId.values()) {
      if (run.row.key === 0) unstored.push(infoJson(run))
      else stored.set(run.row.key, infoJson(run))
    }
    const list = this.#store.list.json(stored)
    return unstored.concat(list === '' ? [] : [list]).join(',')
  }

  #take(row: RunRow): LiveRun {
    const run = liveRun(row)
    this.#byId.set(row.id, run)
    return run
  }

  /** A store that cannot be read now must not cost the event: the run is then taken for new. */
  #stored(id: string): RunRow | null {
    try {
      return this.#store.rows.find(id)
    } catch {
      return null
    }
  }
}
