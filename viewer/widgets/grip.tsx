// The edge of a panel that can be dragged. Double click gives it its first size back.

export function Grip(props: { side: 'top' | 'left'; size: () => number; set: (size: number) => void; least: number }) {
  const drag = (down: PointerEvent) => {
    const grip = down.currentTarget as HTMLElement
    const start = props.size()
    const at = (event: PointerEvent) => props.side === 'top' ? event.clientY : event.clientX
    const from = at(down)
    grip.setPointerCapture(down.pointerId)
    const most = (props.side === 'top' ? innerHeight : innerWidth) * 0.8
    const move = (event: PointerEvent) => props.set(Math.round(Math.min(most, Math.max(props.least, start + from - at(event)))))
    grip.addEventListener('pointermove', move)
    grip.addEventListener('pointerup', () => grip.removeEventListener('pointermove', move), { once: true })
  }
  return <div class={`grip ${props.side}`} onPointerDown={drag} aria-hidden="true" />
}
