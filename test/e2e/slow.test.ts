// Much at once, and changing one's mind: ten thousand progress frames with a viewer watching, and
// calls cancelled around their answers or while they are held. Decided once, and told once.
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { connectViewer, startServerProcess, until, type RawViewer, type ServerProcess } from '../kit/index.ts'
import { connectMcp, type McpSession } from '../kit/mcp-session.ts'

const COUNTS = [process.execPath, fileURLToPath(new URL('../fixtures/mcp/counts.ts', import.meta.url))]

async function watched(): Promise<{ server: ServerProcess; mcp: McpSession; viewer: RawViewer; runId: string }> {
  const server = await startServerProcess()
  const mcp = await connectMcp(server.port, { server: COUNTS })
  const viewer = await connectViewer(server.uiUrl)
  viewer.subscribe('*')
  const { id: runId } = await viewer.run(({ live, app }) => live && app === 'counts-server')
  viewer.subscribe(runId, { batch: true })
  return { server, mcp, viewer, runId }
}

/** The payloads of the run's events so far, with their types. */
const told = ({ viewer, runId }: { viewer: RawViewer; runId: string }) =>
  viewer.events(runId).map(({ type, payload }) => ({ type, payload: payload as Record<string, unknown> }))

async function leave({ server, mcp, viewer }: Awaited<ReturnType<typeof watched>>): Promise<void> {
  await mcp.close()
  await viewer.close()
  await server.stop()
}

test('10,000 progress frames reach the client in order, and each one the viewer', async () => {
  const at = await watched()
  const steps: number[] = []
  // The client drops progress that it reads together with the answer, so the answer waits for the last step.
  const { client } = at.mcp
  const answer = client.callTool({ name: 'count', arguments: { frames: 10_000 } }, undefined, { onprogress: ({ progress }) => steps.push(progress), timeout: 30_000 })
  await until(() => steps.length === 10_000, { timeoutMs: 20_000, what: () => `10,000 steps, ${steps.length} so far` })
  await client.callTool({ name: 'release', arguments: {} })
  assert.equal((await answer).content, [{ type: 'text', text: 'counted' }])
  assert.is(steps.findIndex((step, i) => step !== i + 1), -1)
  await at.viewer.event(at.runId, 'node.finished', ({ nodeId }) => nodeId === 'tool:count')
  const frames = told(at).filter(({ payload }) => JSON.stringify(payload).includes('notifications/progress') && 'frame' in payload)
  assert.is(new Set(frames.map(({ payload }) => (payload.frame as { n: number }).n)).size, 10_000)
  await leave(at)
})

test('cancelled at 0, 10 and 100 ms around the answer: each call ends once, and the session goes on', async () => {
  const at = await watched()
  const outcomes = await Promise.all([0, 10, 100].flatMap((ms) => [-5, 0, 5].flatMap((shift) => [true, false].map(async (deaf) => {
    const cancel = new AbortController()
    const answer = at.mcp.client.callTool({ name: 'wait', arguments: { ms, deaf } }, undefined, { signal: cancel.signal })
    setTimeout(() => cancel.abort('changed my mind'), Math.max(0, ms + shift))
    return answer.then(() => 'answered', () => 'cancelled')
  }))))
  assert.is(outcomes.length, 18)
  await at.mcp.client.ping()
  const ends = () => told(at).filter(({ type, payload }) => (type === 'node.finished' || type === 'node.error') && payload.nodeId === 'tool:wait')
  await until(() => ends().length >= 18, { what: () => `18 ends, ${ends().length} so far, of ${outcomes.join(' ')}` })
  const ofEach = ends().map(({ payload }) => payload.instanceId)
  assert.is(new Set(ofEach).size, ofEach.length)
  await leave(at)
})

test('cancelled while it is held before the server: neither the call nor the cancellation goes on, the hold ends', async () => {
  const at = await watched()
  at.viewer.control('breakpoint.set', { matcher: { name: 'wait', point: 'before' } })
  await at.viewer.next((m) => m.type === 'state')
  await at.mcp.client.ping()
  const cancel = new AbortController()
  const answer = at.mcp.client.callTool({ name: 'wait', arguments: {} }, undefined, { signal: cancel.signal }).catch((error: Error) => error.message)
  const { pauseId } = await at.viewer.held(at.runId, 'before')
  cancel.abort('changed my mind')
  assert.match(String(await answer), /changed my mind/)
  const resumed = await at.viewer.event(at.runId, 'exec.resumed', (payload) => payload.pauseId === pauseId)
  assert.is((resumed.payload as { principal?: string }).principal, 'cancel')
  await at.viewer.event(at.runId, 'node.finished', ({ nodeId, status }) => nodeId === 'tool:wait' && status === 'aborted')
  at.viewer.control('exec.resume', { pauseId, action: 'continue', requestId: 'late' }, at.runId)
  await at.viewer.next((m) => m.type === 'error' && m.requestId === 'late')
  await leave(at)
})

test.run()
