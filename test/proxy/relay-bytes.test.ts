// What goes in comes out: every byte, in both directions, judged by SHA-256 on real pipes.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ingestServer } from '../client/ingest-server.ts'
import { tempDir, until } from '../kit/index.ts'
import { lineOf, NASTY, peakMemory, proxied, server, sha, type ProxiedOptions } from './relay-kit.ts'

const MIB = 1024 * 1024
const END_WITHOUT_NEWLINE = Buffer.from('{"jsonrpc":"2.0","method":"no newline at the end"}')

/** Sends the bytes in pieces to a server that says the same bytes; both ways must be the same. */
async function bothWays(bytes: Buffer, { piece = bytes.length, serverPiece = piece, ...options }: ProxiedOptions & { piece?: number; serverPiece?: number } = {}) {
  const file = join(tempDir(), 'bytes')
  writeFileSync(file, bytes)
  const proxy = await proxied(server('says-and-hashes', file, serverPiece), options)
  for (let at = 0; at < bytes.length; at += piece) {
    if (!proxy.stdin.write(bytes.subarray(at, at + piece))) await new Promise((resolve) => proxy.stdin.once('drain', resolve))
    else if (piece < 4096) await new Promise(setImmediate)
  }
  // what was said must have come before the hang-up, or the server might be given up on; while a gate
  // is armed a line that has not ended waits for its end
  const lines = bytes.lastIndexOf(10) + 1 || bytes.length
  await until(() => proxy.stdoutBytes().length >= lines, { timeoutMs: 15_000, what: () => `${bytes.length} bytes; ${proxy.stdoutBytes().length} came; ${proxy.stderr()}` })
  const memory = peakMemory(proxy.pid)
  proxy.stdin.end()
  const { code } = await proxy.exited
  assert.is(sha(proxy.stdoutBytes()), sha(bytes), 'server to client')
  assert.is(/heard \d+ (\w+)/.exec(proxy.stderr())?.[1], sha(bytes), `client to server: ${proxy.stderr()}`)
  assert.is(code, 0)
  return { stderr: proxy.stderr(), memory }
}

const nasty = Buffer.concat([...NASTY, END_WITHOUT_NEWLINE])
/** Without what an error gate holds. */
const calm = Buffer.concat([...NASTY.filter((line) => !/"error"|isError/.test(line.toString('latin1'))), END_WITHOUT_NEWLINE])

test('bytes that other proxies get wrong pass untouched in both directions', async () => {
  await bothWays(nasty)
})

test('they pass one byte at a time, every character cut in two', async () => {
  await bothWays(Buffer.concat(NASTY.filter((line) => line.length < 200)), { piece: 1 })
})

test('they pass in pieces that end anywhere', async () => {
  await bothWays(nasty, { piece: 17, serverPiece: 23 })
})

for (const [armed, breakpoints] of [
  ['its error gate armed', [{ point: 'error' }]],
  ['a breakpoint at either end of a tool that is never called', ['before', 'after', 'error'].map((point) => ({ kind: 'tool', name: 'never-called', point }))],
] as const) {
  test(`they pass while a debugger is attached with ${armed}`, async () => {
    const debuggers = await ingestServer()
    debuggers.ack = { breakpoints }
    const options = { port: debuggers.port, flags: ['--wait-for-attach'] }
    await bothWays(calm, options)
    await bothWays(calm, { ...options, piece: 19, serverPiece: 29 })
    await bothWays(Buffer.concat([lineOf(65_537), lineOf(3 * MIB), ...NASTY.slice(0, 5), lineOf(65_536)]), options)
    assert.ok(debuggers.events('node.started').length > 20, 'it looked on')
    assert.is(debuggers.events('exec.paused').length, 0)
    await debuggers.close()
  })
}

test('lines around the size of a pipe pass', async () => {
  await bothWays(Buffer.concat([65_535, 65_536, 65_537, 131_071, 131_072, 4095, 4096, 4097].map(lineOf)))
})

test('a line of 16 MiB and one byte passes, and 100 KB of nested brackets', async () => {
  await bothWays(Buffer.concat([lineOf(16 * MIB + 1), Buffer.from(`${'['.repeat(100 * 1024)}\n`), Buffer.from(`{"result":${'['.repeat(100 * 1024)}\n`)]))
})

test('10,000 progress frames pass in order', async () => {
  const frames = Array.from({ length: 10_000 }, (_, n) => `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":${n}}}\n`)
  await bothWays(Buffer.from(frames.join('')))
})

test('200 MB without a newline pass, with memory that does not grow with them', async () => {
  const { stderr, memory } = await bothWays(Buffer.alloc(200 * 1000 * 1000, 'q'), { flags: ['--max-frame-bytes', String(8 * MIB)] })
  assert.match(stderr, /longer than 8388608 bytes.*plain pipe/)
  assert.is(stderr.match(/plain pipe/g)?.length, 1, 'said once')
  if (memory !== null) assert.ok(memory < 300 * MIB, `${memory / MIB} MiB`)
})

test.run()
