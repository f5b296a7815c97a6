// `graphmind mcp-proxy` as a client starts it: flags, variables, exit codes. What it does with the
// bytes is test/proxy's.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { cleanEnv, connectViewer, freePort, graphmind, run, startServerProcess, tempDir, type Ran, type ServerProcess } from '../kit/index.ts'

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"secret":"hunter2"}}\n'
const env = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => cleanEnv({ HOME: tempDir(), ...more })
const proxy = (args: string[], more?: NodeJS.ProcessEnv): Promise<Ran> => run(...graphmind('mcp-proxy', ...args), { input: PING, env: env(more) })

async function runsOf(server: ServerProcess): Promise<{ id: string }[]> {
  return (await (await fetch(`${server.url}/api/runs`)).json() as { runs: { id: string }[] }).runs
}

test('it exits as the server does', async () => {
  const port = String(await freePort())
  assert.is((await proxy(['--port', port, '--', 'sh', '-c', 'exit 3'])).code, 3)
  assert.is((await proxy(['--port', port, '--', 'sh', '-c', 'kill -TERM $$'])).code, 143)
})

test('a command that is not there is 127, one that cannot be executed 126, each with one line', async () => {
  const file = join(tempDir(), 'server')
  writeFileSync(file, 'echo hello', { mode: 0o644 })
  const missing = await proxy(['--', 'no-such-server-here'])
  assert.is(missing.code, 127)
  assert.match(missing.stderr, /^[^\n]*no-such-server-here[^\n]*\n$/)
  const locked = await proxy(['--', file])
  assert.is(locked.code, 126)
  assert.match(locked.stderr, /^[^\n]*\n$/)
  assert.is(missing.stdout + locked.stdout, '')
})

test('--port beats GRAPHMIND_URL, and GRAPHMIND_URL beats the default', async () => {
  const server = await startServerProcess()
  await proxy(['--', 'cat'], { GRAPHMIND_URL: server.ingestUrl })
  assert.is((await runsOf(server)).length, 1)
  await proxy(['--port', String(server.port), '--', 'cat'], { GRAPHMIND_URL: `ws://127.0.0.1:${await freePort()}/ingest` })
  assert.is((await runsOf(server)).length, 2)
  await server.stop()
})

test('an address that is none is said on stderr, and the bytes are relayed all the same', async () => {
  const ran = await proxy(['--', 'cat'], { GRAPHMIND_URL: 'localhost' })
  assert.is(ran.stdout, PING)
  assert.is(ran.code, 0)
  assert.match(ran.stderr, 'graphmind: GRAPHMIND_URL is "localhost", which is no ws:// address; using ws://127.0.0.1:4747/ingest.\n')
})

test('--trace writes a line per frame on stderr, also with no server running', async () => {
  const ran = await proxy(['--port', String(await freePort()), '--trace', '--', 'cat'])
  assert.is(ran.stdout, PING)
  assert.is(ran.stderr.split('\n').filter((line) => line.includes('ping')).length, 2)
})

test('--hide keeps what it names out of the recording, and out of nothing else', async () => {
  const server = await startServerProcess()
  const ran = await proxy(['--port', String(server.port), '--hide', 'inputs', '--', 'cat'])
  assert.is(ran.stdout, PING)
  const [recorded] = await runsOf(server)
  const text = await (await fetch(`${server.url}/api/runs/${encodeURIComponent(recorded?.id ?? '')}/events`)).text()
  assert.match(text, 'mcp:ping')
  assert.not.match(text, 'hunter2')
  await server.stop()
})

test('where a shell ate the --, the command starts all the same, with its own flags', async () => {
  const ran = await proxy(['--port', String(await freePort()), process.execPath, '-e', 'console.log(process.argv.slice(1).join())', '--', '--trace', '--port', 'x'])
  assert.is(ran.stdout, '--trace,--port,x\n')
  assert.is(ran.stderr, '')
})

test('with a token on the server, the proxy finds it by itself', async () => {
  const server = await startServerProcess({ args: ['--token'] })
  const link = await server.sees(/#token=([\w-]+)/)
  await proxy(['--port', String(server.port), '--', 'cat'], { GRAPHMIND_HOME: join(server.home, '.graphmind') })
  const viewer = await connectViewer(server.uiUrl, { token: link[1] ?? '' })
  viewer.subscribe('*')
  await viewer.run(() => true)
  await server.stop()
})

test.run()
