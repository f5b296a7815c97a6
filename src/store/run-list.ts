// The list of all runs as one JSON text, built by SQLite, newest start first. Runs that the
// server holds in memory are spelt by it and take the place of their rows.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { RUN_INFO_SQL } from './run-row.ts'

export class RunList {
  readonly #list: StatementSync
  readonly #count: StatementSync
  readonly #one: StatementSync
  #overlay: ReadonlyMap<number, string> = new Map()

  constructor(db: DatabaseSync) {
    db.function('held_in_memory', { deterministic: false }, (key) => this.#overlay.get(key as number) ?? null)
    this.#list = db.prepare(`SELECT group_concat(info, ',') AS infos FROM (
      SELECT CASE WHEN key >= :first THEN coalesce(held_in_memory(key), ${RUN_INFO_SQL}) ELSE ${RUN_INFO_SQL} END AS info
      FROM runs WHERE id IS NOT NULL ORDER BY started_at DESC, key DESC)`)
    this.#one = db.prepare(`SELECT ${RUN_INFO_SQL} AS info FROM runs WHERE key = ?`)
    this.#count = db.prepare('SELECT count(*) AS runs FROM runs WHERE id IS NOT NULL')
  }

  /** RunInfos joined by commas. `inMemory`: JSON text by run key. */
  json(inMemory: ReadonlyMap<number, string>): string {
    this.#overlay = inMemory
    const first = inMemory.size === 0 ? Number.MAX_SAFE_INTEGER : Math.min(...inMemory.keys())
    try {
      return (this.#list.get({ first })?.infos as string | null) ?? ''
    } finally {
      this.#overlay = new Map()
    }
  }

  /** One stored run's RunInfo. */
  one(key: number): string {
    return this.#one.get(key)?.info as string
  }

  count(): number {
    return this.#count.get()?.runs as number
  }
}
