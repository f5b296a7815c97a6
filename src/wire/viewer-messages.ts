// The messages on /ws/ui, between the server and a viewer. Envelopes travel only inside
// `event`, `events` and `control`.
import type { Matcher, RunMode } from './messages.ts'
import type { WireEnvelope } from './envelope.ts'

export type RunStatus = 'running' | 'ok' | 'error' | 'aborted' | 'abandoned'
export type RunSource = 'live' | 'import' | 'demo'

/** One run as lists show it. Times are epoch ms; `finishedAt` and `durationMs` are null in flight. */
export interface RunInfo {
  id: string
  app: string
  startedAt: number
  finishedAt: number | null
  durationMs: number | null
  status: RunStatus
  schemaVersion: number
  source: RunSource
  eventCount: number
  errorCount: number
  /** Is the owner's socket open now? */
  live: boolean
  /** Number of calls held now; absent or 0: none. */
  held?: number
  /** The meta of `run.started` that tells like-named runs apart (client, folder), small. */
  label?: string
  /** From this moment events were relayed but could not be stored (disk full). */
  notStored?: boolean
  /** Node ids whose holds the server answers by itself. */
  muted?: string[]
}

export type UiServerMessage =
  | { type: 'welcome'; versions: { protocol: number; server: string }; breakpoints: ScopedMatcher[]; mode: RunMode }
  | { type: 'state'; breakpoints: ScopedMatcher[]; mode: RunMode }
  | { type: 'runs'; runs: RunInfo[] }
  | { type: 'run.update'; run: RunInfo }
  | { type: 'run.deleted'; runId: string }
  | { type: 'replay.start'; runId: string; count: number; afterSeq?: number; reason?: string }
  | { type: 'event'; runId: string; envelope: WireEnvelope }
  | { type: 'events'; runId: string; envelopes: WireEnvelope[] }
  | { type: 'replay.end'; runId: string }
  | { type: 'error'; message: string; runId?: string; requestId?: string; pauseId?: string }

/** An armed breakpoint; `scope` when it is one run's own. */
export type ScopedMatcher = Matcher & { scope?: { runId: string } }

export type UiClientMessage =
  | { type: 'subscribe'; runId: string; afterSeq?: number; batch?: boolean }
  | { type: 'unsubscribe'; runId: string }
  | { type: 'delete'; runId: string }
  | { type: 'mute'; runId: string; nodeId: string; on: boolean }
  | { type: 'control'; envelope: WireEnvelope }
