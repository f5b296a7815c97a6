// Rectangles of the graph: what is in view, and what all cards cover. Pure.
import type { Placed } from '../../layout/tree.ts'

export interface Rect { left: number; top: number; right: number; bottom: number }
/** How the world is shown: a point p of it stands at p * k + (x, y) in the pane. */
export interface View { x: number; y: number; k: number }
export interface Size { width: number; height: number }

/** A view that moves within this many units of the world shows nothing new. */
const STEP = 256

/** The part of the world in view, with a margin; it changes in steps, so that small moves cost nothing. */
export function regionOf({ x, y, k }: View, { width, height }: Size): Rect {
  const snap = (from: number, to: number): [number, number] => [Math.floor(from / STEP) * STEP - STEP, Math.ceil(to / STEP) * STEP + STEP]
  const [left, right] = snap(-x / k, (width - x) / k)
  const [top, bottom] = snap(-y / k, (height - y) / k)
  return { left, top, right, bottom }
}

export function sameRect(a: Rect, b: Rect): boolean {
  return a.left === b.left && a.top === b.top && a.right === b.right && a.bottom === b.bottom
}

export function meets(p: Placed, { left, top, right, bottom }: Rect): boolean {
  return p.x < right && p.x + p.width > left && p.y < bottom && p.y + p.height > top
}

/** What all cards cover; null: there are none. */
export function boundsOf(placed: ReadonlyMap<string, Placed>): Rect | null {
  if (placed.size === 0) return null
  const all: Rect = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  for (const { x, y, width, height } of placed.values()) {
    if (x < all.left) all.left = x
    if (y < all.top) all.top = y
    if (x + width > all.right) all.right = x + width
    if (y + height > all.bottom) all.bottom = y + height
  }
  return all
}
