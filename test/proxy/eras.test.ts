// Both eras of the protocol read well: names, revisions, questions back, subscriptions, tasks, probes.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { notice, request, result, startTalk } from './conversation-kit.ts'

const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientInfo': { name: 'modern', version: '2' }, 'io.modelcontextprotocol/clientCapabilities': {} }
const modern = (id: unknown, method: string, params: object = {}) => request(id, method, { ...params, _meta: META })
const lastRun = (t: ReturnType<typeof startTalk>) => t.of('run.started').at(-1) as { app: string; meta?: Record<string, unknown> }

for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
  test(`under ${revision} the run is named by what initialize tells`, () => {
    const t = startTalk()
    t.c2s(request(0, 'initialize', { protocolVersion: '2025-11-25', clientInfo: { name: 'client', version: '1' } }))
    t.s2c(result(0, { protocolVersion: revision, serverInfo: { name: 'weather', version: '3' } }))
    assert.is(lastRun(t).app, 'weather')
    assert.equal(lastRun(t).meta, { clientInfo: { name: 'client', version: '1' }, revision, serverInfo: { name: 'weather', version: '3' } })
  })
}

test('in the new era the run is named by _meta and serverInfo', () => {
  const t = startTalk()
  t.c2s(modern(1, 'tools/list'))
  t.s2c(result(1, { resultType: 'complete', tools: [], _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'weather', version: '3' } } }))
  assert.is(lastRun(t).app, 'weather')
  assert.is(lastRun(t).meta?.revision, '2026-07-28')
  assert.equal(lastRun(t).meta?.clientInfo, { name: 'modern', version: '2' })
})

test('a question back is an outcome of its own, and its retry the next execution, linked', () => {
  const t = startTalk({ arm: [{ point: 'error' }] })
  t.c2s(modern(1, 'tools/call', { name: 'book' }))
  t.s2c(result(1, { resultType: 'input_required', inputRequests: { q: { method: 'elicitation/create' } }, requestState: 's1' }))
  assert.is(t.of('node.finished')[0]?.status, 'input_required')
  assert.is(t.of('node.error').length, 0)
  t.c2s(modern(2, 'tools/call', { name: 'book', inputResponses: { q: {} }, requestState: 's1' }))
  const retry = t.of('node.started').at(-1)
  assert.equal(retry?.link, { instanceId: 'mcp_1', why: 'input' })
  assert.is(retry?.nodeId, 'tool:book')
  t.s2c(result(2, { resultType: 'complete', content: [] }))
  t.talk.tick(t.state.now + 600_000)
  t.talk.finish()
  assert.equal(t.findings(), [])
})

test('two questions of one tool are told apart by the state that is echoed', () => {
  const t = startTalk()
  for (const id of [1, 2]) t.c2s(modern(id, 'tools/call', { name: 'book' }))
  for (const id of [1, 2]) t.s2c(result(id, { resultType: 'input_required', requestState: `s${id}` }))
  t.c2s(modern(3, 'tools/call', { name: 'book', requestState: 's1' }))
  assert.equal(t.of('node.started').at(-1)?.link, { instanceId: 'mcp_1', why: 'input' })
})

test('a client that never comes back to a question is shown as what it is', () => {
  const t = startTalk()
  t.c2s(modern(1, 'tools/call', { name: 'book' }))
  t.s2c(result(1, { resultType: 'input_required', requestState: 's' }))
  t.talk.inputEnded()
  t.talk.exited(0, null)
  t.talk.finish()
  assert.match(t.finding('input-never-given')?.message ?? '', /The client owes the next frame/)
  assert.is(t.of('run.finished')[0]?.status, 'ok')
})

test('an open subscription is a running node, no hang, and its frames hang under it', () => {
  const t = startTalk()
  t.c2s(modern(7, 'subscriptions/listen', { notifications: {} }))
  t.s2c(notice('notifications/resources/updated', { uri: 'x', _meta: { 'io.modelcontextprotocol/subscriptionId': 7 } }))
  t.talk.tick(t.state.now + 3_600_000)
  assert.equal(t.findings(), [])
  const update = t.of('node.started').at(-1)
  assert.is(update?.parentId, 'mcp:subscriptions/listen')
  assert.is(t.of('node.token')[0]?.instanceId, 'mcp_1')
  t.talk.inputEnded()
  t.talk.exited(0, null)
  t.talk.finish()
  assert.equal(t.findings(), [])
  assert.is(t.of('node.finished').find(({ instanceId }) => instanceId === 'mcp_1')?.status, 'ok')
})

test('requests about a task are linked to the call that made it, and its progress is no stray', () => {
  const t = startTalk()
  t.c2s(request(1, 'tools/call', { name: 'long', task: { ttl: 1000 }, _meta: { progressToken: 'p' } }))
  t.s2c(result(1, { task: { taskId: 't1', status: 'working' } }))
  t.s2c(notice('notifications/progress', { progressToken: 'p', progress: 1 }))
  t.s2c(notice('notifications/tasks/status', { taskId: 't1', status: 'completed' }))
  t.c2s(request(2, 'tasks/result', { taskId: 't1' }))
  assert.equal(t.of('node.started').at(-1)?.link, { instanceId: 'mcp_1', why: 'task' })
  assert.equal(t.of('node.token').map(({ instanceId, deltas }) => [instanceId, (deltas as { v: string }[])[0]?.v]), [['mcp_1', 'progress 1\n'], ['mcp_1', 'tasks/status: completed\n']])
  assert.equal(t.findings(), [])
})

test('a launch that only probed and died is a small run without alarm', () => {
  const t = startTalk()
  t.c2s(modern(0, 'server/discover'))
  t.talk.exited(null, 'SIGTERM')
  t.talk.finish()
  assert.equal(t.findings().map(({ level }) => level), ['info'])
  assert.is(t.of('node.error').length, 0)
  assert.is(t.of('run.finished')[0]?.status, 'ok')
})

test('a probe that falls back to initialize goes on as an ordinary session', () => {
  const t = startTalk({ arm: [{ point: 'error' }] })
  t.c2s(modern(0, 'server/discover'))
  t.s2c({ jsonrpc: '2.0', id: 0, error: { code: -32601, message: 'Method not found' } })
  t.c2s(request(1, 'initialize', { protocolVersion: '2025-11-25' }))
  t.s2c(result(1, { protocolVersion: '2025-06-18', serverInfo: { name: 'old' } }))
  assert.is(lastRun(t).app, 'old')
  assert.is(lastRun(t).meta?.revision, '2025-06-18')
  assert.is(t.held, 0)
})

test('the tools that are announced are hinted under the session', () => {
  const t = startTalk()
  t.c2s(request(1, 'tools/list', {}))
  t.s2c(result(1, { tools: [{ name: 'a' }, { name: 'b' }] }))
  assert.equal(t.of('graph.hint')[0]?.nodes, [
    { nodeId: 'tool:a', kind: 'tool', name: 'a', parentId: 'mcp:session' },
    { nodeId: 'tool:b', kind: 'tool', name: 'b', parentId: 'mcp:session' },
  ])
})

test.run()
