// How a server is started: what it gets, what is said when it cannot be, and the flags about it.
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ingestServer } from '../client/ingest-server.ts'
import { cleanEnv, run, graphmind, tempDir, until } from '../kit/index.ts'
import { isUrl, recipeText, urlRefusal } from '../../src/proxy/recipe.ts'
import { proxied, server } from './relay-kit.ts'

const AWKWARD = ['a b', 'p<7', '%PATH%', '{"k":"v"}', '&', '', "it's", '"', '\\', '*', '$HOME', '--port', '--help', '--', '-v', '\n', 'é😀']

test('arguments, environment and working directory arrive unchanged; nothing after -- is ours', async () => {
  const cwd = join(tempDir('a folder with spaces'))
  const proxy = await proxied(server('shows-its-launch', ...AWKWARD), { cwd, env: { MY_VALUE: 'as it was', GRAPHMIND_HIDE_INPUTS: '1' } })
  proxy.stdin.end()
  await proxy.exited
  const seen = JSON.parse(proxy.stdout()) as { args: string[]; cwd: string; env: Record<string, string> }
  assert.equal(seen.args, AWKWARD)
  assert.is(seen.cwd, cwd)
  assert.is(seen.env.MY_VALUE, 'as it was')
  assert.is(seen.env.GRAPHMIND_HIDE_INPUTS, '1')
  assert.is(proxy.stderr(), '')
})

test('a program in a path with spaces is started', async () => {
  const path = join(tempDir('with space'), 'my server')
  writeFileSync(path, '#!/bin/sh\necho started\n')
  chmodSync(path, 0o755)
  const proxy = await proxied([path])
  assert.is((await proxy.exited).code, 0)
  assert.is(proxy.stdout(), 'started\n')
})

test('a command that is not there: 127 and one line with what was looked for and where', async () => {
  const proxy = await proxied(['no-such-server', 'x'], { env: { PATH: '/nowhere:/bin' } })
  assert.is((await proxy.exited).code, 127)
  assert.match(proxy.stderr(), /^graphmind: .*"no-such-server".*\/nowhere:\/bin\n$/)
  assert.is(proxy.stdout(), '')
})

test('a file that cannot be executed: 126 and one line', async () => {
  const path = join(tempDir(), 'plain.txt')
  writeFileSync(path, 'text')
  const proxy = await proxied([path])
  assert.is((await proxy.exited).code, 126)
  assert.match(proxy.stderr(), /^graphmind: .*not executable.*\n$/)
})

test('a script whose interpreter is missing: 127, and the line says that the script itself was found', async () => {
  const path = join(tempDir(), 'script')
  writeFileSync(path, '#!/no/such/interpreter\n')
  chmodSync(path, 0o755)
  const proxy = await proxied([path])
  assert.is((await proxy.exited).code, 127)
  assert.match(proxy.stderr(), /was found.*interpreter/)
})

test('a whole command in one word: the line says that each word must be one of its own', async () => {
  const proxy = await proxied(['npx -y some-server'])
  assert.is((await proxy.exited).code, 127)
  assert.match(proxy.stderr(), /words of their own/)
})

test('a failed start is told to the debugger', async () => {
  const debuggers = await ingestServer()
  const proxy = await proxied(['no-such-server'], { port: debuggers.port })
  assert.is((await proxy.exited).code, 127)
  const finished = await debuggers.event('run.finished')
  assert.is(finished.payload.status, 'error')
  assert.match(JSON.stringify(debuggers.events('finding')), /no-such-server/)
  await debuggers.close()
})

test('no command: a recipe for this install, exit 2', async () => {
  const { code, stdout, stderr } = await run(...graphmind('mcp-proxy'), { env: cleanEnv() })
  assert.is(code, 2)
  assert.is(stdout, '')
  assert.match(stderr, /npx -y graphmind-ai@\d+\.\d+\.\d+ mcp-proxy -- /)
})

test('the recipe names the binary by its path, and goes through cmd on Windows', () => {
  const script = { execPath: '/usr/bin/node', script: '/x/bin.cjs' }
  assert.match(recipeText({ version: '1.2.3', self: { execPath: '/opt/my tools/graphmind', script: null }, platform: 'linux' }), `'/opt/my tools/graphmind' mcp-proxy -- `)
  const windows = recipeText({ version: '1.2.3', self: script, platform: 'win32' })
  assert.match(windows, 'cmd /c npx -y graphmind-ai@1.2.3 mcp-proxy -- ')
  assert.match(windows, '"command": "cmd"')
  for (const client of ['Claude Desktop', 'Claude Code', 'Cursor', 'VS Code']) assert.match(windows, client)
})

test('every JSON in the recipe can be pasted as it is', () => {
  const text = recipeText({ version: '1.2.3', self: { execPath: 'C:\\Program Files\\graphmind.exe', script: null }, platform: 'win32' })
  const blocks = text.match(/^ {2}\{\n(?: {3,}.*\n)+ {2}\}$/gm) ?? []
  assert.is(blocks.length, 2)
  for (const block of blocks) assert.match(JSON.stringify(JSON.parse(block)), '"C:\\\\Program Files\\\\graphmind.exe"')
})

test('an address as command: only stdio servers are debugged, exit 2', async () => {
  const { code, stderr } = await run(...graphmind('mcp-proxy', '--', 'https://example.org/mcp'), { env: cleanEnv() })
  assert.is(code, 2)
  assert.match(stderr, /only stdio servers/)
  assert.ok(isUrl('HTTP://x') && !isUrl('http') && !isUrl('./http://x') && urlRefusal('http://x').endsWith('\n'))
})

test('--trace: a line a frame with time, arrow, method, id, bytes and duration, without any server', async () => {
  const proxy = await proxied(server('answers-late', 30), { flags: ['--trace'] })
  proxy.stdin.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n')
  await proxy.sees(/reply/)
  proxy.stdin.end()
  await proxy.exited
  const [asked, replied] = proxy.stderr().split('\n')
  assert.match(asked ?? '', /^\d\d:\d\d:\d\d\.\d{3} → tools\/list #1 47 B$/)
  assert.match(replied ?? '', /^\d\d:\d\d:\d\d\.\d{3} ← reply to tools\/list #1 37 B \d+ ms$/)
})

test('--inherit-stderr: the server gets the very descriptor', async () => {
  const proxy = await proxied(['sh', '-c', '[ -t 2 ] || echo plain >&2; ls -l /proc/self/fd/2 >&2 || true'], { flags: ['--inherit-stderr'] })
  proxy.stdin.end()
  assert.is((await proxy.exited).code, 0)
  assert.match(proxy.stderr(), 'plain')
})

test('--wait-for-attach: the first frame waits for the debugger, so that initialize can be held', async () => {
  const debuggers = await ingestServer()
  debuggers.ack = { breakpoints: [{ name: 'initialize', point: 'before' }] }
  const proxy = await proxied(server('answers'), { port: debuggers.port, flags: ['--wait-for-attach'] })
  proxy.stdin.write('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}\n')
  const { payload } = await debuggers.event('exec.paused')
  assert.is(proxy.stdout(), '')
  assert.match(proxy.stderr(), /^HOLDING initialize .*before gate/)
  debuggers.send('exec.resume', { pauseId: payload.pauseId, action: 'continue' }, (await debuggers.event('run.started')).runId)
  await until(() => proxy.stdout().includes('"serverInfo"'))
  proxy.stdin.end()
  assert.is((await proxy.exited).code, 0)
  await debuggers.close()
})

test('--wait-for-attach without a debugger: the first frame goes on after 3 s at most', async () => {
  const proxy = await proxied(server('answers'), { flags: ['--wait-for-attach'] })
  proxy.stdin.write('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}\n')
  await until(() => proxy.stdout().includes('"serverInfo"'), { timeoutMs: 8000 })
  proxy.stdin.end()
  assert.is((await proxy.exited).code, 0)
})

test.run()
