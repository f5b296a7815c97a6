// What of a gap, announced by a sender that lost events, is stored already. Its seqs may belong
// to several runs of that sender, so a gap is narrowed only where every seq in it is this run's.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { GapInfo } from '../wire/index.ts'
import type { RunRow } from './run-row.ts'

export class Gaps {
  readonly #count: StatementSync
  readonly #firstHole: StatementSync
  readonly #lastHole: StatementSync

  constructor(db: DatabaseSync) {
    this.#count = db.prepare('SELECT count(*) AS rows FROM events WHERE run = ? AND seq BETWEEN ? AND ?')
    this.#firstHole = db.prepare(`SELECT seq + 1 AS hole FROM events e WHERE run = :run AND seq BETWEEN :from AND :to
      AND NOT EXISTS (SELECT 1 FROM events WHERE run = :run AND seq = e.seq + 1) ORDER BY seq LIMIT 1`)
    this.#lastHole = db.prepare(`SELECT seq - 1 AS hole FROM events e WHERE run = :run AND seq BETWEEN :from AND :to
      AND NOT EXISTS (SELECT 1 FROM events WHERE run = :run AND seq = e.seq - 1) ORDER BY seq DESC LIMIT 1`)
  }

  /** What is really missing; null: nothing. */
  missing(row: RunRow, gap: GapInfo): GapInfo | null {
    if (row.key === 0) return gap
    const stored = this.#count.get(row.key, gap.fromSeq, gap.toSeq)?.rows as number
    if (stored === 0) return gap
    const droppedCount = gap.droppedCount - stored
    if (droppedCount <= 0) return null
    if (gap.droppedCount !== gap.toSeq - gap.fromSeq + 1) return { ...gap, droppedCount }
    return { ...gap, droppedCount, ...this.#bounds(row.key, gap.fromSeq, gap.toSeq) }
  }

  #bounds(run: number, from: number, to: number): { fromSeq: number; toSeq: number } {
    const has = (seq: number) => (this.#count.get(run, seq, seq)?.rows as number) > 0
    const range = { run, from, to }
    return {
      fromSeq: has(from) ? this.#firstHole.get(range)?.hole as number : from,
      toSeq: has(to) ? this.#lastHole.get(range)?.hole as number : to,
    }
  }
}
