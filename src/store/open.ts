// Opens the database file: refuses what is not ours before anything is written, keeps it private
// (folder 0700 when we made it, files 0600), sets the pragmas. Every failure is a Fault.
import { chmodSync, closeSync, mkdirSync, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { databaseFault, newerDatabase, noDatabase, notADatabase } from './fault.ts'
import { isForeign, migrate, SCHEMA_VERSION, schemaOf } from './schema.ts'

const MAGIC = 'SQLite format 3\0'
const OPEN_WAIT_MS = 2000

/** Opens the file for writing, made and migrated where needed. Throws a Fault. */
export function openForWriting(path: string): DatabaseSync {
  try {
    makeFolder(dirname(path))
    if (sizeOf(path) > 0) inspect(path)
    else closeSync(openSync(path, 'a', 0o600))
    tighten(path)
    const db = new DatabaseSync(path, { timeout: OPEN_WAIT_MS })
    try {
      db.exec(`PRAGMA busy_timeout = ${OPEN_WAIT_MS}`) // older Nodes do not know the option above
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY')
      migrate(db)
      tighten(path)
      return db
    } catch (error) {
      db.close()
      throw error
    }
  } catch (error) {
    throw fileFault(error, path)
  }
}

/** Opens an existing file read-only; never makes one. Throws a Fault. */
export function openForReading(path: string): DatabaseSync {
  if (sizeOf(path) <= 0) throw noDatabase(path)
  try {
    inspect(path)
    return new DatabaseSync(path, { readOnly: true, timeout: OPEN_WAIT_MS })
  } catch (error) {
    throw fileFault(error, path)
  }
}

/** Looks at a file without changing it; throws where it is not ours to open. */
function inspect(path: string): void {
  const head = Buffer.alloc(MAGIC.length)
  const file = openSync(path, 'r')
  try {
    readSync(file, head, 0, head.length, 0)
  } finally {
    closeSync(file)
  }
  if (head.toString('latin1') !== MAGIC) throw notADatabase(path)
  const db = new DatabaseSync(path, { readOnly: true, timeout: OPEN_WAIT_MS })
  try {
    if (isForeign(db)) throw notADatabase(path)
    const found = schemaOf(db)
    if (found > SCHEMA_VERSION) throw newerDatabase(path, found, SCHEMA_VERSION)
  } finally {
    db.close()
  }
}

function makeFolder(folder: string): void {
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (made !== undefined) chmodSync(folder, 0o700) // the mode above goes through the umask
}

/** SQLite gives -wal and -shm the mode of the file, but older ones may lie there. */
function tighten(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) {
    try {
      chmodSync(path + suffix, 0o600)
    } catch {
      // not there, or someone else's file: opening it says more than this could
    }
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? -1
}

/** Errors of the file system, in SQLite's terms. */
function fileFault(error: unknown, path: string): Error {
  const code = (error as NodeJS.ErrnoException).code
  const errcode = code === 'ENOSPC' || code === 'EDQUOT' ? 13 : code === 'EROFS' ? 8
    : code === 'EACCES' || code === 'EPERM' || code === 'EISDIR' || code === 'ENOTDIR' || code === 'ENOENT' || code === 'EEXIST' ? 14 : undefined
  return databaseFault(errcode === undefined ? error : { errcode }, path)
}
