// The server as a process: started with what it would have got without us (environment, working
// directory, arguments untouched), in a process group of its own, and ended with everything that it
// started. Knows nothing of the protocol.
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { startWatchdog, type Watchdog } from './watchdog.ts'

export interface Exit { code: number | null; signal: NodeJS.Signals | null }

export interface ChildOptions {
  command: string
  args: readonly string[]
  cwd: string
  env: NodeJS.ProcessEnv
  /** Give it our own stderr instead of a pipe. */
  inheritStderr: boolean
}

const WINDOWS = process.platform === 'win32'
/** How long what the server left behind may take to end before it is killed. */
const LEFTOVERS_MS = 500

/** Starts the command. Gives the error where that is not possible. */
export async function startChild(options: ChildOptions): Promise<Child | NodeJS.ErrnoException> {
  const { command, args, cwd, env, inheritStderr } = options
  const settings: SpawnOptions = {
    cwd, env, detached: !WINDOWS, windowsHide: true, stdio: ['pipe', 'pipe', inheritStderr ? 'inherit' : 'pipe'],
  }
  let child: ChildProcess
  try {
    child = WINDOWS ? (await import('cross-spawn')).default(command, args, settings) : spawn(command, args, settings)
  } catch (error) {
    return error as NodeJS.ErrnoException // an argument that no system can pass, such as one with a NUL
  }
  const failed = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    child.once('error', resolve)
    child.once('spawn', () => resolve(null))
  })
  return failed ?? new Child(child, env)
}

export class Child {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable | null
  readonly exited: Promise<Exit>
  private readonly process: ChildProcess
  private readonly pid: number
  private watchdog: Watchdog | null = null
  alive = true

  constructor(child: ChildProcess, env: NodeJS.ProcessEnv) {
    const { stdin, stdout, stderr, pid } = child
    if (!stdin || !stdout || pid === undefined) throw new Error('the server was started without its pipes')
    this.process = child
    this.pid = pid
    this.stdin = stdin
    this.stdout = stdout
    this.stderr = stderr
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.alive = false
        resolve({ code, signal })
      })
    })
    child.on('error', () => {}) // a kill that failed: it is gone
    setImmediate(() => {
      if (this.alive) this.watchdog = startWatchdog(pid, env)
    })
  }

  /** To the server and everything that it started. */
  signalAll(signal: NodeJS.Signals): void {
    if (WINDOWS) return this.killTree()
    try {
      process.kill(-this.pid, signal)
    } catch {
      // the whole group is gone
    }
  }

  /** To the server alone, as it would have come without us. */
  signal(signal: NodeJS.Signals): void {
    if (this.alive) this.process.kill(signal)
  }

  /** After its exit: ends what it left behind, and then the watch over it. */
  async cleanUp(): Promise<void> {
    if (!WINDOWS && this.groupLives()) {
      this.signalAll('SIGTERM')
      const until = performance.now() + LEFTOVERS_MS
      while (this.groupLives() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 10))
      this.signalAll('SIGKILL')
    }
    this.watchdog?.dismiss()
  }

  private groupLives(): boolean {
    try {
      return process.kill(-this.pid, 0)
    } catch {
      return false
    }
  }

  private killTree(): void {
    spawn('taskkill', ['/T', '/F', '/PID', String(this.pid)], { windowsHide: true, stdio: 'ignore' }).on('error', () => this.process.kill())
  }
}
