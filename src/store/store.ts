// Runs and events in one SQLite file. This object only puts the parts together; what each does is
// in its own file. All calls are synchronous: a turn of the event loop is one transaction.
import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { Changes } from './changes.ts'
import { Checkpointer } from './checkpointer.ts'
import { Eraser } from './eraser.ts'
import { databaseFault } from './fault.ts'
import { Gaps } from './gaps.ts'
import { Leases } from './leases.ts'
import { openForReading, openForWriting } from './open.ts'
import { Pages } from './pages.ts'
import { RunList } from './run-list.ts'
import { RunRows, type RunRow } from './run-row.ts'
import { Search } from './search.ts'
import { TypeNames } from './type-names.ts'
import { Writer, type Commit, type NewEvent } from './writer.ts'

const LOCK_WAIT_MS = 200

/** The parts that only read. */
export interface ReadStore {
  readonly path: string
  readonly rows: RunRows
  readonly list: RunList
  readonly pages: Pages
  readonly search: Search
  close(): void
}

/** The whole store. */
export interface Store extends ReadStore {
  readonly gaps: Gaps
  readonly leases: Leases
  readonly changes: Changes
  readonly eraser: Eraser
  /** Stores events and rows in one transaction, see Writer. */
  commit(events: readonly NewEvent[], settle: () => Iterable<RunRow>): Commit
  has(row: RunRow, seq: number): boolean
  /** Counts anew what a killed server did not get to write down. */
  recount(row: RunRow): void
  /** Gives back the pages that SQLite keeps in memory. */
  shrink(): void
  /** Bytes of the database file. */
  size(): number
}

/** What tests may choose. */
export interface StoreOptions {
  /** The most pages the file may grow to: a full disk in small. */
  maxPages?: number
}

/** Opens or makes the database. Throws a Fault. */
export function openStore(path: string, options: StoreOptions = {}): Store {
  const db = openForWriting(path)
  try {
    db.exec(`PRAGMA busy_timeout = ${LOCK_WAIT_MS}; PRAGMA cache_size = -4096`)
    if (options.maxPages) db.exec(`PRAGMA max_page_count = ${options.maxPages}`)
    return assemble(db, path)
  } catch (error) {
    db.close()
    throw databaseFault(error, path)
  }
}

/** Opens an existing database to read only; makes no file. Throws a Fault. */
export function openReadStore(path: string): ReadStore {
  const db = openForReading(path)
  try {
    return { ...readers(db, path, false), close: () => db.close() }
  } catch (error) {
    db.close()
    throw databaseFault(error, path)
  }
}

function readers(db: DatabaseSync, path: string, writable: boolean): Omit<ReadStore, 'close'> {
  return { path, rows: new RunRows(db, writable), list: new RunList(db), pages: new Pages(db), search: new Search(db) }
}

function assemble(db: DatabaseSync, path: string): Store {
  const parts = readers(db, path, true)
  const changes = new Changes(db)
  const checkpointer = new Checkpointer(db, path)
  const writer = new Writer(db, parts.rows, new TypeNames(db), changes.own)
  const leases = new Leases(db)
  const patient = { now: true }
  const counts = db.prepare(`SELECT count(*) AS events, sum(type = (SELECT number FROM types WHERE json = '"node.error"')) AS errors,
    max(CASE typeof(at) WHEN 'integer' THEN at + ? ELSE CAST(CAST(at AS TEXT) AS REAL) END) AS last FROM events WHERE run = ?`)
  return {
    ...parts, changes, leases, gaps: new Gaps(db), eraser: new Eraser(db),
    commit: (events, settle) => {
      const done = writer.commit(events, settle)
      if (done.ok) checkpointer.wrote(bytesOf(events))
      const locked = !done.ok && done.trouble === 'busy'
      if (locked !== patient.now) return done
      patient.now = !locked // whoever holds the lock for long is not waited for in every turn
      db.exec(`PRAGMA busy_timeout = ${locked ? 0 : LOCK_WAIT_MS}`)
      return done
    },
    has: (row, seq) => writer.has(row, seq),
    recount: (row) => {
      const found = counts.get(row.epoch, row.key)
      row.eventCount = found?.events as number
      row.errorCount = (found?.errors as number | null | undefined) ?? 0
      row.lastTs = Math.round((found?.last as number | null | undefined) ?? row.lastTs)
    },
    shrink: () => db.exec('PRAGMA shrink_memory'),
    size: () => statSync(path, { throwIfNoEntry: false })?.size ?? 0,
    close: () => {
      checkpointer.close()
      close(db, leases)
    },
  }
}

function bytesOf(events: readonly NewEvent[]): number {
  let bytes = 0
  for (let i = 0; i < events.length; i++) bytes += (events[i] as NewEvent).payload.length + 20
  return bytes
}

function close(db: DatabaseSync, leases: Leases): void {
  try {
    leases.release()
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // full, locked or gone: everything is in the log, and the next one to open the file copies it
  }
  db.close()
}
