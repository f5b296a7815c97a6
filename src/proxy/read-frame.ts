// A frame as it was read. What came in many pieces is joined when somebody looks at it, which for most
// large frames is after they were relayed.
import type { Direction, Frame, Pieces } from './frame.ts'

export class ReadFrame implements Frame {
  readonly n: number
  readonly dir: Direction
  readonly at: number
  readonly cut?: boolean
  /** Its bytes, counted. */
  readonly size: number
  /** One, once somebody has looked at `bytes`. */
  pieces: Pieces

  constructor(n: number, dir: Direction, at: number, pieces: Pieces, cut?: boolean) {
    this.n = n
    this.dir = dir
    this.at = at
    this.pieces = pieces
    this.size = sizeOf(pieces)
    if (cut) this.cut = cut
  }

  get bytes(): Buffer {
    const [first, second] = this.pieces
    if (first !== undefined && second === undefined) return first
    const whole = Buffer.concat(this.pieces, this.size)
    this.pieces = [whole]
    return whole
  }
}

export function sizeOf(pieces: Pieces): number {
  let size = 0
  for (const piece of pieces) size += piece.length
  return size
}
