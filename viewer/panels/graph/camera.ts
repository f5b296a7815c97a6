// The camera: pan and zoom by mouse, trackpad, touch and keys. It moves the world itself, at once;
// `view` is for what must know where it looks.
import { select } from 'd3-selection'
import { zoom, zoomIdentity, type D3ZoomEvent } from 'd3-zoom'
import { createSignal, onCleanup, type Accessor } from 'solid-js'
import { LARGEST, SMALLEST } from './views.ts'
import type { Size, View } from './rect.ts'

/** The pane takes the gestures, the world moves, the dots of the ground move with it. */
export interface Parts { pane: HTMLElement; world: HTMLElement; ground: HTMLElement }

export interface Camera {
  view: Accessor<View>
  pane: Accessor<Size>
  attach(parts: Parts): void
  move(to: View): void
  zoomBy(factor: number): void
}

/** A press that moves less is a click. */
const CLICK_DISTANCE = 4
/** A wheel of a mouse turns in steps this large; a trackpad glides in smaller ones. */
const WHEEL_STEP = 60
/** The dots of the ground repeat after so many pixels. */
const GROUND_STEP = 24
/** What stands on the graph and has gestures of its own. */
const OWN_GESTURES = '.tools, .mini, .note-strip'

/** `byHand`: called when the person moves it. */
export function createCamera(byHand: () => void): Camera {
  const [view, setView] = createSignal<View>({ x: 0, y: 0, k: 1 }, { equals: (a, b) => a.x === b.x && a.y === b.y && a.k === b.k })
  const [pane, setPane] = createSignal<Size>({ width: 0, height: 0 }, { equals: (a, b) => a.width === b.width && a.height === b.height })
  let element: HTMLElement | null = null
  let world: HTMLElement | null = null
  let ground: HTMLElement | null = null
  let before: View = { x: 0, y: 0, k: 1 }

  const behaviour = zoom<HTMLElement, unknown>().scaleExtent([SMALLEST, LARGEST]).clickDistance(CLICK_DISTANCE)
    .extent(() => [[0, 0], [pane().width, pane().height]]) // the default one measures the page each time
    .filter((event: Event) => (event.target as Element).closest(OWN_GESTURES) === null && (event.type === 'wheel' ? isZoom(event as WheelEvent) : !(event as MouseEvent).button))
    .on('start', ({ transform }: D3ZoomEvent<HTMLElement, unknown>) => { before = transform })
    .on('end', () => world?.classList.remove('moving'))
    .on('zoom', ({ transform, sourceEvent }: D3ZoomEvent<HTMLElement, unknown>) => {
      show(transform)
      if (!sourceEvent || !isMove(before, transform)) return
      world?.classList.add('moving')
      byHand()
    })

  function show({ x, y, k }: View): void {
    if (world) world.style.transform = `translate(${Math.round(x)}px,${Math.round(y)}px) scale(${k})`
    if (ground) ground.style.transform = `translate(${Math.round(x) % GROUND_STEP}px,${Math.round(y) % GROUND_STEP}px)`
    setView({ x, y, k })
  }

  function move({ x, y, k }: View): void {
    if (element) behaviour.transform(select(element), zoomIdentity.translate(x, y).scale(k))
  }

  function glide(event: WheelEvent): void {
    if (isZoom(event) || (event.target as Element).closest(OWN_GESTURES)) return
    event.preventDefault()
    const { x, y, k } = view()
    byHand()
    move({ x: x - event.deltaX, y: y - event.deltaY, k })
  }

  return {
    view,
    pane,
    move,
    attach(parts) {
      const { pane: to } = parts
      element = to
      world = parts.world
      ground = parts.ground
      const selection = select(to)
      behaviour(selection)
      selection.on('dblclick.zoom', null)
      to.addEventListener('wheel', glide, { passive: false })
      const measure = () => setPane({ width: to.clientWidth, height: to.clientHeight })
      const observer = new ResizeObserver(measure)
      observer.observe(to)
      measure()
      onCleanup(() => observer.disconnect())
    },
    zoomBy(factor) {
      if (element) behaviour.scaleBy(select(element), factor)
    },
  }
}

function isMove(from: View, to: View): boolean {
  return from.k !== to.k || Math.hypot(to.x - from.x, to.y - from.y) > CLICK_DISTANCE
}

/** A pinch, or a mouse's wheel; a trackpad's two fingers pan. */
function isZoom(event: WheelEvent): boolean {
  if (event.ctrlKey || event.metaKey) return true
  return event.deltaX === 0 && (event.deltaMode !== 0 || Math.abs(event.deltaY) >= WHEEL_STEP)
}
