// What the viewer knows of a run: the types, and an empty one. Plain TypeScript: no Solid, no
// sockets, no clock. `apply.ts` is what fills it; `read.ts` answers questions about it.
import type { ErrorInfo, FinishStatus, FrameDirection, GatePoint, InstanceLink, NodeKind, PauseReason, Usage } from '../../src/wire/index.ts'
import { SeqSet } from './seq-set.ts'

export type InstanceStatus = 'running' | 'ok' | 'error' | 'aborted' | 'input_required' | 'unanswered' | 'unsupported' | 'warning'

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
  refusal: Refusal | null
}
export interface Refusal { seq: number; message: string }

/** One execution of a node. */
export interface Instance {
  id: string
  nodeId: string
  /** Where it began (until that is known: where it was first heard of); orders the executions. */
  seq: number
  status: InstanceStatus
  startedAt: number
  /** Null while it runs. */
  endedAt: number | null
  durationMs: number | null
  /** The end did not say how long it took: the clock between the two events tells. */
  clocked: boolean
  heldMs: number | null
  error: ErrorInfo | null
  usage: Usage | null
  link: InstanceLink | null
  /** Payload texts: `input` is in the first, `output` in the second. Read with `inputOf` and `outputOf`. */
  startText: string | null
  endText: string | null
  /** The events that the texts came with; -1: it did not come yet. */
  startSeq: number
  endSeq: number
  /** Is it over? Until then `endText` may be of an answer that is held. */
  ended: boolean
  /** Its texts were let go of to bound memory; they can be fetched again by their seqs. */
  dropped: boolean
  /** Epoch ms of the first streamed text; null: none was streamed. */
  firstTokenAt: number | null
  /** Streamed text, the newest 2,000 characters. */
  readonly streamed: string
  tokens: TokenPiece[]
  tokenChars: number
  /** In the order of the wire, each once. */
  frames: FrameRow[]
}
export interface TokenPiece { seq: number; text: string }

export interface NodeState {
  id: string
  kind: NodeKind
  name: string
  parentId: string | undefined
  seq: number
  /** The events that kind and name, and the parent, came from. */
  describedBy: number
  parentFrom: number
  /** In the order in which they began; none: announced, but not called yet. */
  instances: Instance[]
  /** Running ones, in the same order. */
  open: Instance[]
  /** What of it is held now, oldest first. */
  holds: Hold[]
  errors: number
  findings: number
  /** It has events that name no execution, whose meaning depends on what came before; up to this seq. */
  looseUpTo: number
  /** The highest seq that was about it. */
  lastSeq: number
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
  /** Undefined: hidden, or let go of with the texts of its execution (`dropped`). */
  text: string | undefined
  b64: string | undefined
  ours: boolean
  nodeId: string
  instanceId: string | undefined
  role: FrameRole
  dropped: boolean
}
export type FrameRole = 'start' | 'end' | 'other'

export interface LogLine { seq: number; ts: number; text: string }
export interface Finding {
  seq: number; ts: number; nodeId: string; instanceId: string | undefined; code: string
  level: 'info' | 'warning' | 'error'; message: string; frames: number[]
}

/** What changed since it was last asked for; panels are told of nothing else. */
export interface Changes {
  readonly nodes: Set<NodeState>
  /** Nodes came, or stand elsewhere. */
  shape: boolean
}

export interface RunModel {
  readonly nodes: Map<string, NodeState>
  readonly instances: Map<string, Instance>
  /** What is held now, by pauseId. */
  readonly holds: Map<string, Hold>
  readonly released: Set<string>
  readonly refusals: Map<string, Refusal>
  /** Rising `n`, each once. */
  readonly frames: FrameRow[]
  /** Lines of the server's stderr, the newest 20,000. */
  readonly log: LogLine[]
  readonly logChunks: LogLine[]
  readonly findings: Finding[]
  readonly gaps: { seq: number; message: string }[]
  readonly seen: SeqSet
  readonly changes: Changes
  /** Executions whose texts are kept, in the order in which they came, and the characters of those. */
  readonly kept: Instance[]
  keptFrom: number
  keptChars: number
  app: string
  meta: Record<string, unknown>
  metaSeq: number
  finished: { status: FinishStatus; error: ErrorInfo | undefined } | null
  finishedSeq: number
  /** Epoch ms of the first and the last event. */
  startedAt: number | null
  lastAt: number | null
  inputTokens: number
  outputTokens: number
  errors: number
  /** A late event changed what an event without an execution's id meant: fill a new model from the start. */
  disordered: boolean
}

export const SESSION_NODE = 'mcp:session'

export function createRunModel(): RunModel {
  return {
    nodes: new Map(), instances: new Map(), holds: new Map(), released: new Set(), refusals: new Map(), frames: [], log: [],
    logChunks: [], findings: [], gaps: [], seen: new SeqSet(), changes: { nodes: new Set(), shape: false }, kept: [], keptFrom: 0,
    keptChars: 0, app: '', meta: {}, metaSeq: -1, finished: null, finishedSeq: -1, startedAt: null, lastAt: null,
    inputTokens: 0, outputTokens: 0, errors: 0, disordered: false,
  }
}
