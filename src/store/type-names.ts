// Message types as small numbers: a row then spends one byte on its type. The table is filled as
// types come up; once it is full, further types are kept as their own JSON text in the row.
import type { DatabaseSync, StatementSync } from 'node:sqlite'

const MOST_TYPES = 1000

export class TypeNames {
  readonly #numbers = new Map<string, number>()
  readonly #find: StatementSync
  readonly #add: StatementSync
  #unsettled: string[] = []

  constructor(db: DatabaseSync) {
    this.#find = db.prepare('SELECT number FROM types WHERE json = ?')
    this.#add = db.prepare('INSERT OR IGNORE INTO types (json) VALUES (?)')
    for (const { json, number } of db.prepare('SELECT json, number FROM types').all()) this.#numbers.set(json as string, number as number)
  }

  /** Inside a transaction: what the `type` column holds for this type. */
  code(type: string): number | string {
    return this.#numbers.get(quoted(type)) ?? this.#learn(JSON.stringify(type))
  }

  /** The transaction came to its end; numbers that it gave out are real, or forgotten. */
  settle(committed: boolean): void {
    if (!committed) for (const json of this.#unsettled) this.#numbers.delete(json)
    this.#unsettled = []
  }

  #learn(json: string): number | string {
    const known = this.#numbers.get(json)
    if (known !== undefined) return known
    if (this.#numbers.size >= MOST_TYPES) return json
    this.#add.run(json)
    const number = this.#find.get(json)?.number as number
    this.#numbers.set(json, number)
    this.#unsettled.push(json)
    return number
  }
}

/** The JSON text of an ordinary type; of an odd one it is not, and the slow path sees to it. */
function quoted(type: string): string {
  return `"${type}"`
}
