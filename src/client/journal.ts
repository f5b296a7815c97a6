// What is to be sent, in order: the ring buffer with a cursor in it, and before that what stands
// for events that were lost. A new attachment starts again from the oldest.
import { Ring, RING_LIMITS, type RingLimits } from './ring.ts'
import type { Entry, RunLog } from './run-log.ts'

/** Finished runs of which nothing is left but the news that they were lost; older ones are forgotten. */
const MOST_LOST_RUNS = 1000

export class Journal {
  readonly #ring: Ring
  readonly #mostLossy: number
  readonly #lossy = new Set<RunLog>()
  readonly #untold = new Set<RunLog>()
  /** Texts of one run that go before the cursor's; the next one is the last. */
  #ahead: string[] = []
  #cursor = 0
  #appended = 0
  #dropped = 0
  readonly #now: () => number

  constructor(now: () => number, limits: RingLimits = RING_LIMITS) {
    this.#now = now
    this.#ring = new Ring((entry, index) => this.#lost(entry, index), limits)
    this.#mostLossy = MOST_LOST_RUNS + limits.events // runs with something in the buffer are not forgotten
  }

  append(entry: Entry): void {
    entry.log.buffered++
    this.#ring.push(entry)
    this.#appended++
  }

  /** A new server: everything that is kept, and word of everything that is not. */
  rewind(): void {
    this.#ahead = []
    this.#cursor = this.#ring.first
    for (const log of this.#lossy) this.#tell(log, log.firstSeq)
  }

  get pending(): boolean {
    return this.#ahead.length > 0 || this.#untold.size > 0 || this.#cursor < this.#ring.end
  }

  /** The next text to send; null: none. */
  next(): string | null {
    while (this.#ahead.length === 0 && this.#untold.size > 0) this.#tellLoss()
    const ahead = this.#ahead.pop()
    if (ahead !== undefined) return ahead
    if (this.#cursor >= this.#ring.end) return null
    return this.#ring.at(this.#cursor++)?.text ?? null
  }

  /** `dropped`: events that left the buffer before any server had them. */
  get counts(): { events: number; buffered: number; bufferedBytes: number; dropped: number } {
    return { events: this.#appended, buffered: this.#ring.end - this.#ring.first, bufferedBytes: this.#ring.bytes, dropped: this.#dropped }
  }

  clear(): void {
    this.#ring.clear()
    this.#cursor = this.#ring.end
    this.#ahead = []
    this.#untold.clear()
    this.#lossy.clear()
  }

  #lost(entry: Entry, index: number): void {
    const { log, seq } = entry
    log.buffered--
    log.evicted = seq + 1
    this.#lossy.add(log)
    if (index >= this.#cursor) {
      this.#cursor = index + 1
      this.#dropped++
      this.#tell(log, seq)
    } else this.#forget(log)
    if (this.#lossy.size > this.#mostLossy) this.#forgetOldest()
  }

  #tell(log: RunLog, from: number): void {
    log.untoldFrom = Math.min(from, log.untoldFrom ?? from)
    this.#untold.add(log)
  }

  /** One run at a time: the markers of many would be much to hold. */
  #tellLoss(): void {
    for (const log of this.#untold) {
      this.#ahead = log.lossTexts(this.#now()).reverse()
      log.untoldFrom = null
      this.#untold.delete(log)
      this.#forget(log)
      return
    }
  }

  /** A run that is over, was told and of which nothing is kept. */
  #forget(log: RunLog): void {
    if (log.finished && log.buffered === 0 && log.untoldFrom === null) this.#lossy.delete(log)
  }

  #forgetOldest(): void {
    for (const log of this.#lossy) {
      if (!log.finished || log.buffered > 0) continue
      this.#lossy.delete(log)
      this.#untold.delete(log)
      return
    }
  }
}
