import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { aRow, aStore, anEvent, put } from './a-store.ts'
import type { SearchHit } from '../../src/store/index.ts'

/** Finds words among these payloads, slice by slice. */
function find(payloads: string[], words: string, limit = 100): SearchHit[] {
  const store = aStore()
  const row = aRow('a')
  put(store, row, payloads.map((payload, seq) => anEvent(row, seq, { payload })))
  const hits: SearchHit[] = []
  for (let after: number | null = -1; after !== null && hits.length < limit;) {
    const slice = store.search.slice(row, words, after, limit - hits.length)
    hits.push(...slice.hits)
    after = slice.nextAfterSeq
  }
  store.close()
  return hits
}

test('words are found whatever their case, also where the sender escaped them', () => {
  const payloads = ['{"nodeId":"n","output":"Zürich"}', '{"nodeId":"n","output":"Z\\u00fcrich"}', '{"nodeId":"n","output":"Zurich"}']
  assert.equal(find(payloads, 'zürich').map(({ seq }) => seq), [0, 1])
  assert.equal(find(['{"nodeId":"n","output":"日本語"}'], '本').map(({ field }) => field), ['output'])
})

test('quotes, backslashes, percent signs and underscores mean themselves', () => {
  const payload = (text: string) => JSON.stringify({ nodeId: 'n', output: text })
  for (const text of ['say "hi"', 'C:\\temp', '100%', 'a_b', 'what!', 'two\nlines']) {
    assert.equal(find([payload(`… ${text} …`), payload('else')], text).map(({ seq }) => seq), [0], text)
  }
})

test('JSON inside a frame is searched as it was on the pipe', () => {
  const frame = { n: 1, dir: 'c2s', bytes: 3, text: JSON.stringify({ method: 'tools/call', q: 'say "hi"' }) }
  const [hit] = find([JSON.stringify({ nodeId: 'n', frame })], '"method":"tools/call"')
  assert.is(hit?.field, 'frame.text')
})

test('a hit says where, and shows a little around it', () => {
  const [hit] = find([JSON.stringify({ nodeId: 'tool:x', instanceId: 'i1', output: { list: [{ a: 1 }, { deep: `${'x'.repeat(300)} needle ${'y'.repeat(300)}` }] } })], 'needle')
  assert.equal([hit?.nodeId, hit?.instanceId, hit?.field], ['tool:x', 'i1', 'output.list[1].deep'])
  assert.match(hit?.excerpt ?? '', /^…x+ needle y+…$/)
})

test('numbers are found as they are written, keys are not values', () => {
  assert.is(find(['{"nodeId":"n","output":{"id":12345}}'], '234').length, 1)
  assert.is(find(['{"nodeId":"n","output":{"secretKey":1}}'], 'secretKey').length, 0)
})

test('a long run is searched to its end', () => {
  const payloads = Array.from({ length: 9000 }, (_, i) => `{"nodeId":"n","output":"${i === 8999 ? 'needle' : i}"}`)
  assert.equal(find(payloads, 'needle').map(({ seq }) => seq), [8999])
})

test.run()
