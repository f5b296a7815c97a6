// Moves the write-ahead log into the database file. The copying and the fsync happen on a thread
// of its own, since they take tens of milliseconds on a large log, in which no event would move.
// Under load the log never ends while it is copied; the rest is then done here, and is short.
import type { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'

const COPY_PAGES = 2000
const PAGE_BYTES = 4096
const PAGES_PER_COMMIT = 2 // the leaf that is written again, and now and then its parent

// A script as text, so that it also runs from a bundle and from a single executable.
const SCRIPT = `
const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads')
const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
const db = new DatabaseSync(workerData, { timeout: 1000 })
db.exec('PRAGMA synchronous = NORMAL; PRAGMA cache_size = -512')
const checkpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)')
parentPort.on('message', (message) => {
  if (message === 'close') { db.close(); parentPort.close(); return }
  try { const { log, checkpointed } = checkpoint.get(); parentPort.postMessage(log - checkpointed) } catch { parentPort.postMessage(-1) }
})`

export class Checkpointer {
  readonly #db: DatabaseSync
  readonly #path: string
  #worker: Worker | null = null
  #busy = false
  #closed = false
  /** About how many pages the log holds that are not copied yet. */
  #pages = 0

  constructor(db: DatabaseSync, path: string) {
    this.#db = db
    this.#path = path
    db.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 67108864')
  }

  /** A transaction of about so many bytes was committed. */
  wrote(bytes: number): void {
    this.#pages += PAGES_PER_COMMIT + bytes / PAGE_BYTES
    if (this.#pages < COPY_PAGES || this.#busy || this.#closed) return
    this.#busy = true
    this.#thread().postMessage('copy')
  }

  close(): void {
    this.#closed = true
    this.#worker?.postMessage('close')
    this.#worker = null
  }

  #thread(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Worker(SCRIPT, { eval: true, workerData: this.#path, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 } })
    worker.unref()
    worker.on('message', () => this.#copied())
    worker.on('error', () => this.#lost()) // without the thread the log is still emptied, only less smoothly
    this.#worker = worker
    return worker
  }

  #copied(): void {
    this.#busy = false
    if (this.#closed) return
    this.#finish()
  }

  #lost(): void {
    this.#worker = null
    this.#copied()
  }

  /** Copies what came in meanwhile; after that the log starts again from its beginning. */
  #finish(): void {
    try {
      const { log, checkpointed } = this.#db.prepare('PRAGMA wal_checkpoint(PASSIVE)').get() as { log: number; checkpointed: number }
      this.#pages = log - checkpointed
    } catch {
      this.#pages = 0 // busy or full: the log only stays long, and the next round tries again
    }
  }
}
