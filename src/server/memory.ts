// Gives memory back. V8 collects when it needs room, and knows little of buffers; so a server that
// took 16 MiB frames would hold several of them at a time, and one that took a flood would keep
// what it grew to until the next flood. Large messages are therefore cleared away as they come,
// and an idle process whose memory has grown asks for a collection.
import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collector = (options: { type: 'major'; execution: 'sync'; flavor: 'regular' | 'last-resort' }) => void

const LOOK_MS = 1500
const IDLE = 0.05 // share of the time in which the event loop had work
const GROWN_BYTES = 12 * 1024 * 1024
const ROUNDS = 2 // V8 lets go of emptied pages one collection later
const LARGE_BYTES = 1024 * 1024
const LARGE_SUM_BYTES = 8 * 1024 * 1024
// glibc keeps what was freed at the top of its heap until that is more than twice the largest block
// it ever took; together these blocks are more than that, each alone is small enough to be put there.
const TOP_BLOCKS = 5
const TOP_BLOCK_BYTES = 15 * 1024 * 1024

export class Memory {
  readonly #alsoFree: () => void
  readonly #timer: NodeJS.Timeout
  #load = performance.eventLoopUtilization()
  #floor = held()
  #rounds = 0
  #largeBytes = 0
  #collect: Collector | null = null

  /** `alsoFree`: lets go of what the database keeps in memory. */
  constructor(alsoFree: () => void) {
    this.#alsoFree = alsoFree
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref()
  }

  /** A message of this size has been dealt with. */
  received(bytes: number): void {
    if (bytes < LARGE_BYTES) return
    this.#rounds = ROUNDS
    this.#largeBytes += bytes
    if (this.#largeBytes < LARGE_SUM_BYTES) return
    this.#largeBytes = 0
    setImmediate(() => this.#run('regular'))
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const before = this.#load
    this.#load = performance.eventLoopUtilization()
    if (performance.eventLoopUtilization(this.#load, before).utilization > IDLE) return
    if (this.#rounds === 0 && held() > this.#floor + GROWN_BYTES) this.#rounds = ROUNDS
    if (this.#rounds === 0) return
    this.#rounds--
    this.#alsoFree()
    if (this.#rounds === 0) Array.from({ length: TOP_BLOCKS }, () => Buffer.allocUnsafeSlow(TOP_BLOCK_BYTES))
    this.#run('last-resort')
    this.#floor = this.#rounds === 0 ? held() : this.#floor
  }

  /** `last-resort` also gives back the room that V8 keeps for later. */
  #run(flavor: 'regular' | 'last-resort'): void {
    this.#collect ??= collector()
    this.#collect({ type: 'major', execution: 'sync', flavor })
  }
}

function held(): number {
  const { heapTotal, external } = process.memoryUsage()
  return heapTotal + external
}

/** V8's own collector, which Node only hands out to those who ask with a flag. */
function collector(): Collector {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Collector
}
