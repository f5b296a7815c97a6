// Starts real processes for tests and leaves none behind: what still runs when the test process
// ends is killed, with its group where it leads one.
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { until } from './until.ts'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
export const CLI = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

export interface Exit { code: number | null; signal: NodeJS.Signals | null }

export interface Started {
  readonly child: ChildProcess
  readonly pid: number
  readonly stdin: Writable
  /** What came so far; bytes, for comparisons. */
  stdoutBytes(): Buffer
  stderrBytes(): Buffer
  stdout(): string
  stderr(): string
  readonly exited: Promise<Exit>
  running(): boolean
  /** Sends a signal (default SIGTERM), to the group when it was started with `group`. */
  kill(signal?: NodeJS.Signals): void
  /** Waits until the text appears in stdout or stderr; gives the match. */
  sees(text: string | RegExp, timeoutMs?: number): Promise<RegExpMatchArray>
}

export interface StartOptions extends Pick<SpawnOptions, 'cwd' | 'argv0'> {
  /** The whole environment; default: `cleanEnv()`. */
  env?: NodeJS.ProcessEnv
  /** Leads its own process group, which is killed as a whole. */
  group?: boolean
  /** Do not read this process's stdout / stderr (to test backpressure). */
  unread?: boolean
}

const alive = new Set<Started>()
process.once('exit', () => {
  for (const started of alive) started.kill('SIGKILL')
})

/** Starts a process with three pipes. A command that cannot be started rejects nothing: `exited` is then code null. */
export function start(command: string, args: readonly string[] = [], options: StartOptions = {}): Started {
  const { group = false, unread = false, env = cleanEnv(), ...rest } = options
  const child = spawn(command, args, { ...rest, env, detached: group, stdio: ['pipe', 'pipe', 'pipe'] })
  const { stdin, stdout, stderr } = child as unknown as { stdin: Writable; stdout: Readable; stderr: Readable }
  stdin.on('error', () => {}) // EPIPE: the process is gone, which `exited` tells
  const read = unread ? () => Buffer.alloc(0) : null
  const stdoutBytes = read ?? collect(stdout)
  const stderrBytes = read ?? collect(stderr)
  const exited = new Promise<Exit>((resolve) => {
    child.once('error', () => resolve({ code: null, signal: null }))
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  let ended = false
  const started: Started = {
    child,
    pid: child.pid ?? 0,
    stdin,
    stdoutBytes,
    stderrBytes,
    stdout: () => stdoutBytes().toString('utf8'),
    stderr: () => stderrBytes().toString('utf8'),
    exited,
    running: () => !ended,
    kill(signal = 'SIGTERM') {
      if (child.pid === undefined) return
      try {
        process.kill(group ? -child.pid : child.pid, signal)
      } catch {
        // gone already
      }
    },
    async sees(text, timeoutMs) {
      const wanted = typeof text === 'string' ? new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')) : text
      return until(() => {
        const match = started.stdout().match(wanted) ?? started.stderr().match(wanted)
        if (!match && ended) throw new Error(`it ended before; its output was:\n${started.stdout()}\n${started.stderr()}`)
        return match
      }, { timeoutMs, what: () => `${wanted} in the output of ${command} ${args.join(' ')}\n${started.stdout()}\n${started.stderr()}` })
    },
  }
  alive.add(started)
  void exited.then(() => {
    ended = true
    if (!group) alive.delete(started) // a group may outlive its leader
  })
  return started
}

export interface Ran extends Exit { stdout: string; stderr: string }

/** Runs to the end and gives everything; killed, and failing, after `timeoutMs`. */
export async function run(
  command: string,
  args: readonly string[] = [],
  { input, timeoutMs = 30_000, ...options }: StartOptions & { input?: string | Buffer; timeoutMs?: number } = {},
): Promise<Ran> {
  const started = start(command, args, options)
  started.stdin.end(input)
  let late = false
  const timer = setTimeout(() => {
    late = true
    started.kill('SIGKILL')
  }, timeoutMs)
  const exit = await started.exited
  clearTimeout(timer)
  if (late) throw new Error(`${command} ${args.join(' ')} did not end in ${timeoutMs} ms\n${started.stdout()}\n${started.stderr()}`)
  return { ...exit, stdout: started.stdout(), stderr: started.stderr() }
}

/** The command line of graphmind from the sources: `run(...graphmind('serve', '--port', '0'))`. */
export function graphmind(...args: string[]): [command: string, args: string[]] {
  return [process.execPath, [CLI, ...args]]
}

/** This process's environment without anything that would change what graphmind does, plus `more`. */
export function cleanEnv(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {}
  for (const [name, value] of Object.entries(process.env)) {
    if (!/^(GRAPHMIND|CI$|NODE_ENV$|NODE_OPTIONS$|NODE_V8_COVERAGE$|FORCE_COLOR$|NO_COLOR$)/.test(name)) env[name] = value
  }
  return { ...env, DO_NOT_TRACK: '1', ...more }
}

function collect(stream: Readable): () => Buffer {
  let chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => {
    const all = Buffer.concat(chunks)
    chunks = [all]
    return all
  }
}
