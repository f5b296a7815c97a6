// What the client has to tell the developer: one line, at most once a minute per kind of fault.

const EVERY_MS = 60_000

export class Warnings {
  readonly #write: (line: string) => void
  readonly #now: () => number
  readonly #last = new Map<string, number>()

  constructor(write: ((line: string) => void) | undefined, now: () => number) {
    this.#write = write ?? ((line) => process.stderr.write(`${line}\n`))
    this.#now = now
  }

  /** `kind` is one of a few fixed words. Never throws. */
  warn(kind: string, message: string): void {
    const now = this.#now()
    const last = this.#last.get(kind)
    if (last !== undefined && now - last < EVERY_MS) return
    this.#last.set(kind, now)
    try {
      this.#write(`graphmind: ${message}`)
    } catch {
      // the host's own stderr or its warn function is broken: there is nobody else to tell
    }
  }
}
