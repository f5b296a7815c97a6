// The one kind of error that people see: what went wrong, with which value, and what to do.
// Also where SQLite's own errors become such sentences; nothing else in this room words them.

/** An error for a person: printed as its message and hint, never with a stack. */
export class Fault extends Error {
  /** Stable, `GM_…`. */
  readonly code: string
  /** What to do about it; empty when the message says it all. */
  readonly hint: string
  readonly exitCode: number

  constructor(code: string, message: string, hint = '', exitCode = 1) {
    super(message)
    this.name = 'Fault'
    this.code = code
    this.hint = hint
    this.exitCode = exitCode
  }
}

/** Why the database did not do what was asked. */
export type StoreTrouble = 'busy' | 'full' | 'read-only' | 'not-a-database' | 'corrupt' | 'no-access' | 'io' | 'other'

const TROUBLE: Readonly<Record<number, StoreTrouble>> = {
  3: 'no-access', 5: 'busy', 6: 'busy', 8: 'read-only', 10: 'io', 11: 'corrupt', 13: 'full', 14: 'no-access', 26: 'not-a-database',
}

/** The kind of an error that `node:sqlite` threw. */
export function troubleOf(error: unknown): StoreTrouble {
  const code = (error as { errcode?: unknown } | null)?.errcode
  return typeof code === 'number' ? TROUBLE[code & 0xff] ?? 'other' : 'other'
}

/** The sentence for an error of the database at `path`; a Fault stays itself. */
export function databaseFault(error: unknown, path: string): Fault {
  if (error instanceof Fault) return error
  switch (troubleOf(error)) {
    case 'busy': return new Fault('GM_DB_LOCKED', `The database ${path} is locked by another program.`, 'Close that program, or use another file with --db.')
    case 'full': return new Fault('GM_DB_FULL', `The disk that holds ${path} is full.`, 'Free some space, delete runs, or use another disk with --db.')
    case 'read-only': return new Fault('GM_DB_READ_ONLY', `The database ${path} cannot be written to.`, 'Check its permissions, or use another file with --db.')
    case 'not-a-database': return notADatabase(path)
    case 'corrupt': return new Fault('GM_DB_CORRUPT', `The database ${path} is damaged.`, 'Move it away to start with a new one, or use another file with --db.')
    case 'no-access': return new Fault('GM_DB_NO_ACCESS', `The database ${path} cannot be opened.`, 'Check that its folder exists and may be written to, or use another file with --db.')
    default: return new Fault('GM_DB_FAILED', `The database ${path} failed: ${error instanceof Error ? error.message : String(error)}.`, 'Use another file with --db.')
  }
}

/** The file is something else; it is left alone. */
export function notADatabase(path: string): Fault {
  return new Fault('GM_DB_NOT_A_DATABASE', `${path} is not a GraphMind database. It was left as it is.`, 'Use another file with --db.')
}

/** The file was written by a later version; it is left alone. */
export function newerDatabase(path: string, found: number, known: number): Fault {
  return new Fault('GM_DB_NEWER', `The database ${path} was written by a newer GraphMind (schema ${found}; this one knows ${known}). It was left as it is.`, 'Update graphmind-ai, or use another file with --db.')
}

/** No file there yet; readers never create one. */
export function noDatabase(path: string): Fault {
  return new Fault('GM_DB_MISSING', `There is no database at ${path} yet.`, 'It is made by the first `graphmind serve`.')
}
