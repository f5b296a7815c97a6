// What a session is: the one thing that an adapter makes and talks to.
import type { Capability, EventPayload, EventType, GatePoint, NodeKind, SdkInfo } from '../wire/index.ts'
import type { GateNode, GateOptions } from './gate.ts'
import type { GateResult } from './hold.ts'
import type { Run } from './run.ts'
import type { Env, HideSwitches } from './switches.ts'

export interface SessionOptions extends Partial<HideSwitches> {
  appName: string
  sdk?: SdkInfo
  /** Default: GRAPHMIND_URL, or `ws://127.0.0.1:4747/ingest`. */
  url?: string
  /** Default: on, but off under NODE_ENV=production without GRAPHMIND=1; GRAPHMIND_DISABLED=1 beats it. */
  enabled?: boolean
  /** What the adapter can do with a held call. Default: everything. */
  capabilities?: readonly Capability[]
  /** A hold lets go by itself after this long. Default 0: never. */
  pauseTimeoutMs?: number
  /** Pause between attempts while there is no server. Default 10,000. */
  retryMs?: number
  /** How long events wait for company. Default 0: until the end of the turn. `exec.*` never waits. */
  flushMs?: number
  /** Default: `process.env`. */
  env?: Env
  /** Default: a line on stderr. */
  warn?: (line: string) => void
  now?: () => number
  newId?: () => string
  /** Default: what `graphmind serve --token` left in `$GRAPHMIND_HOME/token`; only sent to this machine. */
  token?: string
  /** Default false: the socket never keeps the process alive, but while a call is held. */
  keepAlive?: boolean
}

export interface OpenRunOptions { runId?: string; app?: string; meta?: Record<string, unknown> }

export interface SessionStats {
  attached: boolean
  /** Events emitted, and of these: kept in the buffer, their size, lost before any server had them. */
  events: number
  buffered: number
  bufferedBytes: number
  dropped: number
  /** Messages handed to a socket, replays included. */
  sent: number
  /** Calls held now. */
  held: number
}

export interface Session {
  readonly enabled: boolean
  readonly attached: boolean
  readonly switches: HideSwitches
  /** Is this side of such a node to be hidden? For what an adapter records outside input and output. */
  hidden(kind: NodeKind | undefined, side: 'input' | 'output'): boolean
  /** Starts a run; `run.started` goes out. An open run of the same id is given again. */
  openRun(name: string, options?: OpenRunOptions): Run
  /** Runs `fn` as a run: its calls find it through `current`. What it throws is thrown on, untouched. */
  run<T>(name: string, fn: (run: Run) => T | Promise<T>): Promise<T>
  current(): Run | undefined
  /** To the current run; outside of any, to one that bears the app's name. */
  emit<T extends EventType>(type: T, payload: EventPayload<T>, raw?: Readonly<Record<string, string>>): void
  /** On the current run; see `Run.gate`. */
  gate(point: GatePoint, node: GateNode, options?: GateOptions): Promise<GateResult>
  /** Is a debugger attached? Waits for the outcome of one attempt, or as long as `timeoutMs` says. */
  ready(options?: { timeoutMs?: number }): Promise<boolean>
  stats(): SessionStats
  /** Lets go of everything and delivers what it can in `lingerMs` (default 500). Afterwards nothing is recorded. */
  dispose(options?: { lingerMs?: number }): Promise<void>
  /** Calls back at each attachment; returns how to stop that. */
  onAttach(fn: () => void): () => void
  onDetach(fn: () => void): () => void
}
