// The official 2.x client and server, in revision 2026-07-28: no initialize, `_meta` on every
// request, input asked for in results. Through the proxy it is the same, to the byte, and it reads
// well on the graph.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { CLI, cleanEnv, connectViewer, startServerProcess, tempDir, until, type ServerProcess } from '../kit/index.ts'

const TEE = fileURLToPath(new URL('../kit/tee.ts', import.meta.url))
const SERVER = fileURLToPath(new URL('../fixtures/mcp/modern.ts', import.meta.url))
const node = process.execPath

async function connect([command = '', ...args]: string[]): Promise<Client> {
  const client = new Client({ name: 'modern-client', version: '2.0.0' }, { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: '2026-07-28' } } })
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept' as const, content: { name: 'Ada' } }))
  await client.connect(new StdioClientTransport({ command, args, env: cleanEnv() as Record<string, string>, stderr: 'ignore' }))
  return client
}

async function play(client: Client): Promise<string> {
  const results = [
    (await client.listTools()).tools.map(({ name }) => name),
    await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } }),
    await client.callTool({ name: 'greet', arguments: {} }),
    await client.callTool({ name: 'add', arguments: { a: 'x' } }).catch((error: Error) => error.message),
  ]
  return JSON.stringify(results)
}

interface Event { type: string; payload: Record<string, unknown> & { nodeId?: string; status?: string; link?: { why: string } } }
async function session(server: ServerProcess): Promise<{ id: string; app: string; events: Event[] } | null> {
  const { runs } = (await (await fetch(`${server.url}/api/runs`)).json()) as { runs: { id: string; app: string }[] }
  const run = runs[0]
  if (!run) return null
  const { events } = (await (await fetch(`${server.url}/api/runs/${run.id}/events`)).json()) as { events: Event[] }
  return { ...run, events }
}

test('the same results and the same bytes, and the graph tells what happened', async () => {
  const home = tempDir()
  const plain = await connect([node, SERVER])
  const direct = await play(plain)
  await plain.close()
  const graphmind = await startServerProcess({ args: ['--pause-on-error', 'off'] })
  const client = await connect([node, TEE, join(home, 'outside'), node, CLI, 'mcp-proxy', '--port', String(graphmind.port), '--', node, TEE, join(home, 'inside'), node, SERVER])
  assert.is(await play(client), direct)
  await client.close()
  const sha = (file: string) => createHash('sha256').update(readFileSync(join(home, file))).digest('hex')
  for (const direction of ['c2s', 's2c']) assert.is(sha(`outside.${direction}`), sha(`inside.${direction}`), direction)
  assert.match(readFileSync(join(home, 'inside.c2s'), 'utf8'), /"io\.modelcontextprotocol\/protocolVersion":"2026-07-28"/)
  const { app, events } = await until(async () => {
    const found = await session(graphmind)
    return found?.events.some(({ type }) => type === 'run.finished') && found
  }, { what: 'the run to end' })
  assert.is(app, 'modern-server')
  const greet = events.filter(({ payload }) => payload.nodeId === 'tool:greet')
  assert.equal(greet.filter(({ type }) => type === 'node.finished').map(({ payload }) => payload.status), ['input_required', 'ok'])
  assert.is(greet.filter(({ type }) => type === 'node.started')[1]?.payload.link?.why, 'input')
  await graphmind.stop()
})

test('a failed call is held, and an injected value reaches the client as a complete result', async () => {
  const graphmind = await startServerProcess()
  const client = await connect([node, CLI, 'mcp-proxy', '--port', String(graphmind.port), '--', node, SERVER])
  // The client may start the server twice, a probe and then the session: it is the one that was called.
  const { id } = await until(async () => {
    await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })
    const found = await session(graphmind)
    return found?.events.some(({ payload }) => payload.nodeId === 'tool:add') && found
  }, { what: 'the session' })
  const viewer = await connectViewer(graphmind.uiUrl)
  viewer.subscribe(id)
  const answer = client.callTool({ name: 'fail', arguments: {} })
  const { pauseId } = await viewer.held(id, 'error')
  viewer.control('exec.resume', { pauseId, action: 'inject', output: { tasks: [] } }, id)
  const { content, structuredContent } = await answer
  assert.equal({ content, structuredContent }, { content: [{ type: 'text', text: '{"tasks":[]}' }], structuredContent: { tasks: [] } })
  await viewer.close()
  await client.close()
  await graphmind.stop()
})

test.run()
