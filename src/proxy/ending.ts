// How a server is brought to its end: the client hung up, or a signal came. Patience first, then
// SIGTERM, then SIGKILL, to everything that it started.
import type { Child } from './child.ts'

/** From the client's hanging up to SIGTERM. */
const HANG_UP_MS = 3000
/** From SIGTERM, or a signal of ours, to SIGKILL. */
const TERM_MS = 2000
const TO_ALL: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']
const TO_SERVER: readonly NodeJS.Signals[] = process.platform === 'win32' ? [] : ['SIGUSR1', 'SIGUSR2', 'SIGCONT']

export class Ending {
  private readonly child: Child
  private timer: NodeJS.Timeout | null = null
  private readonly listeners: [NodeJS.Signals, () => void][] = []
  /** A signal asked for the end: nothing is waited for any more once the server has exited. */
  hurried = false

  constructor(child: Child) {
    this.child = child
    for (const signal of TO_ALL) this.listen(signal, () => this.ask(signal))
    for (const signal of TO_SERVER) this.listen(signal, () => this.child.signal(signal))
  }

  /** The client closed its end. */
  hungUp(): void {
    this.timer ??= setTimeout(() => this.end('SIGTERM'), HANG_UP_MS)
  }

  /** The server is gone. */
  over(): void {
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
  }

  /** Signals are the system's again. */
  close(): void {
    this.over()
    for (const [signal, act] of this.listeners) process.off(signal, act)
  }

  private listen(signal: NodeJS.Signals, act: () => void): void {
    process.on(signal, act)
    this.listeners.push([signal, act])
  }

  private ask(signal: NodeJS.Signals): void {
    const again = this.hurried
    this.hurried = true
    this.end(again ? 'SIGKILL' : signal)
  }

  private end(signal: NodeJS.Signals): void {
    if (!this.child.alive) return
    this.child.signalAll(signal)
    if (this.timer) clearTimeout(this.timer)
    this.timer = setTimeout(() => this.child.signalAll('SIGKILL'), TERM_MS)
  }
}
