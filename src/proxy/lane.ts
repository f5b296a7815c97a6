// The writing end of one direction. Everything that goes to that peer goes through it, in the order
// it was put: bytes of the other peer, cut anywhere, and whole frames of ours, which wait for the end
// of a line that is on its way. It never changes, reorders or drops a byte of a peer's.
import type { Writable } from 'node:stream'
import type { Pieces } from './frame.ts'

export interface LaneEvents {
  /** The reader caught up after `peer` had said false. */
  drained(): void
  /** The reader closed its end; whatever is put on the lane from now on goes nowhere. */
  broken(): void
}

const NEWLINE = Buffer.from('\n')

export class Lane {
  private readonly sink: Writable
  private readonly events: LaneEvents
  private waitingFrames: Buffer[] = []
  private midLine = false
  private sourceEnded = false
  private closed = false
  private lastLength = 0
  private movedAt = 0
  private toldStall = false
  /** The reader is gone. */
  dead = false
  /** Full: the writer should wait for `drained`. */
  full = false

  constructor(sink: Writable, events: LaneEvents) {
    this.sink = sink
    this.events = events
    sink.on('drain', () => this.drain())
    sink.on('error', () => this.die()) // EPIPE, ECONNRESET: which one does not matter
    sink.on('close', () => this.die())
  }

  /** Bytes of the peer, cut anywhere. False: wait for `drained` before the next. */
  peer(bytes: Buffer): boolean {
    if (this.dead || this.closed || bytes.length === 0) return true
    if (this.waitingFrames.length > 0 && this.midLine) {
      const newline = bytes.indexOf(10)
      if (newline < 0) return this.write(bytes)
      this.write(bytes.subarray(0, newline + 1))
      this.flushWaiting()
      return newline + 1 < bytes.length ? this.write(bytes.subarray(newline + 1)) : !this.full
    }
    return this.write(bytes)
  }

  /** The same for what came in pieces. */
  all(pieces: Pieces): void {
    this.sink.cork()
    for (const piece of pieces) this.peer(piece)
    this.sink.uncork()
  }

  /** Whole frames, on a line of their own. */
  insert(frames: Buffer): void {
    if (this.dead || this.closed || frames.length === 0) return
    if (this.midLine && !this.sourceEnded) {
      this.waitingFrames.push(frames)
      return
    }
    if (this.midLine) this.write(NEWLINE) // a last line was cut off: ours must not be fused to it
    this.write(frames)
  }

  /** The source has ended: no line is on its way any more. */
  endOfSource(): void {
    this.sourceEnded = true
    if (this.waitingFrames.length > 0 && this.midLine) this.write(NEWLINE)
    this.flushWaiting()
  }

  /** Closes the pipe once everything on the lane was taken. */
  close(): void {
    if (this.closed || this.dead) return
    this.closed = true
    this.sink.end()
  }

  /** Bytes that the reader has not taken yet. */
  get waiting(): number {
    return this.dead ? 0 : this.sink.writableLength
  }

  /** Looks whether the reader takes anything. Tells each stall once: how much waits and since when (epoch ms). */
  stall(now: number, patienceMs: number): { bytes: number; since: number } | null {
    const length = this.waiting
    if (length === 0 || length < this.lastLength || this.movedAt === 0) {
      this.toldStall = false
      this.movedAt = now
    }
    this.lastLength = length
    if (length === 0 || this.toldStall || now - this.movedAt < patienceMs) return null
    this.toldStall = true
    return { bytes: length, since: this.movedAt }
  }

  private write(bytes: Buffer): boolean {
    this.midLine = bytes[bytes.length - 1] !== 10
    const room = this.sink.write(bytes)
    if (!room) this.full = true
    return room
  }

  private flushWaiting(): void {
    const frames = this.waitingFrames
    if (frames.length === 0) return
    this.waitingFrames = []
    for (const each of frames) this.write(each)
  }

  private drain(): void {
    this.full = false
    this.events.drained()
  }

  private die(): void {
    if (this.dead) return
    this.dead = true
    this.full = false
    this.waitingFrames = []
    if (!this.closed) this.events.broken()
    this.events.drained()
  }
}
