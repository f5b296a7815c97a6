// What a command gets from the process, and where each one is. A command's own part is loaded when
// it is called, so that `mcp-proxy` never waits for the server's.
import type { CommandLine } from './command-line.ts'
import type { CommandName } from './flags.ts'

/** The process, as a command may use it. */
export interface World {
  env: NodeJS.ProcessEnv
  cwd: string
  /** The user's home folder. */
  home: string
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
  version: string
  /** How to start another process of ourselves; `script` is null in a single executable. */
  self: { execPath: string; script: string | null }
}

/** Resolves with the exit code. */
export type Command = (line: CommandLine, world: World) => Promise<number>

export const LOAD: Record<CommandName, () => Promise<Command>> = {
  serve: async () => (await import('./serve.ts')).serve,
  'mcp-proxy': async () => (await import('./mcp-proxy.ts')).mcpProxy,
}
