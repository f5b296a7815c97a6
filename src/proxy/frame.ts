// What passes between the two halves of the proxy: the relay (pipes, lanes, the child process) and
// the conversation (what the frames mean, what is held). Types only; the relay never looks inside a
// frame, the conversation never touches a pipe.

/** Who speaks to whom: the client to the server, or the server to the client. */
export type Direction = 'c2s' | 's2c'

/** The bytes of a frame, in the pieces in which they came. */
export type Pieces = readonly Buffer[]

/** One line of a pipe, as it came. */
export interface Frame {
  /** Counts up over both directions, from 1; frames that graphmind writes count too. */
  readonly n: number
  readonly dir: Direction
  /**
   * As read, with its line end if it had one. A view on the chunk that was read: copy what must be
   * kept for longer than the call.
   */
  readonly bytes: Buffer
  /** When its last byte was read; epoch milliseconds. */
  readonly at: number
  /** Ended by the end of the pipe, without a newline. */
  readonly cut?: boolean
}

/** The four ends that can fill up because nobody reads them. */
export type PipeName = 'client stdin' | 'client stdout' | 'server stdin' | 'server stdout'

/** What the relay asks of the conversation, and tells it. Nothing here throws. */
export interface Conversation {
  /** Cheap: could some armed gate hold a frame of this direction now? False: the relay writes first and calls `seen` later. */
  mayHold(dir: Direction): boolean
  /** Cheap byte test on one frame while `mayHold`: false means that certainly no gate holds it. Joins nothing. */
  mayHoldFrame(dir: Direction, pieces: Pieces): boolean
  /** A frame that was written already. In the order of reading over both directions; up to 2 ms late. */
  seen(frame: Frame): void
  /** A frame before it is written; all earlier ones have been seen. */
  decide(frame: Frame): Decision
  /** What the child said on stderr, as it came. */
  stderr(chunk: Buffer): void
  /** The client hung up: every hold is let go of, synchronously, before the child's stdin closes. */
  inputEnded(): void
  /** Is anything parked? While it is, the proxy outlives the child: a person may still answer. */
  holding(): boolean
  /** The child closed its stdout. */
  outputEnded(): void
  exited(code: number | null, signal: NodeJS.Signals | null): void
  failedToStart(error: NodeJS.ErrnoException): void
  /** Once for each time a pipe gets stuck: `waitingBytes` have been waiting since `sinceMs` (epoch). */
  stalled(pipe: PipeName, waitingBytes: number, sinceMs: number): void
  /** A frame went over the ceiling: everything held is let go of, and nothing more is observed. */
  becameRawPipe(): void
  /** About once a second, with the time (epoch ms). */
  tick(now: number): void
  /** The session is over: says run.finished. */
  finish(): void
}

/** `park`: the relay forgets the frame; the conversation gives bytes back later through `write`. */
export type Decision = 'write' | 'park' | 'drop'

/** What the conversation may do to the world. */
export interface ConversationPorts {
  /**
   * Puts bytes (whole frames, line end included) on the lane of that direction, behind what is on it.
   * Gives the frame number: a fresh one where `by` is graphmind, 0 for a peer's frame let go of.
   */
  write(dir: Direction, bytes: Buffer, by: 'peer' | 'graphmind'): number
  childAlive(): boolean
  /** A line for people, without its newline: stderr. */
  say(line: string): void
  /** Epoch milliseconds. */
  now(): number
}

/** What the conversation is told about the launch. */
export interface LaunchInfo {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly viewerUrl: string
  readonly version: string
  readonly parentPid: number
}
