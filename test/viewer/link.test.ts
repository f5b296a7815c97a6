// The viewer's link, against the real server: what is shown is what was sent, also after the
// server died and came back.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { envelopeText, type UiServerMessage } from '../../src/wire/index.ts'
import { fetchEvent } from '../../viewer/link/fetch-events.ts'
import { createLink, type Link, type LinkState } from '../../viewer/link/link.ts'
import { parsePayload, readMessage } from '../../viewer/link/read-events.ts'
import { apply } from '../../viewer/model/apply.ts'
import { keepText, restoreTexts } from '../../viewer/model/keep.ts'
import { inputOf, outputOf } from '../../viewer/model/read.ts'
import { createRunModel, type RunModel } from '../../viewer/model/run-model.ts'
import { connectApp, freePort, startServerProcess, tempDir, until } from '../kit/index.ts'

interface Seen { runId: string; seq: number; ts: number; type: string; payloadText: string }

function read(text: string): { events: Seen[]; messages: UiServerMessage[] } {
  const events: Seen[] = []
  const messages: UiServerMessage[] = []
  readMessage(text, {
    message: (message) => { messages.push(message) },
    event: (runId, { seq, ts, type }, payloadText) => { events.push({ runId, seq, ts, type, payloadText }) },
  })
  return { events, messages }
}

test('every way to spell an envelope reads the same', () => {
  const payloads = ['{}', '{"a":9007199254740993}', '{"s":"} ] \\" \\\\"}', '{ "spaced" : [ 1.0 ] }', `{"input":"${'x'.repeat(5000)}","nodeId":"n"}`]
  const one = fc.record({
    seq: fc.nat(), ts: fc.nat(), type: fc.constantFrom('node.started', 'x.y', ''), payload: fc.constantFrom(...payloads),
    spelling: fc.constantFrom('ours', 'extra', 'reordered', 'spaced'), runId: fc.constantFrom('r', 'a"b', '\\', '\ud800'),
  })
  fc.assert(fc.property(fc.array(one, { maxLength: 6 }), fc.boolean(), (list, spaced) => {
    const texts = list.map(({ seq, ts, type, payload, spelling, runId }) => {
      if (spelling === 'ours') return envelopeText({ runId, seq, ts }, type, payload)
      if (spelling === 'extra') return envelopeText({ runId, seq, ts }, type, payload, '"x":{"payload":1}')
      if (spelling === 'reordered') return `{"payload":${payload},"type":${JSON.stringify(type)},"ts":${ts},"seq":${seq},"runId":${JSON.stringify(runId)},"gm":1}`
      return `{ "gm" : 1, "seq":${seq} , "ts": ${ts},"runId":${JSON.stringify(runId)},"type":${JSON.stringify(type)},"payload":${payload}}`
    })
    const wanted = list.map(({ seq, ts, type, payload }) => ({ runId: 'run', seq, ts, type, payloadText: payload }))
    const message = spaced ? `{ "type":"events", "runId":"run", "envelopes":[${texts.join(' , ')}]}` : `{"type":"events","runId":"run","envelopes":[${texts.join(',')}]}`
    assert.equal(read(message).events, wanted)
    texts.forEach((text, i) => assert.equal(read(`{"type":"event","runId":"run","envelope":${text}}`).events, [wanted[i]]))
  }))
})

test('of a large payload everything but its input and output is read as from a small one', () => {
  const payload = { nodeId: 'n', instanceId: 'i', input: { big: 'x'.repeat(9000) }, frame: { n: 1, dir: 'c2s', bytes: 3, text: 'a\n"b' }, link: { instanceId: 'j', why: 'retry' } }
  assert.equal(parsePayload(JSON.stringify(payload)), { ...payload, input: null })
  const hostile = parsePayload(`{"__proto__":{"polluted":true},"pad":"${'y'.repeat(5000)}"}`)
  assert.is(Object.getPrototypeOf(hostile), Object.prototype)
  assert.is(({} as { polluted?: boolean }).polluted, undefined)
})

test('other messages arrive as they are, and what is not JSON is an error of its own', () => {
  assert.equal(read('{"type":"replay.end","runId":"r"}').messages, [{ type: 'replay.end', runId: 'r' }])
  assert.throws(() => read('nonsense'), /JSON/)
})

const links: Link[] = []
test.after.each(() => { for (const link of links.splice(0)) link.close() })

/** A run as the page keeps it: what the model has, and how the link feels. */
function watch(uiUrl: string, runId: string) {
  const model: RunModel = createRunModel()
  const states: LinkState[] = []
  let doubled = 0
  let ended = 0
  const link = createLink(uiUrl, null, {
    state(state) {
      states.push(state)
      if (state === 'open') link.send({ type: 'subscribe', runId, batch: true, ...(model.seen.complete < 0 ? {} : { afterSeq: model.seen.complete }) })
    },
    message(message) { if (message.type === 'replay.end') ended++ },
    event(_runId, envelope, payloadText) { if (!apply(model, envelope, payloadText)) doubled++ },
  })
  links.push(link)
  return { model, states, link, doubled: () => doubled, ended: () => ended }
}

const started = { app: 'a', sdk: { name: 's', version: '1' } }

test('a viewer that connects late has the whole run once, with numbers as they were spelt, and goes on with what happens', async () => {
  const server = await startServerProcess()
  const app = await connectApp(server.ingestUrl)
  await app.hello()
  const runId = 'a run/with "odd" ☃ id'
  app.startRun(runId)
  app.sendText(envelopeText({ runId, seq: 1, ts: 5 }, 'node.started', '{"nodeId":"tool:a","kind":"tool","name":"a","instanceId":"i1","input":{"n":9007199254740993,"f":1.0}}'))
  const viewer = watch(server.uiUrl, runId)
  // It may ask before the server has heard of the run: then it asks again, as the page does.
  await until(() => viewer.states.includes('open'))
  await until(() => { if (viewer.model.instances.size === 0) viewer.link.send({ type: 'subscribe', runId, batch: true }); return viewer.model.instances.size === 1 })
  for (let i = 2; i < 300; i++) app.sendText(envelopeText({ runId, seq: i, ts: i }, 'node.token', '{"nodeId":"mcp:session","instanceId":"s","deltas":[{"t":"text","v":"line\\n"}]}'))
  await until(() => viewer.model.seen.complete === 299)
  const instance = viewer.model.instances.get('i1')
  assert.is(instance && inputOf(instance), '{"n":9007199254740993,"f":1.0}')
  assert.is(viewer.model.log.length, 298)
  viewer.link.close()
  await server.stop()
})

test('the server dies and comes back on its port: the link is open again, and nothing is missing or doubled', async () => {
  const port = await freePort()
  const home = tempDir()
  const first = await startServerProcess({ port, home })
  const before = await connectApp(first.ingestUrl)
  await before.hello()
  before.startRun('r')
  before.emit('r', 'node.started', { nodeId: 'tool:a', kind: 'tool', name: 'a', instanceId: 'i1' })
  await until(async () => (await fetchEvent(first.url, null, 'r', 1)) !== null)
  const viewer = watch(first.uiUrl, 'r')
  await until(() => viewer.model.seen.complete === 1)
  await first.crash()
  await until(() => viewer.states.at(-1) === 'lost')
  const second = await startServerProcess({ port, home })
  const after = await connectApp(second.ingestUrl)
  await after.hello()
  after.emit('r', 'node.finished', { nodeId: 'tool:a', instanceId: 'i1', durationMs: 1, status: 'ok' }, 2)
  await until(() => viewer.states.at(-1) === 'open')
  await until(() => viewer.model.instances.get('i1')?.status === 'ok')
  assert.is(viewer.doubled(), 0)
  viewer.link.close()
  await second.stop()
})

test('a link that is closed stays closed, also while it was about to try again', async () => {
  const port = await freePort()
  const states: LinkState[] = []
  const link = createLink(`ws://127.0.0.1:${port}/ws/ui`, null, { state: (state) => { states.push(state) }, message() {}, event() {} })
  links.push(link)
  await until(() => states.includes('refused'))
  assert.is(link.send({ type: 'subscribe', runId: '*' }), false)
  link.close()
  const server = await startServerProcess({ port })
  const count = states.length
  await until(async () => (await fetch(`${server.url}/health`)).ok)
  assert.is(states.length, count)
  await server.stop()
})

test('texts that were let go of come back as they were', async () => {
  const server = await startServerProcess()
  const app = await connectApp(server.ingestUrl)
  await app.hello()
  app.emit('r', 'run.started', started)
  app.emit('r', 'node.started', { nodeId: 'tool:a', kind: 'tool', name: 'a', instanceId: 'i1', input: { q: 'x' }, frame: { n: 0, dir: 'c2s', bytes: 9, text: '{"id":1}' } })
  app.emit('r', 'node.finished', { nodeId: 'tool:a', instanceId: 'i1', durationMs: 1, status: 'ok', output: 'y', frame: { n: 1, dir: 's2c', bytes: 9, text: '{"id":1,"result":0}' } })
  app.emit('r', 'node.started', { nodeId: 'tool:a', kind: 'tool', name: 'a', instanceId: 'i2' })
  const { model, link } = watch(server.uiUrl, 'r')
  await until(() => { if (model.seen.complete < 0) link.send({ type: 'subscribe', runId: 'r', batch: true }); return model.seen.complete === 3 })
  const [old, newest] = [model.instances.get('i1'), model.instances.get('i2')]
  if (!old || !newest) throw new Error('no instances')
  keepText(model, newest, 0, 1)
  assert.equal([old.dropped, inputOf(old), outputOf(old), model.frames[1]?.text], [true, undefined, undefined, undefined])
  const events = await Promise.all([old.startSeq, old.endSeq].map((seq) => fetchEvent(server.url, null, 'r', seq)))
  restoreTexts(model, old, events.filter((event) => event !== null))
  assert.equal([old.dropped, inputOf(old), outputOf(old), model.frames[1]?.text], [false, '{"q":"x"}', '"y"', '{"id":1,"result":0}'])
  assert.is(await fetchEvent(server.url, null, 'r', 99), null)
  assert.is(await fetchEvent(server.url, null, 'nobody', 0), null)
  link.close()
  await server.stop()
})

test('a control carries typed values as they were typed', async () => {
  const server = await startServerProcess()
  const app = await connectApp(server.ingestUrl)
  await app.hello()
  const texts: string[] = []
  app.ws.on('message', (data) => texts.push(String(data)))
  app.startRun('r')
  app.emit('r', 'exec.paused', { pauseId: 'p', nodeId: 'tool:a', point: 'error' })
  const { link, states, model } = watch(server.uiUrl, 'r')
  await until(() => states.includes('open'))
  await until(() => { if (model.holds.size === 0) link.send({ type: 'subscribe', runId: 'r', batch: true }); return model.holds.size === 1 })
  link.control('exec.resume', '{"pauseId":"p","action":"inject","output":{"n":9007199254740993}}', 'r')
  await until(() => texts.some((text) => text.includes('exec.resume')))
  assert.ok(texts.at(-1)?.includes('"output":{"n":9007199254740993}'))
  link.close()
  await server.stop()
})

test.run()
