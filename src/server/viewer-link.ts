// One viewer's connection: its subscriptions, and sending to it without ever waiting for it or
// queueing without end. A viewer that does not read loses the tail, later the small notices too,
// and gets everything anew once it reads again.
import type { Buffer } from 'node:buffer'
import type { WebSocket } from 'ws'
import type { Store } from '../store/index.ts'
import type { LiveRun } from './live-run.ts'
import { Replayer, type Subscription } from './tail.ts'
import type { TurnEvent } from './turn.ts'

/** Above this the viewer lags. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024
/** A replay runs this far ahead of the viewer; a lagging one is caught up once it is below. */
const ROOMY_BYTES = 1024 * 1024
const MOST_SUBSCRIPTIONS = 200

export class ViewerLink {
  /** It wants the list of runs. */
  list = false
  readonly subscriptions = new Map<string, Subscription>()
  readonly replayer: Replayer
  readonly #socket: WebSocket
  /** Notices that could not be sent; they are made up for when it reads again. */
  #missedNotices = false
  readonly #makeUp: (viewer: ViewerLink) => void
  readonly #sent: () => void

  /** `makeUp`: sends state and list anew. */
  constructor(socket: WebSocket, store: Store, waiting: (run: LiveRun) => TurnEvent[], makeUp: (viewer: ViewerLink) => void) {
    this.#socket = socket
    this.#makeUp = makeUp
    this.replayer = new Replayer(store, waiting)
    this.#sent = () => this.#drained()
  }

  get congested(): boolean {
    return this.#socket.bufferedAmount > MOST_WAITING_BYTES
  }

  get roomy(): boolean {
    return this.#socket.bufferedAmount < ROOMY_BYTES
  }

  send(message: string | Buffer): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(message, { binary: false }, this.#sent)
  }

  /** Something small that can be made up for. */
  notice(message: string): void {
    if (this.congested) this.#missedNotices = true
    else this.send(message)
  }

  /** Says why a request came to nothing. */
  error(message: string, about: { runId?: string; requestId?: string; pauseId?: string } = {}): void {
    if (!this.congested) this.send(JSON.stringify({ type: 'error', message, ...about }))
  }

  subscribe(run: LiveRun, { afterSeq, batch }: { afterSeq?: number; batch?: boolean }): void {
    const id = run.row.id
    this.unsubscribe(id)
    if (this.subscriptions.size >= MOST_SUBSCRIPTIONS) return this.error(`A viewer may watch ${MOST_SUBSCRIPTIONS} runs at a time.`, { runId: id })
    const subscription: Subscription = {
      viewer: this, run, batch: batch === true, state: 'replay', cursor: afterSeq ?? -1, missed: [],
      start: { said: false, afterSeq, reason: afterSeq === undefined ? undefined : 'reconnected' },
    }
    this.subscriptions.set(id, subscription)
    run.subscriptions.add(subscription)
    this.replayer.add(subscription)
  }

  /** The run it watched no more, if it did. */
  unsubscribe(runId: string): LiveRun | null {
    const subscription = this.subscriptions.get(runId)
    if (!subscription) return null
    this.subscriptions.delete(runId)
    this.replayer.remove(subscription)
    subscription.run.subscriptions.delete(subscription)
    return subscription.run
  }

  /** The socket is closed; answers with the runs it watched. */
  lost(): LiveRun[] {
    this.replayer.clear()
    return [...this.subscriptions.keys()].flatMap((id) => this.unsubscribe(id) ?? [])
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason)
  }

  #drained(): void {
    if (!this.roomy) return
    if (this.#missedNotices) {
      this.#missedNotices = false
      this.#makeUp(this)
    }
    for (const subscription of this.subscriptions.values()) if (subscription.state === 'lagging') this.replayer.add(subscription)
    this.replayer.drained()
  }
}
