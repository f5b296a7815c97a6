// The front door of the store.
export { Fault, databaseFault, troubleOf, type StoreTrouble } from './fault.ts'
export { openStore, openReadStore, type Store, type ReadStore, type StoreOptions } from './store.ts'
export { runInfo, type RunRow, type LiveFacts } from './run-row.ts'
export type { NewEvent, Commit } from './writer.ts'
export type { Page } from './pages.ts'
export type { SearchHit } from './search.ts'
export type { Retention } from './eraser.ts'
export { LEASE_MS } from './leases.ts'
