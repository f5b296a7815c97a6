// The inside of the proxy: what the frames of a session mean, what of it is held, and what is told
// about it. Frames, resumes (through the run's holds), ends and time come in; writes, events and
// lines for people go out. It touches no pipe, no socket and no clock, and never throws.
import type { Run, Session } from '../client/index.ts'
import { takeAnswer } from './conversation/answers.ts'
import { Continuations } from './conversation/continuations.ts'
import { describeExit, exitFindings, isPeaceful, startFinding, type Exit } from './conversation/findings/ending.ts'
import type { Finding } from './conversation/findings/finding.ts'
import { Findings } from './conversation/findings/findings.ts'
import { endsInCrlf } from './conversation/findings/lines.ts'
import { OutputSchemas } from './conversation/findings/output-schema.ts'
import { forgottenQuestions, silentRequests, stalledPipe } from './conversation/findings/waiting.ts'
import { closeUnanswered, endRequests, releaseUnreachable } from './conversation/unanswered.ts'
import { Gates } from './conversation/gates.ts'
import { LineWatch } from './conversation/line-watch.ts'
import { takeNotification } from './conversation/notifications.ts'
import { frameInfo } from './conversation/frame-info.ts'
import { readFrame } from './conversation/frame-reader.ts'
import { OpenRequests } from './conversation/open-requests.ts'
import { Parcel } from './conversation/parcel.ts'
import { Instances, SESSION, SESSION_INSTANCE } from './conversation/place.ts'
import { Report } from './conversation/report.ts'
import { takeRequest } from './conversation/requests.ts'
import type { Arrival, Scene } from './conversation/scene.ts'
import { SessionInfo } from './conversation/session-info.ts'
import { StderrLog } from './conversation/stderr-log.ts'
import type { Conversation, ConversationPorts, Decision, Direction, Frame, LaunchInfo, Pieces, PipeName } from './frame.ts'

export { launchMeta, launchName } from './conversation/session-info.ts'

/** How long a server may live on without its stdout before that is said. */
const AFTERLIFE_MS = 3000
const PROBE = 'server/discover'

/** A conversation that reports to `run`. */
export function createConversation(run: Run, session: Session, ports: ConversationPorts, info: LaunchInfo): Conversation {
  return new Talk(run, session, ports, info)
}

class Talk implements Conversation {
  readonly #scene: Scene
  readonly #lines: LineWatch
  readonly #stderr: StderrLog
  readonly #ports: ConversationPorts
  readonly #info: LaunchInfo
  readonly #detach: () => void
  readonly #startedAt: number
  /** Has the client asked for anything, and for more than what the server speaks? */
  #asked: 'nothing' | 'a probe' | 'more' = 'nothing'
  #observing = true
  #clientHungUp = false
  #stdoutEndedAt: number | null = null
  #aborted = false
  /** What went wrong with the session as a whole; null: nothing. */
  #failure: { name: string; message: string } | null = null
  #exit: Exit | null = null
  /** The newest frame to the server, while nothing has come back after it. */
  #unansweredLine: { n: number; crlf: boolean } | null = null
  #over = false

  constructor(run: Run, session: Session, ports: ConversationPorts, info: LaunchInfo) {
    this.#ports = ports
    this.#info = info
    this.#startedAt = ports.now()
    const report = new Report(run, session)
    const findings = new Findings(run)
    const instances = new Instances()
    this.#scene = {
      run, session, report, findings, instances,
      gates: new Gates(run, ports, info.viewerUrl),
      open: new OpenRequests(),
      info: new SessionInfo(run),
      continuations: new Continuations(),
      schemas: new OutputSchemas(),
      write: (dir, bytes, by) => this.#exit !== null && dir === 'c2s' ? 0 : ports.write(dir, bytes, by),
      now: () => ports.now(),
      reaches: (dir) => dir === 'c2s' ? ports.childAlive() && this.#exit === null : !this.#clientHungUp,
      aborted: () => { this.#aborted = true },
    }
    this.#lines = new LineWatch(session, report, findings, instances)
    this.#stderr = new StderrLog((text) => report.shown({ id: SESSION_INSTANCE, place: SESSION }, text), () => session.attached)
    this.#detach = session.onAttach(() => this.#stderr.flush())
    run.emit('node.started', { nodeId: SESSION.nodeId, kind: SESSION.kind, name: SESSION.name, instanceId: SESSION_INSTANCE })
  }

  mayHold(dir: Direction): boolean {
    return this.#scene.gates.mayHold(dir)
  }

  mayHoldFrame(dir: Direction, pieces: Pieces): boolean {
    return this.#scene.gates.mayHoldFrame(dir, pieces)
  }

  seen(frame: Frame): void {
    if (this.#observing) this.#take(frame, false)
  }

  decide(frame: Frame): Decision {
    return this.#observing ? this.#take(frame, true) : 'write'
  }

  stderr(chunk: Buffer): void {
    if (this.#observing && !this.#scene.session.switches.hideOutputs) this.#stderr.write(chunk)
  }

  inputEnded(): void {
    if (this.#clientHungUp) return
    this.#clientHungUp = true
    this.#scene.gates.shut('the client hung up')
  }

  outputEnded(): void {
    this.#stdoutEndedAt ??= this.#ports.now()
  }

  exited(code: number | null, signal: NodeJS.Signals | null): void {
    if (this.#exit !== null) return
    this.#exit = { code, signal }
    if (!this.#observing) return
    releaseUnreachable(this.#scene)
    const onlyProbed = this.#asked === 'a probe'
    const unanswered = endRequests(this.#scene, `The server ${describeExit(this.#exit)} before it had answered.`, onlyProbed)
    const crlfFrame = this.#unansweredLine?.crlf ? this.#unansweredLine.n : null
    const last = { stderrTail: this.#stderr.tail(), crlfFrame, clientHungUp: this.#clientHungUp, onlyProbed }
    this.#say(exitFindings(this.#exit, unanswered, last))
    if (onlyProbed || (unanswered.length === 0 && isPeaceful(this.#exit, last))) return
    this.#failure ??= { name: 'ServerExited', message: `The server ${describeExit(this.#exit)}${unanswered.length > 0 ? ' before it had answered' : ''}.` }
  }

  failedToStart(error: NodeJS.ErrnoException): void {
    const { command, cwd, env } = this.#info
    const finding = startFinding(error, command, cwd, env.PATH ?? env.Path)
    this.#failure = { name: 'ServerNotStarted', message: finding.message }
    this.#exit ??= { code: null, signal: null }
    releaseUnreachable(this.#scene)
    endRequests(this.#scene, 'The server was never started.', false)
    this.#say([finding])
  }

  stalled(pipe: PipeName, waitingBytes: number, sinceMs: number): void {
    this.#say([stalledPipe(pipe, waitingBytes, sinceMs, this.#ports.now())])
  }

  becameRawPipe(): void {
    if (!this.#observing) return
    this.#scene.gates.shut('the session became a raw pipe')
    this.#say([{ code: 'raw-pipe', level: 'warning', message: 'A frame went over the ceiling (--max-frame-bytes), so the rest of this session is relayed without being looked at.', frames: [] }])
    this.#stderr.end()
    this.#observing = false
  }

  tick(now: number): void {
    if (!this.#observing || this.#over) return
    if (this.#exit === null) this.#say(silentRequests(this.#scene.open.all(), now))
    this.#say(forgottenQuestions(this.#scene.continuations.questions(), now, false))
    if (this.#stdoutEndedAt === null || this.#exit !== null || now - this.#stdoutEndedAt < AFTERLIFE_MS) return
    this.#stdoutEndedAt = Infinity
    this.#say([{ code: 'stdout-closed', level: 'warning', message: 'The server closed its stdout but goes on running: no more frames can come from it.', frames: [] }])
  }

  holding(): boolean {
    return this.#scene.gates.held > 0
  }

  finish(): void {
    if (this.#over) return
    this.#over = true
    this.#detach()
    const { gates, open, report, run, continuations } = this.#scene
    gates.shut('the session is over')
    this.#stderr.end()
    if (this.#observing) this.#say(forgottenQuestions(continuations.questions(), this.#ports.now(), true))
    for (const request of open.all()) closeUnanswered(this.#scene, request)
    const status = this.#aborted ? 'aborted' : this.#failure === null ? 'ok' : 'error'
    const session = { number: 0, id: SESSION_INSTANCE, place: SESSION, startedAt: this.#startedAt, heldMs: 0 }
    if (status === 'error' && this.#failure !== null) report.failed(session, this.#failure.name, this.#failure.message, this.#ports.now())
    else report.closed(session, status === 'aborted' ? 'aborted' : 'ok', this.#ports.now())
    run.finish(status, status === 'error' && this.#failure !== null ? this.#failure : undefined)
  }

  #take(frame: Frame, gated: boolean): Decision {
    this.#unansweredLine = frame.dir === 'c2s' ? { n: frame.n, crlf: endsInCrlf(frame.bytes) } : null
    const reading = readFrame(frame.bytes)
    if (frame.cut === true) this.#lines.cut(frame, reading.shape)
    if (reading.shape === 'blank' || reading.shape === 'not JSON') {
      this.#lines.line(frame, reading.shape, reading.text)
      return 'write'
    }
    const parcel = new Parcel(frame, reading.messages, this.#scene.write)
    const batch = reading.shape === 'batch'
    if (batch) this.#say([this.#scene.info.batch(frame)].filter((finding) => finding !== null))
    this.#lines.messages(frame, reading.messages)
    let first = true
    reading.messages.forEach((message, index) => {
      if (message.kind === 'other') return
      const told = first ? frameInfo(frame, batch ? index : undefined) : { n: frame.n, i: index }
      first = false
      this.#arrive({ frame, message, index, batch, parcel, told, gated })
    })
    return parcel.decide()
  }

  #arrive(arrival: Arrival): void {
    const { message, frame } = arrival
    if (message.kind === 'request') {
      if (frame.dir === 'c2s') this.#asked = message.method === PROBE && this.#asked !== 'more' ? 'a probe' : 'more'
      takeRequest(this.#scene, arrival)
    } else if (message.kind === 'response') takeAnswer(this.#scene, arrival)
    else takeNotification(this.#scene, arrival)
  }

  #say(findings: Finding[]): void {
    if (this.#observing) this.#scene.findings.sayAll(findings)
  }
}
