import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createSession, type GateNode, type GateResult, type Session, type SessionOptions } from '../../src/client/index.ts'
import { until } from '../kit/index.ts'
import { closeAll, ingestServer, type IngestServer } from './ingest-server.ts'

const node: GateNode = { nodeId: 'tool:a', kind: 'tool', name: 'a', instanceId: '1' }
const sessions: Session[] = []

test.after.each(async () => {
  for (const session of sessions.splice(0)) await session.dispose({ lingerMs: 0 })
  await closeAll()
})

async function attach(breakpoints: object[] = [], more: Partial<SessionOptions> = {}) {
  const server = await ingestServer()
  server.ack = { breakpoints }
  const session = createSession({ appName: 'app', url: server.url, env: {}, ...more })
  sessions.push(session)
  assert.ok(await session.ready())
  return { server, session, run: session.openRun('r') }
}

/** Answers a hold the way a viewer would. */
async function answer(server: IngestServer, more: Record<string, unknown>, fits: (payload: Record<string, unknown>) => boolean = () => true) {
  const { payload, runId } = await server.event('exec.paused', (event) => fits(event.payload))
  server.send('exec.resume', { pauseId: payload.pauseId, ...more }, runId)
  return payload.pauseId as string
}

test('a detached or unmatched gate is one shared promise, resolved with continue', async () => {
  const session = createSession({ appName: 'app', url: 'ws://127.0.0.1:1', env: {} })
  sessions.push(session)
  const detached = session.openRun('r')
  const gate = detached.gate('before', node)
  assert.is(gate, detached.gate('error', node))
  assert.equal(await gate, { action: 'continue', by: 'pass' })
  const { run } = await attach([{ name: 'b' }, { point: 'error' }])
  assert.is(run.gate('before', node), gate)
  assert.is(run.gate('after', node), gate)
})

test('a held call waits for the viewer and gets its answer', async () => {
  const { server, run } = await attach([{ kind: 'tool', point: 'error' }])
  const gate = run.gate('error', node, { editable: true })
  const pauseId = await answer(server, { action: 'inject', output: { tasks: [] }, requestId: 'q1' })
  assert.equal(await gate, { action: 'inject', output: { tasks: [] }, outputText: '{"tasks":[]}', requestId: 'q1', by: 'viewer' })
  const paused = await server.event('exec.paused')
  assert.equal(paused.payload, { pauseId, nodeId: 'tool:a', instanceId: '1', point: 'error', reason: 'error', editable: true })
  assert.equal((await server.event('exec.resumed')).payload, { pauseId, action: 'inject', requestId: 'q1', edited: { after: { tasks: [] } } })
})

test('injected and edited values keep the text in which they were typed, to the code and to the record', async () => {
  const { server, run } = await attach([{}])
  const gate = run.gate('before', node)
  const { payload } = await server.event('exec.paused')
  server.send('exec.resume', `{"pauseId":${JSON.stringify(payload.pauseId)},"action":"continue","input":{"b":9007199254740993,"a":1.0}}`, run.runId)
  assert.is((await gate).inputText, '{"b":9007199254740993,"a":1.0}')
  await server.event('exec.resumed')
  assert.match(server.texts.at(-1) ?? '', '"edited":{"after":{"b":9007199254740993,"a":1.0}}')
})

test('step mode stops at every before and error gate, and at no after gate', async () => {
  const { server, run } = await attach()
  await server.arm('mode.set', { mode: 'step' })
  assert.is(run.wouldHold('before', node), 'step')
  assert.is(run.wouldHold('error', node), 'step')
  assert.is(run.wouldHold('after', node), null)
  assert.is(run.armed('before'), true)
  assert.is(run.armed('after'), false)
  await server.arm('mode.set', { mode: 'run' })
  assert.is(run.wouldHold('before', node), null)
})

test('breakpoints come and go while the app runs', async () => {
  const { server, run } = await attach()
  await server.arm('breakpoint.set', { matcher: { name: 'a' } })
  assert.is(run.wouldHold('before', node), 'breakpoint')
  assert.is(run.namedByMatcher('before', node), true)
  await server.arm('breakpoint.clear', { matcher: { name: 'a', point: 'after' } })
  assert.is(run.wouldHold('before', node), 'breakpoint')
  await server.arm('breakpoint.clear', { matcher: { name: 'a', point: 'before' } })
  assert.is(run.wouldHold('before', node), null)
})

test('a breakpoint or mode for one run leaves the others alone and ends with the run', async () => {
  const { server, session, run } = await attach()
  const other = session.openRun('other')
  await server.arm('breakpoint.set', { matcher: {}, scope: { runId: run.runId } })
  await server.arm('mode.set', { mode: 'step', scope: { runId: run.runId } })
  assert.is(run.wouldHold('before', node), 'breakpoint')
  assert.is(run.wouldHold('error', node), 'step')
  assert.is(other.wouldHold('before', node), null)
  run.finish('ok')
  assert.is(run.wouldHold('before', node), null)
  assert.is(session.openRun('again', { runId: run.runId }).wouldHold('before', node), null)
})

test('parallel holds are independent', async () => {
  const { server, run } = await attach([{}])
  const gates = ['1', '2', '3'].map((instanceId) => run.gate('before', { ...node, instanceId }))
  await answer(server, { action: 'retry' }, (payload) => payload.instanceId === '2')
  assert.is((await gates[1])?.action, 'retry')
  let others = 0
  for (const gate of [gates[0], gates[2]]) void gate?.then(() => others++)
  await server.arm('mode.set', { mode: 'run' })
  assert.is(others, 0)
  await answer(server, { action: 'continue' }, (payload) => payload.instanceId === '1')
  await gates[0]
  assert.is(others, 1)
})

test('of two resumes of one hold the first wins', async () => {
  const { server, run } = await attach([{}])
  const gate = run.gate('before', node)
  const pauseId = await answer(server, { action: 'inject', output: 1 })
  server.send('exec.resume', { pauseId, action: 'abort' }, run.runId)
  assert.is((await gate).action, 'inject')
  await server.arm('mode.set', { mode: 'run' })
  assert.is(run.signal.aborted, false)
  assert.is(server.events('exec.resumed').length, 1)
})

test('abort fires the run\'s signal with an AbortError before the gate resolves', async () => {
  const { server, run } = await attach([{}])
  const order: string[] = []
  run.signal.addEventListener('abort', () => order.push(`signal ${(run.signal.reason as Error).name}`))
  const gate = run.gate('before', node).then((result) => order.push(`gate ${result.action}`))
  await answer(server, { action: 'abort' })
  await gate
  assert.equal(order, ['signal AbortError', 'gate abort'])
})

test('with abortsRun: false an abort is the caller\'s alone', async () => {
  const { server, run } = await attach([{}])
  const gate = run.gate('before', node, { abortsRun: false })
  await answer(server, { action: 'abort' })
  assert.is((await gate).action, 'abort')
  assert.is(run.signal.aborted, false)
})

test('a run in which a person aborted ends as aborted, one that throws as error, and the error is untouched', async () => {
  const { server, session } = await attach([{}])
  const boom = new TypeError('boom')
  assert.is(await session.run('throws', () => { throw boom }).catch((error) => error), boom)
  const error = (await server.event('run.finished')).payload
  assert.is(error.status, 'error')
  assert.is((error.error as Error).message, 'boom')
  const aborted = session.run('aborts', async (run) => {
    await run.gate('before', node)
    run.signal.throwIfAborted()
  }).catch((reason) => reason.name)
  await answer(server, { action: 'abort' })
  assert.is(await aborted, 'AbortError')
  await server.event('run.finished', (event) => event.payload.status === 'aborted')
})

test('what the gate\'s own check refuses is told and stays held', async () => {
  const { server, run } = await attach([{}])
  const gate = run.gate('before', node, { check: ({ input }) => (input as { n?: unknown }).n === 1 ? null : { code: 'schema', message: 'n must be 1' } })
  await answer(server, { action: 'continue', input: { n: 2 }, requestId: 'q1' })
  const { payload } = await server.event('exec.refused')
  assert.equal([payload.code, payload.message, payload.requestId], ['schema', 'n must be 1', 'q1'])
  await answer(server, { action: 'continue', input: { n: 1 } })
  assert.equal((await gate).input, { n: 1 })
})

test('a check that throws refuses, and the host never hears of it', async () => {
  const warnings: string[] = []
  const { server, run } = await attach([{}], { warn: (line) => warnings.push(line) })
  const gate = run.gate('before', node, { check: () => { throw new Error('broken check') } })
  await answer(server, { action: 'continue' })
  await server.event('exec.refused', (event) => event.payload.code === 'unsupported')
  assert.match(warnings.join(), 'broken check')
  run.finish('ok')
  assert.is((await gate).by, 'dispose')
})

test('values that stand for something else never reach the code', async () => {
  const { server, run } = await attach([{}])
  void run.gate('before', node)
  for (const [more, code] of [
    [{ action: 'inject', output: { key: '__REDACTED__' } }, 'placeholder'],
    [{ action: 'inject', output: { __graphmindTruncated: true } }, 'truncated'],
    [{ action: 'continue', input: { text: 'abc[graphmind cut 12 characters]' } }, 'truncated'],
    [{ action: 'inject' }, 'shape'],
  ] as const) {
    const before = server.events('exec.refused').length
    await answer(server, more)
    await until(() => server.events('exec.refused').length > before)
    assert.is(server.events('exec.refused').at(-1)?.payload.code, code)
  }
  assert.is(server.events('exec.resumed').length, 0)
})

test('what the adapter cannot do is refused', async () => {
  const { server, run } = await attach([{}], { capabilities: ['pause', 'abort'] })
  void run.gate('before', node)
  await answer(server, { action: 'retry' })
  await server.event('exec.refused', (event) => event.payload.code === 'unsupported')
  await answer(server, { action: 'continue', input: 1 })
  await until(() => server.events('exec.refused').length === 2)
})

test('an adapter that cannot pause never holds', async () => {
  const { run } = await attach([{}], { capabilities: [] })
  assert.is(run.wouldHold('before', node), null)
})

test('pauseTimeoutMs lets go with continue and says so', async () => {
  const { server, run } = await attach([{}], { pauseTimeoutMs: 30 })
  assert.equal(await run.gate('before', node), { action: 'continue', by: 'timeout' })
  const { payload } = await server.event('exec.resumed')
  assert.equal([payload.action, payload.principal], ['continue', 'timeout'])
})

test('who let go is passed on when it was not a person', async () => {
  const { server, run } = await attach([{}])
  const gate = run.gate('before', node)
  await answer(server, { action: 'continue', principal: 'unattended' })
  await gate
  assert.is((await server.event('exec.resumed')).payload.principal, 'unattended')
})

test('the end of a run lets go of its holds before the run is over', async () => {
  const { server, run } = await attach([{}])
  const gate = run.gate('before', node)
  await server.event('exec.paused')
  run.finish('ok')
  assert.is((await gate).by, 'dispose')
  await server.event('run.finished')
  assert.equal(server.received.slice(-2).map((event) => event.type), ['exec.resumed', 'run.finished'])
})

test('a hold that the adapter opens itself can be called off, and tells at once', async () => {
  const { server, run } = await attach()
  const hold = run.hold('after', node, { reason: 'breakpoint' })
  const told: GateResult[] = []
  hold.onSettled((result) => told.push(result))
  hold.release('cancel', 'the client')
  assert.equal(told, [{ action: 'continue', by: 'cancel' }])
  assert.is((await server.event('exec.resumed')).payload.principal, 'the client')
  assert.equal(await hold.done, { action: 'continue', by: 'cancel' })
})

test('without a debugger a hold is over at once', async () => {
  const session = createSession({ appName: 'app', url: 'ws://127.0.0.1:1', env: {} })
  sessions.push(session)
  const hold = session.openRun('r').hold('before', node, { reason: 'breakpoint' })
  assert.equal(await hold.done, { action: 'continue', by: 'disconnect' })
  assert.is(session.stats().held, 0)
})

test('calls inside run find their run, across awaits and in parallel', async () => {
  const { session } = await attach()
  const seen = await Promise.all(['a', 'b'].map((name) => session.run(name, async (run) => {
    await new Promise((resolve) => setImmediate(resolve))
    return session.current() === run
  })))
  assert.equal(seen, [true, true])
  assert.is(session.current(), undefined)
})

test('a run that is opened again under its id goes on counting', async () => {
  const { server, session } = await attach()
  session.openRun('a', { runId: 'same' }).finish('ok')
  session.openRun('a', { runId: 'same' }).finish('ok')
  await until(() => server.events('run.finished').length === 2)
  assert.equal(server.received.filter((event) => event.runId === 'same').map((event) => event.seq), [0, 1, 2, 3])
})

test('what happens outside of runs is recorded in one that bears the app\'s name', async () => {
  const { server, session } = await attach()
  session.emit('node.started', { ...node, instanceId: '1', input: 1 })
  session.emit('node.finished', { nodeId: 'tool:a', durationMs: 1, status: 'ok' })
  const { runId } = await server.event('node.finished')
  assert.is((await server.event('node.started')).runId, runId)
  assert.ok(server.events('run.started').some((event) => event.runId === runId && event.payload.app === 'app'))
})

test.run()
