// One run as a sequence of encoded events: numbers them, remembers which of them the buffer has
// lost, and makes the gap marker that says so. The newest run.started and the run.finished outlive
// the buffer, so that a run always has a name and an end.
import { encodePayload, envelopeText, shrinkPayload } from '../wire/index.ts'
import { KnownNodes } from './known-nodes.ts'

/** An event as it is kept and sent. */
export interface Entry {
  readonly log: RunLog
  readonly seq: number
  /** The whole envelope. */
  readonly text: string
  /** Its length in UTF-8. */
  readonly bytes: number
}

export class RunLog {
  readonly runId: string
  readonly firstSeq: number
  readonly nodes = new KnownNodes()
  /** How many of its entries are in the buffer. */
  buffered = 0
  /** Everything below this seq has left the buffer. */
  evicted: number
  /** From here up to `evicted` the connected server was not told of the loss; null: nothing to tell. */
  untoldFrom: number | null = null
  #next: number
  #started: Entry | null = null
  #restarted: Entry | null = null
  #finished: Entry | null = null

  /** `firstSeq`: above 0 for a run that is opened again. */
  constructor(runId: string, firstSeq = 0) {
    this.runId = runId
    this.firstSeq = firstSeq
    this.evicted = firstSeq
    this.#next = firstSeq
  }

  /** The number of the next event. */
  get nextSeq(): number {
    return this.#next
  }

  get finished(): boolean {
    return this.#finished !== null
  }

  /** The next event of the run, encoded once. `payload`: its JSON text. */
  entry(type: string, payload: string, ts: number): Entry {
    const seq = this.#next++
    const text = envelopeText({ runId: this.runId, seq, ts }, type, shrinkPayload(payload))
    // Measuring also flattens the text: pieces of a large one would keep all of it in memory.
    const entry = { log: this, seq, text, bytes: Buffer.byteLength(text) }
    if (type === 'run.started') {
      if (this.#started === null) this.#started = entry
      else this.#restarted = entry
    } else if (type === 'run.finished') this.#finished = entry
    return entry
  }

  /** What stands for the lost events: the ones that outlive the buffer, and a gap marker; oldest first. */
  lossTexts(ts: number): string[] {
    if (this.untoldFrom === null) return []
    const from = this.untoldFrom
    const kept = [this.#started, this.#restarted, this.#finished].filter((entry) => entry !== null && entry.seq >= from && entry.seq < this.evicted) as Entry[]
    const marker = this.#marker(from, new Set(kept.map((entry) => entry.seq)), ts)
    const [finished, starts] = [kept.filter((entry) => entry === this.#finished), kept.filter((entry) => entry !== this.#finished)]
    return [...starts.map((entry) => entry.text), ...marker, ...finished.map((entry) => entry.text)]
  }

  /** It takes the number of a lost event: a server that stored that one has no need of it. */
  #marker(from: number, kept: ReadonlySet<number>, ts: number): string[] {
    let seq = this.evicted - 1
    while (kept.has(seq)) seq--
    if (seq < from) return []
    const gap = { droppedCount: this.evicted - from, fromSeq: from, toSeq: this.evicted - 1, reason: 'the buffer of the app was full' }
    const payload = shrinkPayload(encodePayload({ nodes: this.nodes.hints(), gap }))
    return [envelopeText({ runId: this.runId, seq, ts }, 'graph.hint', payload)]
  }
}
