// Events in, state out. Each event applies once however often it comes, one that comes late is
// put where its seq belongs, and each costs about the same whatever came before.
//
// Values stay the JSON text they were until somebody looks (read.ts), so numbers are shown as
// they were spelt.
import type { EventPayloads, FrameInfo, NodeKind, Usage, WireEnvelope } from '../../src/wire/index.ts'
import { insertBySeq } from './by-seq.ts'
import { SESSION_NODE, type FrameRow, type Instance, type InstanceStatus, type NodeState, type RunModel } from './run-model.ts'

const STREAM_CHARS = 2000
const LOG_LINES = 20_000
const STATUSES: ReadonlySet<string> = new Set(['ok', 'error', 'aborted', 'input_required', 'unanswered', 'warning'])

interface At { seq: number; ts: number; text: string }
interface Framed { frame?: FrameInfo | { n: number; i: number } }
type Reducers = { [T in keyof EventPayloads]: (model: RunModel, payload: EventPayloads[T] & Framed, at: At) => void }

/** Applies one event; `payloadText` is its payload as it was spelt. False: it was known already. */
export function apply(model: RunModel, envelope: WireEnvelope, payloadText: string): boolean {
  const { seq, ts, type, payload } = envelope
  if (!model.seen.add(seq)) return false
  model.startedAt = Math.min(model.startedAt ?? ts, ts)
  model.lastAt = Math.max(model.lastAt ?? ts, ts)
  if (Object.hasOwn(reducers, type)) {
    const reduce = reducers[type as keyof EventPayloads] as (model: RunModel, payload: unknown, at: At) => void
    reduce(model, payload, { seq, ts, text: payloadText })
  }
  return true
}

const reducers: Reducers = {
  'run.started'(model, { app, meta }, { seq }) {
    if (seq < model.metaSeq) return
    model.metaSeq = seq
    model.app = app
    model.meta = meta ?? {}
  },
  'run.finished'(model, { status, error }) {
    model.finished = { status, error }
  },
  'graph.hint'(model, { nodes, gap }, { seq }) {
    for (const hint of nodes) describe(nodeOf(model, hint.nodeId, seq), hint)
    if (gap) insertBySeq(model.gaps, { seq, message: `${gap.droppedCount} events were lost before they could be sent: ${gap.reason}` })
  },
  'node.started'(model, payload, at) {
    const node = nodeOf(model, payload.nodeId, at.seq)
    describe(node, payload)
    const instance = instanceOf(model, node, payload.instanceId, at)
    instance.startedAt = at.ts
    instance.startText = at.text
    instance.link = payload.link ?? null
    addFrame(model, payload, instance.id, at, 'start')
  },
  'node.token'(model, payload, at) {
    const text = payload.deltas.map((delta) => delta.v).join('')
    const instance = openInstance(model, payload)
    if (payload.nodeId === SESSION_NODE && text !== '') addLog(model, text, at)
    if (instance) {
      instance.streamed = (instance.streamed + text).slice(-STREAM_CHARS)
      if ('output' in payload || 'error' in payload) waiting(instance, payload, at)
    }
    addFrame(model, payload, instance?.id, at, 'output' in payload || 'error' in payload ? 'end' : 'other')
  },
  'node.finished'(model, payload, at) {
    const instance = ended(model, payload, at)
    instance.status = STATUSES.has(payload.status) ? payload.status as InstanceStatus : 'ok'
    instance.durationMs = payload.durationMs
    if (payload.usage) addUsage(model, instance, payload.usage)
    addFrame(model, payload, instance.id, at, 'end')
  },
  'node.error'(model, payload, at) {
    const instance = ended(model, payload, at)
    instance.status = 'error'
    instance.error = payload.error
    instance.durationMs = payload.durationMs ?? Math.max(0, at.ts - instance.startedAt)
    nodeOf(model, payload.nodeId, at.seq).errors++
    model.errors++
    addFrame(model, payload, instance.id, at, 'end')
  },
  'exec.paused'(model, payload, at) {
    const { pauseId, nodeId, instanceId, point, reason, editable } = payload
    nodeOf(model, nodeId, at.seq)
    if (!model.released.has(pauseId)) {
      model.holds.set(pauseId, { pauseId, nodeId, instanceId, point, reason, editable: editable === true, seq: at.seq, since: at.ts, refusal: null })
    }
    addFrame(model, payload, instanceId, at, point === 'before' ? 'start' : 'end')
  },
  'exec.resumed'(model, { pauseId }) {
    model.released.add(pauseId)
    model.holds.delete(pauseId)
  },
  'exec.refused'(model, { pauseId, message, code }, { seq }) {
    const hold = model.holds.get(pauseId)
    if (hold) model.holds.set(pauseId, { ...hold, refusal: { seq, message: message ?? code } })
  },
  finding(model, { nodeId, instanceId, code, level, message, frames }, { seq, ts }) {
    insertBySeq(model.findings, { seq, ts, nodeId, instanceId, code, level, message, frames: frames ?? [] })
    nodeOf(model, nodeId, seq).findings++
  },
}

function nodeOf(model: RunModel, id: string, seq: number): NodeState {
  let node = model.nodes.get(id)
  if (!node) {
    node = { id, kind: 'custom', name: id, parentId: undefined, seq, instances: [], errors: 0, findings: 0 }
    model.nodes.set(id, node)
  }
  node.seq = Math.min(node.seq, seq)
  return node
}

function describe(node: NodeState, { kind, name, parentId }: { kind: NodeKind; name: string; parentId?: string }): void {
  node.kind = kind
  node.name = name
  if (parentId !== node.id) node.parentId ??= parentId
}

function instanceOf(model: RunModel, node: NodeState, id: string, { seq, ts }: At): Instance {
  const known = model.instances.get(id)
  if (known) return known
  const instance: Instance = {
    id, nodeId: node.id, seq, status: 'running', startedAt: ts, durationMs: null, heldMs: null, error: null, usage: null,
    link: null, startText: null, endText: null, endSeq: -1, streamed: '', frames: [],
  }
  model.instances.set(id, instance)
  insertBySeq(node.instances, instance)
  return instance
}

/** The execution that is meant; without an id the newest of the node that is still open. */
function openInstance(model: RunModel, { nodeId, instanceId }: { nodeId: string; instanceId?: string }): Instance | undefined {
  if (instanceId !== undefined) return model.instances.get(instanceId)
  return model.nodes.get(nodeId)?.instances.findLast(({ status }) => status === 'running')
}

function ended(model: RunModel, payload: { nodeId: string; instanceId?: string; heldMs?: number }, at: At): Instance {
  const node = nodeOf(model, payload.nodeId, at.seq)
  const instance = openInstance(model, payload) ?? instanceOf(model, node, payload.instanceId ?? `${node.id}@${at.seq}`, at)
  instance.endText = at.text
  instance.endSeq = at.seq
  instance.heldMs = payload.heldMs ?? null
  return instance
}

/** An answer that is held at a gate: it is shown, though the execution is not over. */
function waiting(instance: Instance, payload: object, at: At): void {
  if (at.seq < instance.endSeq || instance.status !== 'running') return
  instance.endText = at.text
  instance.endSeq = at.seq
  const { error } = payload as { error?: Instance['error'] }
  instance.error = error ?? null
}

function addUsage(model: RunModel, instance: Instance, usage: Usage): void {
  instance.usage = usage
  if (usage.inclusive) return // its parts are counted already
  model.inputTokens += usage.inputTokens
  model.outputTokens += usage.outputTokens
}

function addLog(model: RunModel, text: string, { seq, ts }: At): void {
  for (const line of text.replace(/\n$/, '').split('\n')) insertBySeq(model.log, { seq, ts, text: line })
  if (model.log.length > LOG_LINES) model.log.splice(0, model.log.length - LOG_LINES)
}

function addFrame(model: RunModel, payload: Framed & { nodeId: string }, instanceId: string | undefined, at: At, role: FrameRow['role']): void {
  const frame = payload.frame
  if (!frame) return
  const whole = 'dir' in frame ? frame : undefined
  const row: FrameRow = {
    seq: at.seq, ts: at.ts, n: frame.n, i: frame.i, dir: whole?.dir, bytes: whole?.bytes, text: whole?.text, b64: whole?.b64,
    ours: whole?.by === 'graphmind', nodeId: payload.nodeId, instanceId, role,
  }
  const instance = instanceId === undefined ? undefined : model.instances.get(instanceId)
  if (instance && !instance.frames.some((known) => known.n === row.n && known.i === row.i)) insertBySeq(instance.frames, row)
  if (whole) insertFrame(model.frames, row)
}

/** A frame that was held is told twice, when it came and when it went; one row stands for it. */
function insertFrame(rows: FrameRow[], row: FrameRow): void {
  for (let i = rows.length - 1; i >= 0 && i > rows.length - 64; i--) {
    const known = rows[i]
    if (known?.n === row.n) {
      if (known.role !== 'end' && row.role !== 'other') known.role = row.role
      return
    }
  }
  insertBySeq(rows, row)
}
