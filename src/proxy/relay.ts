// One debugged launch, from the first byte to the exit code: two pumps and their lanes, the server's
// process, and the conversation that looks on. Bytes flow before the conversation is there and after
// it has failed; it is loaded while the server starts.
import { constants } from 'node:os'
import { Child, type Exit } from './child.ts'
import { closeOutput } from './close-output.ts'
import { Ending } from './ending.ts'
import type { ConversationPorts, Direction, PipeName } from './frame.ts'
import { Lane } from './lane.ts'
import type { Mirror } from './mirror.ts'
import { Observation } from './observation.ts'
import { loadObserver, type Observer } from './observer.ts'
import type { ProxyOptions } from './proxy-options.ts'
import { Pump } from './pump.ts'
import type { Trace } from './trace.ts'

const TICK_MS = 1000
/** A server written in JavaScript speaks after about this long. */
const START_MS = 50
const STALL_MS = 5000
const ATTACH_MS = 3000
const LINGER_MS = 500
/** What the server left behind may hold its stdout open; with nothing coming, this long is enough. */
const QUIET_MS = 250
/** After a signal: how long a client may take for what the server said last. */
const HURRY_MS = 500
const LOOK_MS = 5
const STDERR_KEPT = 64 * 1024
const NEWLINE = Buffer.from('\n')

export class Relay {
  private readonly options: ProxyOptions
  private readonly child: Child
  private readonly mirror: Mirror
  private readonly trace: Trace | null
  private readonly ending: Ending
  private readonly observation: Observation
  private readonly lanes: Record<Direction, Lane>
  private readonly pumps: Record<Direction, Pump>
  private readonly loading: Promise<void>
  private observer: Observer | null = null
  private earlyStderr: Buffer[] = []
  private earlyBytes = 0
  private raw = false

  constructor(child: Child, mirror: Mirror, trace: Trace | null, options: ProxyOptions) {
    this.options = options
    this.child = child
    this.mirror = mirror
    this.trace = trace
    this.ending = new Ending(child)
    this.observation = new Observation({
      writing: () => this.lanes.c2s.waiting > 0 || this.lanes.s2c.waiting > 0,
      onLook: trace === null ? null : (frame) => trace.frame(frame),
    })
    this.lanes = {
      c2s: new Lane(child.stdin, { drained: () => this.pumps.c2s.resume(), broken: () => {} }),
      // The server learns that nobody reads it as it would have without us: from its own pipe.
      s2c: new Lane(options.stdout, { drained: () => this.pumps.s2c.resume(), broken: () => child.stdout.destroy() }),
    }
    const pump = (dir: Direction, source: ProxyOptions['stdin'], ended: () => void) =>
      new Pump(dir, source, this.lanes[dir], this.observation, options.maxFrameBytes, { tooLong: () => this.becomeRaw(), ended })
    this.pumps = {
      c2s: pump('c2s', options.stdin, () => this.clientEnded()),
      s2c: pump('s2c', child.stdout, () => this.serverClosed()),
    }
    if (child.stderr) mirror.follow(child.stderr, (chunk) => this.stderr(chunk))
    this.pumps.s2c.start()
    if (!options.waitForAttach) this.pumps.c2s.start()
    this.loading = this.loadSoon()
  }

  /** Resolves with the exit code when everything is over. */
  async run(): Promise<number> {
    const ticking = setInterval(() => this.tick(), TICK_MS)
    process.on('uncaughtException', this.crashed)
    try {
      const exit = await this.child.exited
      this.ending.over()
      await this.drain()
      await this.loading
      this.tellEnd(exit)
      await this.settled()
      if (this.observer?.conversation.holding()) this.observer.conversation.inputEnded() // a signal: nobody will resume it
      await this.taken()
      await this.child.cleanUp()
      await this.report()
      return exitCode(exit)
    } finally {
      clearInterval(ticking)
      process.off('uncaughtException', this.crashed)
      this.ending.close()
    }
  }

  /** Once the server has spoken, or soon anyway: loading must not compete with the server's own start. */
  private async loadSoon(): Promise<void> {
    if (!this.options.waitForAttach) {
      await new Promise<void>((resolve) => {
        setTimeout(resolve, START_MS)
        this.child.stdout.once('data', () => setImmediate(resolve))
        void this.child.exited.then(() => resolve())
      })
    }
    await this.load()
  }

  private async load(): Promise<void> {
    try {
      this.observer = await loadObserver(this.options, this.ports(), this.crashed)
    } catch (error) {
      this.crashed(error)
    }
    if (this.observer && !this.raw) this.beginObserving(this.observer)
    else this.observer?.conversation.becameRawPipe()
    if (this.options.waitForAttach) void this.startWhenAttached()
  }

  private beginObserving({ conversation, session }: Observer): void {
    session.onDetach(() => this.settlePumps())
    this.observation.begin(conversation)
    for (const chunk of this.earlyStderr.splice(0)) conversation.stderr(chunk)
    for (const pump of Object.values(this.pumps)) pump.obey(conversation)
    if (this.pumps.c2s.ended) this.tellInputEnded()
    if (this.pumps.s2c.ended) this.tellOutputEnded()
  }

  private async startWhenAttached(): Promise<void> {
    await this.observer?.session.ready({ timeoutMs: ATTACH_MS })
    this.pumps.c2s.start()
  }

  private ports(): ConversationPorts {
    return {
      write: (dir, bytes, by) => this.write(dir, bytes, by),
      childAlive: () => this.child.alive,
      say: (line) => this.mirror.say(line),
      now: () => Date.now(),
    }
  }

  private write(dir: Direction, bytes: Buffer, by: 'peer' | 'graphmind'): number {
    if (by === 'peer') {
      this.lanes[dir].insert(bytes)
      return 0
    }
    const line = bytes[bytes.length - 1] === 10 ? bytes : Buffer.concat([bytes, NEWLINE])
    this.lanes[dir].insert(line)
    this.trace?.frame({ dir, bytes: line, at: Date.now() }, by)
    return this.observation.nextNumber()
  }

  private stderr(chunk: Buffer): void {
    if (this.observer) this.observer.conversation.stderr(chunk)
    else if (!this.raw && this.earlyBytes < STDERR_KEPT) {
      this.earlyBytes += chunk.length
      this.earlyStderr.push(chunk)
    }
  }

  /** Everything the client said is on the lane: holds go first, then the server's stdin. */
  private clientEnded(): void {
    this.ending.hungUp()
    this.tellInputEnded()
    this.lanes.c2s.close()
  }

  private tellInputEnded(): void {
    this.observation.catchUp()
    this.observer?.conversation.inputEnded()
  }

  private serverClosed(): void {
    this.tellOutputEnded()
    if (this.child.alive) void this.closeStdout()
  }

  private tellOutputEnded(): void {
    this.observation.catchUp()
    this.observer?.conversation.outputEnded()
  }

  /** The server closed its stdout and lives on: so does ours, once nothing is to be answered any more. */
  private async closeStdout(): Promise<void> {
    const { s2c } = this.lanes
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS)) // it is mostly about to exit, which closes everything anyway
    await this.loading
    await this.settled()
    await this.taken()
    if (this.child.alive && !s2c.dead) closeOutput(this.options.stdout)
  }

  /** Reads what the server said before it went, however slowly the client takes it. */
  private async drain(): Promise<void> {
    const { s2c } = this.pumps
    const since = performance.now()
    const quiet = () => !this.lanes.s2c.full && performance.now() - Math.max(since, s2c.lastRead) > QUIET_MS
    await this.waitFor(() => s2c.ended || quiet(), HURRY_MS)
    if (!s2c.ended) this.child.stdout.destroy()
    await this.waitFor(() => s2c.ended)
  }

  /** The client has taken everything, or never will. */
  private taken(): Promise<void> {
    return this.waitFor(() => this.lanes.s2c.dead || this.lanes.s2c.waiting === 0, HURRY_MS)
  }

  private tellEnd({ code, signal }: Exit): void {
    this.observation.catchUp()
    this.observer?.conversation.exited(code, signal)
  }

  /** Nothing is held any more. */
  private settled(): Promise<void> {
    return this.waitFor(() => this.raw || this.observer === null || !this.observer.conversation.holding())
  }

  private async report(): Promise<void> {
    this.observation.catchUp()
    this.observer?.conversation.finish()
    await this.observer?.session.dispose({ lingerMs: LINGER_MS })
    await this.mirror.flushed(LINGER_MS)
  }

  /** Looks again every few milliseconds; after a signal it waits no longer than `hurriedMs`. */
  private async waitFor(condition: () => boolean, hurriedMs = 0): Promise<void> {
    const since = performance.now()
    while (!condition()) {
      if (this.ending.hurried && performance.now() - since >= hurriedMs) return
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
  }

  private tick(): void {
    const now = Date.now()
    this.settlePumps()
    this.observer?.conversation.tick(now)
    this.tellStall('c2s', 'server stdin', now)
    this.tellStall('s2c', 'client stdout', now)
  }

  private tellStall(dir: Direction, pipe: PipeName, now: number): void {
    const stall = this.lanes[dir].stall(now, STALL_MS)
    if (stall) this.observer?.conversation.stalled(pipe, stall.bytes, stall.since)
  }

  private settlePumps(): void {
    for (const pump of Object.values(this.pumps)) pump.settle()
  }

  private becomeRaw(): void {
    if (this.raw) return
    this.mirror.say(`graphmind: a frame is longer than ${this.options.maxFrameBytes} bytes (--max-frame-bytes); from here on everything is relayed as a plain pipe and no longer observed`)
    this.observation.catchUp()
    this.observer?.conversation.becameRawPipe()
    this.stopObserving()
  }

  private readonly crashed = (error: unknown): void => {
    if (this.raw) return
    const message = error instanceof Error ? error.message : String(error)
    this.mirror.say(`graphmind: the debugger failed inside the proxy (${message}); everything is relayed as a plain pipe from here on`)
    this.observer?.conversation.becameRawPipe()
    this.stopObserving()
  }

  private stopObserving(): void {
    this.raw = true
    this.observation.stop()
    for (const pump of Object.values(this.pumps)) pump.becomeRaw()
    for (const pump of Object.values(this.pumps)) pump.resume()
  }
}

/** As a shell gives it: 128 and the signal's number for a server that a signal ended. */
function exitCode({ code, signal }: Exit): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal])
}
