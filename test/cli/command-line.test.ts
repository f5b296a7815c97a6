// How argv is taken apart, without a process.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import fc from 'fast-check'
import { parseCommandLine, type CommandLine } from '../../src/cli/command-line.ts'

const parse = (line: string): CommandLine => parseCommandLine(line.split(' ').filter(Boolean))

test('graphmind alone serves', () => {
  assert.equal(parse(''), { command: 'serve', named: false, values: {}, switches: {}, rest: [] })
})

test('a value follows its flag or an equals sign', () => {
  assert.equal(parse('serve --port 5000').values, { port: '5000' })
  assert.equal(parse('serve --port=5000').values, { port: '5000' })
  assert.equal(parse('serve --db=a=b').values, { db: 'a=b' })
})

test('a value stays as it is written', () => {
  assert.equal(parse('--db 0042').values, { db: '0042' })
  assert.equal(parse('--db 1e3').values, { db: '1e3' })
})

test('a flag may stand before the command', () => {
  const line = parse('--port 5000 mcp-proxy --trace -- node')
  assert.is(line.command, 'mcp-proxy')
  assert.equal([line.values, line.switches, line.rest], [{ port: '5000' }, { trace: true }, ['node']])
})

test('the last of two values counts, and --hide adds up', () => {
  assert.equal(parse('--port 1 --port 2').values, { port: '2' })
  assert.equal(parse('mcp-proxy --hide inputs --hide outputs -- x').values, { hide: 'inputs,outputs' })
  assert.equal(parse('--open --no-open').switches, { open: false })
})

test('nothing after the first -- is read as ours', () => {
  const rest = ['node', '--port', '3', '--help', '-v', '--', '--', '--trace=x', '']
  const line = parseCommandLine(['mcp-proxy', '--', ...rest])
  assert.equal(line.rest, rest)
  assert.equal([line.values, line.switches], [{}, {}])
})

test('where a shell ate the --, the first word that is no flag starts the command', () => {
  const line = parse('mcp-proxy --port 5000 --trace --hide=inputs npx -y server --port 3 -- --help')
  assert.equal(line.rest, ['npx', '-y', 'server', '--port', '3', '--', '--help'])
  assert.equal(line.values, { port: '5000', hide: 'inputs' })
  assert.equal(line.switches, { trace: true })
})

test('a switch takes no word away from the command to run', () => {
  assert.equal(parse('mcp-proxy --open npx').rest, ['npx'])
})

test('whatever follows the --, and whatever it looks like, arrives unchanged', () => {
  fc.assert(fc.property(fc.array(fc.string()), (rest) => {
    assert.equal(parseCommandLine(['mcp-proxy', '--trace', '--', ...rest]).rest, rest)
  }))
})

test('whatever is typed, it is understood or refused with exit code 2', () => {
  const word = fc.oneof(fc.string(), fc.constantFrom('serve', 'mcp-proxy', '--port', '--port=', '--no-open', '--no-port', '-vh', '-', '--', '---', '--__proto__', '--constructor=1', '--hide'))
  fc.assert(fc.property(fc.array(word), (argv) => {
    try {
      parseCommandLine(argv)
    } catch (error) {
      assert.is((error as { exitCode?: number }).exitCode, 2)
    }
  }))
})

test.run()
