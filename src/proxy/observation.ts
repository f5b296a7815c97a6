// The queue between what was relayed and what is looked at. Relaying comes first: frames are looked
// at 2 ms later, as long as the pipes are quiet; while they are busy it waits a little and then takes
// short slices, so that a burst is relayed at full speed and looked at after it. Bounded in age and in
// bytes: what is old gets more of the time, and when too much waits, each new frame pays for one.
import type { Conversation, Frame } from './frame.ts'
import type { ReadFrame } from './read-frame.ts'

const BATCH_MS = 2
const QUIET_SLICE_MS = 1
const BUSY_SLICE_MS = 0.3
/** No chunk for this long: nobody is waiting for the next one to be relayed. */
const QUIET_AFTER_MS = 0.5
/** Frames older than this get slices while the pipes are busy; older than the second, every turn. */
const WAITED_MS = 100
const OLD_MS = 500
const MAX_BYTES = 64 * 1024 * 1024
/** What a frame costs beside its bytes, roughly. */
const FRAME_OVERHEAD = 300

export interface ObservationPorts {
  /** Do bytes wait on a lane? Looking would keep them waiting. */
  writing(): boolean
  /** Sees every frame just before the conversation does. */
  onLook: ((frame: Frame) => void) | null
}

export class Observation {
  private readonly ports: ObservationPorts
  private conversation: Conversation | null = null
  private queue: ReadFrame[] = []
  private first = 0
  private bytes = 0
  private scheduled = false
  private stopped = false
  private numbers = 0
  private lastRead = 0

  constructor(ports: ObservationPorts) {
    this.ports = ports
  }

  nextNumber(): number {
    return ++this.numbers
  }

  /** A chunk was read; `now` is of `performance.now()`. */
  read(now: number): void {
    this.lastRead = now
  }

  /** Too much waits for a conversation that is still being loaded: let the pipes wait too. */
  get full(): boolean {
    return this.conversation === null && !this.stopped && this.bytes > MAX_BYTES
  }

  /** From now on there is someone to look. */
  begin(conversation: Conversation): void {
    if (this.stopped) return
    this.conversation = conversation
    this.schedule()
  }

  /** Nobody looks any more; what waits is forgotten. */
  stop(): void {
    this.stopped = true
    this.conversation = null
    this.forget()
  }

  add(frame: ReadFrame): void {
    if (this.stopped) return
    this.queue.push(frame)
    this.bytes += frame.size + FRAME_OVERHEAD
    if (this.conversation === null) return
    while (this.bytes > MAX_BYTES && this.next()) { /* the newest frame pays for the oldest */ }
    this.schedule()
  }

  /** Looks at everything that waits, now. */
  catchUp(): void {
    while (this.next()) { /* until nothing waits */ }
  }

  /** A frame that was looked at on another way. */
  decided(frame: Frame): void {
    this.ports.onLook?.(frame)
  }

  private schedule(): void {
    if (this.scheduled || this.first === this.queue.length) return
    this.scheduled = true
    setTimeout(this.turn, BATCH_MS)
  }

  private readonly turn = (): void => {
    this.scheduled = false
    const now = performance.now()
    const age = Date.now() - (this.queue[this.first]?.at ?? Infinity)
    const old = age > OLD_MS
    const quiet = now - this.lastRead > QUIET_AFTER_MS
    if (old || ((quiet || age > WAITED_MS) && !this.ports.writing())) this.slice(now + (quiet ? QUIET_SLICE_MS : BUSY_SLICE_MS))
    if (!quiet && !old) return this.schedule()
    if (this.scheduled || this.first === this.queue.length) return
    this.scheduled = true
    if (old || !this.ports.writing()) setImmediate(this.turn)
    else setTimeout(this.turn, BATCH_MS)
  }

  private slice(until: number): void {
    while (this.next()) if (performance.now() > until) return
  }

  private next(): boolean {
    const { conversation } = this
    const frame = this.queue[this.first]
    if (conversation === null || frame === undefined) return false
    this.first++
    this.bytes -= frame.size + FRAME_OVERHEAD
    if (this.first === this.queue.length) this.forget()
    else if (this.first > 1024 && this.first * 2 > this.queue.length) this.compact()
    this.ports.onLook?.(frame)
    conversation.seen(frame)
    return true
  }

  private compact(): void {
    this.queue = this.queue.slice(this.first)
    this.first = 0
  }

  private forget(): void {
    this.queue = []
    this.first = 0
    this.bytes = 0
  }
}
