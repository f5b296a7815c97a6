// The help texts, built from the table of flags. Pinned by goldens: others quote them.
import { FLAGS, takes, type CommandName, type Flag } from './flags.ts'

interface Text { usage: string; about: string; after: string[] }

const TEXTS: Record<CommandName, Text> = {
  serve: {
    usage: 'graphmind [serve] [flags]',
    about: 'Starts the debugger: apps and MCP proxies attach to it, the viewer shows them live.',
    after: [
      'Kinds of node: agent llm tool chain retriever server resource prompt custom',
      '',
      'Examples:',
      '  graphmind',
      '  graphmind serve --port 5000 --no-open',
      '  graphmind serve --pause-on-error tool',
      '  graphmind serve --db ./runs.db --token',
      '',
      'Variables: GRAPHMIND_DB, GRAPHMIND_PAUSE_ON_ERROR, GRAPHMIND_ABANDON_GRACE_MS,',
      'GRAPHMIND_UNATTENDED_MS, GRAPHMIND_ALLOWED_ORIGINS, GRAPHMIND_VIEWER_DIST, GRAPHMIND_HOME,',
      'GRAPHMIND_RETENTION, GRAPHMIND_KEEP_RUNS, GRAPHMIND_KEEP_DAYS. See the README.',
    ],
  },
  'mcp-proxy': {
    usage: 'graphmind mcp-proxy [flags] -- <command> [args…]',
    about: 'Runs a stdio MCP server and relays every byte; what it sees goes to the debugger.',
    after: [
      'Put it in front of the command in an MCP client\'s configuration. Nothing after the first',
      '-- is read as a flag of ours. `graphmind mcp-proxy` alone prints the lines to copy.',
      '',
      'Examples:',
      '  graphmind mcp-proxy -- node server.js',
      '  graphmind mcp-proxy --trace -- npx -y @modelcontextprotocol/server-filesystem .',
      '  graphmind mcp-proxy --port 5000 --hide inputs,outputs -- python server.py',
      '',
      'Variables: GRAPHMIND_URL, GRAPHMIND_DISABLED, GRAPHMIND_HIDE_INPUTS, GRAPHMIND_HIDE_OUTPUTS,',
      'GRAPHMIND_HIDE_TOOL_ARGS, GRAPHMIND_HIDE_TOOL_RESULTS. See the README.',
    ],
  },
}

/** `graphmind --help`. */
export function overview(): string {
  return lines(
    'graphmind: a live debugger for AI agents and MCP servers',
    '',
    'Commands:',
    '  serve      start the debugger and open the viewer (what graphmind alone does)',
    '  mcp-proxy  debug a stdio MCP server: put it in front of the server\'s command',
    '',
    'Flags of every command:',
    ...FLAGS.filter((flag) => flag.commands === 'all').map(flagLine),
    '',
    'Examples:',
    '  graphmind',
    '  graphmind mcp-proxy -- node server.js',
    '  graphmind mcp-proxy --help',
  )
}

/** `graphmind <command> --help`. */
export function commandHelp(command: CommandName): string {
  const { usage, about, after } = TEXTS[command]
  const shown = FLAGS.filter((flag) => takes(command, flag) && (flag.shownFor?.includes(command) ?? true))
  return lines(`Usage: ${usage}`, '', about, '', 'Flags:', ...shown.map(flagLine), '', ...after)
}

function flagLine(flag: Flag): string {
  const long = flag.negatable ? `--${flag.name}, --no-${flag.name}` : `--${flag.name}`
  const left = `${flag.short ? `-${flag.short}, ` : ''}${long}${flag.value ? ` <${flag.value}>` : ''}`
  return left.length > 24 ? `  ${left}\n${' '.repeat(28)}${flag.help}` : `  ${left.padEnd(26)}${flag.help}`
}

function lines(...all: string[]): string {
  return `${all.join('\n')}\n`
}
