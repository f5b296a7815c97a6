// A tidy tree, left to right, for cards of any height: columns by depth, a parent in the middle of
// its children, nothing overlaps, and subtrees stand as close as their outlines let them. Linear
// and iterative: a chain of 20,000 costs no stack.
//
// Each subtree has two outlines, its upper and its lower edge, as chains of nodes from column to
// column. Siblings are pushed together along them; where one ends, a thread leads on to the other's.

export interface TreeNode { id: string; parentId: string | undefined; width: number; height: number }
export interface Placed { id: string; parentId: string | undefined; x: number; y: number; width: number; height: number }

export const COLUMN_GAP = 48
export const ROW_GAP = 24

interface Outline { next: Node | null; dy: number; last: Node; lastDy: number }
class Node {
  readonly source: TreeNode
  parent: Node | null = null
  readonly children: Node[] = []
  depth = 0
  /** Number of the walk up that met it; 0: none did. */
  walk = 0
  /** Relative to its parent, later absolute. */
  y = 0
  upper: Outline
  lower: Outline

  constructor(source: TreeNode) {
    this.source = source
    this.upper = { next: null, dy: 0, last: this, lastDy: 0 }
    this.lower = { next: null, dy: 0, last: this, lastDy: 0 }
  }
}
/** The outlines of the siblings placed so far, relative to the first of them. */
interface Forest { first: Node; last: Node; upperLast: Node; upperLastY: number; lowerLast: Node; lowerLastY: number }

/** Places nodes in the order given; one whose parent is unknown, or leads back to itself, is a root. */
export function layoutTree(nodes: readonly TreeNode[]): Map<string, Placed> {
  const all = new Map(nodes.map((source) => [source.id, new Node(source)]))
  const roots = link(all)
  const order = depthFirst(roots)
  for (let i = order.length - 1; i >= 0; i--) placeChildren(order[i] as Node)
  stack(roots)
  return absolute(order, columns(order))
}

/** Ties each node to its parent, unless that would close a ring; gives the roots. */
function link(all: Map<string, Node>): Node[] {
  const roots: Node[] = []
  let walk = 0
  for (const start of all.values()) {
    walk++ // nodes of this walk up are marked with its number; a mark of an earlier one is settled
    for (let node = start; node.walk === 0;) {
      node.walk = walk
      const parent = node.source.parentId === undefined ? undefined : all.get(node.source.parentId)
      if (parent === undefined || parent.walk === walk) break
      node.parent = parent
      node = parent
    }
  }
  for (const node of all.values()) (node.parent?.children ?? roots).push(node)
  return roots
}

function depthFirst(roots: Node[]): Node[] {
  const order: Node[] = []
  const waiting = roots.toReversed()
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    order.push(node)
    for (let i = node.children.length - 1; i >= 0; i--) {
      const child = node.children[i] as Node
      child.depth = node.depth + 1
      waiting.push(child)
    }
  }
  return order
}

/** Pushes the children together and puts the parent in their middle; their own subtrees are done. */
function placeChildren(node: Node): void {
  if (node.children.length === 0) return
  const { first, last, upperLast, upperLastY, lowerLast, lowerLastY } = pushTogether(node.children)
  const middle = (first.y + last.y + last.source.height) / 2 - node.source.height / 2
  for (const child of node.children) child.y -= middle
  node.upper = { next: first, dy: first.y, last: upperLast, lastDy: upperLastY - middle }
  node.lower = { next: last, dy: last.y, last: lowerLast, lastDy: lowerLastY - middle }
}

/** Roots stand below each other like siblings. */
function stack(roots: Node[]): void {
  if (roots.length > 0) pushTogether(roots)
}

function pushTogether(siblings: Node[]): Forest {
  const first = siblings[0] as Node
  first.y = 0
  const forest: Forest = { first, last: first, upperLast: first.upper.last, upperLastY: first.upper.lastDy, lowerLast: first.lower.last, lowerLastY: first.lower.lastDy }
  for (let i = 1; i < siblings.length; i++) append(forest, siblings[i] as Node)
  return forest
}

/** Puts a subtree below the forest, as close as the outlines let it. */
function append(forest: Forest, tree: Node): void {
  let above: Node = forest.last // along the lower edge of the forest …
  let aboveY = above.y
  let below: Node = tree // … and the upper edge of the tree, column by column
  let belowY = 0
  let distance = -Infinity
  for (;;) {
    distance = Math.max(distance, aboveY + above.source.height + ROW_GAP - belowY)
    const [nextAbove, nextBelow] = [above.lower, below.upper]
    if (nextAbove.next === null || nextBelow.next === null) break
    aboveY += nextAbove.dy
    above = nextAbove.next
    belowY += nextBelow.dy
    below = nextBelow.next
  }
  tree.y = distance
  const [rest, more] = [above.lower, below.upper]
  if (rest.next !== null) thread(tree.lower.last, 'lower', rest.next, aboveY + rest.dy - (distance + tree.lower.lastDy))
  else {
    forest.lowerLast = tree.lower.last
    forest.lowerLastY = distance + tree.lower.lastDy
  }
  if (more.next !== null) {
    thread(forest.upperLast, 'upper', more.next, distance + belowY + more.dy - forest.upperLastY)
    forest.upperLast = tree.upper.last
    forest.upperLastY = distance + tree.upper.lastDy
  }
  forest.last = tree
}

function thread(from: Node, edge: 'upper' | 'lower', to: Node, dy: number): void {
  from[edge].next = to
  from[edge].dy = dy
}

/** Where each column begins: the widest card of a column makes room for all. */
function columns(order: Node[]): number[] {
  const widths: number[] = []
  for (const { depth, source } of order) widths[depth] = Math.max(widths[depth] ?? 0, source.width)
  let x = 0
  return widths.map((width) => {
    const start = x
    x += width + COLUMN_GAP
    return start
  })
}

function absolute(order: Node[], xs: number[]): Map<string, Placed> {
  let top = Infinity
  for (const node of order) {
    node.y += node.parent?.y ?? 0
    top = Math.min(top, node.y)
  }
  return new Map(order.map(({ source: { id, width, height }, parent, depth, y }) => [id, { id, parentId: parent?.source.id, x: xs[depth] ?? 0, y: y - top, width, height }]))
}
