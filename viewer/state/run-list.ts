// The list of runs, newest start first, as the server tells it.
import { batch, createMemo, createRoot, createSignal } from 'solid-js'
import type { RunInfo } from '../../src/wire/index.ts'
import { onFrame } from './frame.ts'
import { go, route } from './route.ts'

export const [runs, setRuns] = createSignal<readonly RunInfo[]>([])
/** Has the server told the list yet? */
export const [runsKnown, setRunsKnown] = createSignal(false)
/** What is known of the run that is shown. */
export const runInfo = createRoot(() => createMemo(() => runs().find(({ id }) => id === route().runId)))

const updates = new Map<string, RunInfo>()

export function takeRuns(list: readonly RunInfo[]): void {
  updates.clear()
  batch(() => {
    setRuns(list)
    setRunsKnown(true)
    openFirst()
  })
}

export function updateRun(run: RunInfo): void {
  updates.set(run.id, run)
  onFrame(merge)
}

export function removeRun(runId: string): void {
  updates.delete(runId)
  setRuns((list) => list.filter(({ id }) => id !== runId))
  if (route().runId === runId) go(null, null, true)
}

function merge(): void {
  const fresh = new Map(updates)
  updates.clear()
  setRuns((list) => {
    const merged = list.map((known) => {
      const update = fresh.get(known.id)
      fresh.delete(known.id)
      return update ?? known
    })
    return fresh.size === 0 ? merged : [...fresh.values(), ...merged].sort((a, b) => b.startedAt - a.startedAt)
  })
  openFirst()
}

/** The first run that starts opens by itself, where nothing else was asked for. */
function openFirst(): void {
  const first = runs().find(({ live }) => live) ?? runs()[0]
  if (route().runId === null && first) go(first.id, null, true)
}
