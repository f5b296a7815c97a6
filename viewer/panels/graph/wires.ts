// The lines from cards to the cards below them, as SVG path text. A parent with thousands of
// children has one trunk and a stub a child, and only what crosses the view is written. Pure.
import type { Placed } from '../../layout/tree.ts'
import type { Rect } from './rect.ts'

const CORNER = 6
const TURN = 20
/** A child this near to its parent's height is reached by a curve. */
const NEAR = 2 * CORNER

export interface Branch { parent: Placed; children: Placed[]; top: number; bottom: number; right: number }

/** Parents with their children and how far the trunk between them reaches. */
export function branchesOf(placed: ReadonlyMap<string, Placed>): Branch[] {
  const branches = new Map<string, Branch>()
  for (const child of placed.values()) {
    const parent = child.parentId === undefined ? undefined : placed.get(child.parentId)
    if (!parent) continue
    const y = middleOf(child)
    const branch = branches.get(parent.id)
    if (branch) {
      branch.children.push(child)
      branch.top = Math.min(branch.top, y)
      branch.bottom = Math.max(branch.bottom, y)
    } else branches.set(parent.id, { parent, children: [child], top: Math.min(y, middleOf(parent)), bottom: Math.max(y, middleOf(parent)), right: child.x })
  }
  return [...branches.values()]
}

/** All lines that cross `view`. */
export function wiresIn(branches: readonly Branch[], view: Rect): string {
  let path = ''
  for (const { parent, children, top, bottom, right } of branches) {
    const x1 = parent.x + parent.width
    if (right < view.left || x1 > view.right || bottom < view.top || top > view.bottom) continue
    const y = middleOf(parent)
    const mid = x1 + TURN
    path += `M${x1} ${y}H${mid}`
    const [from, to] = [Math.max(Math.min(top + CORNER, y), view.top), Math.min(Math.max(bottom - CORNER, y), view.bottom)]
    if (to > from) path += `M${mid} ${from}V${to}`
    for (const child of children) {
      const cy = middleOf(child)
      if (cy >= view.top && cy <= view.bottom) path += stub(mid, y, child.x, cy)
    }
  }
  return path
}

/** The whole line to one card, from its parent. */
export function wireTo(from: Placed, to: Placed): string {
  const [x1, y] = [from.x + from.width, middleOf(from)]
  const [mid, cy] = [x1 + TURN, middleOf(to)]
  const trunk = Math.abs(cy - y) < NEAR ? '' : `V${cy - corner(y, cy)}`
  return `M${x1} ${y}H${mid}${trunk}${stub(mid, y, to.x, cy).replace(/^M[^qC]*/, '')}`
}

function stub(mid: number, y: number, x2: number, cy: number): string {
  if (Math.abs(cy - y) < NEAR) return `M${mid} ${y}C${mid + TURN / 2} ${y} ${x2 - TURN / 2} ${cy} ${x2} ${cy}`
  const down = corner(y, cy)
  return `M${mid} ${cy - down}q0 ${down} ${CORNER} ${down}H${x2}`
}

function corner(y: number, cy: number): number {
  return cy > y ? CORNER : -CORNER
}

function middleOf({ y, height }: Placed): number {
  return y + height / 2
}
