// All viewers: who is there, and what every one of them is told. Changes of runs are told at the
// end of the turn, growing counts four times a second at most.
import { PROTOCOL } from '../wire/index.ts'
import type { Armed } from './armed.ts'
import { infoJson, type LiveRun } from './live-run.ts'
import type { Registry } from './registry.ts'
import type { ViewerLink } from './viewer-link.ts'

const GROWTH_MS = 250

export interface ViewersPorts {
  /** Counts of these runs grew since the last call: their rows are due as well. */
  grown(runs: Iterable<LiveRun>): void
  now(): number
}

export class Viewers {
  /** Since when no viewer is there; null while one is. */
  absentSince: number | null
  readonly #links = new Set<ViewerLink>()
  readonly #armed: Armed
  readonly #registry: Registry
  readonly #version: string
  readonly #ports: ViewersPorts
  readonly #changed = new Set<LiveRun>()
  readonly #grown = new Set<LiveRun>()
  #scheduled = false
  #growthTimer: NodeJS.Timeout | null = null

  constructor(armed: Armed, registry: Registry, version: string, ports: ViewersPorts) {
    this.#armed = armed
    this.#registry = registry
    this.#version = version
    this.#ports = ports
    this.absentSince = ports.now()
  }

  add(viewer: ViewerLink): void {
    this.#links.add(viewer)
    this.absentSince = null
    viewer.send(this.#stateJson('welcome'))
  }

  remove(viewer: ViewerLink): void {
    this.#links.delete(viewer)
    if (this.#links.size === 0) this.absentSince = this.#ports.now()
    for (const run of viewer.lost()) this.#registry.release(run)
  }

  /** Sends what a viewer that did not read has missed of state and list. */
  makeUp(viewer: ViewerLink): void {
    viewer.send(this.#stateJson('state'))
    if (viewer.list) this.sendList(viewer)
  }

  sendList(viewer: ViewerLink): void {
    viewer.send(this.#listJson())
  }

  /** Breakpoints or mode changed. */
  stateChanged(): void {
    const message = this.#stateJson('state')
    for (const viewer of this.#links) viewer.notice(message)
  }

  /** The whole list, where another process changed it in ways that its rows do not tell. */
  listChanged(): void {
    const readers = this.#readers()
    if (readers.length === 0) return
    const message = this.#listJson()
    for (const viewer of readers) viewer.notice(message)
  }

  /** A run is new, ended, or its app came or went. */
  runChanged(run: LiveRun): void {
    this.#changed.add(run)
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#tell(this.#changed)
    })
  }

  /** A run that is in the store alone. */
  storedRunChanged(info: string): void {
    for (const viewer of this.#readers()) viewer.notice(`{"type":"run.update","run":${info}}`)
  }

  runGrew(run: LiveRun): void {
    this.#grown.add(run)
    this.#growthTimer ??= setTimeout(() => {
      this.#growthTimer = null
      this.#ports.grown(this.#grown)
      this.#tell(this.#grown)
    }, GROWTH_MS)
  }

  runDeleted(runId: string): void {
    const message = JSON.stringify({ type: 'run.deleted', runId })
    for (const viewer of this.#links) {
      if (viewer.unsubscribe(runId) !== null || viewer.list) viewer.notice(message)
    }
  }

  close(): void {
    if (this.#growthTimer) clearTimeout(this.#growthTimer)
    this.#growthTimer = null
    for (const viewer of this.#links) viewer.close(1001, 'the server stops')
  }

  #tell(runs: Set<LiveRun>): void {
    const readers = this.#readers()
    if (readers.length > 0) {
      for (const run of runs) {
        const message = `{"type":"run.update","run":${infoJson(run)}}`
        for (const viewer of readers) viewer.notice(message)
      }
    }
    runs.clear()
  }

  #readers(): ViewerLink[] {
    return [...this.#links].filter((viewer) => viewer.list)
  }

  #listJson(): string {
    return `{"type":"runs","runs":[${this.#registry.listJson()}]}`
  }

  #stateJson(type: 'welcome' | 'state'): string {
    const state = { breakpoints: this.#armed.all(), mode: this.#armed.mode }
    return JSON.stringify(type === 'state' ? { type, ...state } : { type, versions: { protocol: PROTOCOL, server: this.#version }, ...state })
  }
}
