// What is published, as a user gets it: the script, the page in it, the package, its types.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { transform } from 'esbuild'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { buildAll } from '../../build/build.ts'
import { guardText } from '../../build/guard.ts'
import { isFresh } from '../../build/stamp.ts'
import { cleanEnv, ROOT, run, startServerProcess, tempDir } from '../kit/index.ts'

const DIST = join(ROOT, 'dist')
const built = (...args: string[]): [string, string[]] => [process.execPath, [join(DIST, 'bin.cjs'), ...args]]
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string; files: string[]; dependencies?: object }

test.before(async () => {
  if (!isFresh()) await buildAll()
})

test('the built command prints its version, its help and its mistakes as the sources do', async () => {
  const golden = readFileSync(join(ROOT, 'test/cli/golden/help.txt'), 'utf8')
  assert.is((await run(...built('--version'))).stdout, `${manifest.version}\n`)
  assert.is((await run(process.execPath, [join(DIST, 'graphmind.cjs'), '-v'])).stdout, `${manifest.version}\n`)
  assert.fixture((await run(...built('--help'))).stdout, golden)
  const mistake = await run(...built('serv'))
  assert.is(mistake.stderr, 'graphmind: unknown command "serv". Did you mean serve?\n')
  assert.is(mistake.code, 2)
})

test('the built proxy relays bytes, and reports to the built server', async () => {
  const server = await startServerProcess({ command: built })
  const frame = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
  const ran = await run(...built('mcp-proxy', '--port', String(server.port), '--', 'cat'), { input: frame })
  assert.is(ran.stdout, frame)
  const { runs } = await (await fetch(`${server.url}/api/runs`)).json() as { runs: unknown[] }
  assert.is(runs.length, 1)
  assert.is(await server.stop(), 0)
  assert.not.match(server.stderr(), /warning/i)
})

test('the viewer is the same page however it is asked for, and its policy allows its scripts and no others', async () => {
  const server = await startServerProcess({ command: built })
  const plain = await ask(server.url, '')
  assert.match(plain.body.toString(), '<script')
  assert.is(plain.headers['content-encoding'], undefined)
  const brotli = await ask(server.url, 'gzip, deflate, br, zstd')
  assert.is(brotli.headers['content-encoding'], 'br')
  assert.ok(brotliDecompressSync(brotli.body).equals(plain.body))
  const gzip = await ask(server.url, 'gzip')
  assert.is(gzip.headers['content-encoding'], 'gzip')
  assert.ok(gunzipSync(gzip.body).equals(plain.body))
  assert.is(brotli.headers.etag, plain.headers.etag)

  const policy = String(plain.headers['content-security-policy'])
  const scripts = [...plain.body.toString().matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map((match) => match[1] ?? '')
  assert.ok(scripts.length > 0)
  for (const script of scripts) assert.ok(policy.includes(createHash('sha256').update(script).digest('base64')), 'each script is in the policy')
  assert.not.match(/script-src ([^;]*)/.exec(policy)?.[1] ?? '', /unsafe|https?:|\*/)
  await server.stop()
})

test('a Node that is too old is told so in one line, in words that it can read', async () => {
  const text = guardText('9.9.9', '>=22.13')
  await transform(text.replace(/^#!.*/, ''), { target: 'es5' }) // refuses what came after ES5
  const fate = (node: string, ...argv: string[]): { printed: string; loaded: string[]; exitCode: number | undefined } => {
    const seen = { printed: '', loaded: [] as string[], exitCode: undefined as number | undefined }
    const process = {
      versions: { node }, argv: ['node', 'graphmind', ...argv], stderr: { write: (line: string) => { seen.printed += line } },
      set exitCode(code: number) { seen.exitCode = code },
    }
    const require = (name: string): object => {
      seen.loaded.push(name)
      return { writeSync: (_fd: number, line: string) => { seen.printed += line } }
    }
    runInNewContext(text.replace(/^#!.*/, ''), { process, require })
    return seen
  }
  for (const old of ['0.10.48', '8.17.0', '20.20.2', '22.12.0']) {
    assert.equal(fate(old, 'serve'), { printed: `graphmind: this is Node ${old}; graphmind needs Node 22.13 or newer.\n`, loaded: [], exitCode: 1 })
  }
  for (const fine of ['22.13.0', '23.0.0', '26.10.0']) assert.equal(fate(fine, 'serve').loaded, ['module', './graphmind.cjs'])
  assert.equal(fate('26.10.0', '--version'), { printed: '9.9.9\n', loaded: ['fs'], exitCode: undefined })
})

test('the script needs nothing but Node: no package, wherever it lies', async () => {
  const alone = tempDir()
  cpSync(join(DIST, 'graphmind.cjs'), join(alone, 'g.cjs'))
  const frame = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
  const ran = await run(process.execPath, [join(alone, 'g.cjs'), 'mcp-proxy', '--port', '9', '--', 'cat'], { input: frame, cwd: alone, env: cleanEnv({ HOME: alone }) })
  assert.is(ran.stdout, frame)
  assert.is(ran.stderr, '')
})

test('the package is small, has no dependencies and holds what it should', () => {
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const [{ size, files }] = JSON.parse(packed) as [{ size: number; files: { path: string }[] }]
  const paths = files.map(({ path }) => path).filter((path) => !path.startsWith('dist/types/'))
  assert.equal(paths.sort(), [
    'CHANGELOG.md', 'LICENSE', 'README.md', 'dist/THIRD-PARTY-NOTICES.txt', 'dist/bin.cjs', 'dist/client.js', 'dist/graphmind.cjs',
    'dist/index.js', 'dist/wire.schema.json', 'package.json',
  ])
  assert.ok(size < 600_000, `it is ${size} bytes`)
  assert.is(manifest.dependencies, undefined)
})

test('an app that imports the package gets its code and its types, and the README\'s example is right', async () => {
  const app = tempDir()
  const home = join(app, 'node_modules/graphmind-ai')
  mkdirSync(home, { recursive: true })
  for (const name of ['package.json', 'dist/index.js', 'dist/client.js', 'dist/types', 'dist/wire.schema.json']) cpSync(join(ROOT, name), join(home, name), { recursive: true })
  writeFileSync(join(app, 'app.mts'), `
    import { createEnvelope, parseEnvelope, shrink, wireSchema, type WireEnvelope, type Matcher, type RunInfo, type UiClientMessage, type UiServerMessage } from 'graphmind-ai'
    import { createSession, type Session } from 'graphmind-ai/client'
    const envelope: WireEnvelope = createEnvelope('run.finished', { status: 'ok' }, { runId: 'r', seq: 0, ts: 0 })
    const session: Session = createSession({ appName: 'a', enabled: false })
    export type All = [Matcher, RunInfo, UiClientMessage, UiServerMessage]
    const answer: number = await session.run('r', () => 42)
    await session.dispose()
    console.log(parseEnvelope(JSON.stringify(envelope)).status, typeof shrink, typeof wireSchema, answer)
  `)
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  writeFileSync(join(app, 'readme.mts'), `declare function search(city: string): Promise<string[]>\n${/```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '?'}`)
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024', '--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')]
  const checked = await run(process.execPath, [tsc, ...options, 'app.mts', 'readme.mts'], { cwd: app })
  assert.is(checked.stdout, '')
  assert.is(checked.code, 0)
  const ran = await run(process.execPath, ['app.mjs'], { cwd: app })
  assert.is(ran.stdout, 'ok function object 42\n', ran.stderr)
})

test('the same sources give the same bytes', async () => {
  const again = tempDir()
  const { log } = console
  console.log = () => {}
  try {
    await buildAll(join(again, 'dist'), join(again, 'viewer'))
  } finally {
    console.log = log
  }
  const files = readdirSync(join(again, 'dist'), { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(again, 'dist', name)).isFile())
  assert.ok(files.length > 10)
  for (const name of files) {
    assert.ok(existsSync(join(DIST, name)), name)
    assert.ok(readFileSync(join(again, 'dist', name)).equals(readFileSync(join(DIST, name))), `${name} differs`)
  }
})

test('the notices name every package whose code is in the script', () => {
  const notices = readFileSync(join(DIST, 'THIRD-PARTY-NOTICES.txt'), 'utf8')
  for (const name of ['ws', 'mri', 'cross-spawn', 'solid-js', '@codemirror/view', 'd3-zoom']) assert.match(notices, `\n${name} `)
  assert.not.match(notices, 'not stated')
})

function ask(url: string, encoding: string): Promise<{ headers: Record<string, string | string[] | undefined>; body: Buffer }> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': encoding } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }))
    }).on('error', reject)
  })
}

test.run()
