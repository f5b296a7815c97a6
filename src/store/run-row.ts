// A run as its row holds it, how the row is read and written, and the one spelling of RunInfo,
// built by SQL for lists (no object per run) and by code for runs in memory.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { RunInfo, RunSource, RunStatus } from '../wire/index.ts'

/** What is kept about a run. Times are epoch ms. */
export interface RunRow {
  /** 0: not stored yet. */
  key: number
  id: string
  app: string
  label: string | null
  source: RunSource
  status: RunStatus
  startedAt: number
  finishedAt: number | null
  /** Time of its latest event. */
  lastTs: number
  /** What the times of its events are counted from. */
  epoch: number
  schemaVersion: number
  eventCount: number
  errorCount: number
  /** Recorded by the MCP proxy. */
  proxy: boolean
  /** Some events were relayed but not stored. */
  notStored: boolean
  /** The server that records it while it runs. */
  lease: number | null
  /** The highest stored seq; -1: none. Not a column: the key tells. */
  maxSeq: number
}

/** What only the server that holds a run's socket knows. */
export interface LiveFacts { live: boolean; held?: number; muted?: string[] }

/** A run as viewers see it. */
export function runInfo(row: RunRow, facts: LiveFacts): RunInfo {
  const info: RunInfo = {
    id: row.id, app: row.app, startedAt: row.startedAt, finishedAt: row.finishedAt,
    durationMs: row.finishedAt === null ? null : row.finishedAt - row.startedAt,
    status: row.status, schemaVersion: row.schemaVersion, source: row.source,
    eventCount: row.eventCount, errorCount: row.errorCount, live: facts.live,
  }
  if (facts.held) info.held = facts.held
  if (row.label !== null) info.label = row.label
  if (row.notStored) info.notStored = true
  if (facts.muted?.length) info.muted = facts.muted
  return info
}

/** SQL for the RunInfo of a run that nobody holds a socket for. */
export const RUN_INFO_SQL = `'{"id":' || json_quote(id) || ',"app":' || json_quote(app) || ',"startedAt":' || started_at ||
  ',"finishedAt":' || coalesce(finished_at, 'null') || ',"durationMs":' || coalesce(finished_at - started_at, 'null') ||
  ',"status":"' || status || '","schemaVersion":' || schema_version || ',"source":"' || source ||
  '","eventCount":' || event_count || ',"errorCount":' || error_count || ',"live":false' ||
  CASE WHEN label IS NULL THEN '' ELSE ',"label":' || json_quote(label) END ||
  CASE WHEN not_stored THEN ',"notStored":true}' ELSE '}' END`

const COLUMNS = 'app, label, source, status, started_at, finished_at, last_ts, epoch, schema_version, event_count, error_count, proxy, not_stored, lease, revision'

/** Reads and writes single rows. All statements are prepared once. */
export class RunRows {
  readonly #byId: StatementSync
  readonly #byKey: StatementSync
  readonly #insert: StatementSync
  readonly #update: StatementSync
  readonly #nextRevision: StatementSync
  readonly #maxSeq: StatementSync

  constructor(db: DatabaseSync, writable: boolean) {
    this.#byId = db.prepare('SELECT * FROM runs WHERE id = ?')
    this.#byKey = db.prepare('SELECT * FROM runs WHERE key = ? AND id IS NOT NULL')
    this.#maxSeq = db.prepare('SELECT max(seq) AS seq FROM events WHERE run = ?')
    const write = writable ? (sql: string) => db.prepare(sql) : () => this.#byId
    this.#insert = write(`INSERT INTO runs (id, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
    this.#update = write(`UPDATE runs SET (${COLUMNS}) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE key = ?`)
    this.#nextRevision = write('UPDATE revision SET value = value + 1 RETURNING value')
  }

  find(id: string): RunRow | null {
    return this.#read(this.#byId.get(id))
  }

  get(key: number): RunRow | null {
    return this.#read(this.#byKey.get(key))
  }

  /** Inside a transaction: the number under which its changes are found by others. */
  nextRevision(): number {
    return this.#nextRevision.get()?.value as number
  }

  /** Inside a transaction: stores a new run and gives it its key. */
  insert(row: RunRow, revision: number): void {
    row.key = Number(this.#insert.run(row.id, ...values(row, revision)).lastInsertRowid)
  }

  update(row: RunRow, revision: number): void {
    this.#update.run(...values(row, revision), row.key)
  }

  #read(found: Record<string, unknown> | undefined): RunRow | null {
    if (!found) return null
    const key = found.key as number
    return {
      key,
      id: found.id as string,
      app: found.app as string,
      label: found.label as string | null,
      source: found.source as RunSource,
      status: found.status as RunStatus,
      startedAt: found.started_at as number,
      finishedAt: found.finished_at as number | null,
      lastTs: found.last_ts as number,
      epoch: found.epoch as number,
      schemaVersion: found.schema_version as number,
      eventCount: found.event_count as number,
      errorCount: found.error_count as number,
      proxy: found.proxy === 1,
      notStored: found.not_stored === 1,
      lease: found.lease as number | null,
      maxSeq: (this.#maxSeq.get(key)?.seq as number | null | undefined) ?? -1,
    }
  }
}

function values(row: RunRow, revision: number): (string | number | null)[] {
  return [
    row.app, row.label, row.source, row.status, row.startedAt, row.finishedAt, row.lastTs, row.epoch, row.schemaVersion,
    row.eventCount, row.errorCount, Number(row.proxy), Number(row.notStored), row.lease, revision,
  ]
}
