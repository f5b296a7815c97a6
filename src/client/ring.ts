// The ring buffer: the newest 5,000 events or 8 MiB of them, over all runs of the session. It is
// the only place where events wait; what does not fit any more leaves at the old end.
import type { Entry } from './run-log.ts'

export const MOST_EVENTS = 5000
/** Of the envelopes, in UTF-8. */
export const MOST_BYTES = 8 * 1024 * 1024

export class Ring {
  readonly #slots: (Entry | undefined)[] = []
  readonly #evicted: (entry: Entry, index: number) => void
  /** Index of the oldest; indexes rise for ever. */
  first = 0
  /** Index after the newest. */
  end = 0
  bytes = 0

  constructor(evicted: (entry: Entry, index: number) => void) {
    this.#evicted = evicted
  }

  push(entry: Entry): void {
    this.bytes += entry.bytes
    while (this.end - this.first >= MOST_EVENTS || (this.bytes > MOST_BYTES && this.end > this.first)) this.#evict()
    this.#slots[this.end % MOST_EVENTS] = entry
    this.end++
  }

  /** The entry at an index between `first` and `end`. */
  at(index: number): Entry | undefined {
    return this.#slots[index % MOST_EVENTS]
  }

  clear(): void {
    this.#slots.length = 0
    this.first = this.end
    this.bytes = 0
  }

  #evict(): void {
    const slot = this.first % MOST_EVENTS
    const entry = this.#slots[slot]
    this.#slots[slot] = undefined
    const index = this.first++
    if (!entry) return
    this.bytes -= entry.bytes
    this.#evicted(entry, index)
  }
}
