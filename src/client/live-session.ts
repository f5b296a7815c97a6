// The session of an instrumented app: opens runs, keeps what they emit, and follows the server
// while there is one. It never throws into the host and keeps no process alive by itself. Nothing
// touches the network before the first run, event or `ready`.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import {
  PROTOCOL, type Capability, type EventPayload, type EventType, type GatePoint, type HelloAckPayload, type HelloPayload, type NodeKind, type ParsedEnvelope, type SdkInfo,
} from '../wire/index.ts'
import { DEFAULT_URL, readAddress, readToken, type Address } from './address.ts'
import { Connection } from './connection.ts'
import { awake } from './deadline.ts'
import { errorInfo } from './failure.ts'
import { PASS, type GateNode, type GateOptions } from './gate.ts'
import type { GateResult } from './hold.ts'
import { Holds } from './holds.ts'
import { Journal } from './journal.ts'
import type { Link, LinkEnd, LinkOptions } from './link.ts'
import { Listeners } from './listeners.ts'
import { OpenRuns } from './open-runs.ts'
import { Outbox } from './outbox.ts'
import { readResume } from './resume.ts'
import { OpenRun, type Run, type RunPorts } from './run.ts'
import type { OpenRunOptions, Session, SessionOptions, SessionStats } from './session.ts'
import { hidden, readHideSwitches, type Env, type HideSwitches } from './switches.ts'
import { CLIENT_VERSION } from './version.ts'
import { Warnings } from './warnings.ts'

const ALL: readonly Capability[] = ['pause', 'step', 'inject', 'retry', 'abort', 'edit-input']
const RETRY_MS = 10_000
const LINGER_MS = 500
/** One attempt takes 1.3 s at most, unless the host blocks its event loop. */
const ONE_ATTEMPT_MS = 10_000

export class LiveSession implements Session {
  readonly enabled = true
  readonly switches: HideSwitches
  readonly #options: SessionOptions
  readonly #env: Env
  readonly #sdk: SdkInfo
  readonly #warnings: Warnings
  readonly #address: Address | null
  readonly #capabilities: ReadonlySet<Capability>
  readonly #journal: Journal
  readonly #outbox: Outbox
  readonly #connection: Connection
  readonly #runs: OpenRuns
  readonly #holds = new Holds((some) => this.#stayAlive(some))
  readonly #context = new AsyncLocalStorage<Run>()
  readonly #attachListeners: Listeners
  readonly #detachListeners: Listeners
  readonly #ports: RunPorts
  #ambient: Run | null = null
  #resumeToken: string | undefined
  #disposal: Promise<void> | null = null

  constructor(options: SessionOptions, env: Env) {
    const { now = Date.now, newId = randomUUID, pauseTimeoutMs = 0, retryMs = RETRY_MS, flushMs = 0 } = options
    this.#options = options
    this.#env = env
    this.#sdk = options.sdk ?? { name: 'graphmind-ai/client', version: CLIENT_VERSION }
    this.switches = readHideSwitches(options, env)
    this.#capabilities = new Set(options.capabilities ?? ALL)
    this.#warnings = new Warnings(options.warn, now)
    this.#address = this.#readAddress(options.url ?? (env.GRAPHMIND_URL || DEFAULT_URL))
    this.#runs = new OpenRuns(this.#capabilities)
    this.#journal = new Journal(now)
    this.#outbox = new Outbox(this.#journal, flushMs)
    this.#connection = new Connection({ retryMs, link: () => this.#linkOptions() }, {
      attached: (link, ack) => this.#attached(link, ack),
      message: (parsed) => this.#message(parsed),
      detached: () => this.#detached(),
      failed: (end) => this.#failed(end),
    })
    const warn = (message: string) => this.#warnings.warn('listener', message)
    this.#attachListeners = new Listeners(warn)
    this.#detachListeners = new Listeners(warn)
    this.#ports = {
      switches: this.switches, capabilities: this.#capabilities, pauseTimeoutMs, holds: this.#holds, now, newId,
      attached: () => this.attached,
      append: (entry, when) => {
        if (this.#disposal !== null) return
        this.#journal.append(entry)
        if (when === 'at once') this.#outbox.flush()
        else this.#outbox.schedule()
      },
      finished: (run) => this.#runs.remove(run),
      warn: (kind, message) => this.#warnings.warn(kind, message),
    }
  }

  get attached(): boolean {
    return this.#connection.attached && this.#disposal === null
  }

  hidden(kind: NodeKind | undefined, side: 'input' | 'output'): boolean {
    return hidden(this.switches, kind, side)
  }

  openRun(name: string, { runId = this.#ports.newId(), app, meta }: OpenRunOptions = {}): Run {
    const known = this.#runs.find(runId)
    if (known !== undefined) return known
    const info = { app: app ?? this.#options.appName, sdk: this.#sdk }
    const named = name === info.app ? meta : { name, ...meta }
    const run = new OpenRun(runId, this.#runs.firstSeq(runId), named === undefined ? info : { ...info, meta: named }, this.#ports)
    this.#runs.add(run)
    if (this.#address !== null && this.#disposal === null) this.#connection.start()
    return run
  }

  async run<T>(name: string, fn: (run: Run) => T | Promise<T>): Promise<T> {
    const run = this.openRun(name)
    try {
      const value = await this.#context.run(run, () => fn(run))
      run.finish(run.signal.aborted ? 'aborted' : 'ok')
      return value
    } catch (error) {
      run.finish(run.signal.aborted ? 'aborted' : 'error', errorInfo(error))
      throw error
    }
  }

  current(): Run | undefined {
    return this.#context.getStore()
  }

  emit<T extends EventType>(type: T, payload: EventPayload<T>, raw?: Readonly<Record<string, string>>): void {
    if (this.#disposal === null) (this.#context.getStore() ?? this.#outside()).emit(type, payload, raw)
  }

  gate(point: GatePoint, node: GateNode, options?: GateOptions): Promise<GateResult> {
    if (!this.#runs.canPause) return PASS
    return (this.#context.getStore() ?? this.#outside()).gate(point, node, options)
  }

  async ready({ timeoutMs }: { timeoutMs?: number } = {}): Promise<boolean> {
    if (this.attached) return true
    if (this.#address === null || this.#disposal !== null) return false
    if (timeoutMs === undefined) return awake(this.#connection.attempt(), ONE_ATTEMPT_MS, false)
    const attached = Promise.withResolvers<boolean>()
    const off = this.onAttach(() => attached.resolve(true))
    const calm = this.#connection.hurry()
    const answer = await awake(attached.promise, timeoutMs, false)
    off()
    calm()
    return answer
  }

  stats(): SessionStats {
    return { attached: this.attached, ...this.#journal.counts, sent: this.#outbox.sent, held: this.#holds.size }
  }

  dispose({ lingerMs = LINGER_MS }: { lingerMs?: number } = {}): Promise<void> {
    return this.#disposal ??= this.#end(lingerMs)
  }

  onAttach(fn: () => void): () => void {
    return this.#attachListeners.add(fn)
  }

  onDetach(fn: () => void): () => void {
    return this.#detachListeners.add(fn)
  }

  /** The run of whatever happens outside of runs. */
  #outside(): Run {
    return this.#ambient ??= this.openRun(this.#options.appName)
  }

  #readAddress(url: string): Address | null {
    const address = readAddress(url)
    if (address === null) this.#warnings.warn('url', `"${url}" is not the address of a server, so nothing is recorded; one looks like ${DEFAULT_URL}`)
    return address
  }

  #linkOptions(): LinkOptions {
    const { url, loopback } = this.#address ?? { url: DEFAULT_URL, loopback: true }
    const hello: HelloPayload = {
      versions: { protocol: PROTOCOL, client: `graphmind-ai/${CLIENT_VERSION}` },
      capabilities: [...this.#capabilities], app: this.#options.appName, sdk: this.#sdk,
    }
    if (this.#resumeToken !== undefined) hello.resumeToken = this.#resumeToken
    return { url, loopback, token: this.#options.token ?? (loopback ? readToken(this.#env) : undefined), hello }
  }

  #attached(link: Link, ack: HelloAckPayload): void {
    this.#resumeToken = ack.sessionToken
    link.want(this.#options.keepAlive === true)
    if (this.#disposal === null) this.#runs.rearm(ack)
    this.#outbox.open(link)
    this.#attachListeners.call()
  }

  #detached(): void {
    this.#runs.disarm()
    this.#outbox.shut()
    this.#holds.letGo('disconnect')
    this.#detachListeners.call()
  }

  #failed(end: LinkEnd): void {
    const at = this.#address?.url
    if (end.why === 'other-version') this.#warnings.warn('version', `the server at ${at} speaks another version of the protocol, so nothing is recorded; update graphmind-ai here or there`)
    if (end.why !== 'refused') return // no server is no fault: there is just no debugger
    const reason = end.status === 401 ? 'it asks for the token that "graphmind serve --token" wrote to $GRAPHMIND_HOME/token' : `it answered HTTP ${end.status}`
    this.#warnings.warn('refused', `the server at ${at} refused the connection: ${reason}`)
  }

  #message(parsed: ParsedEnvelope): void {
    if (parsed.status !== 'ok') return
    const { type, payload } = parsed.envelope
    if (type === 'exec.resume') this.#holds.resume(String(payload.pauseId), readResume(parsed), typeof payload.principal === 'string' ? payload.principal : undefined)
    else if (type === 'hello.ack') this.#runs.rearm(payload as unknown as HelloAckPayload)
    else this.#runs.control(type, payload as unknown as Parameters<OpenRuns['control']>[1])
  }

  #stayAlive(some: boolean): void {
    this.#connection.link?.want(some || this.#options.keepAlive === true)
  }

  async #end(lingerMs: number): Promise<void> {
    this.#runs.disarm()
    this.#holds.letGo('dispose')
    this.#ambient?.finish('ok')
    this.#outbox.flush()
    if (this.#address !== null && lingerMs > 0) await awake(this.#lastWords(), lingerMs, undefined)
    this.#outbox.shut()
    this.#connection.stop()
    this.#journal.clear()
  }

  /** Reaches the server if there is anything it does not have, and waits until it has read it. */
  async #lastWords(): Promise<void> {
    if (!this.#connection.attached && (!this.#journal.pending || !await this.#connection.attempt())) return
    await this.#outbox.drained()
    await this.#connection.link?.close()
  }
}
