// A run that the server holds in memory: someone streams it, watches it, or may come back to it.
// How each event changes it is decided here, without sockets or clocks.
import { PROTOCOL, type RunMode, type RunSource } from '../wire/index.ts'
import { runInfo, type RunRow } from '../store/index.ts'
import type { AppLink } from './app-link.ts'
import type { Subscription } from './tail.ts'

/** A call that is held now. */
export interface Hold {
  nodeId: string
  /** When the server heard of it, epoch ms. */
  since: number
  /** A resume is on its way. */
  answered: boolean
}

export interface LiveRun {
  row: RunRow
  /** The connection it belongs to; null: none now. */
  owner: AppLink | null
  readonly holds: Map<string, Hold>
  /** Some of the holds that ended, so that a late answer can be told so. */
  readonly ended: Set<string>
  /** Node ids whose holds the server answers by itself. */
  readonly muted: Set<string>
  readonly subscriptions: Set<Subscription>
  /** Its own mode, where it has one. */
  mode: RunMode | null
  /** Runs while its app may still come back. */
  grace: NodeJS.Timeout | null
  /** Events that wait for the end of the turn. */
  queued: number
}

/** What an event did, beyond being one more. */
export type Effect = 'none' | 'status' | { held: string } | 'holds'

const ENDED_KEPT = 256
const APP_CHARS = 300
const LABEL_CHARS = 200
/** The node that stands for a session of the MCP proxy. */
const PROXY_SESSION = 'mcp:session'

export function liveRun(row: RunRow): LiveRun {
  return { row, owner: null, holds: new Map(), ended: new Set(), muted: new Set(), subscriptions: new Set(), mode: null, grace: null, queued: 0 }
}

/** The row of a run whose first event this is. */
export function newRow(id: string, ts: number, lease: number): RunRow {
  const at = Math.round(ts)
  return {
    key: 0, id, app: 'unknown', label: null, source: 'live', status: 'running', startedAt: at, finishedAt: null, lastTs: at, epoch: at,
    schemaVersion: PROTOCOL, eventCount: 0, errorCount: 0, proxy: false, notStored: false, lease, maxSeq: -1,
  }
}

/** RunInfo as JSON text. */
export function infoJson(run: LiveRun): string {
  return JSON.stringify(runInfo(run.row, { live: run.owner !== null, held: run.holds.size, muted: [...run.muted] }))
}

/** The app is back: an abandoned run goes on. Answers whether that changed anything. */
export function revive(run: LiveRun, lease: number): boolean {
  const { row } = run
  if (row.status === 'running' && row.lease === lease) return false
  if (row.status !== 'running' && row.status !== 'abandoned') return false
  row.status = 'running'
  row.finishedAt = null
  row.lease = lease
  return true
}

/** The app did not come back in time; the run ended with its last event. */
export function abandon(run: LiveRun): void {
  run.row.status = 'abandoned'
  run.row.finishedAt = run.row.lastTs
  run.row.lease = null
}

/** Applies a new event. */
export function applyEvent(run: LiveRun, type: string, ts: number, payload: Record<string, unknown>, now: number): Effect {
  if (ts > run.row.lastTs) run.row.lastTs = Math.round(ts)
  switch (type) {
    case 'run.started': return started(run.row, ts, payload)
    case 'run.finished': return finished(run, ts, payload)
    case 'node.started': return payload.nodeId === PROXY_SESSION && !run.row.proxy ? proxied(run.row) : 'none'
    case 'exec.paused': return paused(run, payload, now)
    case 'exec.resumed': return resumed(run, String(payload.pauseId))
    case 'exec.refused': return refused(run, String(payload.pauseId))
    default: return 'none'
  }
}

function started(row: RunRow, ts: number, payload: Record<string, unknown>): Effect {
  const meta = (payload.meta ?? {}) as Record<string, unknown>
  row.app = String(payload.app).slice(0, APP_CHARS).toWellFormed()
  row.startedAt = Math.min(row.startedAt, Math.round(ts))
  if (payload.meta !== undefined) {
    row.source = sourceOf(meta.source)
    row.label = labelOf(meta)
  }
  return 'status'
}

function finished(run: LiveRun, ts: number, payload: Record<string, unknown>): Effect {
  const { row } = run
  for (const pauseId of run.holds.keys()) run.ended.add(pauseId)
  run.holds.clear()
  row.status = payload.status as RunRow['status']
  row.finishedAt = Math.round(ts)
  row.lease = null
  return 'status'
}

function proxied(row: RunRow): Effect {
  row.proxy = true
  return 'status'
}

function paused(run: LiveRun, payload: Record<string, unknown>, now: number): Effect {
  const pauseId = String(payload.pauseId)
  if (run.owner === null || run.ended.has(pauseId)) return 'none' // it came late; nobody is held there any more
  run.holds.set(pauseId, { nodeId: String(payload.nodeId), since: now, answered: false })
  return { held: pauseId }
}

function resumed(run: LiveRun, pauseId: string): Effect {
  run.ended.add(pauseId)
  if (run.ended.size > ENDED_KEPT) for (const oldest of run.ended) { run.ended.delete(oldest); break }
  return run.holds.delete(pauseId) ? 'holds' : 'none'
}

function refused(run: LiveRun, pauseId: string): Effect {
  const hold = run.holds.get(pauseId)
  if (hold) hold.answered = false
  return 'none'
}

function sourceOf(source: unknown): RunSource {
  return source === 'demo' || source === 'import' ? source : 'live'
}

/** What tells like-named runs apart: a label as given, else the client and its folder. */
function labelOf(meta: Record<string, unknown>): string | null {
  const client = named(meta.client) ?? named(meta.clientInfo)
  const folder = typeof meta.cwd === 'string' ? meta.cwd.split(/[\\/]/).findLast((part) => part !== '') : undefined
  const label = typeof meta.label === 'string' ? meta.label : [client, folder].filter(Boolean).join(' · ')
  return label === '' ? null : label.slice(0, LABEL_CHARS).toWellFormed()
}

function named(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  const name = (value as { name?: unknown } | null | undefined)?.name
  return typeof name === 'string' ? name : undefined
}
