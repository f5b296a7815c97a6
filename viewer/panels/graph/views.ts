// Where the camera goes: fit everything, bring a card into view, stay with what happens, keep a
// card where it is while the rest moves. Pure.
import type { Placed } from '../../layout/tree.ts'
import type { Rect, Size, View } from './rect.ts'

export const SMALLEST = 0.05
export const LARGEST = 2
/** Below this scale a card's text cannot be read. */
export const READABLE = 0.7
const PAD = 40

/** Everything in view, centred, as large as it can be but not larger than life; not smaller than `least`, then around `focus`. */
export function fitView(bounds: Rect, pane: Size, least = SMALLEST, focus?: Placed): View {
  const whole = Math.min((pane.width - 2 * PAD) / (bounds.right - bounds.left), (pane.height - 2 * PAD) / (bounds.bottom - bounds.top))
  const k = Math.min(1, Math.max(least, whole))
  const at = focus && { x: focus.x + focus.width / 2, y: focus.y + focus.height / 2 }
  return {
    k,
    x: along(bounds.left, bounds.right, pane.width, k, at?.x ?? bounds.left),
    y: along(bounds.top, bounds.bottom, pane.height, k, at?.y ?? bounds.top),
  }
}

/** One axis: in the middle if it has the room, else `middle` in the middle as far as the ends let it. */
function along(from: number, to: number, room: number, k: number, middle: number): number {
  if ((to - from) * k <= room - 2 * PAD) return (room - (from + to) * k) / 2
  return Math.min(PAD - from * k, Math.max(room - PAD - to * k, room / 2 - middle * k))
}

/** The least move that brings a card into view; the same view when it is there already. */
export function revealView(view: View, card: Placed, pane: Size): View {
  const x = view.x + nudge(card.x * view.k + view.x, card.width * view.k, pane.width)
  const y = view.y + nudge(card.y * view.k + view.y, card.height * view.k, pane.height)
  return x === view.x && y === view.y ? view : { ...view, x, y }
}

function nudge(start: number, length: number, room: number): number {
  if (length > room - 2 * PAD) return PAD - start
  if (start < PAD) return PAD - start
  return Math.min(0, room - PAD - start - length)
}

/** Stays with the run as it grows: all of it while that is readable, else where something happens, moving no more than it must. `fresh`: nothing was looked at before. */
export function followView(view: View, bounds: Rect, pane: Size, active: Placed | undefined, fresh: boolean): View {
  const whole = fitView(bounds, pane, READABLE, active)
  const fits = (bounds.right - bounds.left) * whole.k <= pane.width - 2 * PAD && (bounds.bottom - bounds.top) * whole.k <= pane.height - 2 * PAD
  if (fits || fresh || view.k < READABLE) return whole
  return active ? revealView(view, active, pane) : view
}

/** The view in which a card that stood at `before` and now stands at `after` has not moved. */
export function anchoredView(view: View, before: Placed, after: Placed): View {
  const [dx, dy] = [(before.x - after.x) * view.k, (before.y - after.y) * view.k]
  return dx === 0 && dy === 0 ? view : { ...view, x: view.x + dx, y: view.y + dy }
}

/** The card nearest to the middle of the pane: the one to keep still when nothing else is pointed at. */
export function middleCard(placed: ReadonlyMap<string, Placed>, view: View, pane: Size): string | null {
  const [x, y] = [(pane.width / 2 - view.x) / view.k, (pane.height / 2 - view.y) / view.k]
  let nearest: string | null = null
  let least = Infinity
  for (const p of placed.values()) {
    const distance = Math.abs(p.x + p.width / 2 - x) + Math.abs(p.y + p.height / 2 - y)
    if (distance < least) [least, nearest] = [distance, p.id]
  }
  return nearest
}

export type Step = 'left' | 'right' | 'up' | 'down'

/** The card that an arrow key leads to: up and down within the column, left to the parent, right to the nearest child. */
export function neighbour(placed: ReadonlyMap<string, Placed>, from: string | null, step: Step): string | null {
  const here = from === null ? undefined : placed.get(from)
  if (!here) return placed.keys().next().value ?? null
  if (step === 'left') return here.parentId ?? null
  const middle = here.y + here.height / 2
  let nearest: string | null = null
  let least = Infinity
  for (const p of placed.values()) {
    if (step === 'right' ? p.parentId !== here.id : p.x !== here.x || (step === 'up' ? p.y >= here.y : p.y <= here.y)) continue
    const distance = Math.abs(p.y + p.height / 2 - middle)
    if (distance < least) [least, nearest] = [distance, p.id]
  }
  return nearest
}
