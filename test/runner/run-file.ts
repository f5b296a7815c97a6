// Runs one test file in a process of its own, in its own process group and with its own home, so
// that nothing leaks from one file into the next.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Ending } from './verdict.ts'

const PRELOAD = new URL('../kit/solid.ts', import.meta.url).href
/** How long a file may go on after its last test. */
const LINGER_MS = 5000
const running = new Set<() => void>()

/** Stops every file that is running now. */
export function stopAll(): void {
  for (const stop of running) stop()
}

/** Runs it; resolves however it ends. */
export function runFile(path: string, { timeoutMs, cwd }: { timeoutMs: number; cwd: string }): Promise<Ending> {
  const home = mkdtempSync(join(tmpdir(), 'graphmind-home-'))
  const grouped = process.platform !== 'win32'
  const child = spawn(process.execPath, ['--import', PRELOAD, path], {
    cwd, detached: grouped, env: testEnv(home), stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: Buffer[] = []
  let lingered: NodeJS.Timeout | undefined
  let lingering = false
  child.stdout.on('data', (chunk: Buffer) => {
    output.push(chunk)
    if (!chunk.includes('\n  Duration: ')) return // uvu's last line
    lingered ??= setTimeout(() => {
      lingering = true
      stop()
    }, LINGER_MS)
  })
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
  const stop = (): void => {
    try {
      if (child.pid !== undefined) process.kill(grouped ? -child.pid : child.pid, 'SIGKILL')
    } catch {
      // it and its group are gone
    }
  }
  running.add(stop)
  let late = false
  const timer = setTimeout(() => {
    late = true
    stop()
  }, timeoutMs)
  return new Promise((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null, more = ''): void => {
      clearTimeout(timer)
      clearTimeout(lingered)
      stop() // what it left behind in its group
      running.delete(stop)
      rmSync(home, { recursive: true, force: true, maxRetries: 3 })
      resolve({ code, signal, output: Buffer.concat(output).toString('utf8') + more, ...(late && { stoppedAfterMs: timeoutMs }), ...(lingering && { lingeredMs: LINGER_MS }) })
    }
    child.once('error', (error) => end(1, null, String(error)))
    // `exit`, then whatever is left in the pipes: a process that the test left behind may hold them open
    child.once('exit', (code, signal) => {
      const drained = setTimeout(() => end(code, signal), 2000)
      child.once('close', () => {
        clearTimeout(drained)
        end(code, signal)
      })
    })
  })
}

/** The environment of a test: a throw-away home, and nothing that changes what graphmind does. */
function testEnv(home: string): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {}
  for (const [name, value] of Object.entries(process.env)) {
    if (!/^(GRAPHMIND|CI$|NODE_ENV$|NODE_OPTIONS$|npm_(?!config_(registry|cache|userconfig|globalconfig)))/i.test(name)) env[name] = value
  }
  return { ...env, HOME: home, USERPROFILE: home, GRAPHMIND_HOME: join(home, '.graphmind'), DO_NOT_TRACK: '1', FORCE_COLOR: '0', NO_COLOR: '1' }
}
