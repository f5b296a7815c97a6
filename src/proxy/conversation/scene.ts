// Everything that the handlers of messages work with, and one message as it arrives. No logic.
import type { Run, Session } from '../../client/index.ts'
import type { Direction, Frame } from '../frame.ts'
import type { Continuations } from './continuations.ts'
import type { Findings } from './findings/findings.ts'
import type { OutputSchemas } from './findings/output-schema.ts'
import type { Message } from './frame-reader.ts'
import type { Gates } from './gates.ts'
import type { OpenRequests } from './open-requests.ts'
import type { Parcel } from './parcel.ts'
import type { Instances } from './place.ts'
import type { Frame as ToldFrame, Report } from './report.ts'
import type { SessionInfo } from './session-info.ts'

export interface Scene {
  readonly run: Run
  readonly session: Session
  readonly report: Report
  readonly findings: Findings
  readonly gates: Gates
  readonly open: OpenRequests
  readonly instances: Instances
  readonly info: SessionInfo
  readonly continuations: Continuations
  readonly schemas: OutputSchemas
  /** Onto the lane of that direction; the number of the frame. */
  write(dir: Direction, bytes: Buffer, by: 'peer' | 'graphmind'): number
  now(): number
  /** Is the side that is asked by requests of this direction still there? */
  reaches(dir: Direction): boolean
  /** A person aborted a call: the run ends as aborted. */
  aborted(): void
}

/** A message that arrives. */
export interface Arrival {
  readonly frame: Frame
  readonly message: Message
  /** Its place in the batch; 0 for a single message. */
  readonly index: number
  readonly batch: boolean
  readonly parcel: Parcel
  /** The frame as an event tells it. */
  readonly told: ToldFrame
  /** Is it asked before it is written? Otherwise it is on its way already and cannot be held. */
  readonly gated: boolean
}
