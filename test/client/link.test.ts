import { createServer, type Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createSession, type GateNode, type Session, type SessionOptions } from '../../src/client/index.ts'
import { freePort, start, tempDir, until, type Started } from '../kit/index.ts'
import { closeAll, ingestServer } from './ingest-server.ts'

const node: GateNode = { nodeId: 'tool:a', kind: 'tool', name: 'a', instanceId: '1' }
const sessions: Session[] = []
const listeners: Server[] = []

test.after.each(async () => {
  for (const session of sessions.splice(0)) await session.dispose({ lingerMs: 0 })
  for (const listener of listeners.splice(0)) listener.close()
  await closeAll()
})

function open(options: Partial<SessionOptions> & { url: string }): Session {
  const session = createSession({ appName: 'app', env: {}, ...options })
  sessions.push(session)
  return session
}

/** A port that accepts and never says a word. */
async function deafPort(): Promise<{ url: string; accepted: () => number }> {
  let accepted = 0
  const listener = createServer((socket) => {
    accepted++
    socket.on('error', () => {})
  })
  listeners.push(listener)
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  return { url: `ws://127.0.0.1:${(listener.address() as AddressInfo).port}`, accepted: () => accepted }
}

test('nothing touches the network before first use', async () => {
  const { url, accepted } = await deafPort()
  const session = open({ url })
  await new Promise((resolve) => setTimeout(resolve, 50))
  assert.is(accepted(), 0)
  session.openRun('r')
  await until(() => accepted() === 1)
})

test('a server that starts later gets the whole history', async () => {
  const port = await freePort()
  const session = open({ url: `ws://127.0.0.1:${port}`, retryMs: 50 })
  const run = session.openRun('r')
  for (let i = 0; i < 10; i++) run.emit('node.token', { nodeId: 'n', deltas: [{ t: 'text', v: String(i) }] })
  assert.is(session.attached, false)
  const server = await ingestServer({ port })
  await server.event('node.token', (event) => event.seq === 10)
  assert.equal(server.received.slice(1).map((event) => event.seq), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('a lost server is tried again at once, with the token that owns the runs, and gets everything again', async () => {
  const server = await ingestServer()
  const session = open({ url: server.url })
  const run = session.openRun('r')
  await server.event('run.started')
  const lostAt = performance.now()
  server.sockets.at(-1)?.terminate()
  await until(() => server.events('hello').length === 2)
  assert.ok(performance.now() - lostAt < 1500)
  assert.is(server.events('hello')[0]?.payload.resumeToken, undefined)
  assert.is(server.events('hello')[1]?.payload.resumeToken, 'token-1')
  await until(() => server.events('run.started').length === 2)
  run.finish('ok')
  await server.event('run.finished')
})

test('a restarted server is found within two seconds', async () => {
  const first = await ingestServer()
  const session = open({ url: first.url })
  assert.ok(await session.ready())
  session.openRun('r')
  await first.close()
  await until(() => !session.attached)
  const second = await ingestServer({ port: first.port })
  await until(() => session.attached, { timeoutMs: 3000 })
  await second.event('run.started')
})

test('the server\'s socket closing lets go of every hold at once, and the next server hears of it', async () => {
  const server = await ingestServer()
  server.ack = { breakpoints: [{}] }
  const session = open({ url: server.url })
  assert.ok(await session.ready())
  const gate = session.openRun('r').gate('before', node)
  await server.event('exec.paused')
  let detached = 0
  session.onDetach(() => detached++)
  server.ack = {}
  const closedAt = performance.now()
  server.sockets.at(-1)?.terminate()
  assert.equal(await gate, { action: 'continue', by: 'disconnect' })
  assert.ok(performance.now() - closedAt < 1000, `${performance.now() - closedAt} ms`)
  assert.is(detached, 1)
  assert.is((await server.event('exec.resumed')).payload.principal, 'disconnect')
})

test('a server that falls silent lets go of holds within five seconds', async () => {
  const script = join(tempDir(), 'silent.ts')
  writeFileSync(script, `
    import { ingestServer } from ${JSON.stringify(new URL('./ingest-server.ts', import.meta.url).href)}
    const server = await ingestServer()
    server.ack = { breakpoints: [{}] }
    console.log('port ' + server.port + '.')
  `)
  const process_: Started = start(process.execPath, [script])
  const port = (await process_.sees(/port (\d+)\./))[1]
  const session = open({ url: `ws://127.0.0.1:${port}` })
  assert.ok(await session.ready({ timeoutMs: 5000 }))
  const gate = session.openRun('r').gate('before', node)
  process_.kill('SIGSTOP')
  const silentAt = performance.now()
  assert.is((await gate).by, 'disconnect')
  const ms = performance.now() - silentAt
  process_.kill('SIGKILL')
  assert.ok(ms < 5500, `${ms} ms`)
})

test('a host that blocks its own event loop does not lose its attachment', async () => {
  const server = await ingestServer()
  const session = open({ url: server.url })
  assert.ok(await session.ready())
  let detached = 0
  session.onDetach(() => detached++)
  const until_ = Date.now() + 5000
  while (Date.now() < until_) { /* as busy as a host can be; its own heartbeat cannot run either */ }
  session.openRun('after')
  await server.event('run.started')
  await new Promise((resolve) => setTimeout(resolve, 1200))
  assert.is(detached, 0)
})

test('ready answers false without a server, soon, and true with one', async () => {
  const at = performance.now()
  assert.is(await open({ url: `ws://127.0.0.1:${await freePort()}` }).ready(), false)
  const deaf = await deafPort()
  assert.is(await open({ url: deaf.url }).ready(), false)
  assert.ok(performance.now() - at < 4000)
  const mute = await ingestServer({ handshake: 'never' })
  assert.is(await open({ url: mute.url }).ready(), false)
  assert.is(await open({ url: (await ingestServer()).url }).ready(), true)
})

test('ready with a time waits for a server that starts meanwhile', async () => {
  const port = await freePort()
  const session = open({ url: `ws://127.0.0.1:${port}` })
  const ready = session.ready({ timeoutMs: 8000 })
  await ingestServer({ port })
  assert.is(await ready, true)
})

test('a server that accepts and never reads costs no more than the buffer', async () => {
  const server = await ingestServer()
  const session = open({ url: server.url })
  assert.ok(await session.ready())
  const run = session.openRun('r')
  const socket = server.sockets.at(-1)
  socket?.pause()
  const text = 'x'.repeat(10_000)
  for (let i = 0; i < 20_000; i++) {
    run.emit('node.token', { nodeId: 'n', deltas: [{ t: 'text', v: text }] })
    if (i % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  const { sent, dropped, bufferedBytes } = session.stats()
  assert.ok(bufferedBytes <= 8 * 1024 * 1024)
  assert.ok(dropped > 10_000, `${sent} sent, ${dropped} dropped`)
  socket?.resume()
  const gap = await server.event('graph.hint', (event) => event.payload.gap !== undefined)
  assert.ok((gap.payload.gap as { droppedCount: number }).droppedCount > 0)
  await server.event('node.token', (event) => event.seq === 20_000)
  const told = server.events('graph.hint').reduce((sum, event) => sum + (event.payload.gap as { droppedCount: number }).droppedCount, 0)
  assert.is(server.events('node.token').length + told, 20_000)
})

test('a host that emits without pause in one turn loses nothing that the socket could take', async () => {
  const server = await ingestServer()
  const session = open({ url: server.url })
  assert.ok(await session.ready())
  const run = session.openRun('r')
  for (let i = 0; i < 7000; i++) run.emit('node.token', { nodeId: 'n', deltas: [{ t: 'text', v: 'x' }] })
  run.finish('ok')
  await server.event('run.finished')
  assert.is(server.events('node.token').length, 7000)
  assert.is(session.stats().dropped, 0)
})

test('the token that the server wrote is sent, to this machine', async () => {
  const home = tempDir()
  writeFileSync(join(home, 'token'), 'abc\n')
  const server = await ingestServer()
  assert.ok(await open({ url: server.url, env: { GRAPHMIND_HOME: home } }).ready())
  assert.is(server.headers.at(-1)?.authorization, 'Bearer abc')
})

test('a refused connection is told in one line that says what to do, once', async () => {
  const server = await ingestServer({ refuse: 401 })
  const lines: string[] = []
  const session = open({ url: server.url, retryMs: 10, warn: (line) => lines.push(line) })
  assert.is(await session.ready(), false)
  assert.is(await session.ready({ timeoutMs: 300 }), false)
  assert.is(lines.length, 1)
  assert.match(lines[0] ?? '', 'token')
})

test('no server is no fault: nothing is said', async () => {
  const lines: string[] = []
  const session = open({ url: `ws://127.0.0.1:${await freePort()}`, warn: (line) => lines.push(line) })
  session.openRun('r').finish('ok')
  assert.is(await session.ready(), false)
  assert.equal(lines, [])
})

test('an address that is none is told, and the app goes on without a debugger', async () => {
  const lines: string[] = []
  const session = open({ url: 'not an address', warn: (line) => lines.push(line) })
  assert.is(await session.run('r', () => 1), 1)
  assert.match(lines[0] ?? '', '"not an address"')
})

test('a session that ends before the server was reached still delivers', async () => {
  const server = await ingestServer()
  const session = open({ url: server.url })
  session.openRun('r').finish('ok')
  await session.dispose()
  assert.equal(server.received.map((event) => event.type), ['hello', 'run.started', 'run.finished'])
})

test('dispose lets go of holds, delivers, says goodbye and records nothing afterwards', async () => {
  const server = await ingestServer()
  server.ack = { breakpoints: [{}] }
  const session = open({ url: server.url })
  assert.ok(await session.ready())
  const run = session.openRun('r')
  const gate = run.gate('before', node)
  await session.dispose()
  assert.equal(await gate, { action: 'continue', by: 'dispose' })
  run.finish('ok')
  assert.equal(server.received.map((event) => event.type), ['hello', 'run.started', 'exec.paused', 'exec.resumed'])
  assert.is(session.attached, false)
  assert.is(await session.ready(), false)
})

test('dispose without a server does not linger', async () => {
  const session = open({ url: `ws://127.0.0.1:${await freePort()}` })
  session.openRun('r')
  const at = performance.now()
  await session.dispose({ lingerMs: 5000 })
  assert.ok(performance.now() - at < 2500)
})

test('a message of another version ends the attempt, and the developer is told', async () => {
  const server = await ingestServer({ handshake: 'never' })
  const lines: string[] = []
  const session = open({ url: server.url, warn: (line) => lines.push(line) })
  const ready = session.ready()
  await server.event('hello')
  server.sockets.at(-1)?.send('{"gm":2,"type":"hello.ack"}')
  assert.is(await ready, false)
  assert.match(lines.join(), 'another version')
})

test.run()
