import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Journal } from '../../src/client/journal.ts'
import { RunLog } from '../../src/client/run-log.ts'
import type { Received } from './ingest-server.ts'

// What happens to a session: one of three runs emits, the socket takes some texts, a new server attaches.
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('emit' as const), run: fc.nat(2), times: fc.integer({ min: 1, max: 9 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('send' as const), times: fc.integer({ min: 1, max: 20 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('attach' as const) }) },
)

test('every server is told of every event: it gets it, in order and once, or hears in a gap that it is lost', () => {
  fc.assert(fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 12 }), (steps, events) => {
    const journal = new Journal(() => 0, { events, bytes: 1e9 })
    const logs = [0, 1, 2].map((run) => new RunLog(`r${run}`))
    const emitted = [0, 0, 0]
    let received: Received[] = []
    const send = (times: number) => {
      for (let text = times-- > 0 ? journal.next() : null; text !== null; text = times-- > 0 ? journal.next() : null) received.push(JSON.parse(text) as Received)
    }
    for (const each of steps) {
      if (each.do === 'emit') for (let i = 0; i < each.times; i++) {
        const log = logs[each.run]
        const seq = emitted[each.run] ?? 0
        if (log) journal.append(seq === 0 ? log.entry('run.started', '{"app":"a","sdk":{"name":"s","version":"1"}}', 0) : log.entry('finding', '{"n":1}', 0))
        emitted[each.run] = seq + 1
      }
      else if (each.do === 'send') send(each.times)
      else {
        received = []
        journal.rewind()
      }
    }
    send(Infinity)
    assert.is(journal.pending, false)
    for (const [run, count] of emitted.entries()) checkComplete(received.filter((event) => event.runId === `r${run}`), count)
  }), { numRuns: 500 })
})

function checkComplete(received: Received[], count: number): void {
  const gaps = received.filter((event) => event.payload.gap !== undefined).map((event) => event.payload.gap as { fromSeq: number; toSeq: number; droppedCount: number })
  const seqs = received.filter((event) => event.payload.gap === undefined).map((event) => event.seq)
  assert.is(new Set(seqs).size, seqs.length, 'nothing comes twice')
  const stream = seqs.filter((seq) => seq !== 0)
  assert.equal(stream, [...stream].sort((a, b) => a - b), 'in order')
  for (let seq = 0; seq < count; seq++) {
    assert.ok(seqs.includes(seq) || gaps.some((gap) => gap.fromSeq <= seq && seq <= gap.toSeq), `seq ${seq} of ${count} is neither there nor said to be lost`)
  }
  for (const gap of gaps) assert.is(gap.droppedCount, gap.toSeq - gap.fromSeq + 1)
}

test.run()
