// Which cards the graph has, in which order and how large. Pure: the model in, the tree's nodes
// out. What is folded away is in the answer too, so that nothing is hidden without a word.
import type { TreeNode } from '../../layout/tree.ts'
import type { NodeState, RunModel } from '../../model/run-model.ts'
import { sharedPrefixes } from './shared-prefix.ts'

export const CARD_WIDTH = 208
const CARD_HEIGHT = 50
const PREVIEW_HEIGHT = 35
const PILL_HEIGHT = 24
/** Announced tools and resources of a parent beyond this many fold into a pill. */
const MOST_HINTED = 12
/** A run of more nodes opens with its branches folded. */
export const MANY_NODES = 70

export interface Pill { id: string; parentId: string | undefined; title: string; nodes: NodeState[] }

export interface Shape {
  nodes: TreeNode[]
  pills: Map<string, Pill>
  /** Per card that has children: how many nodes are folded away under it; 0: it is open. */
  branches: Map<string, number>
  /** The card that stands for a node that is folded away. */
  standsFor: Map<string, string>
  /** How many first characters of its name a card shares with its siblings. */
  prefixes: Map<string, number>
}

export interface Folds {
  /** Pills that are spread out. */
  spread: ReadonlySet<string>
  /** Branches that the person closed or opened. */
  branches: ReadonlyMap<string, 'open' | 'closed'>
  /** Are branches closed unless opened? */
  closedAtFirst: boolean
  /** Nodes that must be seen. */
  reveal: ReadonlySet<string>
  /** Cards with a preview line; they keep its room. */
  tall: ReadonlySet<string>
}

export function shapeOf(model: RunModel, folds: Folds): Shape {
  const all = [...model.nodes.values()].sort((a, b) => a.seq - b.seq)
  const children = childrenOf(model, all)
  const closed = closedBranches(model, all, children, folds)
  const standsFor = new Map<string, string>()
  const branches = new Map<string, number>()
  for (const id of children.keys()) branches.set(id, 0)
  const open = all.filter((node) => {
    const owner = ownerOf(model, node, closed)
    if (owner === null) return true
    standsFor.set(node.id, owner)
    branches.set(owner, (branches.get(owner) ?? 0) + 1)
    return false
  })
  const pills = pillsOf(open, folds.spread)
  for (const pill of pills.values()) for (const { id } of pill.nodes) standsFor.set(id, pill.id)
  const shown = open.filter(({ id }) => !standsFor.has(id))
  const nodes: TreeNode[] = shown.map(({ id, parentId }) => ({ id, parentId, width: CARD_WIDTH, height: CARD_HEIGHT + (folds.tall.has(id) ? PREVIEW_HEIGHT : 0) }))
  for (const { id, parentId, title } of pills.values()) nodes.push({ id, parentId, width: 56 + title.length * 6, height: PILL_HEIGHT })
  return { nodes, pills, branches, standsFor, prefixes: sharedPrefixes(shown) }
}

/** Protocol talk that says nothing about the work; a part of it that failed or is held does. */
export function isChatter(node: NodeState): boolean {
  return node.kind === 'custom' && node.id.startsWith('mcp:') && node.id !== 'mcp:not-json' && node.errors === 0 && node.holds.length === 0
}

function childrenOf(model: RunModel, all: NodeState[]): Map<string, NodeState[]> {
  const children = new Map<string, NodeState[]>()
  for (const node of all) {
    if (node.parentId === undefined || !model.nodes.has(node.parentId)) continue
    const siblings = children.get(node.parentId)
    if (siblings) siblings.push(node)
    else children.set(node.parentId, [node])
  }
  return children
}

/** Branches whose children are folded away. Roots stay open, and so does the way to what must be seen. */
function closedBranches(model: RunModel, all: NodeState[], children: Map<string, NodeState[]>, { branches, closedAtFirst, reveal }: Folds): Set<string> {
  const closed = new Set<string>()
  for (const { id, parentId } of all) {
    const isRoot = parentId === undefined || !model.nodes.has(parentId)
    if (children.has(id) && (branches.get(id) ?? (closedAtFirst && !isRoot ? 'closed' : 'open')) === 'closed') closed.add(id)
  }
  for (const id of reveal) for (const { id: above } of above_(model, id)) closed.delete(above)
  return closed
}

/** The outermost closed branch that a node is folded into; null: it is open. */
function ownerOf(model: RunModel, node: NodeState, closed: Set<string>): string | null {
  if (closed.size === 0) return null
  let owner: string | null = null
  for (const { id } of above_(model, node.id)) if (closed.has(id)) owner = id
  return owner
}

/** The nodes above a node, nearest first; a ring is walked once. */
function* above_(model: RunModel, id: string): Generator<NodeState> {
  const met = new Set<string>([id])
  for (let node = parentOf(model, id); node && !met.has(node.id); node = parentOf(model, node.id)) {
    met.add(node.id)
    yield node
  }
}

function parentOf(model: RunModel, id: string): NodeState | undefined {
  const parentId = model.nodes.get(id)?.parentId
  return parentId === undefined ? undefined : model.nodes.get(parentId)
}

function pillsOf(open: NodeState[], spread: ReadonlySet<string>): Map<string, Pill> {
  const pills = new Map<string, Pill>()
  const add = (kind: 'chatter' | 'hinted', node: NodeState) => {
    const id = `fold:${kind}:${node.parentId ?? ''}`
    if (spread.has(id)) return
    const pill = pills.get(id) ?? { id, parentId: node.parentId, title: '', nodes: [] }
    pill.nodes.push(node)
    pills.set(id, pill)
  }
  const uncalled = new Map<string | undefined, number>()
  for (const node of open) {
    if (isChatter(node)) add('chatter', node)
    else if (node.instances.length === 0) {
      const before = uncalled.get(node.parentId) ?? 0
      uncalled.set(node.parentId, before + 1)
      if (before >= MOST_HINTED) add('hinted', node)
    }
  }
  for (const [id, pill] of pills) {
    if (pill.nodes.length === 1) pills.delete(id) // a pill would hide what takes no more room
    else pill.title = id.startsWith('fold:chatter') ? `protocol, ${pill.nodes.length} methods` : `${pill.nodes.length} more, not called yet`
  }
  return pills
}
