// Starting and stopping: ports, peers that do not answer, what is left behind.
import { connect } from 'node:net'
import { existsSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Fault } from '../../src/server/index.ts'
import { until } from '../kit/index.ts'
import { aRow, aStore, anEvent, put } from '../store/a-store.ts'
import { paused, serverHere, token } from './here.ts'

test('a port that is taken is a fault that names it', async () => {
  const first = await serverHere()
  const error = await serverHere({ port: first.port }).then(() => null, (reason: unknown) => reason)
  assert.ok(error instanceof Fault)
  assert.equal([error.code, error.exitCode], ['GM_PORT_TAKEN', 1])
  assert.match(error.message, new RegExp(String(first.port)))
  await first.close()
})

test('it stops within two seconds beside peers that never answer, and what they sent is stored', async () => {
  const server = await serverHere()
  const [app, deaf] = [await server.app(), await server.viewer()]
  await app.hello()
  app.startRun('a')
  app.emit('a', 'exec.paused', paused('p'))
  await server.runIs('a', ({ held }) => held === 1)
  const idle = connect(server.port, '127.0.0.1') // says nothing at all
  const half = connect(server.port, '127.0.0.1')
  half.write('GET /api/runs HTTP/1.1\r\nHost: 127.0.0.1\r\n')
  for (const socket of [idle, half]) socket.on('error', () => {})
  deaf.ws.pause()
  app.ws.pause()
  const from = performance.now()
  await Promise.all([server.close(), server.close()])
  assert.ok(performance.now() - from < 2000, `${performance.now() - from} ms`)
  assert.is(existsSync(`${server.dbPath}-wal`), false)
  app.ws.resume()
  await until(() => app.closed())
  assert.ok(app.messages.some(({ type, payload }) => type === 'exec.resume' && payload.action === 'continue'))
  const again = await serverHere({ dbPath: server.dbPath })
  assert.is((await again.events('a')).length, 2)
  await again.close()
})

test('what an app says between the farewell and its end is stored as well', async () => {
  const server = await serverHere()
  const app = await server.app()
  await app.hello()
  app.startRun('a')
  app.emit('a', 'exec.paused', paused('p'))
  await server.runIs('a', ({ held }) => held === 1)
  app.ws.on('message', (data) => { if (/"exec\.resume"/.test(String(data))) app.emit('a', 'exec.resumed', { pauseId: 'p', action: 'continue', principal: 'shutdown' }) })
  await server.close()
  const again = await serverHere({ dbPath: server.dbPath })
  assert.equal((await again.events('a')).map(({ type }) => type), ['run.started', 'exec.paused', 'exec.resumed'])
  await again.close()
})

test('with retention on, old runs go in the background; live and watched ones stay', async () => {
  const store = aStore()
  for (let i = 0; i < 10; i++) {
    const row = aRow(`run ${i}`, { startedAt: 1000 + i, status: 'ok', finishedAt: 2000, lease: null })
    put(store, row, [anEvent(row, 0)])
  }
  store.close()
  const server = await serverHere({ dbPath: store.path, retention: { keepRuns: 4 } })
  const viewer = await server.viewer()
  viewer.subscribe('*')
  await until(async () => ((await (await fetch(`${server.url}/api/runs`)).json()) as { runs: unknown[] }).runs.length === 4, { timeoutMs: 8000 })
  await until(() => server.lines.some((line) => /6 old runs were deleted/.test(line)), { what: () => server.lines.join('\n') })
  assert.is(await server.run('run 5'), undefined)
  assert.ok(await server.run('run 6'))
  await server.close()
})

test('without retention nothing is ever deleted', async () => {
  const store = aStore()
  const row = aRow('ancient', { startedAt: 1, status: 'ok', finishedAt: 2, lease: null })
  put(store, row, [anEvent(row, 0)])
  store.close()
  const server = await serverHere({ dbPath: store.path, retention: null })
  const app = await server.app()
  app.startRun('new')
  app.emit('new', 'node.token', token(1))
  await server.runIs('new', ({ eventCount }) => eventCount === 2)
  assert.ok(await server.run('ancient'))
  await server.close()
})

test.run()
