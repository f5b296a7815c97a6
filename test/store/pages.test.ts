// Events come back as the text they were, in pages.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as fc from 'fast-check'
import { envelopeText } from '../../src/wire/index.ts'
import { aRow, aStore, anEvent, put } from './a-store.ts'

test('what is read is byte for byte what was stored, odd numbers, names and unknown members included', () => {
  const store = aStore()
  let runs = 0
  fc.assert(fc.property(
    fc.array(fc.record({
      ts: fc.oneof(fc.nat(), fc.constantFrom(0, 1_764_600_000_000, 1_764_600_000_000.125, 0.1, 1e21, 2 ** 60, 5e-324)),
      type: fc.string({ unit: 'binary', minLength: 1 }),
      payload: fc.oneof(fc.constantFrom('{"n":9007199254740993,"x":1.0}', '{ "spaced" : true }'), fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value))),
      extra: fc.option(fc.constantFrom('"x":1', '"a":{"b":[]},"c":1.50')),
    }), { minLength: 1, maxLength: 20 }),
    fc.string({ unit: 'grapheme', minLength: 1 }),
    (events, name) => {
      const row = aRow(`${name} ${runs++}`, { epoch: 1_764_600_000_000 })
      put(store, row, events.map((event, seq) => anEvent(row, seq, event)))
      const { bytes } = store.pages.read(row, -1, 1000, 1e9)
      const got = JSON.parse(`[${Buffer.from(bytes)}]`) as { ts: number }[]
      const texts = store.pages.readEach(row, -1, 1000, 1e9).texts
      for (const [seq, event] of events.entries()) {
        assert.is(got[seq]?.ts, event.ts)
        assert.is(texts[seq], envelopeText({ runId: row.id, seq, ts: event.ts }, event.type, event.payload, event.extra))
      }
      assert.is(Buffer.from(bytes).toString(), texts.join(','))
    },
  ), { numRuns: 60 })
  store.close()
})

test('pages follow each other without loss, at any limit', () => {
  const store = aStore()
  const row = aRow('a')
  put(store, row, Array.from({ length: 97 }, (_, i) => anEvent(row, i * 3)))
  for (const limit of [1, 7, 96, 97, 500]) {
    const seen: number[] = []
    for (let after = -1, more = true; more;) {
      const page = store.pages.read(row, after, limit, 1e9)
      for (const { seq } of JSON.parse(`[${Buffer.from(page.bytes)}]`) as { seq: number }[]) seen.push(seq)
      after = page.lastSeq
      more = page.more
    }
    assert.equal(seen, Array.from({ length: 97 }, (_, i) => i * 3))
  }
  store.close()
})

test('a page ends at its bytes, but always holds one event', () => {
  const store = aStore()
  const row = aRow('a')
  put(store, row, Array.from({ length: 10 }, (_, i) => anEvent(row, i, { payload: JSON.stringify({ nodeId: 'x'.repeat(100_000) }) })))
  assert.equal([store.pages.read(row, -1, 1000, 350_000).count, store.pages.read(row, -1, 1000, 10).count, store.pages.read(row, 8, 1000, 10).more], [3, 1, false])
  store.close()
})

test('nothing after the end, and nothing of a run that was never stored', () => {
  const store = aStore()
  const row = aRow('a')
  assert.equal([store.pages.read(row, -1, 10, 1e6).count, store.pages.countAfter(row, -1)], [0, 0])
  put(store, row, [anEvent(row, 4)])
  assert.equal([store.pages.read(row, 4, 10, 1e6).count, store.pages.countAfter(row, 3), store.pages.countAfter(row, 4)], [0, 1, 0])
  store.close()
})

test.run()
