// The official MCP client (1.x) talking to a server through `graphmind mcp-proxy`.
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { CreateMessageRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { CLI, cleanEnv } from './spawn.ts'

export const TASKS_SERVER = fileURLToPath(new URL('../fixtures/mcp/tasks.ts', import.meta.url))

export interface McpSession {
  client: Client
  /** What the proxy and the server wrote to stderr so far. */
  stderr(): string
  close(): Promise<void>
}

/** Connects; the client answers `sampling/createMessage` with the text "hello". */
export async function connectMcp(port: number, options: { flags?: string[]; server?: string[]; home?: string } = {}): Promise<McpSession> {
  const { flags = [], server = [process.execPath, TASKS_SERVER], home } = options
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp-proxy', '--port', String(port), ...flags, '--', ...server],
    env: cleanEnv(home === undefined ? {} : { HOME: home, GRAPHMIND_HOME: `${home}/.graphmind` }) as Record<string, string>,
    stderr: 'pipe',
  })
  let stderr = ''
  transport.stderr?.on('data', (chunk: Buffer) => { stderr += chunk.toString() })
  const client = new Client({ name: 'test-client', version: '1.0.0' }, { capabilities: { sampling: {} } })
  client.setRequestHandler(CreateMessageRequestSchema, () => ({ role: 'assistant' as const, model: 'test', content: { type: 'text' as const, text: 'hello' } }))
  await client.connect(transport)
  return { client, stderr: () => stderr, close: () => client.close() }
}
