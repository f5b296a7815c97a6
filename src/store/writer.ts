// Writes one turn's worth of events, and the rows of their runs, in one transaction. It says of
// every event whether it is new, known already, or could not be stored; it never throws for what
// the disk does. Counts of a run that a failed transaction touched are put back.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { troubleOf, type StoreTrouble } from './fault.ts'
import { rollBack } from './roll-back.ts'
import type { RunRow, RunRows } from './run-row.ts'
import type { TypeNames } from './type-names.ts'

/** An event on its way into the store. */
export interface NewEvent {
  row: RunRow
  seq: number
  ts: number
  type: string
  /** The payload's JSON text. */
  payload: string
  /** Further members of the envelope, as JSON text. */
  extra: string | null
  /** Set by the store. */
  outcome: 'new' | 'known' | 'unstored'
}

export type Commit = { ok: true } | { ok: false; trouble: StoreTrouble; error: unknown }

const BLOCK = 16 // rows per statement: with fewer the calls cost more, with more the binding does
const ONE_ROW = '(?, ?, ?, ?, ?, ?)'
const INSERT = 'INSERT OR IGNORE INTO events (run, seq, at, type, payload, extra) VALUES '

type Bound = string | number | Uint8Array | null
interface Counts { row: RunRow; key: number; epoch: number; eventCount: number; errorCount: number; maxSeq: number; lastTs: number }

/** Thrown to itself when a block had known events where none could be: another process wrote them. */
const COLLISION = new Error('another process wrote the same events')

export class Writer {
  readonly #db: DatabaseSync
  readonly #rows: RunRows
  readonly #types: TypeNames
  readonly #one: StatementSync
  readonly #block: StatementSync
  readonly #exists: StatementSync
  readonly #ownRevisions: Set<number>
  readonly #touched = new Map<RunRow, Counts>()
  readonly #bound: Bound[] = []
  #revisionNow = 0

  constructor(db: DatabaseSync, rows: RunRows, types: TypeNames, ownRevisions: Set<number>) {
    this.#db = db
    this.#rows = rows
    this.#types = types
    this.#ownRevisions = ownRevisions
    this.#one = db.prepare(INSERT + ONE_ROW)
    this.#block = db.prepare(INSERT + Array(BLOCK).fill(ONE_ROW).join(', '))
    this.#exists = db.prepare('SELECT 1 FROM events WHERE run = ? AND seq = ?')
  }

  /**
   * Stores the events. `settle` is called once, when their outcomes are known and inside the
   * transaction if there is one; it answers with the rows to write along.
   */
  commit(events: readonly NewEvent[], settle: () => Iterable<RunRow>): Commit {
    let rows: Iterable<RunRow> | null = null
    const settleOnce = () => rows ??= settle()
    for (let careful = false; ; careful = true) {
      try {
        this.#db.exec('BEGIN IMMEDIATE')
        this.#insert(events, careful)
        this.#writeRows(settleOnce())
        this.#db.exec('COMMIT')
        this.#end(true)
        return { ok: true }
      } catch (error) {
        this.#undo()
        if (error === COLLISION && !careful) continue
        this.#judge(events)
        settleOnce()
        return { ok: false, trouble: troubleOf(error), error }
      }
    }
  }

  /** Is this event stored? */
  has(row: RunRow, seq: number): boolean {
    return row.key !== 0 && this.#exists.get(row.key, seq) !== undefined
  }

  /** A long one on purpose: the loop that every event goes through. */
  #insert(events: readonly NewEvent[], careful: boolean): void {
    const block = this.#bound
    block.length = 0
    let row: RunRow | null = null
    for (let i = 0; i < events.length; i++) {
      const event = events[i] as NewEvent
      if (event.row !== row) {
        row = event.row
        this.#touch(row)
      }
      const { seq, ts } = event
      const at = Number.isSafeInteger(ts) ? ts - row.epoch : Buffer.from(String(ts))
      const type = this.#types.code(event.type)
      if (seq > row.maxSeq && !careful) {
        row.maxSeq = seq
        block.push(row.key, seq, at, type, event.payload, event.extra)
        if (block.length === BLOCK * 6) {
          if (this.#block.run(...block).changes !== BLOCK) throw COLLISION
          block.length = 0
        }
      } else {
        this.#flushBlock()
        if (this.#one.run(row.key, seq, at, type, event.payload, event.extra).changes === 0) {
          event.outcome = 'known'
          continue
        }
        if (seq > row.maxSeq) row.maxSeq = seq
      }
      event.outcome = 'new'
      row.eventCount++
      if (event.type === 'node.error') row.errorCount++
      if (ts > row.lastTs) row.lastTs = Math.round(ts)
    }
    this.#flushBlock()
  }

  #flushBlock(): void {
    const block = this.#bound
    for (let i = 0; i < block.length; i += 6) {
      const done = this.#one.run(block[i] as Bound, block[i + 1] as Bound, block[i + 2] as Bound, block[i + 3] as Bound, block[i + 4] as Bound, block[i + 5] as Bound)
      if (done.changes !== 1) throw COLLISION
    }
    block.length = 0
  }

  /** Before a transaction changes a run: remember what it was, give a new one its key. */
  #touch(row: RunRow): void {
    if (this.#touched.has(row)) return
    const { key, epoch, eventCount, errorCount, maxSeq, lastTs } = row
    this.#touched.set(row, { row, key, epoch, eventCount, errorCount, maxSeq, lastTs })
    if (key !== 0) return
    const stored = this.#rows.find(row.id) // by another process, or when the file could not be read
    if (stored === null) return this.#rows.insert(row, this.#revision())
    Object.assign(row, { key: stored.key, epoch: stored.epoch, eventCount: stored.eventCount, errorCount: stored.errorCount, maxSeq: stored.maxSeq })
  }

  #revision(): number {
    if (this.#revisionNow === 0) this.#revisionNow = this.#rows.nextRevision()
    return this.#revisionNow
  }

  #writeRows(rows: Iterable<RunRow>): void {
    for (const row of rows) {
      this.#touch(row)
      this.#rows.update(row, this.#revision())
    }
  }

  #end(committed: boolean): void {
    if (committed && this.#revisionNow !== 0) this.#ownRevisions.add(this.#revisionNow)
    this.#revisionNow = 0
    this.#touched.clear()
    this.#types.settle(committed)
  }

  #undo(): void {
    rollBack(this.#db)
    for (const { row, ...counts } of this.#touched.values()) Object.assign(row, counts)
    this.#end(false)
  }

  /** After a failure: what is stored from before is known, the rest is not stored. */
  #judge(events: readonly NewEvent[]): void {
    const seen = new Map<RunRow, Set<number>>()
    for (const event of events) {
      const inBatch = seen.get(event.row) ?? new Set()
      seen.set(event.row, inBatch)
      event.outcome = inBatch.has(event.seq) || (event.seq <= event.row.maxSeq && this.#hasSafely(event)) ? 'known' : 'unstored'
      inBatch.add(event.seq)
    }
  }

  #hasSafely({ row, seq }: NewEvent): boolean {
    try {
      return this.has(row, seq)
    } catch {
      return false // the file cannot even be read; showing an event twice beats losing it
    }
  }
}
