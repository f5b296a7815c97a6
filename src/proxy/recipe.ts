// What is said when the proxy is started without a server: how to put it in front of one, in words
// that work with this install, on this system. Pure text.

export interface RecipeInfo {
  version: string
  /** `script` is null in a single executable. */
  self: { execPath: string; script: string | null }
  platform: NodeJS.Platform
}

const SERVER = ['npx', '-y', '@modelcontextprotocol/server-everything']

/** Lines for a terminal, the last one with its newline. */
export function recipeText(info: RecipeInfo): string {
  const words = [...ours(info), 'mcp-proxy', '--', ...SERVER]
  const [command, ...args] = words
  const line = words.map((word) => quote(word, info.platform)).join(' ')
  const entry = { command, args }
  return `graphmind mcp-proxy debugs a stdio MCP server: put it in front of the command that starts the server.

  ${line}

In place of the last ${SERVER.length} words comes your own server's command. In the usual clients:

Claude Desktop (claude_desktop_config.json), Cursor (.cursor/mcp.json), Windsurf, Cline:
${json({ mcpServers: { everything: entry } })}

Claude Code:
  claude mcp add everything -- ${line}

VS Code (.vscode/mcp.json):
${json({ servers: { everything: { type: 'stdio', ...entry } } })}

Codex (~/.codex/config.toml):
  [mcp_servers.everything]
  command = ${JSON.stringify(command)}
  args = ${JSON.stringify(args)}

Then start graphmind in a terminal, restart the client, and watch it at http://127.0.0.1:4747.
Flags of graphmind go before the --, and everything after it is the server's. More: --help.
`
}

/** Is this the address of a server rather than a command that starts one? */
export function isUrl(command: string): boolean {
  return /^(https?|wss?|sse):\/\//i.test(command)
}

/** One line, with its newline. */
export function urlRefusal(command: string): string {
  return `graphmind: ${command} is the address of a remote server; only stdio servers are debugged, so give the command that starts one: graphmind mcp-proxy -- <command> [args…]\n`
}

function ours({ version, self, platform }: RecipeInfo): string[] {
  if (self.script === null) return [self.execPath]
  const npx = ['npx', '-y', `graphmind-ai@${version}`]
  return platform === 'win32' ? ['cmd', '/c', ...npx] : npx
}

function quote(word: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./\\-]+$/.test(word) && (platform === 'win32' || !word.includes('\\'))) return word
  return platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`
}

function json(value: unknown): string {
  const text = JSON.stringify(value, null, 2).replace(/\[\n\s+([^\]]*?)\n\s+\]/g, (_, list: string) => `[${list.replace(/,\n\s+/g, ', ')}]`)
  return text.replace(/^/gm, '  ')
}
