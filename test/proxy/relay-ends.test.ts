// Ends: of the client's input, of the server's output, of the server itself; and what the proxy
// exits with.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../kit/index.ts'
import { lives, proxied, server } from './relay-kit.ts'

const REQUEST = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"tools/list"}\n`

test('three requests and a hang-up: the answers 200 ms later still arrive', async () => {
  const proxy = await proxied(server('answers-late', 200))
  proxy.stdin.end(REQUEST(1) + REQUEST(2) + REQUEST(3))
  assert.is((await proxy.exited).code, 0)
  assert.equal(proxy.stdout().trim().split('\n').map((line) => (JSON.parse(line) as { id: number }).id), [1, 2, 3])
})

test('a last line without newline arrives, then the end', async () => {
  const proxy = await proxied(['cat'])
  proxy.stdin.end('{"a":1}\n{"b":2}')
  assert.is((await proxy.exited).code, 0)
  assert.is(proxy.stdout(), '{"a":1}\n{"b":2}')
})

test('an empty input is an end like any other', async () => {
  const proxy = await proxied(['cat'])
  proxy.stdin.end()
  assert.is((await proxy.exited).code, 0)
  assert.is(proxy.stdout(), '')
})

test('a server that closes its stdout and lives: the client sees that end, and the server goes on', async () => {
  const proxy = await proxied(server('closes-stdout'))
  let ended = false
  proxy.child.stdout?.once('end', () => { ended = true })
  await until(() => ended, { what: 'the end of stdout' })
  assert.ok(proxy.running())
  proxy.stdin.end()
  assert.is((await proxy.exited).code, 7)
  assert.is(proxy.stdout(), '{"jsonrpc":"2.0","method":"notifications/bye"}\n')
})

test('the client sees that end on a pipe of a shell as well', async () => {
  const command = server('closes-stdout')
  const proxy = await proxied(['sh', '-c', `${command.join(' ')}`])
  // the same through a FIFO: what reads it ends although the proxy lives
  const { start, graphmind, cleanEnv, freePort } = await import('../kit/index.ts')
  const [node, args] = graphmind('mcp-proxy', '--port', String(await freePort()), '--', ...command)
  const shell = start('sh', ['-c', `(sleep 30 & echo $! >&2; wait) | ${[node, ...args].map((word) => `'${word}'`).join(' ')} | { cat; echo END; }`], { env: cleanEnv(), group: true })
  await shell.sees('END')
  assert.ok(shell.running())
  shell.kill('SIGKILL')
  proxy.kill('SIGKILL')
})

test('a server that exits while the client is there: so does the proxy, with its code', async () => {
  const proxy = await proxied(['sh', '-c', 'exit 3'])
  assert.is((await proxy.exited).code, 3)
})

test('a server that a signal ended: 128 and its number', async () => {
  const proxy = await proxied(['sh', '-c', 'kill -KILL $$'])
  assert.is((await proxy.exited).code, 137)
})

test('a server that is killed in the middle of a frame: the half arrives as it is', async () => {
  const proxy = await proxied(server('dies-in-a-frame'))
  assert.is((await proxy.exited).code, 137)
  assert.is(proxy.stdout(), '{"jsonrpc":"2.0","id":1,"resu')
})

test('a server that writes 1 MB and exits: all of it arrives', async () => {
  const proxy = await proxied(server('says-much-and-exits', 1024 * 1024))
  assert.is((await proxy.exited).code, 9)
  assert.is(proxy.stdoutBytes().length, 1024 * 1024)
})

test('and a client that begins to read later still gets all of it', async () => {
  const proxy = await proxied(server('says-much-and-exits', 1024 * 1024), { unread: true })
  await new Promise((resolve) => setTimeout(resolve, 700)) // longer than the proxy waits for anything that is quiet
  let bytes = 0
  proxy.child.stdout?.on('data', (chunk: Buffer) => { bytes += chunk.length })
  proxy.child.stderr?.resume()
  assert.is((await proxy.exited).code, 9)
  assert.is(bytes, 1024 * 1024)
})

test('a server that ignores the end of its input and SIGTERM is killed a few seconds after the client hung up', async () => {
  const proxy = await proxied(server('ignores-everything'))
  const pid = Number((await proxy.sees(/pid (\d+)/))[1])
  proxy.stdin.end()
  assert.is((await proxy.exited).code, 137)
  assert.match(proxy.stderr(), 'got SIGTERM')
  assert.not.ok(lives(pid))
})

test('what an exited server left behind does not keep the proxy, and is ended with it', async () => {
  const proxy = await proxied(server('leaves-a-child'))
  const pid = Number((await proxy.sees(/pid (\d+)/))[1])
  assert.is((await proxy.exited).code, 5)
  await until(() => !lives(pid), { what: 'the end of what was left behind' })
})

test.run()
