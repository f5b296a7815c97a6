// The overview in the corner: everything as marks, and the frame of what is in view. A press or a
// drag looks there.
import { createEffect, createMemo, onCleanup } from 'solid-js'
import { onFrame } from '../../state/frame.ts'
import { theme } from '../../state/prefs.ts'
import { draw, type MarksProps } from './marks.tsx'
import { boundsOf, type View } from './rect.ts'

const WIDTH = 132
const HEIGHT = 76
const PAD = 6
/** The marks are drawn at most this often while a run streams; the frame follows at once. */
const REDRAW_MS = 250

export interface MiniMapProps extends MarksProps { move(to: View): void }

export function MiniMap(props: MiniMapProps) {
  let canvas!: HTMLCanvasElement
  let timer: ReturnType<typeof setTimeout> | undefined
  let drawnAt = 0
  const own = createMemo<View>(() => {
    const bounds = boundsOf(props.placed)
    if (!bounds) return { x: 0, y: 0, k: 1 }
    const k = Math.min((WIDTH - 2 * PAD) / (bounds.right - bounds.left), (HEIGHT - 2 * PAD) / (bounds.bottom - bounds.top), 0.16)
    return { k, x: (WIDTH - (bounds.left + bounds.right) * k) / 2, y: (HEIGHT - (bounds.top + bounds.bottom) * k) / 2 }
  })
  const paint = () => {
    timer = undefined
    drawnAt = performance.now()
    if (canvas.isConnected) draw(canvas, own(), { pane: { width: WIDTH, height: HEIGHT }, placed: props.placed, status: props.status, chosen: null })
  }
  createEffect(() => {
    void [own(), props.version, theme()]
    timer ??= setTimeout(() => onFrame(paint), Math.max(0, drawnAt + REDRAW_MS - performance.now()))
  })
  onCleanup(() => clearTimeout(timer))

  const frame = () => {
    const { view: { x, y, k }, pane } = props
    const at = own()
    return {
      left: `${at.x - x / k * at.k}px`, top: `${at.y - y / k * at.k}px`,
      width: `${pane.width / k * at.k}px`, height: `${pane.height / k * at.k}px`,
    }
  }
  const look = (event: PointerEvent) => {
    if (event.buttons !== 1) return
    const { left, top } = canvas.getBoundingClientRect()
    const at = own()
    const [wx, wy] = [(event.clientX - left - at.x) / at.k, (event.clientY - top - at.y) / at.k]
    const { k } = props.view
    props.move({ k, x: props.pane.width / 2 - wx * k, y: props.pane.height / 2 - wy * k })
  }
  return (
    <div class="mini" role="img" aria-label="overview of the graph" onPointerDown={(event) => { event.currentTarget.setPointerCapture(event.pointerId); look(event) }} onPointerMove={look}>
      <canvas ref={canvas} style={{ width: `${WIDTH}px`, height: `${HEIGHT}px` }} aria-hidden="true" />
      <div class="frame" style={frame()} />
    </div>
  )
}
