// Several processes on one database: each sees what the others do, and nobody settles the living.
import { DatabaseSync } from 'node:sqlite'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../kit/index.ts'
import { aRow, aStore, anEvent, put } from '../store/a-store.ts'
import { serverHere, token } from './here.ts'

test('a run that another process writes appears in the list and grows in an open view', async () => {
  const server = await serverHere()
  const viewer = await server.viewer()
  viewer.subscribe('*')
  const importer = aStore({}, server.dbPath)
  const row = aRow('imported', { source: 'import', lease: importer.leases.number })
  put(importer, row, Array.from({ length: 500 }, (_, i) => anEvent(row, i)))
  const listed = await viewer.run(({ id }) => id === 'imported')
  assert.equal([listed.source, listed.eventCount, listed.live], ['import', 500, false])
  viewer.subscribe('imported', { batch: true })
  await until(() => viewer.events('imported').length === 500)
  row.status = 'ok'
  row.finishedAt = 5000
  put(importer, row, Array.from({ length: 1500 }, (_, i) => anEvent(row, 500 + i)))
  await until(() => viewer.events('imported').length === 2000)
  assert.equal(viewer.events('imported').map(({ seq }) => seq), Array.from({ length: 2000 }, (_, seq) => seq))
  await viewer.run(({ id, status }) => id === 'imported' && status === 'ok')
  importer.eraser.hide('imported')
  await until(() => { const last = viewer.messages.findLast((m) => m.type === 'runs'); return last?.runs.length === 0 && viewer.messages.filter((m) => m.type === 'runs').length > 1 })
  importer.close()
  await server.close()
})

test('a second server on the file leaves the first one\'s running run alone, and will not delete it', async () => {
  const first = await serverHere()
  const app = await first.app()
  app.startRun('a')
  await first.runIs('a', ({ live }) => live)
  const second = await serverHere({ dbPath: first.dbPath, graceMs: 50 })
  const viewer = await second.viewer()
  viewer.subscribe('*')
  await viewer.run(({ id, status, live }) => id === 'a' && status === 'running' && !live)
  viewer.send({ type: 'delete', runId: 'a' })
  await viewer.next((m) => m.type === 'error' && /Another graphmind server/.test(m.message))
  app.emit('a', 'run.finished', { status: 'ok' })
  await viewer.run(({ id, status }) => id === 'a' && status === 'ok')
  const watching = await first.viewer()
  watching.subscribe('a')
  await watching.next((m) => m.type === 'replay.end')
  viewer.send({ type: 'delete', runId: 'a' })
  await watching.next((m) => m.type === 'run.deleted') // gone there as well, though its app is still connected
  app.emit('a', 'node.token', token('a new run of that name'))
  await first.runIs('a', ({ eventCount, status }) => eventCount === 1 && status === 'running')
  await second.close()
  await first.close()
})

test('what a killed server left running is abandoned after the grace, with counts made good; a run whose app returns goes on', async () => {
  const dead = aStore()
  const db = new DatabaseSync(dead.path)
  for (const id of ['left', 'returns']) {
    const row = aRow(id, { lease: dead.leases.number })
    put(dead, row, Array.from({ length: 10 }, (_, i) => anEvent(row, i)))
  }
  db.exec('UPDATE runs SET event_count = 3; UPDATE servers SET renewed_at = 0') // its last counts were never written; it is long dead
  db.close()
  const server = await serverHere({ dbPath: dead.path, graceMs: 1500 })
  const app = await server.app()
  app.emit('returns', 'node.token', token(1), 10)
  await server.runIs('returns', ({ live, status }) => live && status === 'running')
  const left = await server.runIs('left', ({ status }) => status === 'abandoned')
  assert.equal([left.finishedAt, left.durationMs, left.eventCount], [1009, 9, 10])
  const returned = await server.run('returns')
  assert.equal([returned?.status, returned?.eventCount], ['running', 11])
  dead.close()
  await server.close()
})

test('while another program holds a lock, events are shown, and stored once it lets go', async () => {
  const server = await serverHere()
  const [app, viewer] = [await server.app(), await server.viewer()]
  app.startRun('a')
  await server.runIs('a', ({ eventCount }) => eventCount === 1)
  viewer.subscribe('a', { batch: true })
  const lock = new DatabaseSync(server.dbPath)
  lock.exec('BEGIN IMMEDIATE')
  for (let i = 1; i <= 20; i++) app.emit('a', 'node.token', token(i))
  await until(() => viewer.events('a').length === 21)
  assert.ok(server.lines.some((line) => /locked/.test(line)), server.lines.join('\n'))
  const late = await server.viewer()
  late.subscribe('a')
  await until(() => late.events('a').length === 21) // history and what waits, in one
  lock.exec('COMMIT')
  lock.close()
  await until(() => server.lines.some((line) => /takes events again/.test(line)))
  assert.equal((await server.events('a')).map(({ seq }) => seq), Array.from({ length: 21 }, (_, seq) => seq))
  const run = await server.run('a')
  assert.equal([run?.eventCount, run?.notStored], [21, undefined])
  assert.equal(viewer.events('a').map(({ seq }) => seq), Array.from({ length: 21 }, (_, seq) => seq))
  await server.close()
})

test.run()
