// Keeps one viewer's subscriptions: first the stored events, a page at a time, then every new one
// as it is committed. Nothing is lost, doubled or reordered in between, because both happen in
// the same turn: when a page is the last one, all that is committed has been sent.
// A viewer that does not keep up is cut off from the tail and replayed from the store later.
import { Buffer } from 'node:buffer'
import type { Store } from '../store/index.ts'
import type { LiveRun } from './live-run.ts'
import { textOf, type TurnEvent } from './turn.ts'
import type { ViewerLink } from './viewer-link.ts'

/** One viewer's interest in one run. */
export interface Subscription {
  readonly viewer: ViewerLink
  readonly run: LiveRun
  /** It takes many envelopes in one message. */
  readonly batch: boolean
  /** replay: gets history; live: gets every new event; lagging: waits until the viewer has caught up. */
  state: 'replay' | 'live' | 'lagging'
  /** The highest seq that was sent. */
  cursor: number
  /** Seqs below the cursor that came while it lagged. */
  missed: number[]
  /** What `replay.start` says, and whether it was said. */
  start: { said: boolean; afterSeq?: number; reason?: string } | null
}

const PAGE_EVENTS = 1000
const PAGE_BYTES = 1024 * 1024
const MISSED_KEPT = 10_000
const SHORTEST_MS = 4
const LONGEST_MS = 25
const SHARE = 0.4

/** Sends new events of a run to all who watch it. Their text is made once. */
export function relay(run: LiveRun, events: TurnEvent[]): void {
  const batch: Subscription[] = []
  let texts: string[] | null = null
  for (const subscription of run.subscriptions) {
    if (!takesTail(subscription, events)) continue
    if (subscription.batch) {
      batch.push(subscription)
    } else {
      texts ??= events.map(textOf)
      for (const text of texts) subscription.viewer.send(eventMessage(run, text))
    }
    for (const { seq } of events) if (seq > subscription.cursor) subscription.cursor = seq
  }
  if (batch.length === 0) return
  for (const message of eventsMessages(run, texts ?? events.map(textOf))) for (const { viewer } of batch) viewer.send(message)
}

/** May it have these as they are? Otherwise what it needs of them is sent or remembered here. */
function takesTail(subscription: Subscription, events: TurnEvent[]): boolean {
  const { state, viewer } = subscription
  if (state === 'live' && !viewer.congested) return true
  if (state === 'live') lag(subscription)
  // The store has what comes after the cursor; the rest would never be sent.
  const others = events.filter((event) => event.outcome === 'unstored' || event.seq <= subscription.cursor)
  if (subscription.state === 'replay' && !viewer.congested) for (const event of others) viewer.send(eventMessage(subscription.run, textOf(event)))
  else for (const event of others) if (event.outcome !== 'unstored') miss(subscription, event.seq)
  return false
}

function lag(subscription: Subscription): void {
  subscription.state = 'lagging'
  subscription.start = { said: false, afterSeq: subscription.cursor, reason: 'lagging' }
}

function miss(subscription: Subscription, seq: number): void {
  if (subscription.missed.length < MISSED_KEPT) subscription.missed.push(seq)
}

/** Replays to one viewer what its subscriptions lack, never further ahead than it reads. */
export class Replayer {
  readonly #store: Store
  readonly #waiting: (run: LiveRun) => TurnEvent[]
  readonly #queue: Subscription[] = []
  #scheduled = false
  #ended = 0

  /** `waiting`: events of a run that were relayed, but are not in the store yet. */
  constructor(store: Store, waiting: (run: LiveRun) => TurnEvent[]) {
    this.#store = store
    this.#waiting = waiting
  }

  add(subscription: Subscription): void {
    subscription.state = 'replay'
    if (!this.#queue.includes(subscription)) this.#queue.push(subscription)
    this.#schedule()
  }

  remove(subscription: Subscription): void {
    const at = this.#queue.indexOf(subscription)
    if (at >= 0) this.#queue.splice(at, 1)
  }

  clear(): void {
    this.#queue.length = 0
  }

  /** The viewer has read most of what was sent: go on. */
  drained(): void {
    if (this.#queue.length > 0) this.#schedule()
  }

  /** In turns, so that a long history keeps nobody else waiting. */
  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#turn()
    })
  }

  /**
   * As many pages as the time allows: a share of what the last turn of the event loop took, since
   * under load a turn brings so much that a page each would never come to the end of it.
   */
  #turn(): void {
    const began = performance.now()
    const budgetMs = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, (began - this.#ended) * SHARE))
    while (this.#step() && performance.now() - began < budgetMs);
    this.#ended = performance.now()
    if (this.#queue[0]?.viewer.roomy) this.#schedule() // otherwise `drained` goes on
  }

  /** One page; false: there is nothing to send, or no room. */
  #step(): boolean {
    const subscription = this.#queue[0]
    if (!subscription?.viewer.roomy) return false
    try {
      if (!this.#page(subscription)) this.#queue.shift()
    } catch (error) {
      this.#queue.shift()
      subscription.viewer.error(`The history could not be read: ${error instanceof Error ? error.message : String(error)}`, { runId: subscription.run.row.id })
    }
    return true
  }

  /** Sends a page; false: it was the last one. */
  #page(subscription: Subscription): boolean {
    const { run, viewer, batch } = subscription
    this.#sayStart(subscription)
    this.#sendMissed(subscription)
    let more: boolean
    if (batch) {
      const page = this.#store.pages.read(run.row, subscription.cursor, PAGE_EVENTS, PAGE_BYTES)
      if (page.count > 0) viewer.send(eventsBytes(run, page.bytes))
      if (page.count > 0) subscription.cursor = page.lastSeq
      more = page.more
    } else {
      const page = this.#store.pages.readEach(run.row, subscription.cursor, PAGE_EVENTS, PAGE_BYTES)
      for (const text of page.texts) viewer.send(eventMessage(run, text))
      if (page.texts.length > 0) subscription.cursor = page.lastSeq
      more = page.more
    }
    if (!more) this.#end(subscription)
    return more
  }

  #sayStart(subscription: Subscription): void {
    const { run, viewer, start } = subscription
    if (start === null || start.said) return
    start.said = true
    const count = this.#store.pages.countAfter(run.row, subscription.cursor) + subscription.missed.length
    viewer.send(JSON.stringify({ type: 'replay.start', runId: run.row.id, count, afterSeq: start.afterSeq, reason: start.reason }))
  }

  #sendMissed(subscription: Subscription): void {
    for (const seq of subscription.missed) {
      for (const text of this.#store.pages.readEach(subscription.run.row, seq - 1, 1, PAGE_BYTES).texts) subscription.viewer.send(eventMessage(subscription.run, text))
    }
    subscription.missed = []
  }

  #end(subscription: Subscription): void {
    const { run, viewer } = subscription
    for (const event of this.#waiting(run)) {
      if (event.seq <= subscription.cursor) continue
      viewer.send(eventMessage(run, textOf(event)))
      subscription.cursor = event.seq
    }
    if (subscription.start) viewer.send(JSON.stringify({ type: 'replay.end', runId: run.row.id }))
    subscription.start = null
    subscription.state = 'live'
  }
}

function eventMessage(run: LiveRun, text: string): string {
  return `{"type":"event","runId":${JSON.stringify(run.row.id)},"envelope":${text}}`
}

/** Messages of about a megabyte at most; bytes, so that all viewers share one encoding. */
function eventsMessages(run: LiveRun, texts: string[]): Buffer[] {
  const head = eventsHead(run)
  const messages: Buffer[] = []
  for (let from = 0; from < texts.length;) {
    let to = from
    for (let chars = 0; to < texts.length && (to === from || chars < PAGE_BYTES); to++) chars += (texts[to] as string).length
    messages.push(Buffer.from(`${head}${texts.slice(from, to).join(',')}]}`))
    from = to
  }
  return messages
}

function eventsBytes(run: LiveRun, envelopes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(eventsHead(run)), envelopes, Buffer.from(']}')])
}

function eventsHead(run: LiveRun): string {
  return `{"type":"events","runId":${JSON.stringify(run.row.id)},"envelopes":[`
}
