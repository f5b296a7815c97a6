// The promise that everything else rests on: a client cannot tell the proxy from the server. The
// official client and the reference servers, the same session twice: once direct, once through
// the proxy with a debugger attached; the bytes on either side of the proxy are the same.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { CLI, startServerProcess, tempDir, until, type ServerProcess } from '../kit/index.ts'
import { playSession, type ServerName } from './scripted-session.ts'

const TEE = fileURLToPath(new URL('../kit/tee.ts', import.meta.url))
const require = createRequire(import.meta.url)
const node = process.execPath

function serverCommand(name: ServerName, folder: string): string[] {
  const entry = join(dirname(require.resolve(`@modelcontextprotocol/server-${name}/package.json`)), 'dist/index.js')
  return [node, entry, ...(name === 'filesystem' ? [folder] : [])]
}

const sha = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')
const nodesOf = async (server: ServerProcess) => {
  const { runs } = (await (await fetch(`${server.url}/api/runs`)).json()) as { runs: { id: string; status: string; app: string }[] }
  const run = runs[0]
  if (!run || run.status === 'running') return null
  const { events } = (await (await fetch(`${server.url}/api/runs/${run.id}/events?limit=5000`)).json()) as { events: { type: string; payload: { nodeId?: string } }[] }
  return { run, nodes: new Set(events.filter(({ type }) => type === 'node.started').map(({ payload }) => payload.nodeId)) }
}

for (const name of ['everything', 'filesystem', 'memory'] as const) {
  test(`server-${name}: the same results, and the same bytes on both sides of the proxy`, async () => {
    const home = tempDir()
    const folder = join(home, 'files')
    const env = { MEMORY_FILE_PATH: join(home, 'memory.json') }
    mkdirSync(folder)
    const direct = await playSession(name, serverCommand(name, folder), folder, env)
    const again = join(home, 'again')
    mkdirSync(again)
    const graphmind = await startServerProcess({ args: ['--pause-on-error', 'off'] })
    const proxied = await playSession(name, [
      node, TEE, join(home, 'outside'),
      node, CLI, 'mcp-proxy', '--port', String(graphmind.port), '--',
      node, TEE, join(home, 'inside'), ...serverCommand(name, again),
    ], again, { ...env, MEMORY_FILE_PATH: join(home, 'memory-again.json') })
    assert.is(proxied.replaceAll(again, folder), direct)
    for (const direction of ['c2s', 's2c']) assert.is(sha(join(home, `outside.${direction}`)), sha(join(home, `inside.${direction}`)), direction)
    const { run, nodes } = await until(() => nodesOf(graphmind), { what: 'the run to end' })
    assert.is(run.status, 'ok')
    assert.ok(nodes.has('mcp:session') && nodes.has('mcp:initialize') && nodes.size > 5, [...nodes].join(' '))
    await graphmind.stop()
  })
}

test.run()
