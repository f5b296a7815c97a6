// Deleting, retention, leases: what is removed is gone from the bytes, what is live is left alone.
import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openReadStore, type Store } from '../../src/store/index.ts'
import { aRow, aStore, anEvent, put } from './a-store.ts'

const bytesOf = (store: Store) => Buffer.concat(['', '-wal'].map((suffix) => {
  try {
    return readFileSync(store.path + suffix)
  } catch {
    return Buffer.alloc(0) // no log
  }
})).toString('latin1')

test('a deleted run is found nowhere at once, and in no byte of the files once it is erased', () => {
  const store = aStore()
  const row = aRow('secret-run')
  put(store, row, Array.from({ length: 3000 }, (_, i) => anEvent(row, i, { payload: `{"nodeId":"n","output":"SECRET ${i} ${'x'.repeat(200)}"}` })))
  const kept = aRow('kept')
  put(store, kept, [anEvent(kept, 0)])
  assert.ok(store.eraser.hide('secret-run'))
  assert.is(store.rows.find('secret-run'), null)
  assert.not.match(store.list.json(new Map()), /secret-run/)
  while (store.eraser.step());
  store.eraser.sweep()
  assert.not.match(bytesOf(store), /SECRET|secret-run/)
  assert.is(store.pages.read(kept, -1, 10, 1e6).count, 1)
  assert.is(store.eraser.hide('secret-run'), false)
  store.close()
})

test('a deletion that was cut short is finished by the next to open the file', () => {
  const first = aStore()
  const row = aRow('a')
  put(first, row, Array.from({ length: 5000 }, (_, i) => anEvent(row, i)))
  first.eraser.hide('a')
  first.eraser.step()
  first.close()
  const next = aStore({}, first.path)
  assert.is(next.list.count(), 0)
  let steps = 0
  while (next.eraser.step()) steps++
  assert.ok(steps > 1)
  const again = aRow('a') // the id may be used again
  assert.equal(put(next, again, [anEvent(again, 0)]), ['new'])
  assert.is(next.pages.read(again, -1, 10, 1e6).count, 1)
  next.close()
})

test('retention names finished runs beyond the newest and the too old, never a running one', () => {
  const store = aStore()
  const day = 86_400_000
  for (const [id, startedAt, status] of [['old', 0, 'ok'], ['old-running', 1, 'running'], ['b', 50 * day, 'error'], ['c', 51 * day, 'ok'], ['d', 52 * day, 'ok']] as const) {
    const row = aRow(id, { startedAt, status })
    put(store, row, [anEvent(row, 0)])
  }
  assert.equal(store.eraser.outdated({ keepDays: 30 }, 60 * day), ['old'])
  assert.equal(store.eraser.outdated({ keepRuns: 2 }, 60 * day).sort(), ['b', 'old'])
  assert.equal(store.eraser.outdated({ keepRuns: 2, keepDays: 30 }, 100 * day).sort(), ['b', 'c', 'd', 'old'])
  store.close()
})

test('runs of a server that is gone are taken over, those of one that lives are not', () => {
  const gone = aStore()
  const mine = aRow('a', { lease: gone.leases.number })
  put(gone, mine, [anEvent(mine, 0)])
  const other = aStore({}, gone.path)
  const now = Date.now()
  assert.equal(other.leases.adopt(now), [])
  assert.ok(other.leases.isHeld(gone.leases.number, now))
  assert.equal(other.leases.adopt(now + 60_000), [mine.key]) // it did not renew for a minute
  assert.is(other.rows.find('a')?.lease, other.leases.number)
  gone.close()
  other.close()
})

test('a reader opens a file that a server writes, sees the newest, and never makes one', () => {
  const store = aStore()
  const reader = openReadStore(store.path)
  const row = aRow('a')
  put(store, row, [anEvent(row, 0)])
  assert.match(reader.list.json(new Map()), /"id":"a"/)
  reader.close()
  store.close()
  assert.throws(() => openReadStore(`${store.path}-none`), /no database at/)
})

test.run()
