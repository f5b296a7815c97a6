// The ring buffer: the newest 5,000 events or 8 MiB of them, over all runs of the session. It is
// the only place where events wait; what does not fit any more leaves at the old end.
import type { Entry } from './run-log.ts'

export const MOST_EVENTS = 5000
/** Of the envelopes, in UTF-8. */
export const MOST_BYTES = 8 * 1024 * 1024
export interface RingLimits { readonly events: number; readonly bytes: number }
export const RING_LIMITS: RingLimits = { events: MOST_EVENTS, bytes: MOST_BYTES }

export class Ring {
  readonly #slots: (Entry | undefined)[] = []
  readonly #evicted: (entry: Entry, index: number) => void
  readonly #limits: RingLimits
  /** Index of the oldest; indexes rise for ever. */
  first = 0
  /** Index after the newest. */
  end = 0
  bytes = 0

  constructor(evicted: (entry: Entry, index: number) => void, limits: RingLimits = RING_LIMITS) {
    this.#evicted = evicted
    this.#limits = limits
  }

  push(entry: Entry): void {
    this.bytes += entry.bytes
    const { events, bytes } = this.#limits
    while (this.end - this.first >= events || (this.bytes > bytes && this.end > this.first)) this.#evict()
    this.#slots[this.end % events] = entry
    this.end++
  }

  /** The entry at an index between `first` and `end`. */
  at(index: number): Entry | undefined {
    return this.#slots[index % this.#limits.events]
  }

  clear(): void {
    this.#slots.length = 0
    this.first = this.end
    this.bytes = 0
  }

  #evict(): void {
    const slot = this.first % this.#limits.events
    const entry = this.#slots[slot]
    this.#slots[slot] = undefined
    const index = this.first++
    if (!entry) return
    this.bytes -= entry.bytes
    this.#evicted(entry, index)
  }
}
