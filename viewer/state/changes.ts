// What panels can watch, finer than the run as a whole: one node, or which nodes there are. The
// model collects what changed; `publishChanges` tells it once per frame.
import { batch, createSignal, getOwner, onCleanup, type Signal } from 'solid-js'
import type { NodeState, RunModel } from '../model/run-model.ts'

interface Watch { signal: Signal<number>; watchers: number }

const watched = new Map<string, Watch>()
const [shape, setShape] = createSignal(0)
let listeners: ((nodes: ReadonlySet<NodeState>, shape: boolean) => void)[] = []

/** Reading it is to be told when that node changes; use it where an owner cleans up. */
export function watchNode(id: string): () => void {
  const watch = watched.get(id) ?? { signal: createSignal(0), watchers: 0 }
  watched.set(id, watch)
  watch.watchers++
  if (getOwner()) onCleanup(() => { if (--watch.watchers === 0 && watched.get(id) === watch) watched.delete(id) })
  return watch.signal[0]
}

/** Reading it is to be told when nodes come, or stand elsewhere. */
export const watchShape = shape

/** Called for each publication with the nodes that changed. */
export function onChanges(listener: (nodes: ReadonlySet<NodeState>, shape: boolean) => void): () => void {
  listeners.push(listener)
  return () => { listeners = listeners.filter((each) => each !== listener) }
}

/** Tells panels what changed since the last time. */
export function publishChanges({ changes }: RunModel): void {
  batch(() => {
    for (const listener of listeners) listener(changes.nodes, changes.shape)
    if (changes.shape) setShape((n) => n + 1)
    for (const { id } of changes.nodes) watched.get(id)?.signal[1]((n) => n + 1)
  })
  changes.nodes.clear()
  changes.shape = false
}

/** Another model is shown: everything is new. */
export function publishAll(model: RunModel): void {
  batch(() => {
    for (const listener of listeners) listener(new Set(model.nodes.values()), true)
    setShape((n) => n + 1)
    for (const { signal } of watched.values()) signal[1]((n) => n + 1)
  })
  model.changes.nodes.clear()
  model.changes.shape = false
}
