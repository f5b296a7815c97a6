// What a debugged launch is told by the command line.
import type { Readable, Writable } from 'node:stream'
import type { HideSwitches } from '../client/index.ts'

export interface ProxyOptions {
  command: string
  args: string[]
  /** The debugger's ingest endpoint. */
  url: string
  /** Where a person looks; for lines on stderr. */
  viewerUrl: string
  env: NodeJS.ProcessEnv
  cwd: string
  stdin: Readable
  stdout: Writable
  stderr: Writable
  /** One stderr line a frame. */
  trace: boolean
  /** Hold the first frame up to 3 s until the debugger is attached. */
  waitForAttach: boolean
  /** The server gets our stderr itself. */
  inheritStderr: boolean
  /** Above this many bytes without a newline the proxy becomes a raw pipe. */
  maxFrameBytes: number
  hide: Partial<HideSwitches>
  version: string
  /** How this program was started; `script` is null in a single executable. */
  self: { execPath: string; script: string | null }
}
