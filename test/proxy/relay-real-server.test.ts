// The whole of it: a real MCP client, the proxy as it spawns it, a real MCP server, and a real
// graphmind that watches; also one whose database is locked.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { cleanEnv, connectViewer, graphmind, ROOT, startServerProcess, until } from '../kit/index.ts'
import { lineOf, proxied, server, sha } from './relay-kit.ts'

const EVERYTHING = [process.execPath, join(ROOT, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')]

async function connect(port: number, home: string): Promise<{ client: Client; transport: StdioClientTransport }> {
  const [command, args] = graphmind('mcp-proxy', '--port', String(port), '--wait-for-attach', '--', ...EVERYTHING)
  const env = cleanEnv({ HOME: home, GRAPHMIND_HOME: home }) as Record<string, string>
  const transport = new StdioClientTransport({ command, args, env, stderr: 'ignore' })
  const client = new Client({ name: 'a-client', version: '1.0.0' })
  await client.connect(transport)
  return { client, transport }
}

test('a real client and a real server do not notice, and the viewer sees the session by its name', async () => {
  const debuggers = await startServerProcess()
  const viewer = await connectViewer(debuggers.uiUrl)
  viewer.subscribe('*')
  const { client, transport } = await connect(debuggers.port, debuggers.home)
  const { tools } = await client.listTools()
  assert.ok(tools.some((tool) => tool.name === 'echo'))
  const result = await client.callTool({ name: 'echo', arguments: { message: '9007199254740993 \u2028 😀' } })
  assert.match(JSON.stringify(result.content), '9007199254740993')
  const run = await viewer.run((each) => each.app !== undefined && /everything/i.test(each.app))
  viewer.subscribe(run.id)
  await viewer.event(run.id, 'node.finished', (payload) => payload.nodeId === 'tool:echo')
  await client.close()
  await viewer.run((each) => each.id === run.id && each.status === 'ok')
  assert.is(transport.pid, null)
  await viewer.close()
  await debuggers.stop()
})

test('a real call is held after a failure, a person injects, and the client gets what was typed', async () => {
  const debuggers = await startServerProcess()
  const viewer = await connectViewer(debuggers.uiUrl)
  viewer.subscribe('*')
  const { client } = await connect(debuggers.port, debuggers.home)
  const asked = client.callTool({ name: 'no-such-tool', arguments: {} })
  const run = await viewer.run((each) => each.live)
  viewer.subscribe(run.id)
  const held = await viewer.held(run.id, 'error')
  viewer.control('exec.resume', { pauseId: held.pauseId, action: 'inject', output: 'typed by a person' }, run.id)
  assert.equal((await asked).content, [{ type: 'text', text: 'typed by a person' }])
  await client.close()
  await viewer.close()
  await debuggers.stop()
})

test('while the database is locked, relaying goes on', async () => {
  const debuggers = await startServerProcess()
  const lock = new DatabaseSync(debuggers.dbPath)
  lock.exec('BEGIN EXCLUSIVE')
  const proxy = await proxied(['cat'], { port: debuggers.port })
  const bytes = Buffer.concat(Array.from({ length: 2000 }, () => lineOf(1000)))
  proxy.stdin.write(bytes)
  await until(() => proxy.stdoutBytes().length === bytes.length)
  assert.is(sha(proxy.stdoutBytes()), sha(bytes))
  proxy.stdin.end()
  assert.is((await proxy.exited).code, 0)
  lock.exec('ROLLBACK')
  lock.close()
  await debuggers.stop()
})

test('a pipe that nobody reads is found, with how much waits in it', async () => {
  const debuggers = await startServerProcess()
  const viewer = await connectViewer(debuggers.uiUrl)
  viewer.subscribe('*')
  const proxy = await proxied(server('reads-nothing'), { port: debuggers.port })
  proxy.stdin.write(lineOf(4 * 1024 * 1024))
  const run = await viewer.run((each) => each.live)
  viewer.subscribe(run.id)
  const { payload } = await viewer.event(run.id, 'finding', ({ code }) => /stall|pipe|read/.test(String(code)))
  assert.match(JSON.stringify(payload), /stdin/)
  proxy.kill('SIGTERM')
  await proxy.exited
  await viewer.close()
  await debuggers.stop()
})

test.run()
