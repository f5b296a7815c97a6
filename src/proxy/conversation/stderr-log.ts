// What the server says on stderr, as text on the session node. While no debugger is attached only
// the newest 200 lines or 32 KiB wait for one, so that a chatty server does not push the frames
// out of the client's buffer.
import { StringDecoder } from 'node:string_decoder'

const MOST_LINES = 200
const MOST_CHARS = 32 * 1024
const TAIL_LINES = 20
const TAIL_CHARS = 2000
/** A single event carries at most this much. */
const PIECE_CHARS = 64 * 1024

export class StderrLog {
  readonly #decoder = new StringDecoder('utf8')
  readonly #show: (text: string) => void
  readonly #attached: () => boolean
  /** What nobody has seen yet. */
  #waiting = ''
  #tail = ''

  constructor(show: (text: string) => void, attached: () => boolean) {
    this.#show = show
    this.#attached = attached
  }

  write(chunk: Buffer): void {
    this.#take(this.#decoder.write(chunk))
  }

  /** A debugger is there, or the session ends: tells what has waited. */
  flush(): void {
    const text = this.#waiting
    this.#waiting = ''
    if (text !== '') this.#show(text)
  }

  end(): void {
    this.#take(this.#decoder.end())
    this.flush()
  }

  /** The last words, for a finding. */
  tail(): string {
    return newest(this.#tail, TAIL_LINES, TAIL_CHARS).trim()
  }

  #take(text: string): void {
    if (text === '') return
    this.#tail = newest(this.#tail + text, MOST_LINES, MOST_CHARS)
    if (!this.#attached()) {
      this.#waiting = newest(this.#waiting + text, MOST_LINES, MOST_CHARS)
      return
    }
    this.flush()
    for (let i = 0; i < text.length; i += PIECE_CHARS) this.#show(text.slice(i, i + PIECE_CHARS))
  }
}

/** The end of a text: at most so many lines, and so many characters. */
function newest(text: string, lines: number, chars: number): string {
  const cut = text.length > chars ? text.slice(-chars) : text
  let from = cut.length - (cut.endsWith('\n') ? 1 : 0)
  for (let i = 0; i < lines; i++) {
    from = cut.lastIndexOf('\n', from - 1)
    if (from <= 0) return cut
  }
  return cut.slice(from + 1)
}
