// --help is quoted by others, so it is pinned: to accept a change, write the new text to
// test/cli/golden (`node src/cli/main.ts serve --help > test/cli/golden/help-serve.txt`).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { graphmind, ROOT, run } from '../kit/index.ts'

const golden = (name: string): string => readFileSync(join(ROOT, 'test/cli/golden', name), 'utf8')
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }

async function prints(args: string[], expected: string): Promise<void> {
  const ran = await run(...graphmind(...args))
  assert.is(ran.stderr, '')
  assert.fixture(ran.stdout, expected)
  assert.is(ran.code, 0)
}

test('--help and -h list the commands', async () => {
  await prints(['--help'], golden('help.txt'))
  await prints(['-h'], golden('help.txt'))
})

test('each command has its own help, with examples', async () => {
  await prints(['serve', '--help'], golden('help-serve.txt'))
  await prints(['mcp-proxy', '-h'], golden('help-mcp-proxy.txt'))
  await prints(['--help', 'mcp-proxy'], golden('help-mcp-proxy.txt'))
})

test('no line of help is wider than a terminal of 110 columns', () => {
  for (const name of ['help.txt', 'help-serve.txt', 'help-mcp-proxy.txt']) {
    for (const line of golden(name).split('\n')) assert.ok(line.length <= 110, line)
  }
})

test('--version and -v print the version and nothing else', async () => {
  await prints(['--version'], `${version}\n`)
  await prints(['-v'], `${version}\n`)
  await prints(['mcp-proxy', '-v', '--', 'node'], `${version}\n`)
})

test('help for the proxied command is the proxied command\'s', async () => {
  const ran = await run(...graphmind('mcp-proxy', '--', process.execPath, '--version'))
  assert.is(ran.stdout, `${process.version}\n`)
})

test.run()
