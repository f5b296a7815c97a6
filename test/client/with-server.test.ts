import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createSession, type GateNode, type Session } from '../../src/client/index.ts'
import { connectViewer, startServerProcess, until } from '../kit/index.ts'

const node: GateNode = { nodeId: 'tool:a', kind: 'tool', name: 'a', instanceId: '1' }
const sessions: Session[] = []

test.after.each(async () => {
  for (const session of sessions.splice(0)) await session.dispose({ lingerMs: 0 })
})

function open(url: string, env: Record<string, string> = {}): Session {
  const session = createSession({ appName: 'app', url, env, retryMs: 100 })
  sessions.push(session)
  return session
}

interface Stored { events: { seq: number; type: string; payload: Record<string, unknown> }[]; total: number }
const stored = async (url: string, runId: string) => (await (await fetch(`${url}/api/runs/${runId}/events?limit=5000`)).json()) as Stored

test('a tool fails, a person injects a value with a number too large for a double, and the app gets it as typed', async () => {
  const server = await startServerProcess()
  const viewer = await connectViewer(server.uiUrl)
  const session = open(server.ingestUrl)
  assert.ok(await session.ready({ timeoutMs: 5000 }))
  const result = await session.run('trip', async (run) => {
    run.emit('node.started', { ...node, instanceId: '1', input: { amount: 1 } })
    run.emit('node.error', { nodeId: node.nodeId, instanceId: '1', error: { name: 'Error', message: 'absurd' } })
    await until(async () => (await stored(server.url, run.runId)).total > 0)
    viewer.subscribe(run.runId)
    const gate = run.gate('error', node, { editable: false })
    const { pauseId } = await viewer.held(run.runId, 'error')
    viewer.sendText(`{"type":"control","envelope":{"gm":1,"seq":0,"ts":1,"runId":"${run.runId}","type":"exec.resume","payload":{"pauseId":"${pauseId}","action":"inject","output":{"total":9007199254740993}}}}`)
    return (await gate).outputText
  })
  assert.is(result, '{"total":9007199254740993}')
  await server.stop()
})

test('a killed server lets the held call go; a new one on the same file has every event once', async () => {
  const first = await startServerProcess()
  const session = open(first.ingestUrl)
  assert.ok(await session.ready({ timeoutMs: 5000 }))
  const run = session.openRun('long', { runId: 'long' })
  for (let i = 0; i < 500; i++) run.emit('node.token', { nodeId: 'tool:a', deltas: [{ t: 'text', v: `${i}` }] })
  const gate = run.gate('error', node)
  await until(async () => (await stored(first.url, 'long')).events.some((event) => event.type === 'exec.paused'))
  const killedAt = performance.now()
  await first.crash()
  assert.is((await gate).by, 'disconnect')
  assert.ok(performance.now() - killedAt < 1000, `${performance.now() - killedAt} ms`)
  for (let i = 500; i < 600; i++) run.emit('node.token', { nodeId: 'tool:a', deltas: [{ t: 'text', v: `${i}` }] })
  run.finish('ok')
  const second = await startServerProcess({ port: first.port, home: first.home })
  const { events } = await until(async () => {
    const all = await stored(second.url, 'long')
    return all.events.at(-1)?.type === 'run.finished' && all
  })
  assert.equal(events.map((event) => event.seq), Array.from({ length: 604 }, (_, seq) => seq))
  await second.stop()
})

test('what the buffer lost while there was no server is in the record as a gap, and only that', async () => {
  const first = await startServerProcess()
  const session = open(first.ingestUrl)
  assert.ok(await session.ready({ timeoutMs: 5000 }))
  const run = session.openRun('gappy', { runId: 'gappy' })
  const emit = (count: number) => { for (let i = 0; i < count; i++) run.emit('node.token', { nodeId: 'tool:a', deltas: [{ t: 'text', v: 'x' }] }) }
  emit(99)
  await until(async () => (await stored(first.url, 'gappy')).total === 100)
  await first.crash()
  await until(() => !session.attached)
  emit(6000)
  const second = await startServerProcess({ port: first.port, home: first.home })
  await until(async () => (await stored(second.url, 'gappy')).total === 100 + 1 + 5000)
  const gap = (await stored(second.url, 'gappy')).events.find((event) => event.payload.gap)
  assert.equal(gap?.payload.gap, { droppedCount: 1000, fromSeq: 100, toSeq: 1099, reason: 'the buffer of the app was full' })
  await second.stop()
})

test('a server with a token takes the client that finds it, and no other', async () => {
  const server = await startServerProcess({ args: ['--token'] })
  const found = open(server.ingestUrl, { GRAPHMIND_HOME: `${server.home}/.graphmind` })
  assert.is(await found.ready({ timeoutMs: 5000 }), true)
  const lines: string[] = []
  const other = createSession({ appName: 'app', url: server.ingestUrl, env: { GRAPHMIND_HOME: '/nowhere' }, warn: (line) => lines.push(line) })
  sessions.push(other)
  assert.is(await other.ready(), false)
  assert.match(lines.join(), 'token')
  await server.stop()
})

test.run()
