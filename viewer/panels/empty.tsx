// What is shown before the first run: how to get one.
import { Icon } from '../widgets/icon.tsx'
import { CopyButton } from '../widgets/copy-button.tsx'
import { breakpoints } from '../state/session.ts'

const CLAUDE = 'claude mcp add my-server -- npx -y graphmind-ai mcp-proxy -- node server.js'
const CONFIG = '"command": "npx", "args": ["-y", "graphmind-ai", "mcp-proxy", "--", "node", "server.js"]'
const CLIENT = "import { createSession } from 'graphmind-ai/client'"

export function Empty() {
  return (
    <main class="empty">
      <div><h1>Waiting for a run</h1><div class="dim" style={{ 'margin-top': '4px' }}>
        The first one that starts opens here by itself. {breakpoints().some(({ point }) => point === 'error') ? 'It holds at the first error.' : 'Nothing is armed: it will not stop by itself.'}
      </div></div>
      <div class="ways">
        <div><Icon name="custom" kind /><b>Any MCP server, from Claude Code</b><CopyButton text={() => CLAUDE} label="Copy" words /><span class="mono">{CLAUDE}</span></div>
        <div><span class="k-tool"><Icon name="tool" /></span><b>Any other MCP client, in its configuration</b><CopyButton text={() => CONFIG} label="Copy" words /><span class="mono">{CONFIG}</span></div>
        <div><Icon name="agent" kind /><b>Your own agent, by hand</b><CopyButton text={() => CLIENT} label="Copy" words /><span class="mono">{CLIENT}</span></div>
      </div>
    </main>
  )
}
