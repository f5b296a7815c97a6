// What one viewer is sent: every form of subscription, and what does not fit one.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../kit/index.ts'
import { serverHere, token } from './here.ts'

test('one at a time or in batches, from the start or after a seq: the same events', async () => {
  const server = await serverHere()
  const app = await server.app()
  app.startRun('a')
  for (let i = 1; i < 3000; i++) app.emit('a', 'node.token', token(i))
  await server.runIs('a', ({ eventCount }) => eventCount === 3000)
  for (const [options, first] of [[{}, 0], [{ batch: true }, 0], [{ afterSeq: 2500 }, 2501], [{ afterSeq: 2500, batch: true }, 2501], [{ afterSeq: -1 }, 0]] as const) {
    const viewer = await server.viewer()
    viewer.subscribe('a', options)
    await viewer.next((m) => m.type === 'replay.end')
    assert.equal(viewer.events('a').map(({ seq }) => seq), Array.from({ length: 3000 - first }, (_, i) => first + i))
    const start = viewer.messages.find((m) => m.type === 'replay.start')
    assert.equal([start?.count, start?.afterSeq], [3000 - first, 'afterSeq' in options ? options.afterSeq : undefined])
    assert.is(viewer.messages.some((m) => m.type === ('batch' in options ? 'event' : 'events')), false)
    await viewer.close()
  }
  await server.close()
})

test('an event that comes late, with a lower seq, is stored and shown on arrival', async () => {
  const server = await serverHere()
  const [app, viewer] = [await server.app(), await server.viewer()]
  app.startRun('a')
  app.emit('a', 'node.token', token('later'), 10)
  await server.runIs('a', ({ eventCount }) => eventCount === 2)
  viewer.subscribe('a', { batch: true })
  await viewer.next((m) => m.type === 'replay.end')
  app.emit('a', 'node.token', token('earlier'), 5)
  await until(() => viewer.events('a').length === 3)
  assert.equal([viewer.events('a').map(({ seq }) => seq), (await server.events('a')).map(({ seq }) => seq)], [[0, 10, 5], [0, 5, 10]])
  await server.close()
})

test('unknown types and unknown fields are kept and shown as they came', async () => {
  const server = await serverHere()
  const [app, viewer] = [await server.app(), await server.viewer()]
  app.startRun('a')
  app.sendText('{ "gm":1,"seq":1, "ts":5,"runId":"a","type":"from.the.future","payload":{"x":1.0,"big":9007199254740993},"trace":{"id":"t"} }')
  await server.runIs('a', ({ eventCount }) => eventCount === 2)
  viewer.subscribe('a')
  await viewer.next((m) => m.type === 'replay.end')
  const text = await (await fetch(`${server.url}/api/runs/a/events?afterSeq=0`)).text()
  assert.match(text, /\{"gm":1,"seq":1,"ts":5,"runId":"a","type":"from\.the\.future","payload":\{"x":1\.0,"big":9007199254740993\},"trace":\{"id":"t"\}\}/)
  assert.is(viewer.events('a')[1]?.type, 'from.the.future')
  await server.close()
})

test('a payload over 512 KiB is shown and stored shortened, the same way', async () => {
  const server = await serverHere()
  const [app, viewer] = [await server.app(), await server.viewer()]
  app.startRun('a')
  await server.runIs('a', ({ live }) => live)
  viewer.subscribe('a')
  await viewer.next((m) => m.type === 'replay.end')
  app.emit('a', 'node.finished', { nodeId: 'tool:x', output: 'é'.repeat(2_000_000), durationMs: 1, status: 'ok' })
  const live = await viewer.event('a', 'node.finished')
  const stored = (await server.events('a'))[1]
  assert.equal(live.payload, stored?.payload)
  assert.is((live.payload as Record<string, unknown>).__graphmindTruncated, true)
  assert.ok(Buffer.byteLength(JSON.stringify(live.payload)) <= 512 * 1024)
  await server.close()
})

test('a viewer that does not read is cut off, told so, and gets what it missed, late events too', async () => {
  const server = await serverHere()
  const [app, slow] = [await server.app(), await server.viewer()]
  app.startRun('a')
  await server.runIs('a', ({ live }) => live)
  slow.subscribe('*')
  slow.subscribe('a', { batch: true })
  await slow.next((m) => m.type === 'replay.end')
  slow.ws.pause()
  const text = 'x'.repeat(20_000)
  for (let i = 1; i <= 2000; i++) app.emit('a', 'node.token', token(text), i * 2) // 40 MB, more than sockets and queue hold
  app.emit('a', 'node.token', token('late'), 1)
  await server.runIs('a', ({ eventCount }) => eventCount === 2002)
  slow.ws.resume()
  await until(() => slow.events('a').length >= 2002, { timeoutMs: 20_000, what: () => `${slow.events('a').length}` })
  const seqs = slow.events('a').map(({ seq }) => seq)
  assert.is(new Set(seqs).size, 2002)
  assert.is(seqs.length, 2002)
  const lag = slow.messages.find((m) => m.type === 'replay.start' && m.reason === 'lagging')
  assert.ok(lag)
  app.emit('a', 'run.finished', { status: 'ok' })
  await slow.event('a', 'run.finished')
  await slow.run(({ id, status }) => id === 'a' && status === 'ok')
  await server.close()
})

test('every bad request is answered in words, and the socket stays open', async () => {
  const server = await serverHere()
  const viewer = await server.viewer()
  const bad: [unknown, RegExp][] = [
    ['[]', /JSON object/], ['{}', /"type"/], [{ type: 'dance' }, /Unknown message type "dance"/], [{ type: 'subscribe' }, /needs a runId/],
    [{ type: 'subscribe', runId: 'none' }, /no run "none"/], [{ type: 'subscribe', runId: 'a', afterSeq: 'x' }, /whole number/],
    [{ type: 'delete' }, /needs a runId/], [{ type: 'delete', runId: 'none' }, /no run "none"/], [{ type: 'mute', runId: 'a' }, /mute needs/],
    [{ type: 'control' }, /needs an envelope/], [{ type: 'control', envelope: { gm: 2 } }, /version 2/],
    [{ type: 'control', envelope: { gm: 1, seq: 0, ts: 1, runId: 'a', type: 'run.started', payload: { app: 'x', sdk: { name: 's', version: '1' } } } }, /is not a control/],
  ]
  for (const [message, reason] of bad) {
    const before = viewer.messages.length
    if (typeof message === 'string') viewer.sendText(message)
    else viewer.send(message)
    await until(() => viewer.messages.slice(before).some((m) => m.type === 'error' && reason.test(m.message)), { what: () => `${reason}; got ${JSON.stringify(viewer.messages.slice(before))}` })
  }
  viewer.ws.send(Buffer.from('{}'), { binary: true })
  await viewer.next((m) => m.type === 'error' && /text|binary/.test(m.message))
  assert.is(viewer.closed(), null)
  await server.close()
})

test('the list is told of a run at once, of growing counts at most four times a second', async () => {
  const server = await serverHere()
  const [app, viewer] = [await server.app(), await server.viewer()]
  viewer.subscribe('*')
  app.startRun('a')
  await viewer.run(({ id }) => id === 'a')
  const from = performance.now()
  for (let i = 1; i <= 200; i++) {
    app.emit('a', 'node.token', token(i))
    await new Promise(setImmediate)
  }
  await viewer.run(({ eventCount }) => eventCount === 201)
  const updates = viewer.messages.filter((m) => m.type === 'run.update').length
  assert.ok(updates <= 4 + Math.ceil((performance.now() - from) / 250), `${updates} updates`)
  await app.close()
  await viewer.run(({ live }) => !live)
  await server.close()
})

test('an app that streams one run after the other does not pile them up in memory', async () => {
  const server = await serverHere()
  const [app, viewer] = [await server.app(), await server.viewer()]
  viewer.subscribe('*')
  for (let i = 0; i < 400; i++) {
    app.startRun(`run-${i}`)
    app.emit(`run-${i}`, 'run.finished', { status: 'ok' })
  }
  await viewer.run(({ id, status }) => id === 'run-399' && status === 'ok')
  const { runs } = await (await fetch(`${server.url}/api/runs`)).json() as { runs: { live: boolean; status: string }[] }
  assert.equal([runs.length, runs.every(({ status }) => status === 'ok')], [400, true])
  const live = runs.filter((run) => run.live).length
  assert.ok(live > 0 && live <= 200, `${live} live`)
  app.emit('run-0', 'node.token', token('late')) // its first is known all the same
  await server.runIs('run-0', ({ eventCount, live }) => eventCount === 3 && live)
  await server.close()
})

test('unsubscribing ends the tail, and a run that was deleted ends every view of it', async () => {
  const server = await serverHere()
  const [app, viewer, other] = [await server.app(), await server.viewer(), await server.viewer()]
  app.startRun('a')
  app.emit('a', 'run.finished', { status: 'ok' })
  await server.runIs('a', ({ status }) => status === 'ok')
  viewer.subscribe('a')
  await viewer.next((m) => m.type === 'replay.end')
  other.subscribe('a')
  await other.next((m) => m.type === 'replay.end')
  viewer.send({ type: 'unsubscribe', runId: 'a' })
  app.emit('a', 'node.token', token('after'), 50)
  await other.event('a', 'node.token')
  assert.is(viewer.events('a').length, 2)
  await app.close()
  await server.runIs('a', ({ live }) => !live)
  viewer.send({ type: 'delete', runId: 'a' })
  await other.next((m) => m.type === 'run.deleted' && m.runId === 'a')
  await server.close()
})

test.run()
