// The single executable: every command works with no Node, no node_modules, an empty home and a
// working directory that cannot be written to.
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { buildSea, makeBlob } from '../../build/sea.ts'
import { cleanEnv, connectViewer, ROOT, run, start, startServerProcess, tempDir, until } from '../kit/index.ts'

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
const home = tempDir()
const cwd = join(home, 'read-only')
const env = cleanEnv({ HOME: join(home, 'empty'), PATH: pathWithoutNode(), GRAPHMIND_HOME: undefined })
let binary = ''

test.before(async () => {
  mkdirSync(join(home, 'empty'))
  mkdirSync(cwd)
  chmodSync(cwd, 0o555)
  binary = await buildSea()
})

test('--version prints the version, whatever NODE_OPTIONS says', async () => {
  assert.is((await run(binary, ['--version'], { env, cwd })).stdout, `${version}\n`)
  const leaky = await run(binary, ['-v'], { env: { ...env, NODE_OPTIONS: '--require /no/such/file.js' }, cwd })
  assert.is(leaky.stdout, `${version}\n`)
  assert.is(leaky.stderr, '')
})

test('node\'s own flags are ours to refuse', async () => {
  const ran = await run(binary, ['--inspect'], { env, cwd })
  assert.is(ran.stderr, 'graphmind: unknown flag --inspect. See graphmind serve --help.\n')
  assert.is(ran.code, 2)
})

test('serve shows the viewer and records what its own mcp-proxy relays', async () => {
  const server = await startServerProcess({ command: (...args) => [binary, args], env, home: join(home, 'empty') })
  assert.match(await (await fetch(server.url)).text(), '<script')
  const viewer = await connectViewer(server.uiUrl)
  viewer.subscribe('*')
  const frame = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
  const ran = await run(binary, ['mcp-proxy', '--port', String(server.port), '--trace', '--', 'cat'], { env, cwd, input: frame })
  assert.is(ran.stdout, frame)
  assert.is(ran.code, 0)
  assert.match(ran.stderr, 'ping')
  await viewer.run((each) => each.finishedAt !== null)
  await viewer.close()
  assert.is(await server.stop(), 0)
  assert.is(server.stderr().replace(/^graphmind: stopping[^\n]*\n$/, ''), '')
})

test('a proxied server ends with the binary, also when that is killed', async () => {
  const proxy = start(binary, ['mcp-proxy', '--port', '9', '--', 'sh', '-c', 'echo $$; exec cat'], { env, cwd })
  const [, pid] = await proxy.sees(/^(\d+)\n/)
  assert.ok(existsSync(`/proc/${pid}`) || process.platform !== 'linux')
  proxy.kill('SIGKILL')
  await proxy.exited
  await until(() => isGone(Number(pid)), { what: `process ${pid} to end` })
})

test('the recipe names the binary itself', async () => {
  const ran = await run(binary, ['mcp-proxy'], { env, cwd })
  assert.is(ran.code, 2)
  assert.match(ran.stderr, binary)
  assert.not.match(ran.stderr, 'npx -y graphmind-ai')
})

test('made twice, it is the same bytes', () => {
  assert.ok(makeBlob().equals(makeBlob()))
})

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}

/** A folder with the few commands that these tests run, and no Node. */
function pathWithoutNode(): string {
  const bin = join(home, 'bin')
  mkdirSync(bin)
  for (const name of ['cat', 'sh']) symlinkSync(join('/bin', name), join(bin, name))
  return bin
}

test.run()
