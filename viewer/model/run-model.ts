// What the viewer knows of a run: the types, and an empty one. Plain TypeScript: no Solid, no
// sockets, no clock. `apply.ts` is what fills it.
import type { ErrorInfo, FinishStatus, FrameDirection, GatePoint, InstanceLink, NodeKind, PauseReason, Usage } from '../../src/wire/index.ts'
import { SeqSet } from './seq-set.ts'

export type InstanceStatus = 'running' | 'ok' | 'error' | 'aborted' | 'input_required' | 'unanswered' | 'warning'

export interface Hold {
  pauseId: string
  nodeId: string
  instanceId: string | undefined
  point: GatePoint
  reason: PauseReason | undefined
  editable: boolean
  seq: number
  /** Epoch ms. */
  since: number
  /** Why the last answer was not taken, in words; null: none was refused. */
  refusal: { seq: number; message: string } | null
}

/** One execution of a node. */
export interface Instance {
  id: string
  nodeId: string
  /** Where it was first heard of; orders the executions. */
  seq: number
  status: InstanceStatus
  startedAt: number
  /** Null while it runs. */
  durationMs: number | null
  heldMs: number | null
  error: ErrorInfo | null
  usage: Usage | null
  link: InstanceLink | null
  /** Payload texts: `input` is in the first, `output` in the second. Read with `inputOf` and `outputOf`. */
  startText: string | null
  endText: string | null
  endSeq: number
  /** Streamed text, the newest 2,000 characters. */
  streamed: string
  frames: FrameRow[]
}

export interface NodeState {
  id: string
  kind: NodeKind
  name: string
  parentId: string | undefined
  seq: number
  /** In the order in which they began; none: announced, but not called yet. */
  instances: Instance[]
  errors: number
  findings: number
}

export interface FrameRow {
  seq: number
  /** The session's number of the frame; a batch's elements share one. */
  n: number
  /** The element of a batch. */
  i: number | undefined
  dir: FrameDirection | undefined
  bytes: number | undefined
  ts: number
  text: string | undefined
  b64: string | undefined
  ours: boolean
  nodeId: string
  instanceId: string | undefined
  role: 'start' | 'end' | 'other'
}

export interface LogLine { seq: number; ts: number; text: string }
export interface Finding {
  seq: number; ts: number; nodeId: string; instanceId: string | undefined; code: string
  level: 'info' | 'warning' | 'error'; message: string; frames: number[]
}

export interface RunModel {
  readonly nodes: Map<string, NodeState>
  readonly instances: Map<string, Instance>
  /** What is held now, by pauseId. */
  readonly holds: Map<string, Hold>
  readonly released: Set<string>
  readonly frames: FrameRow[]
  readonly log: LogLine[]
  readonly findings: Finding[]
  readonly gaps: { seq: number; message: string }[]
  readonly seen: SeqSet
  app: string
  meta: Record<string, unknown>
  metaSeq: number
  finished: { status: FinishStatus; error: ErrorInfo | undefined } | null
  /** Epoch ms of the first and the last event. */
  startedAt: number | null
  lastAt: number | null
  inputTokens: number
  outputTokens: number
  errors: number
}

export const SESSION_NODE = 'mcp:session'

export function createRunModel(): RunModel {
  return {
    nodes: new Map(), instances: new Map(), holds: new Map(), released: new Set(), frames: [], log: [], findings: [],
    gaps: [], seen: new SeqSet(), app: '', meta: {}, metaSeq: -1, finished: null, startedAt: null, lastAt: null,
    inputTokens: 0, outputTokens: 0, errors: 0,
  }
}
