// Removes runs for good: first the row loses its id, so that nobody finds the run any more, then
// its events go, some thousand at a time, then the row. A crash in between is finished later.
// The connection zeroes what is freed (secure_delete).
import type { DatabaseSync, StatementSync } from 'node:sqlite'

const ROWS_AT_ONCE = 2000
const LARGE_BYTES = 8 * 1024 * 1024
const LARGE_ROWS_AT_ONCE = 20

/** Which runs retention keeps. */
export interface Retention {
  /** The newest so many. */
  keepRuns?: number
  /** None older than this. */
  keepDays?: number
}

export class Eraser {
  readonly #db: DatabaseSync
  readonly #hide: StatementSync
  readonly #hidden: StatementSync
  readonly #some: StatementSync
  readonly #size: StatementSync
  readonly #row: StatementSync

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#hide = db.prepare('UPDATE runs SET id = NULL, revision = (SELECT value FROM revision) WHERE id = ?')
    this.#hidden = db.prepare('SELECT key FROM runs WHERE id IS NULL LIMIT 1')
    this.#some = db.prepare('DELETE FROM events WHERE run = :run AND seq IN (SELECT seq FROM events WHERE run = :run ORDER BY seq LIMIT :rows)')
    this.#size = db.prepare('SELECT sum(octet_length(payload)) AS bytes FROM (SELECT payload FROM events WHERE run = ? ORDER BY seq LIMIT ?)')
    this.#row = db.prepare('DELETE FROM runs WHERE key = ? AND id IS NULL')
  }

  /** From now on nobody finds the run; `step` erases it. Answers whether it was there. */
  hide(id: string): boolean {
    return this.#hide.run(id).changes === 1
  }

  /** Erases a little of what is hidden; false: nothing is left to do. */
  step(): boolean {
    const key = this.#hidden.get()?.key as number | undefined
    if (key === undefined) return false
    const bytes = this.#size.get(key, ROWS_AT_ONCE)?.bytes as number | null
    const rows = (bytes ?? 0) > LARGE_BYTES ? LARGE_ROWS_AT_ONCE : ROWS_AT_ONCE
    if (this.#some.run({ run: key, rows }).changes === 0) this.#row.run(key)
    return true
  }

  /** Old pages may still lie in the -wal file: moves them into the database and empties it. */
  sweep(): void {
    this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  }

  /** Ids of the runs that retention would remove: finished ones only. */
  outdated({ keepRuns, keepDays }: Retention, now: number): string[] {
    const oldest = keepDays === undefined ? -1 : now - keepDays * 86_400_000
    return this.#db.prepare(`SELECT id FROM (
        SELECT id, status, started_at, row_number() OVER (ORDER BY started_at DESC, key DESC) AS place FROM runs WHERE id IS NOT NULL)
      WHERE status <> 'running' AND (place > ? OR started_at < ?)`).all(keepRuns ?? Number.MAX_SAFE_INTEGER, oldest).map(({ id }) => id as string)
  }
}
