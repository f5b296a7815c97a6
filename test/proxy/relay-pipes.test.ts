// Pipes that are full, slow or closed at the other end: nothing is lost, nothing stalls the rest, and
// memory stays bounded.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../kit/index.ts'
import { lineOf, peakMemory, proxied, server } from './relay-kit.ts'

const MIB = 1024 * 1024

test('stdout, stderr and stdin all full at once, with slow readers: everything arrives', async () => {
  const proxy = await proxied(server('floods', 3 * MIB, 3 * MIB), { unread: true })
  const out = slowly(proxy.child.stdout)
  const err = slowly(proxy.child.stderr)
  let sent = 0
  for (let n = 0; n < 48; n++) {
    sent += 64 * 1024
    if (!proxy.stdin.write(lineOf(64 * 1024))) await new Promise((resolve) => proxy.stdin.once('drain', resolve))
  }
  await until(() => out().includes('{"all":"said"}'), { timeoutMs: 15_000 })
  proxy.stdin.end()
  assert.is((await proxy.exited).code, 0)
  await until(() => err().includes(`heard ${sent}\n`))
  assert.is(count(out(), '"out"'), numbered(out(), 'out'))
  assert.is(count(err(), '"err"'), numbered(err(), 'err'))
})

test('a client that never reads stderr does not stall stdout', async () => {
  const proxy = await proxied(server('floods', MIB, 24 * MIB), { unread: true })
  let out = ''
  proxy.child.stdout?.setEncoding('latin1').on('data', (text: string) => { out += text })
  await until(() => out.includes('{"all":"said"}'), { timeoutMs: 15_000 })
  const memory = peakMemory(proxy.pid)
  if (memory !== null) assert.ok(memory < 250 * MIB, `${memory / MIB} MiB`)
  proxy.stdin.end()
  await proxy.exited.catch(() => null)
  proxy.kill('SIGKILL')
})

test('a client that reads nothing slows the server down, and memory stays', async () => {
  const proxy = await proxied(server('floods', 200 * MIB, 0), { unread: true })
  await until(() => (peakMemory(proxy.pid) ?? 0) > 0)
  await new Promise((resolve) => setTimeout(resolve, 1500)) // time in which 200 MiB would have come
  const memory = peakMemory(proxy.pid)
  if (memory !== null) assert.ok(memory < 200 * MIB, `${memory / MIB} MiB`)
  proxy.kill('SIGTERM')
  await until(() => !proxy.running() || proxy.child.exitCode !== null || proxy.child.signalCode !== null)
})

test('a server that reads slowly gets everything', async () => {
  const proxy = await proxied(server('reads-slowly'))
  const total = 8 * MIB
  for (let at = 0; at < total; at += 64 * 1024) {
    if (!proxy.stdin.write(lineOf(64 * 1024))) await new Promise((resolve) => proxy.stdin.once('drain', resolve))
  }
  proxy.stdin.end()
  await proxy.exited
  assert.is(proxy.stdout(), `{"heard":${total}}\n`)
})

test('a server that never reads slows the client down and is still heard; memory stays', async () => {
  const proxy = await proxied(server('reads-nothing'))
  let refused = false
  for (let n = 0; n < 500 && !refused; n++) {
    if (proxy.stdin.write(lineOf(MIB))) continue
    refused = await Promise.race([
      new Promise<boolean>((resolve) => proxy.stdin.once('drain', () => resolve(false))),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 500)),
    ])
  }
  assert.ok(refused, 'the client is slowed down')
  const heard = proxy.stdoutBytes().length
  await until(() => proxy.stdoutBytes().length > heard)
  const memory = peakMemory(proxy.pid)
  if (memory !== null) assert.ok(memory < 200 * MIB, `${memory / MIB} MiB`)
  proxy.kill('SIGTERM')
  assert.is((await proxy.exited).code, 143)
})

test('a server that closes its stdin goes on being heard, and ends with the client', async () => {
  const proxy = await proxied(server('closes-stdin'))
  await proxy.sees('closed')
  for (let n = 0; n < 5; n++) proxy.stdin.write(lineOf(64 * 1024))
  const heard = proxy.stdoutBytes().length
  await until(() => proxy.stdoutBytes().length > heard + 200)
  proxy.stdin.end()
  assert.is((await proxy.exited).code, 143)
})

test('a client that closes its end of stdout ends the server as it would have without us', async () => {
  const proxy = await proxied(server('closes-stdin'))
  await proxy.sees('closed')
  proxy.child.stdout?.destroy()
  const { code } = await proxy.exited
  assert.ok(code !== 0 && code !== null, `exit code ${code}`) // node ends at the EPIPE that it does not expect
})

test('a client that closes its end of stderr loses nothing else', async () => {
  const proxy = await proxied(['sh', '-c', 'while read -r line; do echo noise >&2; echo "$line"; done'])
  proxy.child.stderr?.destroy()
  for (let n = 0; n < 20; n++) {
    proxy.stdin.write(`{"n":${n}}\n`)
    await until(() => proxy.stdout().includes(`{"n":${n}}\n`))
  }
  proxy.stdin.end()
  assert.is((await proxy.exited).code, 0)
})

function slowly(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = []
  stream?.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    stream.pause()
    setTimeout(() => stream.resume(), 3)
  })
  return () => Buffer.concat(chunks).toString('latin1')
}

function count(text: string, part: string): number {
  return text.split(part).length - 1
}

/** How many lines there are if they are numbered without a gap. */
function numbered(text: string, name: string): number {
  const numbers = [...text.matchAll(new RegExp(`"${name}":(\\d+),`, 'g'))].map((match) => Number(match[1]))
  return numbers.every((value, index) => value === index) ? numbers.length : -1
}

test.run()
