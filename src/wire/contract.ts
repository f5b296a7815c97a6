// The contract as JSON Schema (draft 2020-12): the one place where the rules for envelopes and
// payloads are written down. The parser's checks are compiled from it (check.ts), the build
// exports it, and a golden test pins it. Objects are open: unknown members are always allowed,
// but in a matcher, where a misspelt field would stop everything.

const string = { type: 'string' } as const
const id = { type: 'string', minLength: 1 } as const
const count = { type: 'number', minimum: 0 } as const
const index = { type: 'integer', minimum: 0 } as const
const ref = (name: string) => ({ $ref: `#/$defs/${name}` }) as const
const object = (required: string[], properties: Record<string, object | true>) => ({ type: 'object', required, properties }) as const

/** The rules of one payload, as a JSON Schema object. */
export type Schema = Readonly<Record<string, unknown>>

const nodeKind = { enum: ['agent', 'llm', 'tool', 'chain', 'retriever', 'server', 'resource', 'prompt', 'custom'] }
const gatePoint = { enum: ['before', 'after', 'error'] }
const strings = { type: 'array', items: string }

/** Definitions that payloads refer to by name. */
export const definitions: Readonly<Record<string, Schema>> = {
  nodeKind,
  gatePoint,
  resumeAction: { enum: ['continue', 'retry', 'inject', 'abort'] },
  runMode: { enum: ['run', 'step'] },
  matcher: { type: 'object', properties: { kind: ref('nodeKind'), name: string, point: ref('gatePoint') }, additionalProperties: false },
  error: object(['name', 'message'], { name: string, message: string, stack: string }),
  sdk: object(['name', 'version'], { name: string, version: string }),
  scope: object(['runId'], { runId: id }),
  usage: object(['inputTokens', 'outputTokens'], {
    inputTokens: count, outputTokens: count, cacheReadTokens: count, cacheWriteTokens: count,
    reasoningTokens: count, inclusive: { type: 'boolean' },
  }),
  frame: object(['n', 'dir', 'bytes'], {
    n: index, dir: { enum: ['c2s', 's2c'] }, bytes: index, text: string, b64: string, by: { enum: ['graphmind'] }, i: index,
  }),
  batchedFrame: object(['n', 'i'], { n: index, i: index }),
  redaction: object(['count', 'keys'], { count: index, keys: strings }),
  gap: object(['droppedCount', 'fromSeq', 'toSeq', 'reason'], { droppedCount: index, fromSeq: index, toSeq: index, reason: string }),
  link: object(['instanceId', 'why'], { instanceId: id, why: { enum: ['retry', 'edit', 'input', 'task'] } }),
  hintedNode: object(['nodeId', 'kind', 'name'], { nodeId: id, kind: ref('nodeKind'), name: string, parentId: id }),
  delta: object(['t', 'v'], { t: { enum: ['text', 'reasoning', 'tool-args'] }, v: string, chars: index }),
}

const event = (required: string[], properties: Record<string, object | true>) => object(required, {
  ...properties,
  frame: { anyOf: [ref('frame'), ref('batchedFrame')] },
  redaction: ref('redaction'),
})

/** The payload rules of every known message type. */
export const payloads: Readonly<Record<string, Schema>> = {
  hello: object(['versions', 'capabilities'], {
    versions: object(['protocol', 'client'], { protocol: { type: 'integer' }, client: string }),
    capabilities: strings, app: string, sdk: ref('sdk'), resumeToken: string,
  }),
  'hello.ack': object(['versions', 'capabilities', 'breakpoints', 'mode', 'sessionToken', 'hubCapabilities'], {
    versions: object(['protocol', 'viewer'], { protocol: { type: 'integer' }, viewer: string }),
    capabilities: strings, breakpoints: { type: 'array', items: ref('matcher') }, mode: ref('runMode'),
    sessionToken: string, hubCapabilities: strings,
  }),
  'run.started': event(['app', 'sdk'], { app: string, sdk: ref('sdk'), meta: { type: 'object' } }),
  'run.finished': event(['status'], { status: { enum: ['ok', 'error', 'aborted'] }, error: ref('error') }),
  'graph.hint': event(['nodes'], { nodes: { type: 'array', items: ref('hintedNode') }, gap: ref('gap') }),
  'node.started': event(['nodeId', 'kind', 'name', 'instanceId'], {
    nodeId: id, parentId: id, kind: ref('nodeKind'), name: string, instanceId: id,
    input: true, collapsed: { type: 'boolean' }, link: ref('link'),
  }),
  'node.token': event(['nodeId', 'deltas'], { nodeId: id, instanceId: id, deltas: { type: 'array', items: ref('delta') } }),
  'node.finished': event(['nodeId', 'durationMs', 'status'], {
    nodeId: id, instanceId: id, output: true, usage: ref('usage'), durationMs: count, heldMs: count, status: id,
  }),
  'node.error': event(['nodeId', 'error'], { nodeId: id, instanceId: id, error: ref('error'), heldMs: count, durationMs: count }),
  'exec.paused': event(['pauseId', 'nodeId', 'point'], {
    pauseId: id, nodeId: id, instanceId: id, point: ref('gatePoint'),
    reason: { enum: ['breakpoint', 'error', 'step', 'loop'] }, editable: { type: 'boolean' },
  }),
  'exec.resumed': event(['pauseId', 'action'], {
    pauseId: id, action: ref('resumeAction'), edited: object(['after'], { after: true }), requestId: string, principal: string,
  }),
  'exec.refused': event(['pauseId', 'code'], {
    pauseId: id, code: { enum: ['schema', 'shape', 'placeholder', 'truncated', 'disabled', 'unsupported'] },
    message: string, requestId: string,
  }),
  finding: event(['nodeId', 'code', 'level', 'message'], {
    nodeId: id, instanceId: id, code: id, level: { enum: ['info', 'warning', 'error'] }, message: string,
    frames: { type: 'array', items: index },
  }),
  'exec.resume': object(['pauseId', 'action'], { pauseId: id, action: ref('resumeAction'), output: true, input: true, requestId: string }),
  'breakpoint.set': object(['matcher'], { matcher: ref('matcher'), scope: ref('scope') }),
  'breakpoint.clear': object(['matcher'], { matcher: ref('matcher'), scope: ref('scope') }),
  'mode.set': object(['mode'], { mode: ref('runMode'), scope: ref('scope') }),
}

/** The rules of the envelope itself, without its payload's. */
export const envelopeSchema: Schema = object(['gm', 'seq', 'ts', 'runId', 'type', 'payload'], {
  gm: { const: 1 }, seq: index, ts: count, runId: id, type: id, payload: { type: 'object' },
})

/** The whole contract: an envelope, and for each known type the rules of its payload. */
export const wireSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://graphmind.ai/schema/wire-1.json',
  title: 'GraphMind wire protocol, version 1',
  description: 'One message between an instrumented app and the GraphMind server. Unknown types and members are allowed and kept.',
  ...envelopeSchema,
  allOf: Object.keys(payloads).map((type) => ({
    if: { properties: { type: { const: type } } },
    then: { properties: { payload: ref(`payload:${type}`) } },
  })),
  $defs: {
    ...definitions,
    ...Object.fromEntries(Object.entries(payloads).map(([type, rules]) => [`payload:${type}`, rules])),
  },
}
