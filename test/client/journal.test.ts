import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Journal } from '../../src/client/journal.ts'
import { RunLog } from '../../src/client/run-log.ts'
import { MOST_BYTES, MOST_EVENTS } from '../../src/client/ring.ts'
import { encodePayload, parseEnvelope, rawMember } from '../../src/wire/index.ts'
import type { Received } from './ingest-server.ts'

const started = '{"app":"a","sdk":{"name":"s","version":"1"}}'

function make() {
  const journal = new Journal(() => 7)
  const add = (log: RunLog, type: string, payload: string) => journal.append(log.entry(type, payload, 1))
  const take = (): Received[] => {
    const all: Received[] = []
    for (let text = journal.next(); text !== null; text = journal.next()) {
      assert.is(parseEnvelope(text).status, 'ok', text.slice(0, 200))
      all.push(JSON.parse(text) as Received)
    }
    return all
  }
  return { journal, add, take }
}
const token = (i: number, size = 1) => JSON.stringify({ nodeId: 'llm:step', deltas: [{ t: 'text', v: `${i}`.padEnd(size, '.') }] })
const seqs = (events: Received[]) => events.map((event) => event.seq)

test('a new attachment gets everything that is kept, oldest first, with the original seq', () => {
  const { journal, add, take } = make()
  const log = new RunLog('r')
  add(log, 'run.started', started)
  for (let i = 0; i < 10; i++) add(log, 'node.token', token(i))
  assert.equal(seqs(take()), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  assert.is(journal.pending, false)
  journal.rewind()
  assert.equal(seqs(take()), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('the buffer keeps the newest 5,000 events; what it lost is announced with its seqs, once', () => {
  const { journal, add, take } = make()
  const log = new RunLog('r')
  add(log, 'run.started', started)
  for (let i = 0; i < MOST_EVENTS + 99; i++) add(log, 'node.token', token(i))
  assert.equal(journal.counts, { events: MOST_EVENTS + 100, buffered: MOST_EVENTS, bufferedBytes: journal.counts.bufferedBytes, dropped: 100 })
  const [first, gap, ...rest] = take()
  assert.is(first?.type, 'run.started')
  assert.equal(gap?.payload.gap, { droppedCount: 100, fromSeq: 0, toSeq: 99, reason: 'the buffer of the app was full' })
  assert.is(gap?.seq, 99)
  assert.equal(seqs(rest), Array.from({ length: MOST_EVENTS }, (_, i) => i + 100))
})

test('the buffer keeps 8 MiB at most', () => {
  const { journal, add } = make()
  const log = new RunLog('r')
  for (let i = 0; i < 100; i++) add(log, 'node.token', token(i, 400_000))
  assert.ok(journal.counts.bufferedBytes <= MOST_BYTES)
  assert.ok(journal.counts.bufferedBytes > MOST_BYTES - 500_000)
})

test('what was sent before it left the buffer is no loss to that server, but to the next one', () => {
  const { journal, add, take } = make()
  const log = new RunLog('r')
  add(log, 'run.started', started)
  for (let i = 0; i < MOST_EVENTS + 10; i++) {
    add(log, 'node.token', token(i))
    take()
  }
  assert.is(journal.counts.dropped, 0)
  journal.rewind()
  const again = take()
  assert.is(again.filter((event) => event.payload.gap !== undefined).length, 1)
  assert.is(again.length, MOST_EVENTS + 2)
})

test('a run whose every event was lost still has a name, an end and a gap', () => {
  const { add, take } = make()
  const lost = new RunLog('lost')
  add(lost, 'run.started', started)
  add(lost, 'node.started', JSON.stringify({ nodeId: 'tool:a', kind: 'tool', name: 'a', instanceId: '1' }))
  add(lost, 'run.finished', '{"status":"error"}')
  const loud = new RunLog('loud')
  for (let i = 0; i < MOST_EVENTS; i++) add(loud, 'node.token', token(i))
  const told = take().filter((event) => event.runId === 'lost')
  assert.equal(told.map((event) => [event.type, event.seq]), [['run.started', 0], ['graph.hint', 1], ['run.finished', 2]])
})

test('a gap says which nodes the run has, so that what follows finds its parent', () => {
  const { add, take } = make()
  const log = new RunLog('r')
  const node = { nodeId: 'mcp:session', kind: 'server', name: 'files' }
  log.nodes.learn('node.started', { ...node, instanceId: '1' })
  add(log, 'run.started', started)
  for (let i = 0; i < MOST_EVENTS + 5; i++) add(log, 'node.token', token(i))
  assert.equal(take().find((event) => event.payload.gap)?.payload.nodes, [node])
})

test('a payload over 512 KiB is shortened, and says so', () => {
  const { add, take } = make()
  add(new RunLog('r'), 'node.started', JSON.stringify({ nodeId: 'a', kind: 'tool', name: 'a', instanceId: '1', input: 'x'.repeat(2_000_000) }))
  const [event] = take()
  assert.is(event?.payload.__graphmindTruncated, true)
  assert.ok(JSON.stringify(event?.payload).length <= 512 * 1024)
})

test('a small part of a large frame does not keep the frame in memory', () => {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  const { journal, add } = make()
  const log = new RunLog('r')
  const heap = () => { gc(); return process.memoryUsage().heapUsed }
  const before = heap()
  for (let i = 0; i < 20; i++) {
    const frame = JSON.stringify({ rest: `${i}`.repeat(4_000_000), params: 'x'.repeat(1000) })
    const payload = encodePayload({ nodeId: 'a', kind: 'tool', name: 'a', instanceId: '1' }, { input: rawMember(frame, 'params') ?? '' })
    add(log, 'node.started', payload)
  }
  assert.is(journal.counts.events, 20)
  assert.ok(heap() - before < 20 * 1024 * 1024, `${Math.round((heap() - before) / 1024 / 1024)} MiB`)
})

test('runs without end that nobody ever sees cost bounded memory', () => {
  const { journal, add } = make()
  for (let i = 0; i < 30_000; i++) {
    const log = new RunLog(`r${i}`)
    add(log, 'run.started', started)
    add(log, 'run.finished', '{"status":"ok"}')
  }
  let texts = 0
  while (journal.next() !== null) texts++
  assert.ok(texts < 25_000, `${texts} texts`)
})

test.run()
