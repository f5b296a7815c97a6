// Every mistake on the command line: one line on stderr that names it and offers the nearest valid
// spelling, nothing on stdout, exit code 2. Through the real process.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { cleanEnv, graphmind, run, tempDir } from '../kit/index.ts'

const home = tempDir()

/** What is typed, what stderr says, and (where it needs one) the environment. */
const MISTAKES: [typed: string, says: string, env?: Record<string, string>][] = [
  ['serv', 'graphmind: unknown command "serv". Did you mean serve?'],
  ['mcpproxy -- node', 'graphmind: unknown command "mcpproxy". Did you mean mcp-proxy?'],
  ['help', 'graphmind: unknown command "help". Did you mean --help?'],
  ['frobnicate', 'graphmind: unknown command "frobnicate". The commands are serve and mcp-proxy; see graphmind --help.'],
  ['serve now', 'graphmind: serve takes no argument "now". See graphmind serve --help.'],
  ['serve -- now', 'graphmind: serve takes no argument "now". See graphmind serve --help.'],
  ['--prot 5000', 'graphmind: unknown flag --prot. Did you mean --port?'],
  ['serve --pause-on-errors on', 'graphmind: unknown flag --pause-on-errors. Did you mean --pause-on-error?'],
  ['serve --noopen', 'graphmind: unknown flag --noopen. Did you mean --no-open?'],
  ['serve --no-port', 'graphmind: unknown flag --no-port. Did you mean --port?'],
  ['serve -p 5000', 'graphmind: unknown flag -p. See graphmind serve --help.'],
  ['serve --frobnicate', 'graphmind: unknown flag --frobnicate. See graphmind serve --help.'],
  ['serve --trace', 'graphmind: serve takes no --trace. It is a flag of mcp-proxy.'],
  ['mcp-proxy --token -- node', 'graphmind: mcp-proxy takes no --token. It is a flag of serve.'],
  ['mcp-proxy --trase -- node', 'graphmind: unknown flag --trase. Did you mean --trace?'],
  ['serve --port', 'graphmind: --port needs a value. Write --port <n>.'],
  ['serve --port=', 'graphmind: --port needs a value. Write --port <n>.'],
  ['serve --port --no-open', 'graphmind: --port needs a value. Write --port <n>.'],
  ['mcp-proxy --hide -- node', 'graphmind: --hide needs a value. Write --hide <what>.'],
  ['serve --open=maybe', 'graphmind: --open takes no value, not even "maybe". Write --open or --no-open.'],
  ['serve --port http', 'graphmind: --port is "http", which is not a port: a whole number from 0 to 65535.'],
  ['serve --port 65536', 'graphmind: --port is "65536", which is not a port: a whole number from 0 to 65535.'],
  ['mcp-proxy --port 0042 -- node', 'graphmind: --port is "0042", which is not a port: a whole number from 0 to 65535.'],
  ['serve --pause-on-error tol', 'graphmind: --pause-on-error is "tol", which is not on, off or a kind of node (agent llm tool chain retriever server resource prompt custom). Did you mean tool?'],
  ['mcp-proxy --pause-on-error nope -- node', 'graphmind: --pause-on-error is "nope", which is not on, off or a kind of node (agent llm tool chain retriever server resource prompt custom).'],
  ['mcp-proxy --hide input -- node', 'graphmind: --hide is "input", which is not one of inputs, outputs, tool-args, tool-results. Did you mean inputs?'],
  ['mcp-proxy --max-frame-bytes 64M -- node', 'graphmind: --max-frame-bytes is "64M", which is not a whole number of bytes.'],
  ['mcp-proxy --max-frame-bytes 0 -- node', 'graphmind: --max-frame-bytes is "0", which is not a whole number of bytes above 0.'],
  ['serve', 'graphmind: GRAPHMIND_PAUSE_ON_ERROR is "yes", which is not on, off or a kind of node (agent llm tool chain retriever server resource prompt custom).', { GRAPHMIND_PAUSE_ON_ERROR: 'yes' }],
  ['serve', 'graphmind: GRAPHMIND_ABANDON_GRACE_MS is "15s", which is not a whole number of milliseconds.', { GRAPHMIND_ABANDON_GRACE_MS: '15s' }],
  ['serve', 'graphmind: GRAPHMIND_UNATTENDED_MS is "never", which is not a whole number of milliseconds.', { GRAPHMIND_UNATTENDED_MS: 'never' }],
  ['serve', 'graphmind: GRAPHMIND_ALLOWED_ORIGINS is "localhost:3000", which is not an origin such as http://localhost:3000, or *.', { GRAPHMIND_ALLOWED_ORIGINS: 'localhost:3000' }],
  ['serve', 'graphmind: GRAPHMIND_VIEWER_DIST is "no/such", which is not a folder.', { GRAPHMIND_VIEWER_DIST: 'no/such' }],
  ['serve', 'graphmind: GRAPHMIND_RETENTION is "maybe", which is not on or off.', { GRAPHMIND_RETENTION: 'maybe' }],
]

for (const [typed, says, env] of MISTAKES) {
  const variables = env ? `${Object.entries(env).map(([name, value]) => `${name}=${value}`).join(' ')} ` : ''
  test(`${variables}graphmind ${typed}: is told so in one line`, async () => {
    const ran = await run(...graphmind(...typed.split(' ')), { env: cleanEnv({ HOME: home, ...env }), cwd: home })
    assert.is(ran.stderr, `${says}\n`)
    assert.is(ran.stdout, '')
    assert.is(ran.code, 2)
  })
}

test('a stack is shown only where GRAPHMIND_DEBUG=1 asks for it', async () => {
  const ran = await run(...graphmind('serv'), { env: cleanEnv({ GRAPHMIND_DEBUG: '1' }) })
  assert.match(ran.stderr, /^graphmind: unknown command "serv"[^\n]*\nGM_UNKNOWN_COMMAND UsageFault: .*\n +at /)
  assert.is(ran.code, 2)
})

test('mcp-proxy without a command prints a recipe to copy and exits with 2', async () => {
  const ran = await run(...graphmind('mcp-proxy'), { env: cleanEnv({ HOME: home }) })
  assert.is(ran.code, 2)
  assert.is(ran.stdout, '')
  assert.match(ran.stderr, 'mcp-proxy')
  assert.match(ran.stderr, '--')
  assert.is((await run(...graphmind('mcp-proxy', '--'), { env: cleanEnv({ HOME: home }) })).stderr, ran.stderr)
})

test('a URL as command is refused: only stdio servers are debugged', async () => {
  const ran = await run(...graphmind('mcp-proxy', '--', 'https://example.org/mcp'), { env: cleanEnv({ HOME: home }) })
  assert.is(ran.code, 2)
  assert.is(ran.stdout, '')
  assert.match(ran.stderr, /https:\/\/example\.org\/mcp/)
  assert.match(ran.stderr, /stdio/)
})

test.run()
