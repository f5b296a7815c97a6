// Events reach a viewer late, twice and out of order; what is shown must not tell.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createEnvelope, rawMember, type EventPayloads } from '../../src/wire/index.ts'
import { apply } from '../../viewer/model/apply.ts'
import { keepText } from '../../viewer/model/keep.ts'
import { inputOf, numberOf, outputOf, statusOfNode } from '../../viewer/model/read.ts'
import { createRunModel, type RunModel } from '../../viewer/model/run-model.ts'

type Event = [type: keyof EventPayloads, payload: object]

const envelopes = (events: Event[]) => events.map(([type, payload], seq) => createEnvelope(type, payload, { runId: 'r', seq, ts: 1000 + seq * 3 }))
type Envelopes = ReturnType<typeof envelopes>

function fill(model: RunModel, list: Envelopes): RunModel {
  for (const envelope of list) apply(model, envelope, JSON.stringify(envelope.payload))
  return model
}

/** Everything that a person could see. Order of arrival shows nowhere in it. */
function seen(model: RunModel): unknown {
  const byId = <T extends { id: string }>(all: Iterable<T>) => [...all].sort((a, b) => a.id < b.id ? -1 : 1)
  return {
    ...model, seen: null, changes: null, kept: null, keptFrom: null, logChunks: null, released: [...model.released].sort(),
    holds: [...model.holds.values()].sort((a, b) => a.seq - b.seq), refusals: null,
    nodes: byId(model.nodes.values()).map((node) => ({ ...node, instances: node.instances.map(({ id }) => id), open: node.open.map(({ id }) => id) })),
    instances: byId(model.instances.values()).map((each) => ({ ...each, tokens: null })),
  }
}

const frame = (n: number, i?: number) => ({ n, dir: n % 2 === 0 ? 'c2s' : 's2c', bytes: 10 + n, text: `{"n":${n}}`, ...(i === undefined ? {} : { i }) })

/** One plausible session from a list of random steps. */
function story(steps: number[]): Event[] {
  const events: Event[] = [['run.started', { app: 'a', sdk: { name: 's', version: '1' } }], ['graph.hint', { nodes: [{ nodeId: 'tool:0', kind: 'tool', name: 'zero', parentId: 'mcp:session' }] }]]
  const open: { id: string; node: string; n: number; held: string | null }[] = []
  let count = 0
  for (const step of steps) {
    const call = open[step % Math.max(1, open.length)]
    switch (step % 9) {
      case 0: case 1: case 2: {
        const node = `tool:${step % 4}`
        count++
        open.push({ id: `mcp_${count}`, node, n: count * 2, held: null })
        events.push(['node.started', { nodeId: node, parentId: 'mcp:session', kind: 'tool', name: node, instanceId: `mcp_${count}`, input: { step }, frame: frame(count * 2) }])
        break
      }
      case 3: if (call) events.push(['node.token', { nodeId: call.node, instanceId: call.id, deltas: [{ t: 'text', v: `${step} `.repeat(90) }] }]); break
      case 4: events.push(['node.token', { nodeId: 'mcp:session', instanceId: 'mcp_session', deltas: [{ t: 'text', v: step % 2 === 0 ? `half of ${step}` : `line ${step}\nnext` }] }]); break
      case 5: if (call && !call.held) {
        call.held = `p${step}-${events.length}`
        events.push(['node.token', { nodeId: call.node, instanceId: call.id, deltas: [], output: { step }, error: { name: 'E', message: 'held' }, frame: frame(call.n + 1) }])
        events.push(['exec.paused', { pauseId: call.held, nodeId: call.node, instanceId: call.id, point: 'error', reason: 'error' }])
        events.push(['exec.refused', { pauseId: call.held, code: 'shape', message: `refused ${step}` }])
      } break
      case 6: if (call) {
        if (call.held) events.push(['exec.resumed', { pauseId: call.held, action: 'continue' }])
        events.push(['node.error', { nodeId: call.node, instanceId: call.id, error: { name: 'E', message: `failed ${step}` }, frame: frame(call.n + 1) }])
        open.splice(open.indexOf(call), 1)
      } break
      case 7: if (call && !call.held) {
        events.push(['node.finished', { nodeId: call.node, instanceId: call.id, durationMs: step, status: 'ok', output: step, usage: { inputTokens: 1, outputTokens: 2 }, frame: { n: call.n + 1, i: 1 } }])
        open.splice(open.indexOf(call), 1)
      } break
      default: events.push(['finding', { nodeId: 'mcp:session', code: 'c', level: 'info', message: `f${step}` }])
    }
  }
  events.push(['run.started', { app: 'renamed', sdk: { name: 's', version: '1' }, meta: { a: 1 } }])
  return events
}

test('the same events in any order give the same state', () => {
  const anyOrder = fc.array(fc.nat({ max: 200 }), { maxLength: 40 }).chain((steps) => {
    const all = envelopes(story(steps))
    return fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }), fc.shuffledSubarray(all))
  })
  fc.assert(fc.property(anyOrder, ([all, shuffled, again]) => {
    assert.equal(seen(fill(createRunModel(), [...shuffled, ...again])), seen(fill(createRunModel(), all)), 'the state differs')
  }), { numRuns: 200 })
})

test('a late event that could change the meaning of one without an id asks for a fresh start', () => {
  const all = envelopes([
    ['node.started', { nodeId: 'llm:step', kind: 'llm', name: 'step', instanceId: 'a' }],
    ['node.started', { nodeId: 'llm:step', kind: 'llm', name: 'step', instanceId: 'b' }],
    ['node.finished', { nodeId: 'llm:step', durationMs: 1, status: 'ok' }],
  ])
  const [first, second, third] = all as [Envelopes[0], Envelopes[0], Envelopes[0]]
  const inOrder = fill(createRunModel(), all)
  assert.is(inOrder.disordered, false)
  assert.is(inOrder.instances.get('b')?.status, 'ok')
  assert.is(inOrder.instances.get('a')?.status, 'running')
  assert.is(fill(createRunModel(), [first, third, second]).disordered, true)
})

test('pieces of stderr become whole lines, wherever they were cut', () => {
  const text = 'starting\r\nlistening on 1\n\nwarn: slow\nlast without end'
  fc.assert(fc.property(fc.uniqueArray(fc.nat({ max: text.length }), { maxLength: 8 }), (cuts) => {
    const at = [0, ...cuts.sort((a, b) => a - b), text.length]
    const pieces = at.slice(1).map((to, i) => text.slice(at[i], to)).filter((piece) => piece !== '')
    const model = fill(createRunModel(), envelopes(pieces.map((v): Event => ['node.token', { nodeId: 'mcp:session', instanceId: 's', deltas: [{ t: 'text', v }] }])))
    const lines = model.log.map((line) => line.text.replace('\r', ''))
    assert.equal(lines, ['starting', 'listening on 1', '', 'warn: slow', 'last without end'])
  }))
})

test('texts of old executions are let go of above the limit, and only those', () => {
  const model = createRunModel()
  const events = Array.from({ length: 50 }, (_, i): Event[] => [
    ['node.started', { nodeId: 'tool:a', kind: 'tool', name: 'a', instanceId: `i${i}`, input: 'x'.repeat(100), frame: frame(i * 2) }],
    ['node.finished', { nodeId: 'tool:a', instanceId: `i${i}`, durationMs: 1, status: 'ok', output: 'y'.repeat(100), frame: frame(i * 2 + 1) }],
  ]).flat()
  fill(model, envelopes(events))
  const newest = model.instances.get('i49')
  const oldest = model.instances.get('i0')
  if (!newest || !oldest) throw new Error('no instances')
  assert.is(inputOf(oldest)?.length, 102)
  keepText(model, newest, 0, 4000)
  assert.is(oldest.dropped, true)
  assert.is(inputOf(oldest), undefined)
  assert.equal([oldest.startSeq, oldest.endSeq, oldest.durationMs], [0, 1, 1])
  assert.is(model.frames[0]?.dropped, true)
  assert.is(outputOf(newest)?.length, 102)
  assert.ok(model.keptChars <= 4000)
  const kept = [...model.instances.values()].reduce((sum, { startText, endText }) => sum + (startText?.length ?? 0) + (endText?.length ?? 0), 0)
  assert.is(model.keptChars, kept)
})

test('a call that stays open through 20,000 progress frames and 20,000 lines of log costs the same per event to the end', () => {
  const events = envelopes([
    ['node.started', { nodeId: 'mcp:listen', kind: 'custom', name: 'l', instanceId: 'i', frame: frame(0) }],
    ...Array.from({ length: 20_000 }, (_, i): Event[] => [
      ['node.token', { nodeId: 'mcp:listen', instanceId: 'i', deltas: [{ t: 'text', v: 'progress ' }], frame: frame(i + 1) }],
      ['node.token', { nodeId: 'mcp:session', instanceId: 's', deltas: [{ t: 'text', v: `line ${i}\n` }] }],
    ]).flat(),
  ])
  const texts = events.map(({ payload }) => JSON.stringify(payload))
  const model = createRunModel()
  const cost = (from: number, to: number) => {
    const before = process.cpuUsage().user
    for (let i = from; i < to; i++) apply(model, events[i] as Envelopes[0], texts[i] ?? '')
    return process.cpuUsage().user - before
  }
  cost(0, 4000)
  const early = cost(4000, 14_000)
  cost(14_000, 30_000)
  const late = cost(30_000, 40_000)
  assert.ok(late < early * 4 + 20_000, `${early} µs early, ${late} µs late`)
  assert.is(model.instances.get('i')?.frames.length, 20_001)
  assert.is(model.instances.get('i')?.streamed.length, 2000)
})

test('executions are numbered in the order in which they began, also a late one', () => {
  const model = createRunModel()
  const [a, b, c] = envelopes(['a', 'b', 'c'].map((id): Event => ['node.started', { nodeId: 'tool:t', kind: 'tool', name: 't', instanceId: id, input: id }])) as [Envelopes[0], Envelopes[0], Envelopes[0]]
  fill(model, [c, a, b])
  assert.equal(['a', 'b', 'c'].map((id) => { const it = model.instances.get(id); return it && numberOf(model, it) }), [1, 2, 3])
  const node = model.nodes.get('tool:t')
  assert.is(node && statusOfNode(model, node), 'running')
  assert.is(rawMember(model.instances.get('c')?.startText ?? '', 'input'), '"c"')
})

test.run()
