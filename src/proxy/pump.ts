// One direction of the relay: reads a pipe, writes its lane, leaves copies for observation. What no
// armed gate can hold is written as it was read, before anything else happens to it; only while a
// gate might hold frames of this direction are they looked at first, and runs of frames that
// certainly pass are still written as one piece.
import type { Readable } from 'node:stream'
import type { Conversation, Direction, Pieces } from './frame.ts'
import type { Lane } from './lane.ts'
import type { Observation } from './observation.ts'
import { ReadFrame } from './read-frame.ts'
import { Splitter } from './split.ts'

export interface PumpEvents {
  /** A frame went over the ceiling. */
  tooLong(): void
  /** The pipe ended; everything it said is on the lane. */
  ended(): void
}

export class Pump {
  private readonly dir: Direction
  private readonly source: Readable
  private readonly lane: Lane
  private readonly observation: Observation
  private readonly maxFrameBytes: number
  private readonly events: PumpEvents
  private readonly splitter = new Splitter()
  /** What has begun of a frame is on the lane already, or kept back until the frame is whole. */
  private begun: 'written' | 'kept' = 'written'
  private raw = false
  private conversation: Conversation | null = null
  private at = 0
  ended = false
  /** When bytes came last; milliseconds of `performance.now()`. */
  lastRead = 0

  constructor(dir: Direction, source: Readable, lane: Lane, observation: Observation, maxFrameBytes: number, events: PumpEvents) {
    this.dir = dir
    this.source = source
    this.lane = lane
    this.observation = observation
    this.maxFrameBytes = maxFrameBytes
    this.events = events
  }

  start(): void {
    this.source.on('data', this.read)
    for (const event of ['end', 'error', 'close']) this.source.on(event, () => this.end())
  }

  /** From now on gates may hold frames of this pipe. */
  obey(conversation: Conversation): void {
    this.conversation = conversation
    this.resume()
  }

  /** From now on this is a pipe: nothing is kept, held or copied. */
  becomeRaw(): void {
    if (this.raw) return
    this.raw = true
    this.abandon()
  }

  /** Writes what is kept of an unfinished frame if no gate could hold it any more. */
  settle(): void {
    if (this.begun === 'kept' && !this.mayHold()) this.letGo()
  }

  /** Reads on, unless the lane is full or the observation cannot keep up. */
  resume(): void {
    if (!this.ended && !this.lane.full && !this.observation.full && this.source.isPaused()) this.source.resume()
  }

  private readonly read = (chunk: Buffer): void => {
    this.lastRead = performance.now()
    this.observation.read(this.lastRead)
    if (this.raw) this.lane.peer(chunk)
    else {
      this.at = Date.now()
      if (this.mayHold()) this.inspect(chunk)
      else this.pass(chunk)
    }
    if (this.lane.full || this.observation.full) this.source.pause()
  }

  private mayHold(): boolean {
    return this.conversation !== null && this.conversation.mayHold(this.dir)
  }

  private pass(chunk: Buffer): void {
    this.letGo()
    this.lane.peer(chunk)
    this.splitter.push(chunk, this.copy)
    if (this.raw) this.splitter.drop()
    else if (this.splitter.pending > this.maxFrameBytes) this.events.tooLong()
  }

  private readonly copy = (pieces: Pieces): void => {
    const frame = this.frame(pieces)
    if (frame.size > this.maxFrameBytes) this.events.tooLong()
    else this.observation.add(frame)
  }

  private inspect(chunk: Buffer): void {
    if (this.begun === 'written' && this.splitter.pending > 0) {
      const newline = chunk.indexOf(10)
      if (newline < 0 || newline + 1 === chunk.length) return this.pass(chunk)
      this.pass(chunk.subarray(0, newline + 1))
      if (!this.raw) this.inspect(chunk.subarray(newline + 1))
      else this.lane.peer(chunk.subarray(newline + 1))
      return
    }
    this.begun = 'kept'
    this.gate(chunk)
  }

  /** Writes the frames that pass, in pieces as large as can be; the unfinished rest is kept. */
  private gate(chunk: Buffer): void {
    let written = 0
    let tooLong = false
    let passing: ReadFrame[] = []
    const writeUpTo = (end: number) => {
      if (end > written) this.lane.peer(chunk.subarray(written, end))
      written = Math.max(written, end)
      for (const frame of passing) this.observation.add(frame)
      passing = []
    }
    this.splitter.push(chunk, (pieces, start, end) => {
      const frame = this.frame(pieces)
      if (!tooLong && frame.size <= this.maxFrameBytes) {
        if (this.conversation?.mayHoldFrame(this.dir, pieces)) {
          writeUpTo(start)
          written = end
          return this.decide(frame)
        }
        passing.push(frame)
      } else {
        writeUpTo(start)
        tooLong = true
      }
      if (start >= 0) return // goes with its neighbours
      this.lane.all(pieces)
      written = end
    })
    writeUpTo(chunk.length - Math.min(this.splitter.pending, chunk.length - written))
    if (this.raw) {
      this.begun = 'kept' // what was kept after it had become raw
      this.abandon()
    } else if (tooLong || this.splitter.pending > this.maxFrameBytes) {
      this.events.tooLong()
    }
  }

  private decide(frame: ReadFrame): void {
    this.observation.catchUp()
    this.observation.decided(frame)
    const decision = this.conversation?.decide(frame) ?? 'write'
    if (decision === 'write') this.lane.peer(frame.bytes)
  }

  private letGo(): void {
    if (this.begun === 'kept') this.lane.all(this.splitter.pieces())
    this.begun = 'written'
  }

  /** Writes what is kept, and forgets the frame that has begun. */
  private abandon(): void {
    this.letGo()
    this.splitter.drop()
  }

  private frame(pieces: Pieces, cut?: boolean): ReadFrame {
    return new ReadFrame(this.observation.nextNumber(), this.dir, this.at, pieces, cut)
  }

  private end(): void {
    if (this.ended) return
    this.ended = true
    this.letGo()
    if (!this.raw && this.splitter.pending > 0) {
      this.observation.add(this.frame(this.splitter.take(), true))
    }
    this.lane.endOfSource()
    this.events.ended()
  }
}
