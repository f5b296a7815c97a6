// Ends a transaction that failed. SQLite may have ended it already (a full disk does), and older
// versions of Node cannot say whether it did.
import type { DatabaseSync } from 'node:sqlite'

export function rollBack(db: DatabaseSync): void {
  try {
    db.exec('ROLLBACK')
  } catch {
    // there was nothing left to roll back
  }
}
