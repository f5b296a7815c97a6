// The camera: pan and zoom by mouse, trackpad, touch and keys. It moves the world itself, at once;
// `view` is for what must know where it looks.
import { select } from 'd3-selection'
import { zoom, zoomIdentity, type D3ZoomEvent } from 'd3-zoom'
import { createSignal, onCleanup, type Accessor } from 'solid-js'
import { LARGEST, SMALLEST } from './views.ts'
import type { Size, View } from './rect.ts'

export interface Camera {
  view: Accessor<View>
  pane: Accessor<Size>
  /** Ties it to the pane that takes the gestures and the world that moves. */
  attach(pane: HTMLElement, world: HTMLElement): void
  move(to: View): void
  zoomBy(factor: number): void
}

/** A wheel of a mouse turns in steps this large; a trackpad glides in smaller ones. */
const WHEEL_STEP = 60
/** What stands on the graph and has gestures of its own. */
const OWN_GESTURES = '.tools, .mini, .note-strip'

/** `byHand`: called when the person moves it. */
export function createCamera(byHand: () => void): Camera {
  const [view, setView] = createSignal<View>({ x: 0, y: 0, k: 1 }, { equals: (a, b) => a.x === b.x && a.y === b.y && a.k === b.k })
  const [pane, setPane] = createSignal<Size>({ width: 0, height: 0 }, { equals: (a, b) => a.width === b.width && a.height === b.height })
  let element: HTMLElement | null = null
  let world: HTMLElement | null = null

  const behaviour = zoom<HTMLElement, unknown>().scaleExtent([SMALLEST, LARGEST]).clickDistance(4)
    .filter((event: Event) => (event.target as Element).closest(OWN_GESTURES) === null && (event.type === 'wheel' ? isZoom(event as WheelEvent) : !(event as MouseEvent).button))
    .on('start', ({ sourceEvent }: D3ZoomEvent<HTMLElement, unknown>) => { if (sourceEvent) world?.classList.add('moving') })
    .on('end', () => world?.classList.remove('moving'))
    .on('zoom', ({ transform, sourceEvent }: D3ZoomEvent<HTMLElement, unknown>) => {
      show(transform)
      if (sourceEvent) byHand()
    })

  function show({ x, y, k }: View): void {
    if (world) world.style.transform = `translate(${Math.round(x)}px,${Math.round(y)}px) scale(${k})`
    if (element) element.style.backgroundPosition = `${Math.round(x)}px ${Math.round(y)}px`
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
    attach(to, moved) {
      element = to
      world = moved
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

/** A pinch, or a mouse's wheel; a trackpad's two fingers pan. */
function isZoom(event: WheelEvent): boolean {
  if (event.ctrlKey || event.metaKey) return true
  return event.deltaX === 0 && (event.deltaMode !== 0 || Math.abs(event.deltaY) >= WHEEL_STEP)
}
