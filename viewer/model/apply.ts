// Events in, state out. Each event applies once however often it comes, one that comes late is
// put where its seq belongs, and each costs about the same whatever came before.
//
// Values stay the JSON text they were until somebody looks (read.ts), so numbers are shown as
// they were spelt.
import type { ErrorInfo, EventPayloads, Usage, WireEnvelope } from '../../src/wire/index.ts'
import { insertBySeq } from './by-seq.ts'
import { addFrame, type FramePart } from './frames.ts'
import { keepText } from './keep.ts'
import { addLog } from './log.ts'
import { begin, describe, end, instanceOf, meant, nodeOf, stream, type At } from './nodes.ts'
import { SESSION_NODE, type Hold, type Refusal, type Instance, type InstanceStatus, type NodeState, type RunModel } from './run-model.ts'

const STATUSES: ReadonlySet<string> = new Set<InstanceStatus>(['ok', 'error', 'aborted', 'input_required', 'unanswered', 'unsupported', 'warning'])

interface Framed { frame?: FramePart }
type Reducers = { [T in keyof EventPayloads]: (model: RunModel, payload: EventPayloads[T] & Framed, at: At) => void }
/** What the model needs of an envelope. Of a payload's `input` and `output` only whether they are there. */
export type AppliedEnvelope = Pick<WireEnvelope, 'seq' | 'ts' | 'type' | 'payload'>

/** Applies one event; `payloadText` is its payload as it was spelt. False: it was known already. */
export function apply(model: RunModel, envelope: AppliedEnvelope, payloadText: string): boolean {
  const { seq, ts, type, payload } = envelope
  if (!model.seen.add(seq)) return false
  if (model.startedAt === null || ts < model.startedAt) model.startedAt = ts
  if (model.lastAt === null || ts > model.lastAt) model.lastAt = ts
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
    for (const node of model.nodes.values()) if (node.kind === 'server') model.changes.nodes.add(node)
  },
  'run.finished'(model, { status, error }, { seq }) {
    if (seq < model.finishedSeq) return
    model.finishedSeq = seq
    model.finished = { status, error }
  },
  'graph.hint'(model, { nodes, gap }, { seq }) {
    for (const hint of nodes) describe(model, nodeOf(model, hint.nodeId, seq), hint, seq)
    if (gap) insertBySeq(model.gaps, { seq, message: `${gap.droppedCount} events were lost before they could be sent: ${gap.reason}` })
  },
  'node.started'(model, payload, at) {
    const node = nodeOf(model, payload.nodeId, at.seq)
    describe(model, node, payload, at.seq)
    const instance = instanceOf(model, node, payload.instanceId, at)
    begin(model, instance, at, payload.link)
    keepText(model, instance, at.text.length)
    addFrame(model, payload.frame, at, { nodeId: node.id, instance, role: 'start' })
  },
  'node.token'(model, payload, at) {
    const node = nodeOf(model, payload.nodeId, at.seq)
    const instance = meant(model, node, payload.instanceId, at)
    const said = payload.deltas.length === 1 ? payload.deltas[0]?.v ?? '' : payload.deltas.map(({ v }) => v).join('')
    if (said !== '' && node.id === SESSION_NODE) addLog(model, at.seq, at.ts, said)
    else if (said !== '' && instance) stream(instance, at.seq, at.ts, said)
    const answers = 'output' in payload || 'error' in payload
    if (instance && answers) waiting(model, instance, payload, at)
    addFrame(model, payload.frame, at, { nodeId: node.id, instance, role: answers ? 'end' : 'other' })
  },
  'node.finished'(model, payload, at) {
    const node = nodeOf(model, payload.nodeId, at.seq)
    const instance = meant(model, node, payload.instanceId, at) ?? instanceOf(model, node, `${node.id}@${at.seq}`, at)
    if (payload.usage) addUsage(model, payload.usage)
    const before = instance.endText?.length ?? 0
    if (end(model, instance, at, payload.durationMs)) {
      instance.status = STATUSES.has(payload.status) ? payload.status as InstanceStatus : 'ok'
      instance.heldMs = payload.heldMs ?? null
      instance.usage = payload.usage ?? instance.usage
      instance.error = (payload as { error?: ErrorInfo }).error ?? null
      keepText(model, instance, at.text.length - before)
    }
    addFrame(model, payload.frame, at, { nodeId: node.id, instance, role: 'end' })
  },
  'node.error'(model, payload, at) {
    const node = nodeOf(model, payload.nodeId, at.seq)
    const instance = meant(model, node, payload.instanceId, at) ?? instanceOf(model, node, `${node.id}@${at.seq}`, at)
    node.errors++
    model.errors++
    const before = instance.endText?.length ?? 0
    if (end(model, instance, at, payload.durationMs)) {
      instance.status = 'error'
      instance.error = payload.error
      instance.heldMs = payload.heldMs ?? null
      keepText(model, instance, at.text.length - before)
    }
    addFrame(model, payload.frame, at, { nodeId: node.id, instance, role: 'end' })
  },
  'exec.paused'(model, payload, at) {
    const { pauseId, nodeId, instanceId, point, reason, editable } = payload
    const node = nodeOf(model, nodeId, at.seq)
    const instance = instanceId === undefined ? undefined : instanceOf(model, node, instanceId, at)
    if (!model.released.has(pauseId)) {
      setHold(model, node, { pauseId, nodeId, instanceId, point, reason, editable: editable === true, seq: at.seq, since: at.ts, refusal: model.refusals.get(pauseId) ?? null })
    }
    addFrame(model, payload.frame, at, { nodeId, instance, role: point === 'before' ? 'start' : 'end' })
  },
  'exec.resumed'(model, { pauseId }) {
    model.released.add(pauseId)
    model.refusals.delete(pauseId)
    const hold = model.holds.get(pauseId)
    if (!hold) return
    model.holds.delete(pauseId)
    const node = model.nodes.get(hold.nodeId)
    if (!node) return
    node.holds = node.holds.filter((each) => each.pauseId !== pauseId)
    model.changes.nodes.add(node)
  },
  'exec.refused'(model, { pauseId, message, code }, { seq }) {
    refuse(model, pauseId, { seq, message: message ?? code })
  },
  finding(model, { nodeId, instanceId, code, level, message, frames }, { seq, ts }) {
    insertBySeq(model.findings, { seq, ts, nodeId, instanceId, code, level, message, frames: frames ?? [] })
    nodeOf(model, nodeId, seq).findings++
  },
}

/** An answer to a hold was not taken; the newest reason is shown at it. */
export function refuse(model: RunModel, pauseId: string, refusal: Refusal): void {
  if (model.released.has(pauseId) || refusal.seq < (model.refusals.get(pauseId)?.seq ?? -1)) return
  model.refusals.set(pauseId, refusal)
  const hold = model.holds.get(pauseId)
  const node = hold && model.nodes.get(hold.nodeId)
  if (hold && node) setHold(model, node, { ...hold, refusal })
}

/** A hold is never changed, but replaced: whoever keeps one sees what it was. */
function setHold(model: RunModel, node: NodeState, hold: Hold): void {
  model.holds.set(hold.pauseId, hold)
  node.holds = node.holds.filter(({ pauseId }) => pauseId !== hold.pauseId)
  insertBySeq(node.holds, hold)
  model.changes.nodes.add(node)
}

/** An answer that is held at a gate: it is shown, though the execution is not over. */
function waiting(model: RunModel, instance: Instance, payload: object, at: At): void {
  if (instance.ended || at.seq < instance.endSeq) return
  keepText(model, instance, at.text.length - (instance.endText?.length ?? 0))
  instance.endText = at.text
  instance.endSeq = at.seq
  instance.error = (payload as { error?: ErrorInfo }).error ?? null
}

function addUsage(model: RunModel, usage: Usage): void {
  if (usage.inclusive) return // its parts are counted already
  model.inputTokens += usage.inputTokens
  model.outputTokens += usage.outputTokens
}
