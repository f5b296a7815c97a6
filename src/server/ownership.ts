// Which connection a run belongs to. The first to stream it, while its socket is open; after that
// whoever streams it next. A session token moves all of a connection's runs at once, also off a
// socket that is only half dead.
import type { AppLink } from './app-link.ts'
import type { LiveRun } from './live-run.ts'
import { revive } from './live-run.ts'
import type { Registry } from './registry.ts'

const TOKENS_KEPT = 1000
/** Finished runs of an open connection that are still counted as its own. */
const FINISHED_KEPT = 200

export interface OwnershipPorts {
  lease(): number
  /** What was armed for this run alone ends. */
  scopeEnded(run: LiveRun): void
}

export class Ownership {
  readonly #registry: Registry
  readonly #ports: OwnershipPorts
  readonly #links = new Map<string, AppLink>()
  /** Tokens of connections that are gone, with the runs they had. */
  readonly #gone = new Map<string, LiveRun[]>()

  constructor(registry: Registry, ports: OwnershipPorts) {
    this.#registry = registry
    this.#ports = ports
  }

  /** An event of this run came over this link. False: the run is another connection's. */
  claim(run: LiveRun, link: AppLink): boolean {
    if (run.owner === link) return true
    if (run.owner?.open) return false
    this.#give(run, link)
    if (revive(run, this.#ports.lease())) this.#registry.due.add(run)
    return true
  }

  /** After the handshake: takes over what the token stands for, and gives out the next one. */
  resume(link: AppLink, resumeToken: string | undefined): string {
    this.#links.delete(link.token)
    if (resumeToken !== undefined) this.#takeOver(link, resumeToken)
    const token = link.newToken()
    this.#links.set(token, link)
    return token
  }

  /** One of its runs ended. A connection that streams one run after the other must not keep them all. */
  finished(run: LiveRun): void {
    const link = run.owner
    if (link === null || link.runs.size <= FINISHED_KEPT) return
    for (const old of link.runs) {
      if (link.runs.size <= FINISHED_KEPT) break
      if (old.row.status !== 'running' && old.queued === 0) this.#leave(old, link)
    }
  }

  /** The link is closed. */
  lost(link: AppLink): void {
    if (link.token !== '') this.#remember(link)
    for (const run of [...link.runs]) this.#leave(run, link)
  }

  /** A deleted run belongs to nobody. */
  forget(run: LiveRun): void {
    run.owner?.runs.delete(run)
    run.owner = null
    for (const [token, runs] of this.#gone) if (runs.includes(run)) this.#gone.set(token, runs.filter((each) => each !== run))
  }

  #takeOver(link: AppLink, token: string): void {
    const old = this.#links.get(token)
    const runs = old ? [...old.runs] : this.#gone.get(token) ?? []
    this.#gone.delete(token)
    if (old === link) return
    for (const run of runs) {
      const current = this.#registry.find(run.row.id)
      if (current === null || (current.owner !== old && current.owner?.open)) continue
      if (old) {
        old.runs.delete(current)
        this.#letGo(current)
      }
      if (current.row.status === 'running') this.#give(current, link)
    }
    if (!old) return
    this.#links.delete(token)
    old.token = ''
    old.drop()
  }

  #give(run: LiveRun, link: AppLink): void {
    if (run.owner !== null) {
      run.owner.runs.delete(run)
      this.#letGo(run)
    }
    run.owner = link
    link.runs.add(run)
    this.#registry.stopGrace(run)
    this.#registry.touch(run)
  }

  #leave(run: LiveRun, link: AppLink): void {
    link.runs.delete(run)
    if (run.owner !== link) return
    run.owner = null
    this.#letGo(run)
    this.#registry.touch(run)
    this.#registry.startGrace(run)
    this.#registry.release(run)
  }

  /** With its socket gone the app lets go of every hold by itself, and forgets what was armed. */
  #letGo(run: LiveRun): void {
    for (const pauseId of run.holds.keys()) run.ended.add(pauseId)
    run.holds.clear()
    this.#ports.scopeEnded(run)
  }

  #remember(link: AppLink): void {
    this.#links.delete(link.token)
    this.#gone.set(link.token, [...link.runs].filter((run) => run.row.status === 'running'))
    if (this.#gone.size > TOKENS_KEPT) for (const oldest of this.#gone.keys()) { this.#gone.delete(oldest); break }
  }
}
