// Puts the parts of the server together: apps on one side, viewers on the other, the store between
// them. It decides nothing itself; who may do what is in the parts.
import type { WebSocket } from 'ws'
import type { NodeKind } from '../wire/index.ts'
import { databaseFault, type Retention, type Store } from '../store/index.ts'
import { AppLink } from './app-link.ts'
import { Armed } from './armed.ts'
import { Complaints } from './complaints.ts'
import { Control } from './control.ts'
import { Deletion } from './deletion.ts'
import { Housekeeping } from './housekeeping.ts'
import { Ingest } from './ingest.ts'
import type { Effect, LiveRun } from './live-run.ts'
import { Memory } from './memory.ts'
import { messageText } from './message-text.ts'
import { Ownership } from './ownership.ts'
import { Registry } from './registry.ts'
import { relay } from './tail.ts'
import { Turn } from './turn.ts'
import { ViewerLink } from './viewer-link.ts'
import { ViewerRequests } from './viewer-requests.ts'
import { Viewers } from './viewers.ts'

export interface HubOptions {
  version: string
  pauseOnError: 'on' | 'off' | NodeKind
  graceMs: number
  unattendedMs: number
  retention: Retention | null
  log(line: string): void
}

export class Hub {
  readonly registry: Registry
  readonly complaints: Complaints
  readonly #store: Store
  readonly #viewers: Viewers
  readonly #turn: Turn
  readonly #control: Control
  readonly #ownership: Ownership
  readonly #ingest: Ingest
  readonly #deletion: Deletion
  readonly #requests: ViewerRequests
  readonly #housekeeping: Housekeeping
  readonly #memory: Memory
  readonly #links = new Set<AppLink>()

  constructor(store: Store, options: HubOptions) {
    const { version, log, unattendedMs } = options
    const now = Date.now
    this.#store = store
    this.#memory = new Memory(() => store.shrink())
    this.complaints = new Complaints(log)
    const armed = new Armed(options.pauseOnError)
    const registry = this.registry = new Registry(store, { graceMs: options.graceMs, changed: (run) => { viewers.runChanged(run); turn.schedule() } })
    const viewers = this.#viewers = new Viewers(armed, registry, version, {
      now, grown: (runs) => {
        for (const run of runs) registry.due.add(run)
        turn.schedule()
      },
    })
    const turn = this.#turn = new Turn(store, registry, { now, log, relay, grew: (run) => viewers.runGrew(run), effect: (run, effect) => this.#effect(run, effect) })
    const ownership = this.#ownership = new Ownership(registry, { lease: () => store.leases.number, scopeEnded: (run) => this.#control.endScope(run) })
    this.#ingest = new Ingest({ store, registry, ownership, turn, armed, complaints: this.complaints, version, log })
    this.#control = new Control(armed, registry, {
      log, apps: () => this.#ingest.apps, stateChanged: () => viewers.stateChanged(), runChanged: (run) => viewers.runChanged(run),
    })
    this.#deletion = new Deletion(store, registry, ownership, turn, viewers)
    this.#requests = new ViewerRequests(registry, viewers, this.#control, this.#deletion)
    this.#housekeeping = new Housekeeping({ store, registry, viewers, turn, control: this.#control, deletion: this.#deletion, retention: options.retention, unattendedMs, log, now })
  }

  /** After the port is bound. */
  start(): void {
    this.#housekeeping.start()
  }

  flush(): void {
    this.#turn.flush()
  }

  acceptApp(socket: WebSocket): void {
    const link = new AppLink(socket)
    this.#links.add(link)
    socket.on('message', (data, binary) => {
      const bytes = data as Buffer // ws's default
      this.#fromApp(link, bytes, binary)
      this.#memory.received(bytes.length)
    })
    socket.on('close', () => {
      this.#links.delete(link)
      this.#turn.flush() // what it sent last counts before it is gone
      this.#ingest.lost(link)
    })
  }

  /** Whatever a message does, it costs only itself. */
  #fromApp(link: AppLink, bytes: Buffer, binary: boolean): void {
    try {
      if (binary) this.#ingest.binary()
      else this.#ingest.message(link, messageText(bytes))
    } catch (error) {
      this.complaints.add('messages to /ingest were lost', () => databaseFault(error, this.#store.path).message)
    }
  }

  acceptViewer(socket: WebSocket): void {
    const viewer = new ViewerLink(socket, this.#store, (run) => this.#turn.waiting(run), (each) => this.#viewers.makeUp(each))
    this.#viewers.add(viewer)
    socket.on('message', (data, binary) => binary ? viewer.error('A message is one JSON object as text.') : this.#requests.handle(viewer, messageText(data as Buffer)))
    socket.on('close', () => this.#viewers.remove(viewer))
  }

  /** Lets go of every hold and says goodbye to everyone; what was sent is stored. */
  close(): void {
    this.#housekeeping.stop()
    this.#memory.stop()
    this.#turn.flush()
    this.#control.releaseAll()
    this.#viewers.close()
    for (const link of this.#links) link.close(1001, 'the server stops')
    this.#deletion.close()
    this.complaints.flush()
  }

  /** After the sockets are gone. */
  settle(): void {
    this.#turn.flush()
    this.#turn.close()
    this.registry.close()
  }

  #effect(run: LiveRun, effect: Effect): void {
    if (effect === 'none') return
    if (typeof effect === 'object') this.#control.held(run, effect.held)
    if (effect === 'status' && run.row.status !== 'running') {
      this.#control.endScope(run)
      this.#ownership.finished(run)
    }
    this.#viewers.runChanged(run)
  }
}
