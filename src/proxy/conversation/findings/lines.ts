// Findings about lines that are no JSON-RPC frame, and about frames that are framed wrongly.
import { scanObject, skipSpace, skipValue } from '../../../wire/index.ts'
import type { Frame } from '../../frame.ts'
import type { Reading } from '../frame-reader.ts'
import { count, quoted, READER, WRITER, type Finding } from './finding.ts'

/** `latin1` of the line; `quotes`: may its text be told? Null: nothing worth saying. */
export function lineFinding({ n, dir, bytes }: Frame, shape: 'blank' | 'not JSON', latin1: string, quotes: boolean): Finding {
  const writer = WRITER[dir]
  const pipe = dir === 's2c' ? 'stdout' : 'stdin'
  const say = (code: string, level: Finding['level'], message: string): Finding => ({ code, level, message, frames: [n] })
  const text = bytes.toString('utf8', 0, Math.min(latin1.length, 400)).trimEnd()
  if (shape === 'blank') return say('blank-line', 'info', `The ${writer} wrote an empty line; many peers take that for a broken frame.`)
  if (/^Content-Length:/i.test(latin1)) {
    return say('content-length-framing', 'error', `The ${writer} frames its messages with Content-Length headers, as language servers do. On stdio MCP wants one JSON message a line.`)
  }
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return say('byte-order-mark', 'warning', `The line begins with a byte order mark (EF BB BF), so the ${READER[dir]} cannot read it as JSON.`)
  }
  const fused = fusedText(latin1)
  if (fused !== null) {
    const what = quotes ? `: ${quoted(Buffer.from(fused.text, 'latin1').toString('utf8').trim())}` : ''
    return say('text-fused-to-frame', 'error', `${fused.frames > 1 ? `${count(fused.frames, 'frame')} share one line` : `Text is fused to a frame, ${fused.where}${what}`}; the ${READER[dir]} can read none of it. Each frame needs a line of its own.`)
  }
  const what = quotes ? `: ${quoted(text)}` : ` (${count(bytes.length, 'byte')}, hidden)`
  return dir === 's2c'
    ? say('text-on-stdout', 'warning', `The server wrote text to stdout, which is for protocol frames alone${what}. Logs and banners belong on stderr.`)
    : say('text-on-stdin', 'warning', `The client wrote a line to the server's ${pipe} that is not JSON${what}.`)
}

/** A frame somewhere in a line that is not one as a whole. */
function fusedText(latin1: string): { where: 'before it' | 'after it'; text: string; frames: number } | null {
  const start = latin1.search(/\{\s*"(jsonrpc|id|method|result|params|error)"\s*:/)
  if (start < 0 || scanObject(latin1, start) === null) return null
  const end = skipValue(latin1, start)
  const before = latin1.slice(0, start)
  const after = latin1.slice(end)
  const frames = 1 + (before.trim() === '' && scanObject(after) !== null ? 1 : 0)
  return before.trim() === '' ? { where: 'after it', text: after, frames } : { where: 'before it', text: before, frames }
}

/** The last line of a pipe, ended by its end. */
export function cutLine({ n, dir, bytes }: Frame, shape: Reading['shape']): Finding {
  const whole = shape === 'message' || shape === 'batch'
  const message = whole
    ? `The last line of the ${WRITER[dir]} has no newline at its end (${count(bytes.length, 'byte')}), so a peer that reads line by line never sees that frame.`
    : `The last line of the ${WRITER[dir]} was cut off after ${count(bytes.length, 'byte')}: it ends in the middle of a frame.`
  return { code: 'cut-line', level: whole ? 'warning' : 'error', message, frames: [n] }
}

/** JSON that is no JSON-RPC message, or a message that does not say which JSON-RPC it is. */
export function messageFinding({ n, dir }: Frame, kind: 'other' | 'unversioned'): Finding {
  return kind === 'other'
    ? { code: 'not-json-rpc', level: 'warning', message: `The ${WRITER[dir]} wrote JSON that is no JSON-RPC message: it has neither a method nor a result nor an error.`, frames: [n] }
    : { code: 'no-jsonrpc-version', level: 'warning', message: `The message does not say "jsonrpc": "2.0"; strict peers refuse it.`, frames: [n] }
}

/** The end of line is a carriage return and a line feed. */
export function endsInCrlf(bytes: Buffer): boolean {
  return bytes.length > 1 && bytes[bytes.length - 1] === 10 && bytes[bytes.length - 2] === 13
}

/** Is there anything but white space? */
export function isBlank(latin1: string): boolean {
  return skipSpace(latin1, 0) >= latin1.length
}
