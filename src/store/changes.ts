// What other processes did to the file: `PRAGMA data_version` says that they did, the revision of
// a run's row says to which run. Own commits are told apart by the revisions they took.
import type { DatabaseSync, StatementSync } from 'node:sqlite'

export interface ForeignChanges {
  /** Keys of runs that are new or different. */
  keys: number[]
  /** How many runs there are now. */
  count: number
}

export class Changes {
  /** Revisions that this process wrote since the last look. */
  readonly own = new Set<number>()
  readonly #version: StatementSync
  readonly #changed: StatementSync
  readonly #last: StatementSync
  readonly #count: StatementSync
  #seenVersion: number
  #seenRevision: number

  constructor(db: DatabaseSync) {
    this.#version = db.prepare('PRAGMA data_version')
    this.#changed = db.prepare('SELECT key, revision FROM runs WHERE revision > ? AND id IS NOT NULL ORDER BY revision')
    this.#last = db.prepare('SELECT value FROM revision')
    this.#count = db.prepare('SELECT count(*) AS runs FROM runs WHERE id IS NOT NULL')
    this.#seenVersion = this.#dataVersion()
    this.#seenRevision = this.#last.get()?.value as number
  }

  /** Null: nobody else wrote since the last look. */
  look(): ForeignChanges | null {
    const version = this.#dataVersion()
    if (version === this.#seenVersion) {
      this.#forgetOwn()
      return null
    }
    this.#seenVersion = version
    const changed = this.#changed.all(this.#seenRevision)
    const keys = changed.filter(({ revision }) => !this.own.has(revision as number)).map(({ key }) => key as number)
    this.#seenRevision = this.#last.get()?.value as number
    this.own.clear()
    return { keys, count: this.#count.get()?.runs as number }
  }

  /** Nobody else wrote so far, so nothing up to our own last revision needs a look. */
  #forgetOwn(): void {
    for (const revision of this.own) this.#seenRevision = Math.max(this.#seenRevision, revision)
    this.own.clear()
  }

  #dataVersion(): number {
    return this.#version.get()?.data_version as number
  }
}
