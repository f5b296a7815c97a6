// What the graph decides without a browser: which cards there are, what they say, where the
// camera goes, how lines run.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createEnvelope, type EventPayloads } from '../../src/wire/index.ts'
import { middle } from '../../viewer/format/format.ts'
import { layoutTree, type Placed } from '../../viewer/layout/tree.ts'
import { apply } from '../../viewer/model/apply.ts'
import { createRunModel, type NodeState, type RunModel } from '../../viewer/model/run-model.ts'
import { cardText, hasPreview, splitName, stripOf } from '../../viewer/panels/graph/card-text.ts'
import { boundsOf, regionOf } from '../../viewer/panels/graph/rect.ts'
import { shapeOf, type Folds } from '../../viewer/panels/graph/shape.ts'
import { anchoredView, fitView, followView, neighbour, revealView } from '../../viewer/panels/graph/views.ts'
import { branchesOf, wiresIn } from '../../viewer/panels/graph/wires.ts'

type Event = [type: keyof EventPayloads, payload: object]

function filled(events: Event[]): RunModel {
  const model = createRunModel()
  events.forEach(([type, payload], seq) => apply(model, createEnvelope(type, payload, { runId: 'r', seq, ts: 1000 + seq }), JSON.stringify(payload)))
  return model
}

const none: Folds = { spread: new Set(), branches: new Map(), closedAtFirst: false, reveal: new Set(), tall: new Set() }
const session: Event = ['node.started', { nodeId: 'mcp:session', kind: 'server', name: 'session', instanceId: 's' }]
const called = (nodeId: string, kind: string, name: string, instanceId: string, parentId = 'mcp:session'): Event[] => [
  ['node.started', { nodeId, parentId, kind, name, instanceId }], ['node.finished', { nodeId, instanceId, durationMs: 5, status: 'ok' }]]
const hinted = (count: number, parentId = 'mcp:session'): Event => ['graph.hint', { nodes: Array.from({ length: count }, (_, i) => ({ nodeId: `tool:h${i}`, kind: 'tool', name: `h${i}`, parentId })) }]
const nodeOf = (model: RunModel, id: string): NodeState => model.nodes.get(id) as NodeState
const ids = (model: RunModel, folds: Partial<Folds> = {}) => shapeOf(model, { ...none, ...folds }).nodes.map(({ id }) => id)

test('protocol talk folds into one pill that says how much it stands for, and is spread out on demand', () => {
  const model = filled([session, ...called('mcp:initialize', 'custom', 'initialize', 'a'), ...called('mcp:tools/list', 'custom', 'tools/list', 'b'), ...called('tool:x', 'tool', 'x', 'c')])
  const shape = shapeOf(model, none)
  assert.equal(shape.nodes.map(({ id }) => id), ['mcp:session', 'tool:x', 'fold:chatter:mcp:session'])
  assert.is(shape.pills.get('fold:chatter:mcp:session')?.title, 'protocol, 2 methods')
  assert.is(shape.standsFor.get('mcp:initialize'), 'fold:chatter:mcp:session')
  assert.equal(ids(model, { spread: new Set(['fold:chatter:mcp:session']) }), ['mcp:session', 'mcp:initialize', 'mcp:tools/list', 'tool:x'])
})

test('a method that failed or is held is never folded away', () => {
  const model = filled([session, ...called('mcp:a', 'custom', 'a', 'a'), ...called('mcp:b', 'custom', 'b', 'b'), ...called('mcp:c', 'custom', 'c', 'c'),
    ['node.error', { nodeId: 'mcp:a', instanceId: 'a2', error: { name: 'E', message: 'no' } }],
    ['exec.paused', { pauseId: 'p', nodeId: 'mcp:b', point: 'before' }], ...called('mcp:d', 'custom', 'd', 'd')])
  assert.equal(ids(model), ['mcp:session', 'mcp:a', 'mcp:b', 'fold:chatter:mcp:session'])
})

test('beyond 12, tools that were not called fold into a counted pill; called ones never do', () => {
  const many = filled([session, hinted(20), ...called('tool:h19', 'tool', 'h19', 'x')])
  const shape = shapeOf(many, none)
  assert.is(shape.nodes.length, 1 + 12 + 1 + 1)
  assert.ok(shape.nodes.some(({ id }) => id === 'tool:h19'))
  assert.is(shape.pills.get('fold:hinted:mcp:session')?.title, '7 more, not called yet')
  assert.is(shapeOf(filled([session, hinted(13)]), none).pills.size, 0, 'a pill for one would hide what takes no more room')
})

test('a closed branch says how many it hides, and opens for what must be seen', () => {
  const events: Event[] = [...called('a', 'agent', 'a', '1', ''), ...called('b', 'chain', 'b', '2', 'a'), ...called('c', 'tool', 'c', '3', 'b'), ...called('d', 'tool', 'd', '4', 'c')]
  const model = filled(events)
  const folded = shapeOf(model, { ...none, closedAtFirst: true })
  assert.equal(folded.nodes.map(({ id }) => id), ['a', 'b'])
  assert.equal([folded.branches.get('a'), folded.branches.get('b')], [0, 2])
  assert.is(folded.standsFor.get('d'), 'b')
  assert.equal(ids(model, { closedAtFirst: true, reveal: new Set(['d']) }), ['a', 'b', 'c', 'd'])
  assert.equal(ids(model, { branches: new Map([['b', 'closed']]) }), ['a', 'b'])
})

test('a ring of parents is drawn, and nobody waits for its end', () => {
  const model = filled([...called('a', 'tool', 'a', '1', 'b'), ...called('b', 'tool', 'b', '2', 'a'), ...called('c', 'tool', 'c', '3', 'c')])
  assert.equal(ids(model, { closedAtFirst: true, reveal: new Set(['a']) }).length, layoutTree(shapeOf(model, { ...none, closedAtFirst: true, reveal: new Set(['a']) }).nodes).size)
})

test('a card says what a person would say', () => {
  const model = filled([
    ['run.started', { app: 'tasks', sdk: { name: 's', version: '1' }, meta: { source: 'mcp-proxy', revision: '2025-06-18', serverInfo: { name: 'tasks', version: '1.2' } } }],
    session, hinted(1), ...called('tool:x', 'tool', 'x', 'a'),
    ['node.started', { nodeId: 'tool:x', parentId: 'mcp:session', kind: 'tool', name: 'x', instanceId: 'b' }],
    ['node.token', { nodeId: 'tool:x', instanceId: 'b', deltas: [], error: { name: 'E', message: 'index unavailable' } }],
    ['exec.paused', { pauseId: 'p', nodeId: 'tool:x', instanceId: 'b', point: 'error' }],
  ])
  const say = (id: string, now: number, over = false) => cardText(model, nodeOf(model, id), now, over)
  assert.equal([say('mcp:session', 0).title, say('mcp:session', 0).line, say('mcp:session', 0).aside, say('mcp:session', 0).status], ['tasks', '1.2  2025-06-18', 'stdio', 'ok'])
  assert.is(say('tool:h0', 0).line, 'not called yet')
  const held = say('tool:x', 1007 + 12_000)
  assert.equal([held.status, held.line, held.preview, held.bad, held.count], ['held', 'held 12 s at error', 'index unavailable', true, 2])
  assert.equal(stripOf(nodeOf(model, 'tool:x'), false).map(({ status }) => status), ['ok', 'held'])
  assert.equal([say('tool:x', 0, true).status, say('tool:x', 0, true).line], ['stopped', 'did not finish'])
  assert.equal([hasPreview(model, nodeOf(model, 'tool:x')), hasPreview(model, nodeOf(model, 'tool:h0'))], [true, false])
})

test('names of any length and any characters become one short line, whole at both ends', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.nat({ max: 20 }), (name, prefix) => {
    const { shared, head, tail } = splitName(name, Math.min(prefix, name.length))
    assert.ok([...shared, ...head, ...tail].length <= 2 * 80 + 2)
    assert.not.match(head + tail, /[\n\r\t]/)
  }))
  assert.equal(splitName('mcp__github__create_pull_request', 13), { shared: 'mcp__github__', head: 'create_pul', tail: 'l_request' })
  assert.equal(splitName('short', 0), { shared: '', head: 'short', tail: '' })
  const before = performance.now()
  assert.is(middle('a'.repeat(5_000_000), 26).length, 26)
  assert.ok(performance.now() - before < 200)
})

test('what siblings share is known, and never a whole name', () => {
  const model = filled([session, ['graph.hint', { nodes: ['mcp__gh__list', 'mcp__gh__create', 'mcp__gh__'].map((name) => ({ nodeId: name, kind: 'tool', name, parentId: 'mcp:session' })) }]])
  assert.equal([...shapeOf(model, none).prefixes.values()], [8, 8, 8])
})

const tree = (n: number) => layoutTree(Array.from({ length: n }, (_, i) => ({ id: String(i), parentId: i === 0 ? undefined : String((i - 1) >> 1), width: 208, height: 50 + (i % 3) * 20 })))
const pane = { width: 900, height: 600 }
const inView = (p: Placed, v: { x: number; y: number; k: number }) => p.x * v.k + v.x >= 0 && p.y * v.k + v.y >= 0 && (p.x + p.width) * v.k + v.x <= pane.width && (p.y + p.height) * v.k + v.y <= pane.height

test('fit shows every card, and no larger than life', () => {
  for (const n of [1, 2, 40, 200]) {
    const placed = tree(n)
    const bounds = boundsOf(placed)
    if (!bounds) throw new Error('no cards')
    const view = fitView(bounds, pane)
    assert.ok(view.k <= 1)
    for (const p of placed.values()) assert.ok(inView(p, view), `${n} cards, ${p.id}`)
  }
})

test('a card is brought into view by the least move, and one that is in view moves nothing', () => {
  const placed = tree(200)
  const view = { x: 0, y: 0, k: 1 }
  for (const p of placed.values()) assert.ok(inView(p, revealView(view, p, pane)), p.id)
  const there = placed.get('5')
  if (!there) throw new Error('not placed')
  const around = { x: 200 - there.x, y: 200 - there.y, k: 1 }
  assert.is(revealView(around, there, pane), around)
})

test('whoever follows sees all of a small run, and the place where something happens of a large one', () => {
  const small = tree(3)
  const large = tree(400)
  const view = { x: 0, y: 0, k: 1 }
  const smallBounds = boundsOf(small)
  const largeBounds = boundsOf(large)
  const active = large.get('399')
  if (!smallBounds || !largeBounds || !active) throw new Error('no cards')
  for (const p of small.values()) assert.ok(inView(p, followView(view, smallBounds, pane, undefined, false)))
  assert.ok(inView(active, followView(view, largeBounds, pane, active, true)))
  const followed = followView(view, largeBounds, pane, active, false)
  assert.ok(inView(active, followed))
  assert.is(followView(followed, largeBounds, pane, active, false), followed)
})

test('a card that is held on to does not move on the screen when others come', () => {
  fc.assert(fc.property(fc.integer({ min: 2, max: 60 }), fc.nat(), fc.double({ min: 0.2, max: 2, noNaN: true }), (n, pick, k) => {
    const [before, after] = [tree(n), tree(n + 7)]
    const id = String(pick % n)
    const [from, to] = [before.get(id), after.get(id)]
    if (!from || !to) throw new Error('not placed')
    const view = { x: 13, y: -40, k }
    const moved = anchoredView(view, from, to)
    assert.ok(Math.abs(from.x * k + view.x - (to.x * k + moved.x)) < 1e-6 && Math.abs(from.y * k + view.y - (to.y * k + moved.y)) < 1e-6)
  }))
})

test('arrows reach every card from the first', () => {
  const placed = tree(31)
  const reached = new Set<string>()
  const waiting = [neighbour(placed, null, 'down')]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (id === null || reached.has(id)) continue
    reached.add(id)
    for (const step of ['left', 'right', 'up', 'down'] as const) waiting.push(neighbour(placed, id, step))
  }
  assert.is(reached.size, 31)
})

test('of 5,000 lines to one parent only those in view are written', () => {
  const placed = layoutTree([{ id: 'p', parentId: undefined, width: 208, height: 50 }, ...Array.from({ length: 5000 }, (_, i) => ({ id: `c${i}`, parentId: 'p', width: 208, height: 50 }))])
  const view = fitView({ left: 0, top: 100_000, right: 464, bottom: 100_400 }, pane)
  const path = wiresIn(branchesOf(placed), regionOf(view, pane))
  assert.ok(path.length < 4000, `${path.length} characters`)
  assert.match(path, /V/, 'the trunk runs through the view, though its parent is far away')
})

test.run()
