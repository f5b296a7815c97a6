// The debugger goes away, in each of the ways it can, while a call is held: the call goes on.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { connectViewer, startServerProcess, until, type ServerProcess } from '../kit/index.ts'
import { connectMcp } from '../kit/mcp-session.ts'

interface Runs { runs: { id: string; app: string; status: string; held?: number; live: boolean; eventCount: number }[] }
const runs = async (server: ServerProcess) => ((await (await fetch(`${server.url}/api/runs`)).json()) as Runs).runs
/** From now on the debugger is attached, and gates hold. */
const attached = (server: ServerProcess) => until(async () => (await runs(server)).find(({ live, app }) => live && app === 'tasks-server'), { what: 'the proxy to attach' })
const heldIn = (server: ServerProcess) => until(async () => (await runs(server)).find(({ held }) => (held ?? 0) > 0), { what: 'a held call' })

test('the server is killed with -9 while a call is held: it goes on within 100 ms, and a new server gets the history', async () => {
  const server = await startServerProcess()
  const mcp = await connectMcp(server.port)
  await attached(server)
  let answeredAt = 0
  const answer = mcp.client.callTool({ name: 'search_tasks', arguments: {} }).then((result) => {
    answeredAt = performance.now()
    return result
  })
  await heldIn(server)
  const killedAt = performance.now()
  await server.crash()
  assert.is((await answer).isError, true)
  console.log(`    went on ${(answeredAt - killedAt).toFixed(0)} ms after the kill`)
  assert.ok(answeredAt - killedAt < 100, `it took ${answeredAt - killedAt} ms`)

  const again = await startServerProcess({ port: server.port }) // another database: the history comes from the proxy
  const run = await until(async () => (await runs(again)).find(({ live }) => live), { timeoutMs: 15_000, what: 'the proxy to come back' })
  const { events } = (await (await fetch(`${again.url}/api/runs/${run.id}/events`)).json()) as { events: { seq: number; type: string }[] }
  assert.equal(events.map(({ seq }) => seq), Array.from({ length: events.length }, (_, seq) => seq))
  assert.ok(events.some(({ type }) => type === 'exec.resumed'), 'the let-go is told')
  assert.is(run.app, 'tasks-server')

  const held = mcp.client.callTool({ name: 'search_tasks', arguments: {} }) // and it can be held again
  await heldIn(again)
  const viewer = await connectViewer(again.uiUrl)
  viewer.subscribe(run.id)
  const { pauseId } = await viewer.held(run.id)
  viewer.control('exec.resume', { pauseId, action: 'inject', output: { tasks: [] } }, run.id)
  assert.equal((await held).structuredContent, { tasks: [] })
  await viewer.close()
  await mcp.close()
  await again.stop()
})

test('the server falls silent while a call is held: it goes on within 5 s', async () => {
  const server = await startServerProcess()
  const mcp = await connectMcp(server.port)
  await attached(server)
  const answer = mcp.client.callTool({ name: 'search_tasks', arguments: {} })
  await heldIn(server)
  const stoppedAt = performance.now()
  server.kill('SIGSTOP')
  assert.is((await answer).isError, true)
  assert.ok(performance.now() - stoppedAt < 6000, `it took ${performance.now() - stoppedAt} ms`)
  server.kill('SIGCONT')
  await mcp.close()
  await server.crash()
})

test('a graphmind that is started later shows the running session with its history', async () => {
  const server = await startServerProcess()
  await server.stop()
  const mcp = await connectMcp(server.port)
  await mcp.client.callTool({ name: 'create_task', arguments: { title: 'early' } })
  const late = await startServerProcess({ port: server.port })
  const run = await until(async () => (await runs(late)).find(({ live }) => live), { what: 'the session' })
  const { events } = (await (await fetch(`${late.url}/api/runs/${run.id}/events`)).json()) as { events: { type: string; payload: { nodeId?: string } }[] }
  assert.ok(events.some(({ type, payload }) => type === 'node.started' && payload.nodeId === 'tool:create_task'))
  await mcp.close()
  await late.stop()
})

test('50 calls at once, 5 of them held: the others are answered meanwhile, and all settle', async () => {
  const server = await startServerProcess()
  const mcp = await connectMcp(server.port)
  await attached(server)
  const settled = new Set<number>()
  const calls = Array.from({ length: 50 }, (_, i) => mcp.client.callTool({ name: i % 10 === 3 ? 'search_tasks' : 'create_task', arguments: { title: `${i}` } }).then((result) => {
    settled.add(i)
    return result
  }))
  await until(() => settled.size === 45, { what: () => `45 calls, ${settled.size} so far` })
  const viewer = await connectViewer(server.uiUrl)
  const run = await heldIn(server)
  viewer.subscribe(run.id)
  for (let n = 0; n < 5; n++) {
    const { pauseId } = await viewer.held(run.id)
    viewer.control('exec.resume', { pauseId, action: n % 2 ? 'continue' : 'inject', output: `${n}` }, run.id)
    await viewer.event(run.id, 'exec.resumed', (payload) => payload.pauseId === pauseId)
  }
  const results = await Promise.all(calls)
  assert.is(results.filter(({ isError }) => isError === true).length, 2)
  await viewer.close()
  await mcp.close()
  await server.stop()
})

test('nothing that a switch hides reaches the database', async () => {
  const server = await startServerProcess({ args: ['--pause-on-error', 'off'] })
  const mcp = await connectMcp(server.port, { flags: ['--hide', 'inputs,outputs'] })
  await mcp.client.callTool({ name: 'create_task', arguments: { title: 'sesame-in-the-arguments' } })
  await mcp.client.callTool({ name: 'search_tasks', arguments: { query: 'sesame-in-the-query' } })
  await mcp.close()
  await until(async () => (await runs(server))[0]?.status === 'ok')
  await server.stop()
  const { readFileSync } = await import('node:fs')
  const bytes = readFileSync(server.dbPath)
  assert.ok(bytes.includes('create_task'), 'names stay')
  for (const secret of ['sesame', 'rebuilt', 'created ']) assert.is(bytes.includes(secret), false, secret)
})

test.run()
