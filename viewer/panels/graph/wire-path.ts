// The line from a card to a card below it: straight, with rounded corners.
import type { Placed } from '../../layout/tree.ts'

const CORNER = 6
const TURN = 20

export function wirePath(from: Placed, to: Placed): string {
  const [x1, y1] = [from.x + from.width, from.y + from.height / 2]
  const [x2, y2] = [to.x, to.y + to.height / 2]
  if (Math.abs(y2 - y1) < 2 * CORNER) return `M${x1} ${y1}C${x1 + TURN} ${y1} ${x2 - TURN} ${y2} ${x2} ${y2}`
  const down = y2 > y1 ? CORNER : -CORNER
  const mid = x1 + TURN
  return `M${x1} ${y1}H${mid - CORNER}q${CORNER} 0 ${CORNER} ${down}V${y2 - down}q0 ${down} ${CORNER} ${down}H${x2}`
}
