// Lines that are no frames: they are relayed like all others, and shown as a warning, since text on
// stdout is the classic fault of a stdio server.
import type { Session } from '../../client/index.ts'
import type { Frame } from '../frame.ts'
import type { Findings } from './findings/findings.ts'
import { cutLine, lineFinding, messageFinding } from './findings/lines.ts'
import { frameInfo } from './frame-info.ts'
import type { Message, Reading } from './frame-reader.ts'
import { NOT_A_FRAME, type Instances } from './place.ts'
import type { Report } from './report.ts'

const SHOWN_BYTES = 64 * 1024

export class LineWatch {
  readonly #report: Report
  readonly #findings: Findings
  readonly #instances: Instances
  /** Under any hide switch a line that is no frame keeps only its length: nobody knows what is in it. */
  readonly #quotes: boolean

  constructor({ switches }: Session, report: Report, findings: Findings, instances: Instances) {
    this.#quotes = !(switches.hideInputs || switches.hideOutputs || switches.hideToolArgs || switches.hideToolResults)
    this.#report = report
    this.#findings = findings
    this.#instances = instances
  }

  line(frame: Frame, shape: 'blank' | 'not JSON', latin1: string): void {
    this.#show(frame)
    this.#findings.say(lineFinding(frame, shape, latin1, this.#quotes))
  }

  /** The end of the pipe came before the end of the line. */
  cut(frame: Frame, shape: Reading['shape']): void {
    this.#findings.say(cutLine(frame, shape))
  }

  /** JSON that is no message, or one that is not quite right. */
  messages(frame: Frame, messages: readonly Message[]): void {
    const foreign = messages.length === 0 || messages.some((message) => message.kind === 'other')
    if (messages.every((message) => message.kind === 'other')) this.#show(frame)
    if (foreign) this.#findings.say(messageFinding(frame, 'other'))
    if (messages.some((message) => message.kind !== 'other' && !message.versioned)) this.#findings.say(messageFinding(frame, 'unversioned'))
  }

  #show(frame: Frame): void {
    const instance = this.#instances.next(NOT_A_FRAME, frame.at)
    const text = this.#quotes ? frame.bytes.toString('utf8', 0, Math.min(frame.bytes.length, SHOWN_BYTES)).replace(/\r?\n$/, '') : null
    this.#report.line(instance, text, frameInfo(frame))
    this.#report.closed(instance, 'warning', frame.at)
  }
}
