// `graphmind serve` as a process of its own, on a port that it chose, in a home that is thrown away.
import { join } from 'node:path'
import { graphmind, start, cleanEnv, type Started } from './spawn.ts'
import { tempDir } from './temp.ts'

export interface ServerProcessOptions {
  /** Default 0: any free one. */
  port?: number
  /** Default: a file in the temporary home. */
  dbPath?: string
  /** Default: a fresh temporary folder. HOME and GRAPHMIND_HOME point into it. */
  home?: string
  env?: NodeJS.ProcessEnv
  /** More flags for `serve`. */
  args?: string[]
  /** How to start graphmind; default: from the sources. */
  command?: (...args: string[]) => [command: string, args: string[]]
}

export interface ServerProcess extends Started {
  readonly port: number
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  readonly ingestUrl: string
  readonly uiUrl: string
  readonly dbPath: string
  readonly home: string
  /** Ctrl+C, and its exit code. */
  stop(): Promise<number | null>
  /** `kill -9`. */
  crash(): Promise<void>
}

/** Resolves once the server has printed its address and listens. */
export async function startServerProcess(options: ServerProcessOptions = {}): Promise<ServerProcess> {
  const { home = tempDir(), port = 0, args = [], env = {}, command = graphmind } = options
  const dbPath = options.dbPath ?? join(home, 'graphmind.db')
  const started = start(...command('serve', '--port', String(port), '--db', dbPath, '--no-open', ...args), {
    env: cleanEnv({ HOME: home, GRAPHMIND_HOME: join(home, '.graphmind'), ...env }),
  })
  const found = await started.sees(/http:\/\/127\.0\.0\.1:(\d+)/, 20_000)
  const actual = Number(found[1])
  return Object.assign(started, {
    port: actual,
    url: `http://127.0.0.1:${actual}`,
    ingestUrl: `ws://127.0.0.1:${actual}/ingest`,
    uiUrl: `ws://127.0.0.1:${actual}/ws/ui`,
    dbPath,
    home,
    async stop() {
      started.kill('SIGINT')
      return (await started.exited).code
    },
    async crash() {
      started.kill('SIGKILL')
      await started.exited
    },
  })
}
