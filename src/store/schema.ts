// The tables, and how older files become today's. A file's schema is its `user_version`; each
// step takes it one further, in one transaction. Steps are never edited once released.
import type { DatabaseSync } from 'node:sqlite'
import { rollBack } from './roll-back.ts'

/** Marks a SQLite file as ours ("GMAI"). */
export const APPLICATION_ID = 0x474d4149

// events: `at` is milliseconds after the run's epoch (three bytes instead of six); a time that is
//   no integer is kept as it is spelt, as a BLOB. `type` is a number of `types`, or its JSON text when that
//   table is full. `extra`: members of the envelope that the contract does not know.
// runs: an id of NULL is a run whose events are being erased. `revision` rises with each change,
//   so that other processes find what is new. `lease`: the server that records it, while it runs.
const STEPS: readonly string[] = [`
  CREATE TABLE runs (
    key INTEGER PRIMARY KEY,
    id TEXT UNIQUE,
    app TEXT NOT NULL,
    label TEXT,
    source TEXT NOT NULL,
    status TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    finished_at INTEGER,
    last_ts INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    schema_version INTEGER NOT NULL,
    event_count INTEGER NOT NULL,
    error_count INTEGER NOT NULL,
    proxy INTEGER NOT NULL,
    not_stored INTEGER NOT NULL,
    lease INTEGER,
    revision INTEGER NOT NULL
  );
  CREATE INDEX runs_by_start ON runs (started_at DESC, key DESC);
  CREATE INDEX runs_by_revision ON runs (revision);
  CREATE INDEX runs_open ON runs (lease) WHERE status = 'running';
  CREATE TABLE events (
    run INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    type INTEGER NOT NULL,
    payload TEXT NOT NULL,
    extra TEXT,
    PRIMARY KEY (run, seq)
  ) WITHOUT ROWID;
  CREATE TABLE types (number INTEGER PRIMARY KEY, json TEXT NOT NULL UNIQUE);
  CREATE TABLE servers (number INTEGER PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, renewed_at INTEGER NOT NULL);
  CREATE TABLE revision (value INTEGER NOT NULL);
  INSERT INTO revision VALUES (0);
`]

/** The schema that this version writes. */
export const SCHEMA_VERSION = STEPS.length

/** The file's schema; 0: a new file. */
export function schemaOf(db: DatabaseSync): number {
  return db.prepare('PRAGMA user_version').get()?.user_version as number
}

/** Does the file hold tables that are not ours? */
export function isForeign(db: DatabaseSync): boolean {
  if (db.prepare('PRAGMA application_id').get()?.application_id === APPLICATION_ID) return false
  return (db.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()?.tables as number) > 0
}

/** Brings the file to today's schema. Two processes may try at once: the second finds nothing to do. */
export function migrate(db: DatabaseSync): void {
  if (schemaOf(db) === SCHEMA_VERSION) return
  db.exec('BEGIN IMMEDIATE')
  try {
    for (let step = schemaOf(db); step < SCHEMA_VERSION; step++) db.exec(`${STEPS[step]}; PRAGMA user_version = ${step + 1}`)
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; COMMIT`)
  } catch (error) {
    rollBack(db)
    throw error
  }
}
