// What the viewer knows of MCP: the request behind a hold, what its answer would look like, and
// what the server says about a tool. Pure.
import { liftNotification, liftResult, rawMember, readParams, scanObject, spliceParams, type Lifted } from '../../src/wire/index.ts'
import { inputOf, outputOf } from './read.ts'
import type { Hold, Instance, RunModel } from './run-model.ts'

/** From this revision on results carry `resultType`. */
const MODERN_SINCE = '2026-07-28'

export interface McpRequest { method: string; id: string | undefined; params: string | undefined; frame: string; modern: boolean }

/** The request or notification that an execution stands for; null: it did not come over MCP, or is hidden. */
export function requestOf(instance: Instance): McpRequest | null {
  const frame = instance.frames.find(({ role, text }) => role === 'start' && text !== undefined)?.text
  if (frame === undefined) return null
  const method = readString(rawMember(frame, 'method'))
  if (method === undefined) return null
  const params = rawMember(frame, 'params')
  const meta = params === undefined ? undefined : rawMember(params, '_meta')
  const version = meta === undefined ? undefined : readString(rawMember(meta, 'io.modelcontextprotocol/protocolVersion'))
  return { method, id: rawMember(frame, 'id'), params, frame, modern: version !== undefined && version >= MODERN_SINCE }
}

/** What the other side would get for a typed value. */
export function previewInject(request: McpRequest, value: string): Lifted {
  if (request.id === undefined) return liftNotification({ method: request.method, value })
  return liftResult({ method: request.method, params: request.params, value, id: request.id, modern: request.modern })
}

/** The request as it would go out with edited arguments, and the params that are sent to the gate. */
export function previewEdit(request: McpRequest, value: string): { ok: true; frame: string; params: string } | { ok: false; message: string } {
  const checked = readParams(value)
  if (!checked.ok) return checked
  const params = request.method === 'tools/call' ? withArguments(request.params ?? '{}', checked.text) : checked.text
  const frame = spliceParams(request.frame, params)
  return frame === null ? { ok: false, message: 'This frame cannot be edited.' } : { ok: true, frame, params }
}

/** What the edit editor opens with: a tool's arguments, else the whole params. */
export function editable(instance: Instance, request: McpRequest | null): string {
  const input = request?.params ?? inputOf(instance) ?? '{}'
  return request?.method === 'tools/call' ? rawMember(input, 'arguments') ?? '{}' : input
}

/** What the inject editor opens with: what the call returned, or the beginning of an answer. */
export function injectable(instance: Instance, request: McpRequest | null, hold: Hold): string {
  if (hold.point === 'after') {
    const output = outputOf(instance)
    if (output !== undefined) return (request?.method === 'tools/call' ? rawMember(output, 'structuredContent') : undefined) ?? output
  }
  if (request && request.id === undefined) return request.params ?? '{}'
  switch (request?.method) {
    case 'resources/read':
    case 'prompts/get':
    case 'sampling/createMessage': return '""'
    case 'elicitation/create': return '{"action":"accept","content":{}}'
    default: return '{}'
  }
}

/** The params with other arguments; `_meta` and the rest stay as they came. */
function withArguments(params: string, args: string): string {
  const members = scanObject(params) ?? []
  const old = members.findLast(({ key }) => key === 'arguments')
  if (old) return params.slice(0, old.start) + args + params.slice(old.end)
  const last = members.at(-1)
  return last ? `${params.slice(0, last.end)},"arguments":${args}${params.slice(last.end)}` : `{"arguments":${args}}`
}

export interface ToolInfo {
  title?: string
  description?: string
  inputSchema?: unknown
  outputSchema?: unknown
  annotations?: { readOnlyHint?: boolean; idempotentHint?: boolean; destructiveHint?: boolean }
}

/** What the newest `tools/list` says of a tool. */
export function toolInfo(model: RunModel, name: string): ToolInfo | null {
  const lists = model.nodes.get('mcp:tools/list')?.instances ?? []
  for (const list of lists.toReversed()) {
    const output = outputOf(list)
    const tools = output === undefined ? undefined : (JSON.parse(output) as { tools?: unknown }).tools
    const found = Array.isArray(tools) ? tools.find((tool: { name?: unknown }) => tool?.name === name) as ToolInfo | undefined : undefined
    if (found) return found
  }
  return null
}

/** May the call be made again without asking? */
export function isSafeToRepeat(tool: ToolInfo | null): boolean {
  return tool?.annotations?.readOnlyHint === true || tool?.annotations?.idempotentHint === true
}

/** What a frame is about, in a few words, read from its text. */
export function aboutFrame(text: string): { method: string; id: string; about: string } {
  const method = readString(rawMember(text, 'method')) ?? ''
  const id = rawMember(text, 'id') ?? ''
  const params = rawMember(text, 'params')
  const named = params && (readString(rawMember(params, 'name')) ?? readString(rawMember(params, 'uri')))
  if (named) return { method, id, about: named }
  const error = rawMember(text, 'error')
  if (error) return { method, id, about: `error${rawMember(error, 'code') ? ` ${rawMember(error, 'code')}` : ''}: ${readString(rawMember(error, 'message')) ?? ''}` }
  const result = rawMember(text, 'result')
  return { method, id, about: result && rawMember(result, 'isError') === 'true' ? 'isError' : '' }
}

function readString(json: string | undefined): string | undefined {
  if (json?.[0] !== '"') return undefined
  try {
    return JSON.parse(json) as string
  } catch {
    return undefined // a string with an escape that JSON does not know
  }
}
