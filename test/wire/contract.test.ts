import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { checkPayload, wireSchema } from '../../src/wire/index.ts'
import type { ControlPayloads, EventPayloads, HelloAckPayload, HelloPayload } from '../../src/wire/index.ts'

const golden = new URL('./wire.schema.json', import.meta.url)

test('the JSON Schema that other clients build on does not change unnoticed (UPDATE_GOLDENS=1 rewrites it)', () => {
  const text = `${JSON.stringify(wireSchema, null, 2)}\n`
  if (process.env.UPDATE_GOLDENS) writeFileSync(golden, text)
  assert.fixture(text, readFileSync(golden, 'utf8'))
})

// One full sample a type. The compiler holds it to the TypeScript types, the test to the schema.
type Samples = { [T in keyof EventPayloads]: Required<EventPayloads[T]> } &
  { [T in keyof ControlPayloads]: Required<ControlPayloads[T]> } & { hello: Required<HelloPayload>; 'hello.ack': HelloAckPayload }

const sdk = { name: 'ai', version: '6.0.0' }
const error = { name: 'Error', message: 'no index', stack: 'Error: no index\n  at f' }
const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 1, inclusive: true }
const samples: Samples = {
  hello: { versions: { protocol: 1, client: '0.1.0' }, capabilities: ['pause'], app: 'a', sdk, resumeToken: 't' },
  'hello.ack': { versions: { protocol: 1, viewer: '0.1.0' }, capabilities: [], breakpoints: [{ point: 'error' }], mode: 'run', sessionToken: 't', hubCapabilities: [] },
  'run.started': { app: 'a', sdk, meta: { source: 'demo' } },
  'run.finished': { status: 'aborted', error },
  'graph.hint': { nodes: [{ nodeId: 'tool:x', kind: 'tool', name: 'x', parentId: 'agent:a' }], gap: { droppedCount: 3, fromSeq: 1, toSeq: 3, reason: 'buffer full' } },
  'node.started': { nodeId: 'tool:x', parentId: 'agent:a', kind: 'tool', name: 'x', instanceId: 'i1', input: null, collapsed: false, link: { instanceId: 'i0', why: 'retry' } },
  'node.token': { nodeId: 'llm:step', instanceId: 'i2', deltas: [{ t: 'text', v: 'a' }, { t: 'tool-args', v: '', chars: 4 }] },
  'node.finished': { nodeId: 'tool:x', instanceId: 'i1', output: [1], usage, durationMs: 1.5, heldMs: 0, status: 'ok' },
  'node.error': { nodeId: 'tool:x', instanceId: 'i1', error, heldMs: 1, durationMs: 2, output: 1 },
  'exec.paused': { pauseId: 'p', nodeId: 'tool:x', instanceId: 'i1', point: 'error', reason: 'loop', editable: true },
  'exec.resumed': { pauseId: 'p', action: 'continue', edited: { after: 1 }, requestId: 'r', principal: 'unattended' },
  'exec.refused': { pauseId: 'p', code: 'shape', message: 'm', requestId: 'r' },
  finding: { nodeId: 'mcp:session', instanceId: 'i', code: 'late-reply', level: 'warning', message: 'm', frames: [1, 2] },
  'exec.resume': { pauseId: 'p', action: 'inject', output: 1, input: 2, requestId: 'r' },
  'breakpoint.set': { matcher: { kind: 'tool', name: 'x', point: 'after' }, scope: { runId: 'r' } },
  'breakpoint.clear': { matcher: {}, scope: { runId: 'r' } },
  'mode.set': { mode: 'step', scope: { runId: 'r' } },
}

test('every message type has a schema, and the types and the schema agree', () => {
  const known = Object.keys(wireSchema.$defs).filter((name) => name.startsWith('payload:')).map((name) => name.slice(8))
  assert.equal(known.sort(), Object.keys(samples).sort())
  for (const [type, payload] of Object.entries(samples)) assert.is(checkPayload(type, payload), null, type)
})

test('a required member that is missing is named', () => {
  for (const [type, sample] of Object.entries(samples)) {
    const rules = wireSchema.$defs[`payload:${type}`] as { required: string[] }
    for (const key of rules.required) {
      const { [key]: _, ...rest } = sample as Record<string, unknown>
      assert.equal(checkPayload(type, rest), { path: key, message: 'is missing' }, `${type}.${key}`)
    }
  }
})

test.run()
