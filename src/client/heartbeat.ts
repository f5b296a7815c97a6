// Notices that the other side fell silent: a ping a second, and three in a row without a sign of
// life are the end, about four seconds after the last one. It counts rounds rather than time, so
// a host that blocks its own event loop for a minute loses nothing.

const EVERY_MS = 1000
const MOST_MISSED = 3

export class Heartbeat {
  readonly #ping: () => boolean
  readonly #silent: () => void
  #timer: NodeJS.Timeout | undefined
  #missed = 0

  /** `ping` answers false when it could not be sent. */
  constructor(ping: () => boolean, silent: () => void) {
    this.#ping = ping
    this.#silent = silent
  }

  start(): void {
    this.#missed = 0
    this.#ping()
    this.#timer = setInterval(() => this.#round(), EVERY_MS).unref()
  }

  /** Anything that came from the other side. */
  heard(): void {
    this.#missed = 0
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #round(): void {
    if (++this.#missed > MOST_MISSED) return this.#silent()
    this.#ping()
  }
}
