// What an answer means for the call that waited for it: fine, failed, or a question back.
import { REDACTED, type ErrorInfo } from '../../wire/index.ts'
import { find, rawOf, stringOf, textOf, type Message, type Span } from './frame-reader.ts'

export interface Outcome {
  status: 'ok' | 'error' | 'input_required' | 'unsupported' | 'aborted'
  message: Message
  /** The result, also of a tool that failed. */
  output: Span | null
  error: ErrorInfo | null
  /** Its result is a task of this id: the work goes on. */
  taskId: string | null
}

const QUOTED_CHARS = 2000
const PARSED_BYTES = 256 * 1024

/** `quotes`: may the text of a failed result be told as the error's message? */
export function readOutcome(message: Message, method: string, quotes: boolean): Outcome {
  const outcome: Outcome = { status: 'ok', message, output: message.result, error: null, taskId: null }
  if (message.error !== null) return { ...outcome, ...failed(message, message.error, method) }
  if (method === 'tools/call' && rawOf(message, message.result, 'isError') === 'true') {
    return { ...outcome, status: 'error', error: { name: 'ToolError', message: quotes ? toolMessage(message) : `The tool answered with isError; what it said is hidden (${REDACTED}).` } }
  }
  const type = stringOf(rawOf(message, message.result, 'resultType'))
  if (type === 'input_required') return { ...outcome, status: 'input_required' }
  return { ...outcome, taskId: taskOf(message, type) }
}

/** A server of an older revision refuses the probe, with whatever code; that is an answer, not a failure. */
function failed(message: Message, span: Span, method: string): Pick<Outcome, 'status' | 'error'> {
  const code = rawOf(message, span, 'code')
  const said = stringOf(rawOf(message, span, 'message')) ?? textOf(message, { start: span.start, end: Math.min(span.end, span.start + QUOTED_CHARS) })
  const error = { name: code === undefined ? 'JSON-RPC error' : `JSON-RPC error ${code.slice(0, 20)}`, message: said.slice(0, QUOTED_CHARS) }
  return { status: method === 'server/discover' ? 'unsupported' : 'error', error }
}

function taskOf(message: Message, type: string | undefined): string | null {
  const id = rawOf(message, message.result, 'task', 'taskId') ?? (type === 'task' ? rawOf(message, message.result, 'taskId') : undefined)
  return stringOf(id) ?? null
}

/** The texts of a failed tool's content. */
function toolMessage(message: Message): string {
  const content = find(message, message.result, 'content')
  const said = content === null || content.end - content.start > PARSED_BYTES ? [] : texts(textOf(message, content))
  return said.join('\n').slice(0, QUOTED_CHARS).toWellFormed() || 'The tool answered with isError and no text.'
}

function texts(json: string): string[] {
  try {
    const content: unknown = JSON.parse(json)
    if (!Array.isArray(content)) return []
    return content.flatMap((part: unknown) => typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string' ? [part.text] : [])
  } catch {
    return [] // not JSON after all: the frame's text shows what it is
  }
}
