// How a client of both eras begins: it starts the command once to ask which era the server speaks,
// and then again for the session; or it asks in the session itself and falls back. Each launch is
// a run, and a probe must not look like a failure.
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { CLI, cleanEnv, graphmind, start, startServerProcess, until, type ServerProcess } from '../kit/index.ts'
import { TASKS_SERVER } from '../kit/mcp-session.ts'

const MODERN_SERVER = fileURLToPath(new URL('../fixtures/mcp/modern.ts', import.meta.url))

interface Event { type: string; payload: Record<string, unknown> & { nodeId?: string } }
interface Launch { id: string; app: string; status: string; errorCount: number; eventCount: number; events: Event[] }

/** All runs, the oldest first, with their events. */
async function launches(server: ServerProcess): Promise<Launch[]> {
  const { runs } = (await (await fetch(`${server.url}/api/runs`)).json()) as { runs: (Launch & { startedAt: number })[] }
  return Promise.all(runs.sort((a, b) => a.startedAt - b.startedAt).map(async (run) => ({
    ...run,
    events: ((await (await fetch(`${server.url}/api/runs/${run.id}/events`)).json()) as { events: Event[] }).events,
  })))
}

const called = ({ events }: Launch, tool: string) => events.some(({ type, payload }) => type === 'node.started' && payload.nodeId === `tool:${tool}`)

/** Connects as a client of both eras does, and calls one tool. */
async function session(port: number, server: string, tool: string, args: Record<string, unknown>): Promise<unknown> {
  const client = new Client({ name: 'dual', version: '2.0.0' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp-proxy', '--port', String(port), '--', process.execPath, server],
    env: cleanEnv() as Record<string, string>,
    stderr: 'ignore',
  }))
  const { content } = await client.callTool({ name: tool, arguments: args })
  await client.close()
  return content
}

for (const [era, fixture, app, tool, args, text] of [
  ['old', TASKS_SERVER, 'tasks-server', 'create_task', { title: 'x' }, 'created x'],
  ['new', MODERN_SERVER, 'modern-server', 'add', { a: 1, b: 2 }, '3'],
] as const) {
  test(`a client of both eras and a server of the ${era} one: the session has its name, a probe is a small calm run, nothing is held`, async () => {
    const server = await startServerProcess() // the error gate is armed
    assert.equal(await session(server.port, fixture, tool, args), [{ type: 'text', text }])
    const runs = await until(async () => {
      const all = await launches(server)
      return all.some((run) => called(run, tool)) && all.every(({ status }) => status !== 'running') && all
    }, { what: 'the runs to end' })
    const main = runs.filter((run) => called(run, tool))
    assert.equal(main.map((run) => [run.app, run.status]), [[app, 'ok']])
    const probes = runs.filter((run) => !called(run, tool))
    for (const probe of probes) {
      assert.is(probe.status, 'ok')
      assert.is(probe.errorCount, 0)
      assert.ok(probe.events.length <= 20, `${probe.events.length} events`)
    }
    for (const { type, payload } of runs.flatMap(({ events }) => events)) {
      assert.is.not(type, 'exec.paused')
      if (type === 'finding') assert.is(payload.level, 'info', String(payload.message))
    }
    console.log(`    ${runs.length} launches, the probes with ${probes.map(({ events }) => events.length).join(', ') || 'no'} events`)
    await server.stop()
  })
}

const PROBE = '{"jsonrpc":"2.0","id":0,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}\n'

for (const end of ['hangs up', 'kills it'] as const) {
  test(`a client that only probes and ${end}: one run, ended well, without alarm`, async () => {
    const server = await startServerProcess()
    const probe = start(...graphmind('mcp-proxy', '--port', String(server.port), '--', process.execPath, MODERN_SERVER))
    probe.stdin.write(PROBE)
    await probe.sees('"supportedVersions"')
    if (end === 'hangs up') probe.stdin.end()
    else probe.kill('SIGTERM')
    await probe.exited
    const runs = await until(async () => {
      const all = await launches(server)
      return all.length > 0 && all.every(({ status }) => status !== 'running') && all
    }, { what: 'the run to end' })
    assert.equal(runs.map(({ status, errorCount }) => [status, errorCount]), [['ok', 0]])
    assert.equal(runs[0]?.events.filter(({ type, payload }) => type === 'node.error' || (type === 'finding' && payload.level !== 'info')), [])
    await server.stop()
  })
}

test.run()
