// Finds a few bytes in a frame that came in pieces, without joining it.
import type { Pieces } from '../frame.ts'

/** Do the bytes stand in the frame, also across the seam of two pieces? */
export function includes(pieces: Pieces, wanted: Buffer): boolean {
  const reach = wanted.length - 1
  let tail: Buffer = Buffer.alloc(0)
  for (const piece of pieces) {
    if (piece.includes(wanted)) return true
    if (tail.length > 0 && Buffer.concat([tail, piece.subarray(0, reach)]).includes(wanted)) return true
    tail = piece.length >= reach ? piece.subarray(piece.length - reach) : Buffer.concat([tail, piece]).subarray(-reach)
  }
  return false
}
