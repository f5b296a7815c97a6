// What each message carries: the types of the contract. The rules that a receiver checks are
// in contract.ts (JSON Schema); test/wire/contract.test.ts keeps the two in step.

export type NodeKind =
  | 'agent' | 'llm' | 'tool' | 'chain' | 'retriever' | 'server' | 'resource' | 'prompt' | 'custom'
export type GatePoint = 'before' | 'after' | 'error'
export type PauseReason = 'breakpoint' | 'error' | 'step' | 'loop'
export type ResumeAction = 'continue' | 'retry' | 'inject' | 'abort'
export type RunMode = 'run' | 'step'
export type Capability = 'pause' | 'step' | 'inject' | 'retry' | 'abort' | 'edit-input'
export type RefusalCode = 'schema' | 'shape' | 'placeholder' | 'truncated' | 'disabled' | 'unsupported'
export type FrameDirection = 'c2s' | 's2c'
export type FinishStatus = 'ok' | 'error' | 'aborted'

/** Where execution stops. Present members must all match; `point` defaults to `before`; `{}` stops before every node. */
export interface Matcher {
  kind?: NodeKind
  name?: string
  point?: GatePoint
}

export interface ErrorInfo { name: string; message: string; stack?: string }
export interface SdkInfo { name: string; version: string }
export interface Usage {
  inputTokens: number
  outputTokens: number
  cacheReadTokens?: number
  cacheWriteTokens?: number
  reasoningTokens?: number
  inclusive?: boolean
}

/** A relayed MCP frame, on the event that stands for it. `n` counts the session's frames as read. */
export interface FrameInfo {
  n: number
  dir: FrameDirection
  bytes: number
  /** The frame as it came, without its line end; absent when hidden. */
  text?: string
  /** The bytes, where they are not UTF-8. */
  b64?: string
  /** `graphmind`: a frame that we wrote. */
  by?: 'graphmind'
  /** Index within a JSON-RPC batch; the text rides on the first element's event. */
  i?: number
}

/** Ties an execution to the one that it continues. */
export interface InstanceLink { instanceId: string; why: 'retry' | 'edit' | 'input' | 'task' }

/** Members that any event may carry. */
export interface EventExtras {
  frame?: FrameInfo | { n: number; i: number }
  redaction?: { count: number; keys: string[] }
}

export interface GapInfo { droppedCount: number; fromSeq: number; toSeq: number; reason: string }
export interface HintedNode { nodeId: string; kind: NodeKind; name: string; parentId?: string }
export interface TokenDelta { t: 'text' | 'reasoning' | 'tool-args'; v: string; /** length of a hidden `v` */ chars?: number }

export interface EventPayloads {
  'run.started': { app: string; sdk: SdkInfo; meta?: Record<string, unknown> }
  'run.finished': { status: FinishStatus; error?: ErrorInfo }
  'graph.hint': { nodes: HintedNode[]; gap?: GapInfo }
  'node.started': {
    nodeId: string; parentId?: string; kind: NodeKind; name: string; instanceId: string
    input?: unknown; collapsed?: boolean; link?: InstanceLink
  }
  'node.token': { nodeId: string; instanceId?: string; deltas: TokenDelta[] }
  'node.finished': {
    nodeId: string; instanceId?: string; output?: unknown; usage?: Usage
    durationMs: number; heldMs?: number; status: FinishStatus | 'input_required' | (string & {})
  }
  'node.error': { nodeId: string; instanceId?: string; error: ErrorInfo; heldMs?: number; durationMs?: number; output?: unknown }
  'exec.paused': {
    pauseId: string; nodeId: string; instanceId?: string; point: GatePoint
    reason?: PauseReason; editable?: boolean
  }
  'exec.resumed': {
    pauseId: string; action: ResumeAction; edited?: { after: unknown }; requestId?: string; principal?: string
  }
  'exec.refused': { pauseId: string; code: RefusalCode; message?: string; requestId?: string }
  finding: {
    nodeId: string; instanceId?: string; code: string; level: 'info' | 'warning' | 'error'
    message: string; frames?: number[]
  }
}
export type EventType = keyof EventPayloads
export type EventPayload<T extends EventType> = EventPayloads[T] & EventExtras

export interface Resume {
  pauseId: string
  action: ResumeAction
  /** The value of an inject. */
  output?: unknown
  /** With continue or retry: run the call with this input instead. */
  input?: unknown
  requestId?: string
}
export interface ControlPayloads {
  'exec.resume': Resume
  'breakpoint.set': { matcher: Matcher; scope?: { runId: string } }
  'breakpoint.clear': { matcher: Matcher; scope?: { runId: string } }
  'mode.set': { mode: RunMode; scope?: { runId: string } }
}
export type ControlType = keyof ControlPayloads

export interface HelloPayload {
  versions: { protocol: number; client: string }
  capabilities: string[]
  app?: string
  sdk?: SdkInfo
  resumeToken?: string
}
export interface HelloAckPayload {
  versions: { protocol: number; viewer: string }
  capabilities: string[]
  breakpoints: Matcher[]
  mode: RunMode
  sessionToken: string
  hubCapabilities: string[]
}

export type KnownType = EventType | ControlType | 'hello' | 'hello.ack'
