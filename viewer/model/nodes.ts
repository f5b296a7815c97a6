// Nodes and their executions as they are heard of, in whatever order. What two events say of one
// thing is settled by seq, never by which came first.
import type { InstanceLink, NodeKind } from '../../src/wire/index.ts'
import { insertBySeq, removeBySeq } from './by-seq.ts'
import { NO_FRAMES } from './frames.ts'
import type { Instance, NodeState, RunModel } from './run-model.ts'

const STREAM_CHARS = 2000

export interface At { seq: number; ts: number; text: string }

/** The node of this id; made when it is new. */
export function nodeOf(model: RunModel, id: string, seq: number): NodeState {
  let node = model.nodes.get(id)
  if (!node) {
    node = { id, kind: 'custom', name: id, parentId: undefined, seq, describedBy: -1, parentFrom: Infinity, instances: [], open: [], holds: [], errors: 0, findings: 0, looseUpTo: -1, lastSeq: -1 }
    model.nodes.set(id, node)
    model.changes.shape = true
  }
  if (seq < node.seq) node.seq = seq
  if (seq < node.looseUpTo) model.disordered = true
  if (seq > node.lastSeq) node.lastSeq = seq
  model.changes.nodes.add(node)
  return node
}

/** Takes in what an event says of a node: the latest word counts, but a parent is kept once it has one. */
export function describe(model: RunModel, node: NodeState, { kind, name, parentId }: { kind: NodeKind; name: string; parentId?: string }, seq: number): void {
  if (seq >= node.describedBy) {
    node.describedBy = seq
    node.kind = kind
    node.name = name
  }
  if (parentId === undefined || parentId === node.id || seq >= node.parentFrom) return
  if (parentId !== node.parentId) model.changes.shape = true
  node.parentId = parentId
  node.parentFrom = seq
}

/** The execution of this id; made when it is new. */
export function instanceOf(model: RunModel, node: NodeState, id: string, { seq, ts }: At): Instance {
  const known = model.instances.get(id)
  if (known) {
    if (known.startSeq < 0 && seq < known.seq) move(model, known, seq, ts) // heard of before it was said to begin
    return known
  }
  const instance: Instance = {
    id, nodeId: node.id, seq, status: 'running', startedAt: ts, endedAt: null, durationMs: null, clocked: false, heldMs: null, error: null, usage: null, link: null,
    startText: null, endText: null, startSeq: -1, endSeq: -1, ended: false, dropped: false, firstTokenAt: null,
    get streamed() { return streamedOf(this.tokens) },
    tokens: NO_TOKENS, tokenChars: 0, frames: NO_FRAMES,
  }
  model.instances.set(id, instance)
  insertBySeq(node.instances, instance)
  insertBySeq(node.open, instance)
  return instance
}

/** It began at this event; the first one to say so counts. */
export function begin(model: RunModel, instance: Instance, { seq, ts, text }: At, link: InstanceLink | undefined): void {
  if (instance.startSeq >= 0 && seq > instance.startSeq) return // said twice
  if (instance.seq !== seq) move(model, instance, seq, ts)
  instance.startSeq = seq
  instance.startText = text
  instance.link = link ?? null
}

function move(model: RunModel, instance: Instance, seq: number, ts: number): void {
  const node = model.nodes.get(instance.nodeId)
  if (node) {
    removeBySeq(node.instances, instance)
    if (!instance.ended) removeBySeq(node.open, instance)
  }
  instance.seq = seq
  instance.startedAt = ts
  if (instance.clocked) instance.durationMs = Math.max(0, (instance.endedAt ?? ts) - ts)
  if (!node) return
  insertBySeq(node.instances, instance)
  if (!instance.ended) insertBySeq(node.open, instance)
}

/** It is over, or says so anew. False: a later event said it already. `durationMs` undefined: the clock tells. */
export function end(model: RunModel, instance: Instance, { seq, ts, text }: At, durationMs: number | undefined): boolean {
  if (instance.ended && seq < instance.endSeq) return false
  const node = model.nodes.get(instance.nodeId)
  if (!instance.ended && node) removeBySeq(node.open, instance)
  instance.ended = true
  instance.endSeq = seq
  instance.endText = text
  instance.endedAt = ts
  instance.clocked = durationMs === undefined
  instance.durationMs = durationMs ?? Math.max(0, ts - instance.startedAt)
  return true
}

/** The execution that is meant; without an id the newest of the node that is open, if there is one. */
export function meant(model: RunModel, node: NodeState, id: string | undefined, at: At): Instance | undefined {
  if (id !== undefined) return instanceOf(model, node, id, at)
  if (at.seq < node.lastSeq) model.disordered = true
  if (at.seq > node.looseUpTo) node.looseUpTo = at.seq
  return node.open.at(-1)
}

/** Shared by all that stream nothing, which are most. */
const NO_TOKENS: Instance['tokens'] = []

/** Streamed text; of a long stream the newest is kept, and of what may be let go of, nothing is missed. */
export function stream(instance: Instance, seq: number, ts: number, text: string): void {
  if (instance.firstTokenAt === null || ts < instance.firstTokenAt) instance.firstTokenAt = ts
  if (instance.tokens === NO_TOKENS) instance.tokens = []
  const { tokens } = instance
  if (seq < (tokens[0]?.seq ?? 0) && instance.tokenChars >= STREAM_CHARS) return
  insertBySeq(tokens, { seq, text })
  instance.tokenChars += text.length
  for (let first = tokens[0]; first && instance.tokenChars - first.text.length >= STREAM_CHARS; first = tokens[0]) {
    instance.tokenChars -= first.text.length
    tokens.shift()
  }
}

function streamedOf(tokens: Instance['tokens']): string {
  return tokens.length === 0 ? '' : tokens.map(({ text }) => text).join('').slice(-STREAM_CHARS)
}
