// Viewers under load: history and tail without a seam, and slow ones that slow nobody.
import { DatabaseSync } from 'node:sqlite'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { connectApp, connectViewer, startServerProcess, until, type RawApp } from '../kit/index.ts'

const FLOOD = 100_000

/** Sends events as fast as the socket takes them. */
async function flood(app: RawApp, runId: string, from: number, to: number): Promise<void> {
  for (let seq = from; seq < to; seq++) {
    app.ws.send(`{"gm":1,"seq":${seq},"ts":${1000 + seq},"runId":"${runId}","type":"node.token","payload":{"nodeId":"llm:step","deltas":[{"t":"text","v":"token ${seq}"}]}}`)
    if (app.ws.bufferedAmount > 4_000_000) await new Promise(setImmediate)
  }
}

test('a viewer opened in the middle of 100,000 events gets each once and in order, beside one that never reads', async () => {
  const server = await startServerProcess()
  const app = await connectApp(server.ingestUrl)
  await app.hello()
  app.startRun('a')
  const deaf = await connectViewer(server.uiUrl)
  deaf.subscribe('a', { batch: true })
  deaf.ws.pause()
  const sending = flood(app, 'a', 1, FLOOD)
  const stored = async () => ((await (await fetch(`${server.url}/api/runs`)).json()) as { runs: { eventCount: number }[] }).runs[0]?.eventCount ?? 0
  await until(async () => await stored() > FLOOD / 5, { timeoutMs: 30_000 })
  const viewer = await connectViewer(server.uiUrl)
  viewer.subscribe('a', { batch: true })
  await sending
  await until(() => viewer.events('a').length >= FLOOD, { timeoutMs: 30_000, what: () => `${viewer.events('a').length} events` })
  assert.equal(viewer.events('a').map(({ seq }) => seq), Array.from({ length: FLOOD }, (_, seq) => seq))
  assert.is(viewer.messages.filter(({ type }) => type === 'replay.end').length, 1)
  const asked = performance.now()
  await fetch(`${server.url}/health`)
  assert.ok(performance.now() - asked < 1000)
  deaf.ws.resume() // and once it reads it gets everything as well
  await until(() => deaf.events('a').length >= FLOOD, { timeoutMs: 30_000, what: () => `${deaf.events('a').length} events` })
  assert.equal(deaf.events('a').map(({ seq }) => seq), Array.from({ length: FLOOD }, (_, seq) => seq))
  for (const socket of [deaf, viewer, app]) socket.ws.terminate()
  await server.stop()
})

test('kill -9 under load loses nothing that a viewer has seen, and the database is sound', async () => {
  const server = await startServerProcess()
  const app = await connectApp(server.ingestUrl)
  app.startRun('a')
  const viewer = await connectViewer(server.uiUrl)
  await until(async () => ((await (await fetch(`${server.url}/api/runs`)).json()) as { runs: unknown[] }).runs.length === 1)
  viewer.subscribe('a', { batch: true })
  const sending = flood(app, 'a', 1, FLOOD).catch(() => {})
  await until(() => viewer.events('a').length > 20_000, { timeoutMs: 30_000 })
  await server.crash()
  await until(() => viewer.closed())
  app.ws.terminate()
  await sending
  const seen = viewer.events('a').map(({ seq }) => seq)
  const db = new DatabaseSync(server.dbPath)
  assert.equal(db.prepare('PRAGMA integrity_check').get(), { __proto__: null, integrity_check: 'ok' })
  const stored = new Set(db.prepare('SELECT seq FROM events').all().map(({ seq }) => seq as number))
  db.close()
  assert.equal(seen.filter((seq) => !stored.has(seq)), [])
  const again = await startServerProcess({ home: server.home, dbPath: server.dbPath, env: { GRAPHMIND_ABANDON_GRACE_MS: '100' } })
  const settled = await until(async () => {
    const { runs } = (await (await fetch(`${again.url}/api/runs`)).json()) as { runs: { status: string; eventCount: number }[] }
    return runs[0]?.status === 'abandoned' && runs[0]
  })
  assert.is(settled.eventCount, stored.size)
  await again.stop()
})

test('500 idle sockets and 20,000 garbage messages: still serving', async () => {
  const server = await startServerProcess()
  const idle = await Promise.all(Array.from({ length: 500 }, () => connectApp(server.ingestUrl)))
  const rude = await connectApp(server.ingestUrl)
  for (let i = 0; i < 20_000; i++) rude.sendText(`garbage ${i}`)
  const app = await connectApp(server.ingestUrl)
  app.startRun('a')
  await until(async () => ((await (await fetch(`${server.url}/api/runs`)).json()) as { runs: unknown[] }).runs.length === 1)
  const times: number[] = []
  for (let i = 0; i < 20; i++) {
    const asked = performance.now()
    await fetch(`${server.url}/health`)
    times.push(performance.now() - asked)
  }
  assert.ok((times.sort((a, b) => a - b)[10] ?? 0) < 50, `${times}`)
  for (const socket of [...idle, rude, app]) socket.ws.terminate()
  await server.stop()
})

test.run()
