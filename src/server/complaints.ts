// Counts what was refused and says it once a second, however much of it there is.

interface Count { times: number; first: string }

export class Complaints {
  readonly #log: (line: string) => void
  readonly #counts = new Map<string, Count>()
  #timer: NodeJS.Timeout | null = null

  constructor(log: (line: string) => void) {
    this.#log = log
  }

  /** `what`: a plural noun phrase ("messages to /ingest were refused"); `example`: why the first one was. */
  add(what: string, example: () => string): void {
    const count = this.#counts.get(what)
    if (count) {
      count.times++
      return
    }
    this.#counts.set(what, { times: 1, first: example() })
    this.#timer ??= setTimeout(() => this.flush(), 1000).unref()
  }

  flush(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    for (const [what, { times, first }] of this.#counts) this.#log(`${times} ${what}; the first: ${first}`)
    this.#counts.clear()
  }
}
