// `--trace`: one line a frame for people: time, arrow, method or what it replies to, id, bytes and,
// for a reply, how long it took. Reads only the top level of a frame.
import { compactJson, scanArray, scanObject } from '../wire/index.ts'
import type { Direction, Frame } from './frame.ts'

const ARROW: Record<Direction, string> = { c2s: '→', s2c: '←' }
/** Above this a frame is not read, only counted. */
const LONGEST_READ = 4 * 1024 * 1024
const MOST_OPEN = 10_000
const LONGEST_NAME = 120

export class Trace {
  private readonly say: (line: string) => void
  /** Open requests by the direction of their reply and the raw id. */
  private readonly open = new Map<string, { method: string; at: number }>()

  constructor(say: (line: string) => void) {
    this.say = say
  }

  /** A frame that was read, or one that graphmind wrote itself. */
  frame({ dir, bytes, at, cut }: Pick<Frame, 'dir' | 'bytes' | 'at' | 'cut'>, by: 'peer' | 'graphmind' = 'peer'): void {
    const notes = [by === 'graphmind' ? 'written by graphmind' : '', cut ? 'cut off: no newline' : ''].filter(Boolean)
    const note = notes.length > 0 ? ` (${notes.join(', ')})` : ''
    this.say(`${clock(at)} ${ARROW[dir]} ${this.describe(dir, bytes, at)}${note}`)
  }

  private describe(dir: Direction, bytes: Buffer, at: number): string {
    const size = `${bytes.length} B`
    if (bytes.length > LONGEST_READ) return `a large frame ${size}`
    const text = bytes.toString('latin1')
    const elements = scanArray(text)
    if (elements) return `a batch of ${elements.length} ${size}`
    const members = scanObject(text)
    if (!members) return `${text.trim() === '' ? 'a blank line' : 'not JSON'} ${size}`
    const raw = (key: string) => {
      const member = members.findLast((each) => each.key === key)
      return member === undefined ? undefined : bytes.toString('utf8', member.start, member.end)
    }
    const [method, id] = [raw('method'), raw('id')]
    if (method !== undefined) return `${this.asked(dir, name(method), id, at)} ${size}`
    if (id === undefined) return `no method and no id ${size}`
    return this.replied(dir, id, raw('error') !== undefined, size, at)
  }

  private asked(dir: Direction, method: string, id: string | undefined, at: number): string {
    if (id === undefined) return method
    if (this.open.size < MOST_OPEN) this.open.set(`${dir === 'c2s' ? 's2c' : 'c2s'} ${id}`, { method, at })
    return `${method} #${short(id)}`
  }

  private replied(dir: Direction, id: string, failed: boolean, size: string, at: number): string {
    const key = `${dir} ${id}`
    const request = this.open.get(key)
    this.open.delete(key)
    const what = `${failed ? 'error' : 'reply'} to ${request?.method ?? 'an unknown request'} #${short(id)} ${size}`
    return request === undefined ? what : `${what} ${at - request.at} ms`
  }
}

function name(raw: string): string {
  return short(/^"[^"\\]*"$/.test(raw) ? raw.slice(1, -1) : compactJson(raw))
}

/** On one line, whatever it holds. */
function short(text: string): string {
  const clean = text.replace(/[\p{Cc}\u2028\u2029]/gu, '?')
  return clean.length > LONGEST_NAME ? `${clean.slice(0, LONGEST_NAME)}…` : clean
}

function clock(at: number): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`
}
