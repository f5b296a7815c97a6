// Takes texts from the journal to the socket: all of a turn's in one write, what a person waits
// for at once, and never more than the socket takes. A server that accepts and never reads costs
// a bounded queue; what it misses stays in the journal.
import type { Journal } from './journal.ts'

/** The socket, as far as sending goes. */
export interface Sink {
  /** Bytes that were given to it and not yet to the system. */
  readonly queuedBytes: number
  /** `written` is called once the text was given to the system. */
  send(text: string, written?: () => void): void
  /** Writes made inside go out together. */
  together(writes: () => void): void
}

const MOST_QUEUED_BYTES = 1024 * 1024
/** A host that emits on and on in one turn would lose events that the socket could take. */
const MOST_UNFLUSHED = 256

export class Outbox {
  readonly #journal: Journal
  readonly #flushMs: number
  #sink: Sink | null = null
  #scheduled = false
  #waiting = false
  #unflushed = 0
  #sent = 0
  readonly #empty: (() => void)[] = []

  constructor(journal: Journal, flushMs: number) {
    this.#journal = journal
    this.#flushMs = flushMs
  }

  get sent(): number {
    return this.#sent
  }

  open(sink: Sink): void {
    this.#sink = sink
    this.#waiting = false
    this.#journal.rewind()
    this.flush()
  }

  shut(): void {
    this.#sink = null
    this.#tellEmpty()
  }

  /** Something was appended: sends it with the rest of this turn (or of `flushMs`). */
  schedule(): void {
    if (this.#sink === null) return
    if (++this.#unflushed >= MOST_UNFLUSHED) return this.flush()
    if (this.#scheduled) return
    this.#scheduled = true
    const run = () => {
      this.#scheduled = false
      this.flush()
    }
    if (this.#flushMs > 0) setTimeout(run, this.#flushMs).unref()
    else setImmediate(run)
  }

  /** Sends what there is, now. */
  flush(): void {
    this.#unflushed = 0
    const sink = this.#sink
    if (sink === null || this.#waiting) return
    sink.together(() => this.#fill(sink))
    if (!this.#journal.pending) this.#tellEmpty()
  }

  /** Resolves once everything was handed over, or the socket is gone. */
  drained(): Promise<void> {
    if (this.#sink === null || !this.#journal.pending) return Promise.resolve()
    return new Promise((resolve) => this.#empty.push(resolve))
  }

  #fill(sink: Sink): void {
    for (let text = this.#journal.next(); text !== null; text = this.#journal.next()) {
      this.#sent++
      if (sink.queuedBytes < MOST_QUEUED_BYTES) sink.send(text)
      else {
        this.#waiting = true
        return sink.send(text, () => this.#again(sink))
      }
    }
  }

  #again(sink: Sink): void {
    if (this.#sink !== sink) return
    this.#waiting = false
    this.flush()
  }

  #tellEmpty(): void {
    for (const resolve of this.#empty.splice(0)) resolve()
  }
}
