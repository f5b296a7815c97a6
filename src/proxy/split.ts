// Cuts a pipe's bytes into frames on 0x0A alone. Never decodes: U+2028, a lone CR, NUL and broken
// UTF-8 are bytes like any other. What comes in many small pieces is gathered in blocks, so that a
// frame written a byte at a time costs about its size. What is large is never copied.
import type { Pieces } from './frame.ts'

/** A whole frame. `start` and `end` are offsets in the pushed chunk; `start` is -1 when it began in an earlier one. */
export type OnFrame = (pieces: Pieces, start: number, end: number) => void

const SMALL = 4096
const FIRST_BLOCK = 1024
const LAST_BLOCK = 64 * 1024

export class Splitter {
  private parts: Buffer[] = []
  private block: Buffer | null = null
  private used = 0
  private blockBytes = FIRST_BLOCK
  private bytes = 0

  /** Bytes of the frame that has begun and not ended. */
  get pending(): number {
    return this.bytes
  }

  push(chunk: Buffer, onFrame: OnFrame): void {
    let start = 0
    for (;;) {
      const newline = chunk.indexOf(10, start)
      if (newline < 0) break
      const end = newline + 1
      if (this.bytes === 0) onFrame([chunk.subarray(start, end)], start, end)
      else {
        this.keep(chunk.subarray(start, end))
        onFrame(this.take(), -1, end)
      }
      start = end
    }
    if (start < chunk.length) this.keep(chunk.subarray(start))
  }

  /** Gives what has begun, and forgets it. */
  take(): Pieces {
    const pieces = this.pieces()
    this.drop()
    return pieces
  }

  /** Forgets what has begun. */
  drop(): void {
    this.parts = []
    this.block = null
    this.used = this.bytes = 0
    this.blockBytes = FIRST_BLOCK
  }

  /** What has begun; it stays. */
  pieces(): Pieces {
    this.seal()
    return this.parts
  }

  private keep(piece: Buffer): void {
    this.bytes += piece.length
    if (piece.length >= SMALL) {
      this.seal()
      this.parts.push(piece)
      return
    }
    let rest = piece
    while (rest.length > 0) {
      this.block ??= this.nextBlock()
      const copied = rest.copy(this.block, this.used)
      this.used += copied
      rest = rest.subarray(copied)
      if (this.used === this.block.length) this.seal()
    }
  }

  private nextBlock(): Buffer {
    const block = Buffer.allocUnsafe(this.blockBytes)
    this.blockBytes = Math.min(this.blockBytes * 2, LAST_BLOCK)
    return block
  }

  private seal(): void {
    if (this.block && this.used > 0) this.parts.push(this.block.subarray(0, this.used))
    this.block = null
    this.used = 0
  }
}
