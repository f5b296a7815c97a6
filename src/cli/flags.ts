// Every flag there is, once: the parser, the help and the error messages all read this table.
// A flag that is not here does not exist.

export type CommandName = 'serve' | 'mcp-proxy'

export interface Flag {
  name: string
  short?: string
  /** The name of its value in the help; absent: the flag takes none. */
  value?: string
  /** Also exists as `--no-<name>`. */
  negatable?: boolean
  /** The commands that take it. */
  commands: readonly CommandName[] | 'all'
  /** The commands where it has an effect, for their help; default: those that take it. */
  shownFor?: readonly CommandName[]
  /** One line, without a full stop. */
  help: string
}

export const FLAGS: readonly Flag[] = [
  { name: 'port', value: 'n', commands: 'all', help: 'port of the server, default 4747' },
  { name: 'db', value: 'path', commands: 'all', shownFor: ['serve'], help: 'the database, default ~/.graphmind/graphmind.db' },
  { name: 'open', negatable: true, commands: 'all', shownFor: ['serve'], help: 'open the viewer in a browser, or do not; default: in a terminal, not in CI' },
  { name: 'pause-on-error', value: 'on|off|kind', commands: 'all', shownFor: ['serve'], help: 'stop at errors: all (default), none, or those of one kind of node' },
  { name: 'token', commands: ['serve'], help: 'ask for a token, which the printed link carries; for shared machines' },
  { name: 'trace', commands: ['mcp-proxy'], help: 'one line on stderr per relayed frame, also with no server running' },
  { name: 'wait-for-attach', commands: ['mcp-proxy'], help: 'hold the first frame up to 3 s until the debugger attaches' },
  { name: 'hide', value: 'what', commands: ['mcp-proxy'], help: 'record no: inputs, outputs, tool-args, tool-results (comma-separated)' },
  { name: 'inherit-stderr', commands: ['mcp-proxy'], help: 'give the server the real stderr; its log is then not recorded' },
  { name: 'max-frame-bytes', value: 'n', commands: ['mcp-proxy'], help: 'frame ceiling, default 67108864 (64 MiB); above it, a plain pipe' },
  { name: 'help', short: 'h', commands: 'all', help: 'this text' },
  { name: 'version', short: 'v', commands: 'all', help: 'print the version' },
]

export const COMMANDS: readonly CommandName[] = ['serve', 'mcp-proxy']

/** Does the command take the flag? */
export function takes(command: CommandName, flag: Flag): boolean {
  return flag.commands === 'all' || flag.commands.includes(command)
}

/** Every long spelling that is valid with the command, as typed: `--open`, `--no-open`. */
export function spellings(command: CommandName): string[] {
  return FLAGS.filter((flag) => takes(command, flag)).flatMap((flag) => [
    `--${flag.name}`, ...(flag.negatable ? [`--no-${flag.name}`] : []),
  ])
}
