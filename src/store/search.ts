// Full-text search in one run: names, inputs, outputs, errors, frames, log. SQLite picks the rows
// whose text could hold the words; each is then read as JSON and asked where. It works through a
// run in slices, so that a long one never keeps the server from its other work.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { RunRow } from './run-row.ts'

export interface SearchHit { seq: number; nodeId: string | null; instanceId: string | null; field: string; excerpt: string }
export interface SearchSlice { hits: SearchHit[]; /** Where the next slice starts; null: the run is done. */ nextAfterSeq: number | null }

const SLICE_ROWS = 2000
const EXCERPT_BEFORE = 40
const EXCERPT_CHARS = 160
const IDS = new Set(['nodeId', 'instanceId', 'parentId', 'pauseId'])

export class Search {
  readonly #rows: StatementSync
  readonly #end: StatementSync

  constructor(db: DatabaseSync) {
    this.#rows = db.prepare(`SELECT seq, payload FROM events WHERE run = :run AND seq > :after AND seq <= :last
      AND (payload LIKE :plain ESCAPE '!' OR payload LIKE :nested ESCAPE '!' OR payload LIKE '%"deltas":[{%},{%') ORDER BY seq`)
    this.#end = db.prepare('SELECT max(seq) AS last FROM (SELECT seq FROM events WHERE run = ? AND seq > ? ORDER BY seq LIMIT ?)')
  }

  /** Hits in the next slice of the run; at most `limit` of them. */
  slice(row: RunRow, words: string, afterSeq: number, limit: number): SearchSlice {
    const last = this.#end.get(row.key, afterSeq, SLICE_ROWS)?.last as number | null
    if (last === null) return { hits: [], nextAfterSeq: null }
    const hits: SearchHit[] = []
    const needle = words.toLowerCase()
    for (const { seq, payload } of this.#rows.iterate({ run: row.key, after: afterSeq, last, ...patterns(words) })) {
      hits.push(...hitsIn(seq as number, payload as string, needle))
      if (hits.length >= limit) return { hits: hits.slice(0, limit), nextAfterSeq: seq as number }
    }
    return { hits, nextAfterSeq: last < row.maxSeq ? last : null }
  }
}

/** LIKE folds the case of ASCII alone, and senders may write the rest as \\u escapes: the longest plain part decides. */
function patterns(words: string): { plain: string; nested: string } {
  const part = words.split(/[^\x20-\x7e]+/).sort((a, b) => b.length - a.length)[0] ?? ''
  const spelt = JSON.stringify(part).slice(1, -1)
  return { plain: like(spelt), nested: like(JSON.stringify(spelt).slice(1, -1)) }
}

function like(text: string): string {
  return `%${text.replace(/[%_!]/g, '!$&')}%`
}

function hitsIn(seq: number, payloadText: string, needle: string): SearchHit[] {
  const payload = JSON.parse(payloadText) as Record<string, unknown>
  const hits: SearchHit[] = []
  for (const key of Object.keys(payload)) {
    if (IDS.has(key) || (key === 'frame' && hits.length > 0)) continue // a frame repeats what its fields say
    const found = key === 'deltas' ? inDeltas(payload[key], needle) : find(payload[key], key, needle)
    if (found) hits.push({ seq, nodeId: idOf(payload.nodeId), instanceId: idOf(payload.instanceId), ...found })
  }
  if (hits.length > 0) return hits
  const nodeId = idOf(payload.nodeId) ?? ''
  const at = nodeId.toLowerCase().indexOf(needle)
  return at < 0 ? [] : [{ seq, nodeId, instanceId: idOf(payload.instanceId), field: 'nodeId', excerpt: excerpt(nodeId, at) }]
}

/** Streamed text is one text, however it was cut. */
function inDeltas(deltas: unknown, needle: string): { field: string; excerpt: string } | null {
  if (!Array.isArray(deltas)) return null
  return find(deltas.map((delta: { v?: unknown } | null) => typeof delta?.v === 'string' ? delta.v : '').join(''), 'text', needle)
}

/** The first scalar, in reading order, that holds the words. Its own stack: depth costs nothing. */
function find(value: unknown, path: string, needle: string): { field: string; excerpt: string } | null {
  const open: { value: unknown; path: string }[] = [{ value, path }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path } = next
    if (typeof value === 'object' && value !== null) {
      const inner = Array.isArray(value) ? value.map((item: unknown, i) => ({ value: item, path: `${path}[${i}]` }))
        : Object.entries(value).map(([key, item]) => ({ value: item as unknown, path: `${path}.${key}` }))
      for (let i = inner.length - 1; i >= 0; i--) open.push(inner[i] as { value: unknown; path: string })
      continue
    }
    const text = String(value)
    const at = text.toLowerCase().indexOf(needle)
    if (at >= 0) return { field: path, excerpt: excerpt(text, at) }
  }
  return null
}

function excerpt(text: string, at: number): string {
  const start = Math.max(0, at - EXCERPT_BEFORE)
  const end = Math.min(text.length, start + EXCERPT_CHARS)
  return `${start > 0 ? '…' : ''}${text.slice(start, end).toWellFormed()}${end < text.length ? '…' : ''}`
}

function idOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
