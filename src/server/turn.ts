// One turn of the event loop: what all apps sent in it is stored in one transaction, and only
// then relayed, so whatever a viewer has seen survives the server. When the disk does not take
// it, it is relayed all the same: locked, it waits here (bounded) to be stored; otherwise the
// run is marked as not stored.
import { envelopeText } from '../wire/index.ts'
import { databaseFault, type NewEvent, type Store } from '../store/index.ts'
import { applyEvent, type Effect, type LiveRun } from './live-run.ts'
import type { Registry } from './registry.ts'

/** An event that an app sent in this turn. */
export interface TurnEvent extends NewEvent {
  run: LiveRun
  /** The parsed payload. */
  body: Record<string, unknown>
}

export interface TurnPorts {
  /** New events of one run, in the order they came. */
  relay(run: LiveRun, events: TurnEvent[]): void
  effect(run: LiveRun, effect: Effect): void
  /** The run's counts grew. */
  grew(run: LiveRun): void
  log(line: string): void
  now(): number
}

const FLUSH_BYTES = 4 * 1024 * 1024
const BACKLOG_BYTES = 16 * 1024 * 1024
const BACKLOG_RETRY_MS = 250

export class Turn {
  readonly #store: Store
  readonly #registry: Registry
  readonly #ports: TurnPorts
  #queue: TurnEvent[] = []
  #queuedBytes = 0
  #scheduled = false
  #backlog: TurnEvent[] = []
  #backlogBytes = 0
  #retry: NodeJS.Timeout | null = null
  /** What was last said about the disk; empty: all is well. */
  #trouble = ''
  #closed = false

  constructor(store: Store, registry: Registry, ports: TurnPorts) {
    this.#store = store
    this.#registry = registry
    this.#ports = ports
  }

  add(event: TurnEvent): void {
    event.run.queued++
    this.#queue.push(event)
    this.#queuedBytes += event.payload.length
    if (this.#queuedBytes > FLUSH_BYTES) this.flush()
    else this.schedule()
  }

  /** The turn ends with a flush. */
  schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.flush()
    })
  }

  /** Events of the run that wait for a locked file, in the order they came. */
  waiting(run: LiveRun): TurnEvent[] {
    return this.#backlog.length === 0 ? [] : this.#backlog.filter((event) => event.run === run)
  }

  /** Nothing is stored from here on. */
  close(): void {
    this.#closed = true
    if (this.#retry) clearTimeout(this.#retry)
  }

  /** Stores and relays what is there. */
  flush(): void {
    if (this.#closed) return
    const events = this.#queue
    const due = [...this.#registry.due]
    if (events.length === 0 && due.length === 0 && this.#backlog.length === 0) return
    this.#queue = []
    this.#queuedBytes = 0
    const backlog = this.#backlog
    const all = backlog.length === 0 ? events : backlog.concat(events)
    const effects: { run: LiveRun; effect: Effect }[] = []
    const done = this.#store.commit(all, () => this.#settle(events, effects))
    if (done.ok) this.#stored(backlog)
    else this.#notStored(events, done.trouble === 'busy', done.error)
    this.#relay(events)
    for (const { run, effect } of effects) this.#ports.effect(run, effect)
    for (const run of due) this.#registry.release(run)
  }

  /** Applies the new events to their runs; answers with the rows that have to be written now. */
  #settle(events: TurnEvent[], effects: { run: LiveRun; effect: Effect }[]): Set<NewEvent['row']> {
    const now = this.#ports.now()
    for (let i = 0; i < events.length; i++) {
      const { run, type, ts, body, outcome } = events[i] as TurnEvent
      if (outcome === 'known') continue
      const effect = applyEvent(run, type, ts, body, now)
      if (effect === 'none') {
        if (run.row.status !== 'running') this.#registry.due.add(run) // a late event: nothing else would write its count
        continue
      }
      effects.push({ run, effect })
      if (effect === 'status') this.#registry.due.add(run)
    }
    const rows = new Set<NewEvent['row']>()
    for (const run of this.#registry.due) rows.add(run.row)
    return rows
  }

  #stored(backlog: TurnEvent[]): void {
    this.#registry.due.clear()
    if (backlog.length > 0) {
      for (const { run } of backlog) this.#ports.grew(run)
      this.#backlog = []
      this.#backlogBytes = 0
    }
    if (this.#trouble !== '') this.#ports.log('The database takes events again.')
    this.#trouble = ''
  }

  #notStored(events: TurnEvent[], locked: boolean, error: unknown): void {
    const fault = databaseFault(error, this.#store.path)
    if (this.#trouble !== fault.code) this.#ports.log(`${fault.message} ${locked ? 'Events are shown and kept in memory until it is free.' : 'Events are shown, but not stored.'} ${fault.hint}`)
    this.#trouble = fault.code
    const missed = events.filter((event) => event.outcome === 'unstored')
    if (!locked) {
      this.#giveUp(this.#backlog.concat(missed))
      this.#backlog = []
      this.#backlogBytes = 0
      return
    }
    for (const event of missed) this.#backlogBytes += event.payload.length + 200
    this.#backlog.push(...missed)
    if (this.#backlogBytes > BACKLOG_BYTES) this.#shed()
    this.#retry ??= setTimeout(() => {
      this.#retry = null
      this.flush()
    }, BACKLOG_RETRY_MS).unref()
  }

  /** The lock lasts too long: the older half is given up. */
  #shed(): void {
    const half = this.#backlog.splice(0, this.#backlog.length >> 1)
    for (const event of half) this.#backlogBytes -= event.payload.length + 200
    this.#giveUp(half)
  }

  #giveUp(events: TurnEvent[]): void {
    for (const { run } of events) {
      if (run.row.notStored) continue
      run.row.notStored = true
      this.#registry.touch(run)
    }
  }

  #relay(events: TurnEvent[]): void {
    const byRun = new Map<LiveRun, TurnEvent[]>()
    let last: LiveRun | null = null
    let list: TurnEvent[] = []
    for (let i = 0; i < events.length; i++) {
      const event = events[i] as TurnEvent
      const { run } = event
      run.queued--
      if (run !== last) {
        last = run
        list = byRun.get(run) ?? []
        byRun.set(run, list)
      }
      if (event.outcome !== 'known') list.push(event)
    }
    for (const [run, news] of byRun) {
      if (news.length > 0) {
        this.#ports.grew(run)
        if (run.subscriptions.size > 0) this.#ports.relay(run, news)
      }
      this.#registry.release(run)
    }
  }
}

/** The text of an event's envelope: what is stored, spelt as it is stored. */
export function textOf({ row, seq, ts, type, payload, extra }: NewEvent): string {
  return envelopeText({ runId: row.id, seq, ts }, type, payload, extra)
}
