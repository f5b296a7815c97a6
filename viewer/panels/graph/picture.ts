// What the graph shows, kept in step with the run: its shape and places are made anew when nodes
// come or change their looks, states are kept per card. It asks the model only about nodes that
// changed.
import { createMemo, createSignal, onCleanup, untrack } from 'solid-js'
import { layoutTree } from '../../layout/tree.ts'
import type { NodeState } from '../../model/run-model.ts'
import { onChanges, watchShape } from '../../state/changes.ts'
import { replaying, run, runInfo } from '../../state/session.ts'
import { route } from '../../state/route.ts'
import { cardStatus, hasPreview } from './card-text.ts'
import { isChatter, MANY_NODES, shapeOf } from './shape.ts'

/** Whoever follows a busy run is not thrown about: the place to look at changes this seldom. */
const CALM_MS = 700

export type Picture = ReturnType<typeof createPicture>

export function createPicture() {
  const [looks, setLooks] = createSignal(0)
  const [states, setStates] = createSignal(0)
  const [active, setActive] = createSignal<string | null>(null)
  const [spread, setSpread] = createSignal<ReadonlySet<string>>(new Set())
  const [branches, setBranches] = createSignal<ReadonlyMap<string, 'open' | 'closed'>>(new Map())
  const [large, setLarge] = createSignal(false)
  const tall = new Set<string>()
  /** Of each node what decides on its place: uncalled, chatter, held. */
  const classes = new Map<string, number>()
  const statuses = new Map<string, string>()
  let activeSince = -Infinity

  const over = createMemo(() => { const info = runInfo(); return info !== undefined && info.status !== 'running' })

  onCleanup(onChanges((nodes) => {
    const model = untrack(run)
    let [look, state] = [false, false]
    if (untrack(replaying)) setLarge(model.nodes.size > MANY_NODES)
    for (const node of nodes) {
      if (!tall.has(node.id) && hasPreview(model, node)) {
        tall.add(node.id)
        look = true
      }
      const class_ = classOf(node)
      if (classes.get(node.id) !== class_) {
        classes.set(node.id, class_)
        look = true
      }
      const status = cardStatus(model, node, untrack(over))
      if (statuses.get(node.id) !== status) {
        statuses.set(node.id, status)
        state = true
      }
    }
    const busy = busiest(nodes)
    if (busy && performance.now() - activeSince > CALM_MS) {
      activeSince = performance.now()
      setActive(busy.id)
    }
    if (look) setLooks((n) => n + 1)
    if (state) setStates((n) => n + 1)
  }))

  const reveal = createMemo(() => {
    looks()
    const wanted = new Set<string>([...run().holds.values()].map(({ nodeId }) => nodeId))
    const { nodeId } = route()
    if (nodeId !== null) wanted.add(nodeId)
    return wanted
  }, new Set<string>(), { equals: (a, b) => a.size === b.size && [...a].every((id) => b.has(id)) })

  const shape = createMemo(() => {
    watchShape()
    looks()
    return shapeOf(untrack(run), { spread: spread(), branches: branches(), closedAtFirst: large(), reveal: reveal(), tall })
  })
  const placed = createMemo(() => layoutTree(shape().nodes))

  /** The card that stands for a node. */
  const cardOf = (nodeId: string): string => {
    const owner = shape().standsFor.get(nodeId) ?? nodeId
    return shape().standsFor.get(owner) ?? owner
  }

  return {
    shape, placed, over, cardOf,
    /** The card where something happens. */
    active: createMemo(() => { states(); const held = [...untrack(run).holds.values()][0]?.nodeId; const id = held ?? active(); return id === null ? null : cardOf(id) }),
    /** Rises when the state of some card changed. */
    states,
    statusOf: (id: string): string => over() ? stateWhenOver(statuses.get(id)) : statuses.get(id) ?? 'ok',
    spreadPill: (id: string) => setSpread((old) => new Set([...old, id])),
    toggleBranch: (id: string) => setBranches((old) => new Map(old).set(id, (shape().branches.get(id) ?? 0) > 0 ? 'open' : 'closed')),
    /** Folds every branch, or opens all when they are folded. */
    toggleAll: () => {
      const isRoot = (id: string) => placed().get(id)?.parentId === undefined
      const ids = [...shape().branches.keys()]
      const close = ids.some((id) => placed().has(id) && !isRoot(id) && shape().branches.get(id) === 0)
      setBranches(new Map(ids.map((id) => [id, close && !(placed().has(id) && isRoot(id)) ? 'closed' : 'open'] as const)))
      setSpread(new Set<string>())
    },
    /** Gives back the room that previews no longer need. */
    rearrange: () => {
      tall.clear()
      const model = untrack(run)
      for (const node of model.nodes.values()) if (hasPreview(model, node)) tall.add(node.id)
      setLooks((n) => n + 1)
    },
    /** Another run is shown. */
    forget: () => {
      tall.clear()
      classes.clear()
      statuses.clear()
      setSpread(new Set<string>())
      setBranches(new Map())
      setLarge(false)
    activeSince = -Infinity
      setActive(null)
      setLooks((n) => n + 1)
    },
  }
}

function classOf(node: NodeState): number {
  return (node.instances.length === 0 ? 1 : 0) + (isChatter(node) ? 2 : 0) + (node.holds.length > 0 ? 4 : 0)
}

/** Of the nodes that changed the one where the latest call runs; the session itself is no place to look at. */
function busiest(nodes: ReadonlySet<NodeState>): NodeState | null {
  let latest: NodeState | null = null
  for (const node of nodes) if (node.kind !== 'server' && node.instances.length > 0 && !isChatter(node) && (latest === null || node.lastSeq > latest.lastSeq)) latest = node
  return latest
}

function stateWhenOver(status: string | undefined): string {
  return status === undefined || status === 'running' || status === 'held' ? 'stopped' : status
}
