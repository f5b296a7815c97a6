// The queue between what was relayed and what is looked at. Frames wait here for up to 2 ms, so that
// the conversation works when the pipes are idle; it gives the pipes a turn every few milliseconds.
// Bounded: when much has piled up it is looked at on the spot, which slows the pipes instead of
// filling the memory.
import type { Conversation, Frame } from './frame.ts'

const BATCH_MS = 2
const TURN_MS = 4
const MAX_BYTES = 8 * 1024 * 1024
const MAX_FRAMES = 4096
/** What a frame costs beside its bytes, roughly. */
const FRAME_OVERHEAD = 200

export class Observation {
  private conversation: Conversation | null = null
  private readonly onLook: ((frame: Frame) => void) | null
  private queue: Frame[] = []
  private first = 0
  private bytes = 0
  private scheduled = false
  private stopped = false
  private numbers = 0

  /** `onLook` sees every frame just before the conversation does. */
  constructor(onLook: ((frame: Frame) => void) | null) {
    this.onLook = onLook
  }

  nextNumber(): number {
    return ++this.numbers
  }

  /** Too much waits for a conversation that is still being loaded: let the pipes wait too. */
  get full(): boolean {
    return this.conversation === null && !this.stopped && this.over()
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

  add(frame: Frame): void {
    if (this.stopped) return
    this.queue.push(frame)
    this.bytes += frame.bytes.length + FRAME_OVERHEAD
    if (this.conversation === null) return
    if (this.over()) this.catchUp()
    else this.schedule()
  }

  /** Looks at everything that waits, now. */
  catchUp(): void {
    this.look(Infinity)
  }

  private over(): boolean {
    return this.bytes > MAX_BYTES || this.queue.length - this.first > MAX_FRAMES
  }

  private schedule(): void {
    if (this.scheduled || this.first === this.queue.length) return
    this.scheduled = true
    setTimeout(this.turn, BATCH_MS)
  }

  private readonly turn = (): void => {
    this.scheduled = false
    this.look(performance.now() + TURN_MS)
    if (this.scheduled || this.first === this.queue.length) return
    this.scheduled = true
    setImmediate(this.turn)
  }

  private look(until: number): void {
    while (this.conversation !== null && this.first < this.queue.length) {
      const frame = this.queue[this.first++]
      if (frame === undefined) break
      this.bytes -= frame.bytes.length + FRAME_OVERHEAD
      this.onLook?.(frame)
      this.conversation.seen(frame)
      if ((this.first & 15) === 0 && performance.now() > until) return
    }
    if (this.first === this.queue.length) this.forget()
  }

  private forget(): void {
    this.queue = []
    this.first = 0
    this.bytes = 0
  }
}
