// The debugger must never be felt: absent, deaf, gone in the middle, or broken. And it must learn of
// a session whenever it comes, as long as there is one.
import { createServer, type Socket } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ingestServer, type IngestServer } from '../client/ingest-server.ts'
import { freePort, until, type Started } from '../kit/index.ts'
import { lineOf, NASTY, peakMemory, proxied, server, sha } from './relay-kit.ts'

const MIB = 1024 * 1024
const CALL = (id: number, name = 'ok') => `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}"}}\n`
const FAILED = /"isError":true/

/** A proxied small server whose failing calls are held, attached before the first frame. */
async function attached(debuggers: IngestServer): Promise<Started> {
  debuggers.ack = { breakpoints: [{ point: 'error' }] }
  return proxied(server('answers'), { port: debuggers.port, flags: ['--wait-for-attach'] })
}

async function resume(debuggers: IngestServer, payload: object): Promise<void> {
  const [{ payload: held }, { runId }] = [await debuggers.event('exec.paused'), await debuggers.event('run.started')]
  debuggers.send('exec.resume', { pauseId: held.pauseId, ...payload }, runId)
}

test('a held call does not delay the next one, and an injected value arrives as exactly one line', async () => {
  const debuggers = await ingestServer()
  const proxy = await attached(debuggers)
  proxy.stdin.write(CALL(1, 'fail') + CALL(2) + '{"jsonrpc":"2.0","id":"p","method":"ping"}\n')
  await until(() => proxy.stdout().includes('"id":2') && proxy.stdout().includes('"id":"p"'))
  assert.not.match(proxy.stdout(), FAILED)
  await resume(debuggers, { action: 'inject', output: 'all is well' })
  await until(() => proxy.stdout().includes('all is well'))
  proxy.stdin.end()
  await proxy.exited
  const ones = proxy.stdout().split('\n').filter((line) => line.includes('"id":1'))
  assert.is(ones.length, 1)
  assert.match(proxy.stderr(), /^HOLDING tools\/call #1 at the error gate — resume it in http:\/\/127\.0\.0\.1:\d+\n/)
  await debuggers.close()
})

test('the debugger going away lets go of what is held within 100 ms, byte for byte', async () => {
  const debuggers = await ingestServer()
  const proxy = await attached(debuggers)
  proxy.stdin.write(CALL(1, 'fail'))
  await debuggers.event('exec.paused')
  assert.is(proxy.stdout(), '')
  const before = performance.now()
  for (const socket of debuggers.sockets) socket.terminate()
  await until(() => FAILED.test(proxy.stdout()), { everyMs: 1 })
  assert.ok(performance.now() - before < 100 + 50, `${performance.now() - before} ms`) // 50: for this test's own slow machine
  assert.is(proxy.stdout(), '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"done"}],"isError":true}}\n')
  proxy.stdin.end()
  assert.is((await proxy.exited).code, 0)
  await debuggers.close()
})

test('the client hanging up lets go of what is held before the server is told', async () => {
  const debuggers = await ingestServer()
  const proxy = await attached(debuggers)
  proxy.stdin.write(CALL(1, 'fail'))
  await debuggers.event('exec.paused')
  proxy.stdin.end()
  assert.is((await proxy.exited).code, 0)
  assert.match(proxy.stdout(), FAILED)
  await debuggers.close()
})

test('a held answer outlives the server: it can still be injected, and then the proxy exits as the server did', async () => {
  const debuggers = await ingestServer()
  debuggers.ack = { breakpoints: [{ point: 'error' }] }
  const proxy = await proxied(['sh', '-c', `read -r line; echo '{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}'; exit 6`], { port: debuggers.port, flags: ['--wait-for-attach'] })
  proxy.stdin.write(CALL(1))
  await debuggers.event('exec.paused')
  await new Promise((resolve) => setTimeout(resolve, 400)) // the server is gone by now
  assert.ok(proxy.running())
  await resume(debuggers, { action: 'inject', output: 'better' })
  assert.is((await proxy.exited).code, 6)
  assert.match(proxy.stdout(), /^\{[^\n]*better[^\n]*\}\n$/)
  await debuggers.close()
})

test('a frame over the ceiling lets go of what is held, and everything passes from then on', async () => {
  const debuggers = await ingestServer()
  debuggers.ack = { breakpoints: [{ point: 'error' }] }
  const failure = '{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}\n'
  const proxy = await proxied(['sh', '-c', `read -r line; echo '${failure.trim()}'; exec cat`], { port: debuggers.port, flags: ['--wait-for-attach', '--max-frame-bytes', '100000'] })
  proxy.stdin.write(CALL(1))
  await debuggers.event('exec.paused')
  assert.is(proxy.stdout(), '')
  const rest = Buffer.concat([lineOf(300_000), ...NASTY])
  proxy.stdin.end(rest)
  assert.is((await proxy.exited).code, 0)
  assert.is(sha(proxy.stdoutBytes()), sha(Buffer.concat([Buffer.from(failure), rest])))
  await debuggers.close()
})

test('a debugger that accepts and never reads: everything passes, and memory stays', async () => {
  const deaf: Socket[] = []
  const listener = createServer((socket) => deaf.push(socket.pause().on('error', () => {})))
  const port = await new Promise<number>((resolve) => listener.listen(0, '127.0.0.1', () => resolve((listener.address() as { port: number }).port)))
  await relayed(port)
  for (const socket of deaf) socket.destroy()
  await new Promise((resolve) => listener.close(resolve))
})

test('a debugger that attaches and then never reads again: everything passes, and memory stays', async () => {
  const debuggers = await ingestServer()
  const proxy = proxied(['cat'], { port: debuggers.port, flags: ['--wait-for-attach'] })
  await debuggers.event('hello')
  for (const socket of debuggers.sockets) socket.pause()
  await relayedThrough(await proxy)
  await debuggers.close()
})

test('no debugger at all: everything passes, nothing is said', async () => {
  const proxy = await relayed(await freePort())
  assert.is(proxy.stderr(), '')
})

test('a debugger that comes late sees the session within about a second, with its history', async () => {
  const port = await freePort()
  const proxy = await proxied(server('answers'), { port })
  proxy.stdin.write('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}\n' + CALL(1))
  await until(() => proxy.stdout().includes('"id":1'))
  const before = performance.now()
  const debuggers = await ingestServer({ port })
  await debuggers.event('node.finished', ({ payload }) => payload.nodeId === 'tool:ok')
  assert.ok(performance.now() - before < 2500, `${performance.now() - before} ms`)
  assert.is(debuggers.events('run.started').at(-1)?.payload.app, 'answers')
  proxy.stdin.end()
  await debuggers.event('run.finished')
  assert.is((await proxy.exited).code, 0)
  await debuggers.close()
})

test('a session that is over at once still reaches the debugger', async () => {
  const debuggers = await ingestServer()
  const proxy = await proxied(['sh', '-c', 'echo gone >&2; exit 3'], { port: debuggers.port })
  assert.is((await proxy.exited).code, 3)
  await debuggers.event('run.finished', ({ payload }) => payload.status === 'error')
  assert.match(JSON.stringify(debuggers.events('node.token')), 'gone')
  await debuggers.close()
})

test('stderr of the server reaches the session node while it runs', async () => {
  const debuggers = await ingestServer()
  const proxy = await proxied(['sh', '-c', 'echo "hello there" >&2; cat'], { port: debuggers.port, flags: ['--wait-for-attach'] })
  await debuggers.event('node.token', ({ payload }) => JSON.stringify(payload).includes('hello there'))
  assert.ok(proxy.running())
  proxy.stdin.end()
  await proxy.exited
  await debuggers.close()
})

test('GRAPHMIND_DISABLED is for the instrumented server, not for its proxy', async () => {
  const debuggers = await ingestServer()
  const proxy = await proxied(['cat'], { port: debuggers.port, env: { GRAPHMIND_DISABLED: '1', NODE_ENV: 'production' } })
  await debuggers.event('run.started')
  proxy.stdin.end()
  await proxy.exited
  await debuggers.close()
})

async function relayed(port: number): Promise<Started> {
  const proxy = await proxied(['cat'], { port })
  await relayedThrough(proxy)
  return proxy
}

/** 40 MiB through a proxied `cat`: unchanged, in bounded memory. Of the limit 300 MiB are what Node lets pile up of read buffers on a busy machine. */
async function relayedThrough(proxy: Started): Promise<void> {
  const piece = Buffer.concat([...NASTY, lineOf(100_000), ...Array.from({ length: 400 }, () => lineOf(1000)), lineOf(500_000)])
  const pieces = Array.from({ length: 40 }, () => piece)
  for (const each of pieces) if (!proxy.stdin.write(each)) await new Promise((resolve) => proxy.stdin.once('drain', resolve))
  await until(() => proxy.stdoutBytes().length >= piece.length * pieces.length, { timeoutMs: 15_000, what: () => `${proxy.stdoutBytes().length} of ${piece.length * pieces.length}; ${proxy.stderr()}` })
  const memory = peakMemory(proxy.pid)
  proxy.stdin.end()
  assert.is((await proxy.exited).code, 0)
  assert.is(sha(proxy.stdoutBytes()), sha(Buffer.concat(pieces)))
  if (memory !== null) assert.ok(memory < 450 * MIB, `${memory / MIB} MiB`)
}

test.run()
