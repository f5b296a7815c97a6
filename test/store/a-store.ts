// A fresh store in a temporary folder, and events for it, for tests of the store by itself.
import { join } from 'node:path'
import { openStore, type NewEvent, type RunRow, type Store, type StoreOptions } from '../../src/store/index.ts'
import { tempDir } from '../kit/index.ts'

export function aStore(options: StoreOptions = {}, path = join(tempDir(), 'graphmind.db')): Store {
  const store = openStore(path, options)
  store.leases.renew(Date.now())
  return store
}

/** The row of a run that is not stored yet. */
export function aRow(id: string, over: Partial<RunRow> = {}): RunRow {
  return {
    key: 0, id, app: 'app', label: null, source: 'live', status: 'running', startedAt: 1000, finishedAt: null, lastTs: 1000, epoch: 1000,
    schemaVersion: 1, eventCount: 0, errorCount: 0, proxy: false, notStored: false, lease: 1, maxSeq: -1, ...over,
  }
}

export function anEvent(row: RunRow, seq: number, over: Partial<NewEvent> = {}): NewEvent {
  return { row, seq, ts: 1000 + seq, type: 'node.token', payload: `{"nodeId":"n","deltas":[{"t":"text","v":"${seq}"}]}`, extra: null, outcome: 'new', ...over }
}

/** Stores events of one run, its row included. */
export function put(store: Store, row: RunRow, events: NewEvent[]): NewEvent['outcome'][] {
  const done = store.commit(events, () => [row])
  if (!done.ok) throw done.error
  return events.map(({ outcome }) => outcome)
}
