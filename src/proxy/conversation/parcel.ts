// One frame on its way through the gates: a message, or a batch of which each element may wait, be
// replaced or be taken out. It goes on once nothing in it waits any more, as the bytes that came
// where nothing was changed; in a batch only the changed elements change.
import type { Decision, Direction, Frame } from '../frame.ts'
import { endOfText, type Message } from './frame-reader.ts'

export interface Written { n: number; dir: Direction; bytes: Buffer; by: 'graphmind' }
/** Hears when the frame went on: as a frame of ours where it was changed. */
type Gone = (written: Written | null) => void
type Write = (dir: Direction, bytes: Buffer, by: 'peer' | 'graphmind') => number

export class Parcel {
  #frame: Frame
  readonly #messages: readonly Message[]
  readonly #write: Write
  /** What became of an element: absent, it is as it came; null, it was taken out. */
  readonly #changes = new Map<number, Buffer | null>()
  readonly #gone: Gone[] = []
  readonly #kept: (() => void)[] = []
  #waiting = 0
  #parked = false
  #over = false

  constructor(frame: Frame, messages: readonly Message[], write: Write) {
    this.#frame = frame
    this.#messages = messages
    this.#write = write
  }

  /** An element waits. Whoever says so settles it later, once, with `pass`, `replace` or `remove`. */
  wait(): void {
    this.#waiting++
  }

  /** A waiting element goes on as it came. */
  pass(gone?: Gone): void {
    this.#settle(gone)
  }

  /** A waiting element goes on as other bytes. */
  replace(index: number, bytes: Buffer, gone?: Gone): void {
    this.#changes.set(index, bytes)
    this.#settle(gone)
  }

  /** A waiting element does not go on. */
  remove(index: number): void {
    this.#changes.set(index, null)
    this.#settle()
  }

  /** Takes out an element that never waited. */
  swallow(index: number): void {
    this.#changes.set(index, null)
  }

  /** Calls back once the frame went on. */
  whenGone(gone: Gone): void {
    this.#gone.push(gone)
  }

  /** Calls back if something in it waits, so that all of it does. */
  whenParked(fn: () => void): void {
    this.#kept.push(fn)
  }

  /** All elements were looked at: what is to be done with the frame now? */
  decide(): Decision {
    if (this.#waiting > 0) {
      this.#keep()
      return 'park'
    }
    if (this.#changes.size === 0) {
      this.#finish(null)
      return 'write'
    }
    this.#send()
    return 'drop'
  }

  /** It outlives the call, so it needs bytes of its own. */
  #keep(): void {
    this.#parked = true
    const bytes = Buffer.from(this.#frame.bytes)
    this.#frame = { ...this.#frame, bytes }
    for (const message of this.#messages) message.bytes = bytes
    for (const kept of this.#kept) kept()
  }

  #settle(gone?: Gone): void {
    if (gone) this.#gone.push(gone)
    this.#waiting--
    if (this.#waiting === 0 && this.#parked) this.#send()
  }

  #send(): void {
    const { dir, bytes } = this.#frame
    if (this.#changes.size === 0) {
      this.#write(dir, bytes, 'peer')
      return this.#finish(null)
    }
    const changed = this.#compose()
    if (changed === null) return this.#finish(null)
    const n = this.#write(dir, changed, 'graphmind')
    this.#finish({ n, dir, bytes: changed, by: 'graphmind' })
  }

  #finish(written: Written | null): void {
    if (this.#over) return
    this.#over = true
    for (const gone of this.#gone) gone(written)
  }

  /** The frame with its changes; null when nothing is left of it. */
  #compose(): Buffer | null {
    const { bytes, cut } = this.#frame
    const parts: Buffer[] = []
    let end = this.#messages[0]?.start ?? 0
    this.#messages.forEach((message, index) => {
      const change = this.#changes.get(index)
      if (change !== null) {
        if (parts.length > 0) parts.push(bytes.subarray(end, message.start)) // the comma and what is around it
        parts.push(change ?? bytes.subarray(message.start, message.end))
      }
      end = message.end
    })
    if (parts.length === 0) return null
    const newline = cut === true && endOfText(bytes) === bytes.length ? [LINE_FEED] : []
    return Buffer.concat([bytes.subarray(0, this.#messages[0]?.start ?? 0), ...parts, bytes.subarray(end), ...newline])
  }
}

const LINE_FEED = Buffer.from('\n')
