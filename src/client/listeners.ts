// Callbacks of the host: one that throws harms neither the others nor us.

export class Listeners {
  readonly #all = new Set<() => void>()
  readonly #warn: (message: string) => void

  constructor(warn: (message: string) => void) {
    this.#warn = warn
  }

  /** Returns how to take it off again. */
  add(listener: () => void): () => void {
    this.#all.add(listener)
    return () => { this.#all.delete(listener) }
  }

  call(): void {
    for (const listener of [...this.#all]) {
      try {
        listener()
      } catch (error) {
        this.#warn(`a listener threw: ${error instanceof Error ? error.message : 'unknown'}`)
      }
    }
  }
}
