import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createEnvelope, type EventPayloads } from '../../src/wire/index.ts'
import { apply } from '../../viewer/model/apply.ts'
import { inputOf, outputOf, statusOfNode } from '../../viewer/model/read.ts'
import { createRunModel, type RunModel } from '../../viewer/model/run-model.ts'

type Event = [type: keyof EventPayloads, payload: object, raw?: string]
const frame = (n: number, dir: 'c2s' | 's2c', text: string) => ({ n, dir, bytes: text.length, text })

const session: Event[] = [
  ['run.started', { app: 'node server.js', sdk: { name: 'p', version: '1' }, meta: { cwd: '/a' } }],
  ['node.started', { nodeId: 'mcp:session', kind: 'server', name: 'session', instanceId: 's' }],
  ['graph.hint', { nodes: [{ nodeId: 'tool:b', kind: 'tool', name: 'b', parentId: 'mcp:session' }] }],
  ['run.started', { app: 'tasks', sdk: { name: 'p', version: '1' }, meta: { revision: '2025-06-18' } }],
  ['node.started', { nodeId: 'tool:a', parentId: 'mcp:session', kind: 'tool', name: 'a', instanceId: 'mcp_1', frame: frame(1, 'c2s', '{"id":1,"method":"tools/call"}') }],
  ['node.token', { nodeId: 'mcp:session', instanceId: 's', deltas: [{ t: 'text', v: 'one\ntwo\n' }] }],
  ['node.started', { nodeId: 'tool:a', parentId: 'mcp:session', kind: 'tool', name: 'a', instanceId: 'mcp_2', frame: frame(2, 'c2s', '{"id":2}') }],
  ['node.token', { nodeId: 'tool:a', instanceId: 'mcp_1', deltas: [], error: { name: 'E', message: 'broken' }, output: 1, frame: frame(3, 's2c', '{"id":1}') }],
  ['exec.paused', { pauseId: 'p1', nodeId: 'tool:a', instanceId: 'mcp_1', point: 'error', reason: 'error' }],
  ['exec.paused', { pauseId: 'p2', nodeId: 'tool:a', instanceId: 'mcp_2', point: 'before', editable: true }],
  ['exec.resumed', { pauseId: 'p1', action: 'continue' }],
  ['node.error', { nodeId: 'tool:a', instanceId: 'mcp_1', error: { name: 'E', message: 'broken' }, durationMs: 5, frame: frame(3, 's2c', '{"id":1}') }],
  ['finding', { nodeId: 'tool:a', code: 'late-reply', level: 'warning', message: 'late', frames: [3] }],
  ['node.finished', { nodeId: 'tool:a', instanceId: 'mcp_2', durationMs: 7, status: 'ok', usage: { inputTokens: 3, outputTokens: 4 } }],
  ['run.finished', { status: 'ok' }],
]

function envelopes(events: Event[]) {
  return events.map(([type, payload], seq) => createEnvelope(type, payload, { runId: 'r', seq, ts: 1000 + seq }))
}

function fill(model: RunModel, list: ReturnType<typeof envelopes>): RunModel {
  for (const envelope of list) apply(model, envelope, JSON.stringify(envelope.payload))
  return model
}

/** Everything that a person could see, as text. */
function seen(model: RunModel): string {
  return JSON.stringify({
    ...model, seen: model.seen.last, holds: [...model.holds.keys()].sort(), released: [...model.released].sort(),
    nodes: [...model.nodes.values()].sort((a, b) => a.id < b.id ? -1 : 1).map((node) => ({ ...node, instances: node.instances.map(({ id }) => id) })),
    instances: [...model.instances.values()].sort((a, b) => a.id < b.id ? -1 : 1),
  })
}

test('a session reads as it was: nodes, executions, the hold, frames, log, findings', () => {
  const model = fill(createRunModel(), envelopes(session))
  assert.equal([...model.nodes.keys()].sort(), ['mcp:session', 'tool:a', 'tool:b'])
  assert.is(model.app, 'tasks')
  assert.equal(model.log.map(({ text }) => text), ['one', 'two'])
  assert.equal(model.frames.map(({ n, role }) => [n, role]), [[1, 'start'], [2, 'start'], [3, 'end']])
  assert.equal([...model.holds.keys()], ['p2'])
  const [a, b] = [model.nodes.get('tool:a'), model.nodes.get('tool:b')]
  assert.is(a && statusOfNode(model, a), 'held')
  assert.is(b && statusOfNode(model, b), 'hinted')
  assert.equal(a?.instances.map(({ status, durationMs }) => [status, durationMs]), [['error', 5], ['ok', 7]])
  assert.equal([model.inputTokens, model.outputTokens, model.errors], [3, 4, 1])
})

test('each event applies once, however often and in whatever pieces it comes', () => {
  const all = envelopes(session)
  const once = seen(fill(createRunModel(), all))
  fc.assert(fc.property(fc.array(fc.nat({ max: all.length }), { maxLength: 6 }), (cuts) => {
    const model = createRunModel()
    for (const cut of cuts) fill(model, all.slice(0, cut))
    assert.is(seen(fill(model, all)), once)
  }))
})

test('an event that comes late is put where it belongs', () => {
  const all = envelopes(session)
  const log = Array.from({ length: 40 }, (_, i): Event => ['node.token', { nodeId: 'mcp:session', instanceId: 's', deltas: [{ t: 'text', v: `${i}\n` }] }])
  const lines = envelopes([...session.slice(0, 2), ...log])
  fc.assert(fc.property(fc.shuffledSubarray(lines.slice(2), { minLength: 40 }), (shuffled) => {
    const model = fill(createRunModel(), [...lines.slice(0, 2), ...shuffled])
    assert.equal(model.log.map(({ text }) => text), log.map((_, i) => String(i)))
  }))
  // The news that a hold is over may overtake the news of the hold.
  const swapped = [...all.slice(0, 8), all[10], all[8], all[9], ...all.slice(11)].filter((envelope) => envelope !== undefined)
  assert.equal([...fill(createRunModel(), swapped).holds.keys()], ['p2'])
})

test('values are shown as they were spelt, 2^53 + 1 and 1.0 included', () => {
  const model = createRunModel()
  const [started, finished] = envelopes([
    ['node.started', { nodeId: 'tool:a', kind: 'tool', name: 'a', instanceId: 'i' }],
    ['node.finished', { nodeId: 'tool:a', instanceId: 'i', durationMs: 1, status: 'ok' }],
  ])
  if (!started || !finished) throw new Error('no events')
  apply(model, started, '{"nodeId":"tool:a","instanceId":"i","input":{"n":9007199254740993}}')
  apply(model, finished, '{"nodeId":"tool:a","output":[1.0,1E400]}')
  const instance = model.instances.get('i')
  assert.is(instance && inputOf(instance), '{"n":9007199254740993}')
  assert.is(instance && outputOf(instance), '[1.0,1E400]')
})

test('names of Object.prototype are names like any other', () => {
  const model = fill(createRunModel(), envelopes(['__proto__', 'constructor', 'toString'].flatMap((name): Event[] => [
    ['node.started', { nodeId: name, kind: 'tool', name, instanceId: name, parentId: '__proto__' }],
    ['exec.paused', { pauseId: name, nodeId: name, instanceId: name, point: 'before' }],
  ])))
  assert.is(model.nodes.size, 3)
  assert.is(model.holds.size, 3)
  apply(model, createEnvelope('constructor', {}, { runId: 'r', seq: 99, ts: 1 }), '{}')
})

test('ten times the events cost about ten times the time', () => {
  const make = (n: number) => envelopes(Array.from({ length: n }, (_, i): Event[] => [
    ['node.started', { nodeId: `tool:${i % 500}`, parentId: 'mcp:session', kind: 'tool', name: `t${i % 500}`, instanceId: `i${i}` }],
    ['node.finished', { nodeId: `tool:${i % 500}`, instanceId: `i${i}`, durationMs: 1, status: 'ok' }],
  ]).flat())
  const [few, many] = [make(5_000), make(50_000)]
  const cost = (events: ReturnType<typeof envelopes>) => {
    const before = process.cpuUsage().user
    fill(createRunModel(), events)
    return process.cpuUsage().user - before
  }
  fill(createRunModel(), few)
  const ratio = Math.min(...[1, 2, 3].map(() => cost(many) / Math.max(1, cost(few))))
  assert.ok(ratio < 25, `ten times the events cost ${ratio.toFixed(1)} times the time`)
})

test.run()
