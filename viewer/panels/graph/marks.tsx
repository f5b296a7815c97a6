// The graph from afar: when a card's text could not be read anyway, a mark in its state's colour
// stands for it, and all of them are one drawing. Thousands of cards would be thousands of layouts.
import { createEffect } from 'solid-js'
import type { ZoomTransform } from 'd3-zoom'
import type { Placed } from '../../layout/tree.ts'
import { theme } from '../../state/prefs.ts'
import type { Card } from './cards.ts'

interface MarksProps {
  view: ZoomTransform
  box: { width: number; height: number }
  ids: readonly string[]
  placed: Map<string, Placed>
  cards: Map<string, Card>
  chosen: string | null
}

export function Marks(props: MarksProps) {
  let canvas!: HTMLCanvasElement
  createEffect(() => {
    theme()
    draw(canvas, props)
  })
  return <canvas ref={canvas} style={{ position: 'absolute', inset: '0', width: '100%', height: '100%', 'pointer-events': 'none' }} aria-hidden="true" />
}

function draw(canvas: HTMLCanvasElement, { view, box, ids, placed, cards, chosen }: MarksProps): void {
  const scale = devicePixelRatio
  canvas.width = Math.round(box.width * scale)
  canvas.height = Math.round(box.height * scale)
  const context = canvas.getContext('2d')
  if (!context) return
  const tokens = getComputedStyle(canvas)
  const colour = (name: string) => tokens.getPropertyValue(name)
  const fills: Record<string, string> = { held: colour('--held'), error: colour('--error'), running: colour('--run'), hinted: colour('--hair') }
  const [plain, line, accent] = [colour('--press'), colour('--line'), colour('--accent')]
  context.setTransform(scale * view.k, 0, 0, scale * view.k, scale * view.x, scale * view.y)
  context.strokeStyle = line
  context.lineWidth = 1 / view.k
  context.beginPath()
  for (const id of ids) {
    const to = placed.get(id)
    const from = to?.parentId === undefined ? undefined : placed.get(to.parentId)
    if (!to || !from) continue
    context.moveTo(from.x + from.width, from.y + from.height / 2)
    context.lineTo(to.x, to.y + to.height / 2)
  }
  context.stroke()
  for (const id of ids) {
    const at = placed.get(id)
    if (!at) continue
    context.fillStyle = fills[cards.get(id)?.status ?? ''] ?? plain
    context.fillRect(at.x, at.y, at.width, at.height)
    if (id !== chosen) continue
    context.strokeStyle = accent
    context.lineWidth = 3 / view.k
    context.strokeRect(at.x, at.y, at.width, at.height)
  }
}

/** The node under a point of the pane; null: none. */
export function nodeAt(view: ZoomTransform, placed: Map<string, Placed>, ids: readonly string[], x: number, y: number): string | null {
  const [wx, wy] = view.invert([x, y])
  return ids.find((id) => {
    const at = placed.get(id)
    return at !== undefined && wx >= at.x && wx <= at.x + at.width && wy >= at.y && wy <= at.y + at.height
  }) ?? null
}
