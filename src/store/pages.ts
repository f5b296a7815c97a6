// Reads events back as the text they are sent as. SQLite builds a whole page of envelopes in one
// string of bytes: no object, no string and no encoding per event.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { RunRow } from './run-row.ts'

/** Envelopes of one run in rising seq, joined by commas, as UTF-8. */
export interface Page {
  bytes: Uint8Array
  count: number
  /** The seq of the last one; meaningless when count is 0. */
  lastSeq: number
  /** There are more. */
  more: boolean
}

const EMPTY: Page = { bytes: new Uint8Array(0), count: 0, lastSeq: -1, more: false }
const ENVELOPE_BYTES = 120 // about what stands around a payload

// Numbers are bound as REAL, hence the cast: a time must not become `1.0`.
const SIZE = `octet_length(payload) + coalesce(octet_length(extra), 0) + ${ENVELOPE_BYTES}`
const TEXT = `'{"gm":1,"seq":' || seq || ',"ts":' ||
  CASE typeof(at) WHEN 'integer' THEN at + CAST(:epoch AS INTEGER) ELSE CAST(at AS TEXT) END || :head ||
  CASE typeof(type) WHEN 'integer' THEN (SELECT json FROM types WHERE number = type) ELSE type END ||
  ',"payload":' || payload || CASE WHEN extra IS NULL THEN '}' ELSE ',' || extra || '}' END`

export class Pages {
  readonly #measure: StatementSync
  readonly #sizes: StatementSync
  readonly #join: StatementSync
  readonly #each: StatementSync
  readonly #countAfter: StatementSync

  constructor(db: DatabaseSync) {
    this.#measure = db.prepare(`SELECT count(*) AS rows, sum(size) AS bytes, max(seq) AS last FROM (
      SELECT seq, ${SIZE} AS size FROM events WHERE run = ? AND seq > ? ORDER BY seq LIMIT ?)`)
    this.#sizes = db.prepare(`SELECT seq, ${SIZE} AS size FROM events WHERE run = ? AND seq > ? ORDER BY seq LIMIT ?`)
    this.#join = db.prepare(`SELECT CAST(group_concat(text, ',') AS BLOB) AS bytes FROM (
      SELECT ${TEXT} AS text FROM events WHERE run = :run AND seq > :after AND seq <= :last ORDER BY seq)`)
    this.#each = db.prepare(`SELECT seq, ${TEXT} AS text FROM events WHERE run = :run AND seq > :after AND seq <= :last ORDER BY seq`)
    this.#countAfter = db.prepare('SELECT count(*) AS rows FROM events WHERE run = ? AND seq > ?')
  }

  /** The next events after `afterSeq`: at most `limit`, and at most about `maxBytes`, but always one. */
  read(row: RunRow, afterSeq: number, limit: number, maxBytes: number): Page {
    const end = this.#end(row, afterSeq, limit, maxBytes)
    if (end === null) return EMPTY
    const found = this.#join.get(this.#range(row, afterSeq, end.lastSeq))
    return { bytes: found?.bytes as Uint8Array, ...end, more: end.lastSeq < row.maxSeq }
  }

  /** The same page, an envelope's text at a time. */
  readEach(row: RunRow, afterSeq: number, limit: number, maxBytes: number): { texts: string[]; lastSeq: number; more: boolean } {
    const end = this.#end(row, afterSeq, limit, maxBytes)
    if (end === null) return { texts: [], lastSeq: -1, more: false }
    const texts: string[] = []
    for (const each of this.#each.iterate(this.#range(row, afterSeq, end.lastSeq))) texts.push(each.text as string)
    return { texts, lastSeq: end.lastSeq, more: end.lastSeq < row.maxSeq }
  }

  /** How many events come after `afterSeq`. */
  countAfter(row: RunRow, afterSeq: number): number {
    if (row.key === 0 || afterSeq >= row.maxSeq) return 0
    return this.#countAfter.get(row.key, afterSeq)?.rows as number
  }

  #range(row: RunRow, after: number, last: number): Record<string, string | number> {
    return { run: row.key, after, last, epoch: row.epoch, head: `,"runId":${JSON.stringify(row.id)},"type":` }
  }

  /** Where a page ends. Sizes come from row heads alone, so large payloads are not read for it. */
  #end(row: RunRow, afterSeq: number, limit: number, maxBytes: number): { count: number; lastSeq: number } | null {
    if (row.key === 0) return null
    const whole = this.#measure.get(row.key, afterSeq, limit)
    const count = whole?.rows as number
    if (count === 0) return null
    if ((whole?.bytes as number) <= maxBytes) return { count, lastSeq: whole?.last as number }
    const page = { count: 0, lastSeq: -1 }
    let bytes = 0
    for (const { seq, size } of this.#sizes.iterate(row.key, afterSeq, limit)) {
      bytes += size as number
      if (page.count > 0 && bytes > maxBytes) break
      page.count++
      page.lastSeq = seq as number
    }
    return page
  }
}
