// What a person types into the inject or edit editor, turned into the frame that is sent. They
// type the answer, not the envelope: a bare value is lifted into the method's result shape. All
// of it is text in, text out, so numbers stay as typed; the viewer previews with the same code.
import { CUT_MARK, REDACTED, TRUNCATED } from './limits.ts'
import type { RefusalCode } from './messages.ts'
import { compactJson, rawMember, scanObject, skipSpace } from './scan.ts'

/** The JSON-RPC error code of a call that a person aborted. */
export const ABORT_CODE = -32099

export type Refusal = { ok: false; code: RefusalCode; message: string }
/** `frame` is one line without its newline; `result` is null where the typed value was a whole frame. */
export type Lifted = { ok: true; result: string | null; frame: string } | Refusal

export interface LiftRequest {
  method: string
  /** The JSON text of the request's params, if it had any. */
  params?: string
  /** The JSON text that was typed. */
  value: string
  /** The request's id token as it was spelt. */
  id: string
  /** An exchange of revision 2026-07-28 or later, where results carry `resultType`. */
  modern: boolean
}

/** The response frame for a typed value, or why it cannot be sent. */
export function liftResult(request: LiftRequest): Lifted {
  const typed = readTyped(request.value)
  if (!typed.ok) return typed
  const value = typed.text
  if (rawMember(value, 'jsonrpc') !== undefined) return wholeResponse(value, request.id)
  const result = hasShape(request.method, value, request.modern) ? value : lifted(request, value)
  return { ok: true, result, frame: `{"jsonrpc":"2.0","id":${request.id},"result":${result}}` }
}

/** The notification frame that replaces a held one: the typed value is its params, or a whole frame. */
export function liftNotification({ method, value }: { method: string; value: string }): Lifted {
  const typed = readTyped(value)
  if (!typed.ok) return typed
  if (rawMember(typed.text, 'jsonrpc') !== undefined) {
    return rawMember(typed.text, 'method') === undefined
      ? refuse('shape', 'A notification needs a "method".')
      : { ok: true, result: null, frame: typed.text }
  }
  if (typed.text[0] !== '{' && typed.text[0] !== '[') return refuse('shape', 'The params of a notification are an object or an array.')
  return { ok: true, result: null, frame: `{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${typed.text}}` }
}

/** Params for an edited request, compact and checked; they replace the whole `params`. */
export function readParams(value: string): { ok: true; text: string } | Refusal {
  const typed = readTyped(value)
  if (typed.ok && typed.text[0] !== '{' && typed.text[0] !== '[') return refuse('shape', 'The params of a request are an object or an array.')
  return typed
}

/** The request with other params, everything else as it came; null when it is no JSON object. */
export function spliceParams(frameText: string, params: string): string | null {
  const members = scanObject(frameText)
  if (members === null) return null
  const old = members.findLast((member) => member.key === 'params')
  if (old) return frameText.slice(0, old.start) + params + frameText.slice(old.end)
  const last = members.at(-1)
  const at = last ? last.end : skipSpace(frameText, 0) + 1
  return `${frameText.slice(0, at)}${last ? ',' : ''}"params":${params}${frameText.slice(at)}`
}

/** A JSON-RPC error response, one line without its newline. */
export function errorFrame(id: string, code: number, message: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":${JSON.stringify(message)}}}`
}

function readTyped(value: string): { ok: true; text: string } | Refusal {
  try {
    JSON.parse(value)
  } catch (error) {
    return refuse('shape', `This is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (value.includes(`"${REDACTED}"`)) return refuse('placeholder', `The value holds "${REDACTED}", which stands for something hidden. Put the real value there.`)
  if (value.includes(`"${TRUNCATED}"`) || CUT_MARK.test(value)) return refuse('truncated', 'The value was shortened for display. Put the whole value there.')
  return { ok: true, text: compactJson(value) }
}

function wholeResponse(value: string, id: string): Lifted {
  if (rawMember(value, 'result') === undefined && rawMember(value, 'error') === undefined) {
    return refuse('shape', 'A whole frame needs a "result" or an "error".')
  }
  return { ok: true, result: null, frame: rawMember(value, 'id') === undefined ? `{"id":${id},${value.slice(1)}` : value }
}

/** Is the value a result of the method already? Then it passes as typed. */
function hasShape(method: string, value: string, modern: boolean): boolean {
  if (value[0] !== '{') return false
  if (modern && isString(rawMember(value, 'resultType'))) return true
  switch (method) {
    case 'tools/call': return isArray(rawMember(value, 'content')) || isTask(rawMember(value, 'task'))
    case 'resources/read': return isArray(rawMember(value, 'contents'))
    case 'prompts/get': return isArray(rawMember(value, 'messages'))
    case 'sampling/createMessage': return isString(rawMember(value, 'role')) && rawMember(value, 'content') !== undefined
    default: return false
  }
}

function lifted(request: LiftRequest, value: string): string {
  const result = shaped(request, value)
  if (!request.modern || result[0] !== '{') return result
  return result === '{}' ? '{"resultType":"complete"}' : `${result.slice(0, -1)},"resultType":"complete"}`
}

function shaped({ method, params, modern }: LiftRequest, value: string): string {
  const text = isString(value) ? value : JSON.stringify(value)
  switch (method) {
    case 'tools/call': {
      const structured = modern || value[0] === '{' ? `,"structuredContent":${value}` : ''
      return `{"content":[{"type":"text","text":${text}}]${structured}}`
    }
    case 'resources/read': {
      const uri = (params && rawMember(params, 'uri')) ?? '""'
      return `{"contents":[{"uri":${uri},"mimeType":"${isString(value) ? 'text/plain' : 'application/json'}","text":${text}}]}`
    }
    case 'prompts/get':
      return `{"messages":[{"role":"user","content":{"type":"text","text":${text}}}]}`
    case 'sampling/createMessage':
      return `{"role":"assistant","content":{"type":"text","text":${text}},"model":"graphmind-injected","stopReason":"endTurn"}`
    default:
      return value
  }
}

function isString(json: string | undefined): boolean {
  return json?.[0] === '"'
}

function isArray(json: string | undefined): boolean {
  return json?.[0] === '['
}

function isTask(json: string | undefined): boolean {
  return json?.[0] === '{' && isString(rawMember(json, 'taskId'))
}

function refuse(code: RefusalCode, message: string): Refusal {
  return { ok: false, code, message }
}
