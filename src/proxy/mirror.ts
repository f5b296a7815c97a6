// Our stderr: what the child says there, byte for byte, and lines of our own between its lines.
// Someone who reads slowly slows the child down, as without us; someone who does not read at all
// must never stall the protocol: then what the child says is no longer kept for them.
import type { Readable, Writable } from 'node:stream'

const FULL_BYTES = 4 * 1024 * 1024
const PATIENCE_MS = 400
const LINE_PATIENCE_MS = 50

export class Mirror {
  private readonly sink: Writable
  private source: Readable | null = null
  private dead = false
  private midLine = false
  private lines: string[] = []
  private lineTimer: NodeJS.Timeout | null = null
  private patience: NodeJS.Timeout | null = null
  private dropping = false
  private dropped = 0

  constructor(sink: Writable) {
    this.sink = sink
    sink.on('error', () => { this.dead = true })
    sink.on('drain', () => this.drained())
  }

  /** Mirrors this pipe; `onChunk` gets a look at every chunk. */
  follow(source: Readable, onChunk: (chunk: Buffer) => void): void {
    this.source = source
    source.on('data', (chunk: Buffer) => {
      this.copy(chunk)
      onChunk(chunk)
    })
    source.on('error', () => {}) // its end is told by `close`
    source.once('close', () => this.sayWaiting())
  }

  /** A line of ours, without its newline; it waits a moment for the end of a line of the child's. */
  say(line: string): void {
    if (this.dead || (this.dropping && this.lines.length > 100)) return
    this.lines.push(line)
    if (!this.midLine) this.sayWaiting()
    else this.lineTimer ??= setTimeout(() => this.sayWaiting(), LINE_PATIENCE_MS)
  }

  /** Resolves when everything was taken, or after this long. */
  async flushed(timeoutMs: number): Promise<void> {
    this.sayWaiting()
    const until = performance.now() + timeoutMs
    while (!this.dead && this.sink.writableLength > 0 && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    if (this.patience) clearTimeout(this.patience)
  }

  private copy(chunk: Buffer): void {
    if (this.dead) return
    if (this.dropping) {
      this.dropped += chunk.length
      return
    }
    const end = this.lines.length > 0 ? chunk.indexOf(10) + 1 : 0
    if (end > 0) {
      this.write(chunk.subarray(0, end))
      this.sayWaiting()
    }
    if (end < chunk.length) this.write(chunk.subarray(end))
    if (this.sink.writableLength > FULL_BYTES) this.wait()
  }

  private write(bytes: Buffer): void {
    this.midLine = bytes[bytes.length - 1] !== 10
    this.sink.write(bytes)
  }

  private sayWaiting(): void {
    if (this.lineTimer) clearTimeout(this.lineTimer)
    this.lineTimer = null
    if (this.lines.length === 0 || this.dead) return
    const text = this.lines.splice(0).join('\n')
    this.sink.write(`${this.midLine ? '\n' : ''}${text}\n`)
    this.midLine = false
  }

  /** The child waits while its reader takes something now and then. */
  private wait(): void {
    if (this.patience) return
    this.source?.pause()
    const before = this.sink.writableLength
    this.patience = setTimeout(() => {
      this.patience = null
      if (this.dead || this.sink.writableLength <= FULL_BYTES) this.source?.resume()
      else if (this.sink.writableLength < before) this.wait()
      else {
        this.dropping = true
        this.source?.resume()
      }
    }, PATIENCE_MS)
  }

  private drained(): void {
    if (this.patience) clearTimeout(this.patience)
    this.patience = null
    this.source?.resume()
    if (!this.dropping) return
    this.dropping = false
    const dropped = this.dropped
    this.dropped = 0
    if (dropped > 0) this.say(`graphmind: nobody read this stderr, so ${dropped} bytes that the server wrote to it are missing here`)
  }
}
