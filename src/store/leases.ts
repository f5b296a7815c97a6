// Which server records a running run. Each server renews one row; when it stops doing so, or its
// process is gone, its runs may be taken over by another server on the same file.
import { hostname } from 'node:os'
import type { DatabaseSync } from 'node:sqlite'

/** A lease that was not renewed for this long is over. Renew about three times as often. */
export const LEASE_MS = 15_000

export class Leases {
  /** This server's number; 0 until it has one. */
  number = 0
  readonly #db: DatabaseSync

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  /** Takes a lease or renews it. May throw what SQLite throws. */
  renew(now: number): void {
    const renewed = this.number !== 0 && this.#db.prepare('UPDATE servers SET renewed_at = ? WHERE number = ?').run(now, this.number).changes === 1
    if (renewed) return
    const number = this.number === 0 ? null : this.number // another server took us for dead: the same number again
    const added = this.#db.prepare('INSERT INTO servers (number, host, pid, renewed_at) VALUES (?, ?, ?, ?)').run(number, hostname(), process.pid, now)
    this.number = Number(added.lastInsertRowid)
  }

  /** Is the lease still held by its server? */
  isHeld(lease: number | null, now: number): boolean {
    if (lease === null) return false
    if (lease === this.number) return true
    const server = this.#db.prepare('SELECT host, pid, renewed_at FROM servers WHERE number = ?').get(lease)
    if (!server || now - (server.renewed_at as number) > LEASE_MS) return false
    return server.host !== hostname() || isAlive(server.pid as number)
  }

  /** Takes over the running runs of dead servers; answers with their keys. */
  adopt(now: number): number[] {
    const open = this.#db.prepare(`SELECT DISTINCT lease FROM runs WHERE status = 'running' AND id IS NOT NULL`).all()
    const dead = open.map(({ lease }) => lease as number | null).filter((lease) => !this.isHeld(lease, now))
    const take = this.#db.prepare(`UPDATE runs SET lease = ? WHERE status = 'running' AND id IS NOT NULL AND lease IS ? RETURNING key`)
    const keys = dead.flatMap((lease) => take.all(this.number, lease).map(({ key }) => key as number))
    for (const lease of dead) this.#db.prepare('DELETE FROM servers WHERE number IS ?').run(lease)
    return keys
  }

  /** Gives the lease back, so that the next server need not wait for it to end. */
  release(): void {
    if (this.number !== 0) this.#db.prepare('DELETE FROM servers WHERE number = ?').run(this.number)
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' // alive, and someone else's
  }
}
