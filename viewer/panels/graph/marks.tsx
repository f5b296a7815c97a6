// The graph from afar: where a card's text could not be read anyway, a mark in its state's colour
// stands for it, and all of them are one drawing. Thousands of cards would be thousands of layouts.
import { createEffect, onCleanup } from 'solid-js'
import type { Placed } from '../../layout/tree.ts'
import { onFrame } from '../../state/frame.ts'
import { theme } from '../../state/prefs.ts'
import { meets, type Rect, type Size, type View } from './rect.ts'

export interface MarksProps {
  view: View
  pane: Size
  placed: ReadonlyMap<string, Placed>
  /** State of each card; `version` tells that some changed. */
  status: (id: string) => string
  version: number
  chosen: string | null
}

export function Marks(props: MarksProps) {
  let canvas!: HTMLCanvasElement
  let gone = false
  onCleanup(() => { gone = true })
  const paint = () => { if (!gone) draw(canvas, props.view, props) }
  createEffect(() => {
    void [props.view, props.pane, props.placed, props.version, props.chosen, theme()]
    onFrame(paint)
  })
  return <canvas class="marks" ref={canvas} aria-hidden="true" />
}

/** Draws what is in view; also the overview uses it, with a view of its own. */
export function draw(canvas: HTMLCanvasElement, view: View, { pane, placed, status, chosen }: Omit<MarksProps, 'view' | 'version'>): void {
  const ratio = devicePixelRatio
  const context = canvas.getContext('2d')
  if (!context) return
  if (canvas.width !== Math.round(pane.width * ratio)) canvas.width = Math.round(pane.width * ratio)
  if (canvas.height !== Math.round(pane.height * ratio)) canvas.height = Math.round(pane.height * ratio)
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.clearRect(0, 0, canvas.width, canvas.height)
  context.setTransform(ratio * view.k, 0, 0, ratio * view.k, ratio * view.x, ratio * view.y)
  const shown: Rect = { left: -view.x / view.k, top: -view.y / view.k, right: (pane.width - view.x) / view.k, bottom: (pane.height - view.y) / view.k }
  const colour = coloursOf(canvas)
  wires(context, placed, shown, view.k, colour('--line'))
  for (const [name, marks] of grouped(placed, shown, status)) {
    context.fillStyle = colour(FILLS[name] ?? '--press')
    context.beginPath()
    for (const { x, y, width, height } of marks) context.rect(x, y, width, height)
    context.fill()
    if (name === 'held' || name === 'error' || name === 'running') continue
    context.strokeStyle = colour('--line')
    context.lineWidth = 1 / view.k
    context.stroke()
  }
  const chosenCard = chosen === null ? undefined : placed.get(chosen)
  if (!chosenCard) return
  context.strokeStyle = colour('--accent')
  context.lineWidth = 2 / view.k
  context.strokeRect(chosenCard.x, chosenCard.y, chosenCard.width, chosenCard.height)
}

const FILLS: Record<string, string> = { held: '--held-line', error: '--error', running: '--run', hinted: '--hair' }

function coloursOf(element: Element): (name: string) => string {
  const tokens = getComputedStyle(element)
  return (name) => tokens.getPropertyValue(name)
}

/** Those of one colour are one path; what matters most comes last, on top. */
function grouped(placed: ReadonlyMap<string, Placed>, shown: Rect, status: (id: string) => string): [string, Placed[]][] {
  const groups: Record<string, Placed[]> = { other: [], hinted: [], running: [], error: [], held: [] }
  for (const p of placed.values()) if (meets(p, shown)) (groups[status(p.id)] ?? groups.other as Placed[]).push(p)
  return Object.entries(groups).filter(([, marks]) => marks.length > 0)
}

function wires(context: CanvasRenderingContext2D, placed: ReadonlyMap<string, Placed>, shown: Rect, k: number, colour: string): void {
  context.strokeStyle = colour
  context.lineWidth = 1 / k
  context.beginPath()
  for (const to of placed.values()) {
    const from = to.parentId === undefined ? undefined : placed.get(to.parentId)
    if (!from || from.x > shown.right || to.x < shown.left) continue
    const [y1, y2] = [from.y + from.height / 2, to.y + to.height / 2]
    if (Math.max(y1, y2) < shown.top || Math.min(y1, y2) > shown.bottom) continue
    context.moveTo(from.x + from.width, y1)
    context.lineTo(to.x, y2)
  }
  context.stroke()
}

/** The card under a point of the pane; null: none. */
export function cardAt(placed: ReadonlyMap<string, Placed>, view: View, x: number, y: number): string | null {
  const [wx, wy] = [(x - view.x) / view.k, (y - view.y) / view.k]
  for (const p of placed.values()) if (wx >= p.x && wx <= p.x + p.width && wy >= p.y && wy <= p.y + p.height) return p.id
  return null
}
