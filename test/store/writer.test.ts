// One transaction a turn: what is new, what is known, what a full disk does to counts.
import { DatabaseSync } from 'node:sqlite'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { aRow, aStore, anEvent, put } from './a-store.ts'

test('the same events again are known, whatever order and company they come in', () => {
  const store = aStore()
  const row = aRow('a')
  const batch = (seqs: number[]) => put(store, row, seqs.map((seq) => anEvent(row, seq)))
  assert.equal(batch([0, 1, 2, 5]), ['new', 'new', 'new', 'new'])
  assert.equal(batch([1, 6, 3, 3, 6]), ['known', 'new', 'new', 'known', 'known'])
  const many = Array.from({ length: 100 }, (_, seq) => seq)
  const outcomes = batch(many)
  assert.is(outcomes.filter((outcome) => outcome === 'known').length, 6)
  assert.equal([row.eventCount, row.maxSeq], [100, 99])
  store.close()
})

test('counts in the row are those of its events, errors apart', () => {
  const store = aStore()
  const row = aRow('a')
  put(store, row, [anEvent(row, 0), anEvent(row, 1, { type: 'node.error', payload: '{"nodeId":"n","error":{"name":"E","message":"m"}}' })])
  const found = store.rows.find('a')
  assert.equal([found?.eventCount, found?.errorCount, found?.maxSeq, found?.lastTs], [2, 1, 1, 1001])
  row.eventCount = row.errorCount = 0
  store.recount(row)
  assert.equal([row.eventCount, row.errorCount, row.lastTs], [2, 1, 1001])
  store.close()
})

test('what another process wrote into the same run in between is known, and the rest of the batch is stored once', () => {
  const mine = aStore()
  const row = aRow('a')
  put(mine, row, [anEvent(row, 0)])
  const theirs = aStore({}, mine.path)
  const same = theirs.rows.find('a')
  assert.ok(same)
  put(theirs, same, [anEvent(same, 1), anEvent(same, 2)])
  const outcomes = put(mine, row, Array.from({ length: 40 }, (_, i) => anEvent(row, i + 1)))
  assert.equal(outcomes.slice(0, 4), ['known', 'known', 'new', 'new'])
  assert.is(mine.pages.read(row, -1, 1000, 1e9).count, 41)
  theirs.close()
  mine.close()
})

test('a run that another process made meanwhile is gone on with, not made twice', () => {
  const mine = aStore()
  const row = aRow('a', { epoch: 1000 })
  const theirs = aStore({}, mine.path)
  const same = aRow('a', { epoch: 500 })
  put(theirs, same, [anEvent(same, 0), anEvent(same, 1)])
  assert.equal(put(mine, row, [anEvent(row, 1), anEvent(row, 2)]), ['known', 'new'])
  assert.equal([row.key, row.eventCount, mine.list.count()], [same.key, 3, 1])
  assert.match(Buffer.from(mine.pages.read(row, 1, 10, 1e6).bytes).toString(), /"seq":2,"ts":1002,/)
  theirs.close()
  mine.close()
})

test('on a full disk nothing of the batch is half stored, counts go back, and what was stored stays', () => {
  const store = aStore({ maxPages: 60 })
  const row = aRow('a')
  put(store, row, [anEvent(row, 0)])
  const other = aRow('b')
  const events = [...Array.from({ length: 100 }, (_, i) => anEvent(row, i, { payload: JSON.stringify({ nodeId: 'x'.repeat(5000) }) })), anEvent(other, 0)]
  const done = store.commit(events, () => [row, other])
  assert.is(done.ok, false)
  assert.is(!done.ok && done.trouble, 'full')
  assert.equal([events[0]?.outcome, events[1]?.outcome, events[100]?.outcome], ['known', 'unstored', 'unstored'])
  assert.equal([row.eventCount, row.maxSeq, other.key, other.eventCount], [1, 0, 0, 0])
  assert.is(store.rows.find('b'), null)
  assert.equal(put(store, other, [anEvent(other, 0)]), ['new'])
  store.close()
})

test('any type can be stored, also more of them than the table of types takes', () => {
  const store = aStore()
  const row = aRow('a')
  const types = ['plain', 'with "quotes"', 'ünï', '\u0000', ...Array.from({ length: 1100 }, (_, i) => `type.${i}`)]
  put(store, row, types.map((type, seq) => anEvent(row, seq, { type })))
  const { bytes } = store.pages.read(row, -1, 5000, 1e9)
  assert.equal((JSON.parse(`[${Buffer.from(bytes)}]`) as { type: string }[]).map(({ type }) => type), types)
  store.close()
})

test('a small event takes less room on disk than its JSON text', () => {
  const store = aStore()
  const row = aRow('run_0123456789abcdef', { epoch: 1_764_600_000_000 })
  let text = 0
  for (let seq = 0; seq < 20_000;) {
    const batch = Array.from({ length: 250 }, () => {
      const event = anEvent(row, seq, { ts: 1_764_600_000_000 + seq * 3, payload: `{"nodeId":"tool:search","instanceId":"mcp_${seq}","output":{"a":1,"b":"hello world"},"durationMs":12,"status":"ok"}` })
      text += event.payload.length + `{"gm":1,"seq":${seq},"ts":${event.ts},"runId":"${row.id}","type":"node.finished","payload":}`.length
      seq++
      return event
    })
    put(store, row, batch)
  }
  store.close()
  const db = new DatabaseSync(store.path)
  const pages = db.prepare('PRAGMA page_count').get()?.page_count as number
  db.close()
  assert.ok(pages * 4096 / text < 0.85, `${(pages * 4096 / text).toFixed(2)}`)
})

test.run()
