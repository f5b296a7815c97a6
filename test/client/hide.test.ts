import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createSession, type SessionOptions } from '../../src/client/index.ts'
import { hideValues } from '../../src/client/hide.ts'
import { readHideSwitches, type HideSwitches } from '../../src/client/switches.ts'
import { encodePayload, type NodeKind } from '../../src/wire/index.ts'
import { closeAll, ingestServer } from './ingest-server.ts'

const SECRET = 's3cr3t-value'
const R = '__REDACTED__'

test.after.each(closeAll)

/** What would be encoded, as text. */
function shown(switches: Partial<HideSwitches>, type: string, payload: object, raw?: Record<string, string>, kind?: NodeKind): string {
  const hiding = hideValues(type, payload, raw, readHideSwitches(switches, {}), () => kind)
  return encodePayload(hiding.payload, hiding.raw)
}
const started = (kind: NodeKind, more: object = {}) => ({ nodeId: 'n', kind, name: 'n', instanceId: '1', input: { q: SECRET }, ...more })
const finished = { nodeId: 'n', instanceId: '1', output: SECRET, durationMs: 5, status: 'ok' }

test('hidden inputs leave names, kinds, ids and timing', () => {
  assert.equal(JSON.parse(shown({ hideInputs: true }, 'node.started', started('llm'))), { ...started('llm'), input: R })
  assert.equal(JSON.parse(shown({ hideOutputs: true }, 'node.finished', finished)), { ...finished, output: R })
})

test('a value that comes as JSON text is hidden like any other', () => {
  const text = shown({ hideInputs: true }, 'node.started', { ...started('tool'), input: undefined }, { input: `{"q":"${SECRET}"}` })
  assert.is(JSON.parse(text).input, R)
  assert.not.match(text, SECRET)
})

test('the tool switches hide tools and leave the rest', () => {
  assert.not.match(shown({ hideToolArgs: true }, 'node.started', started('tool')), SECRET)
  assert.match(shown({ hideToolArgs: true }, 'node.started', started('llm')), SECRET)
  assert.not.match(shown({ hideToolResults: true }, 'node.finished', finished, undefined, 'tool'), SECRET)
  assert.match(shown({ hideToolResults: true }, 'node.finished', finished, undefined, 'llm'), SECRET)
  assert.not.match(shown({ hideToolResults: true }, 'node.finished', finished, undefined, undefined), SECRET)
})

test('streamed text is emptied and keeps its length; streamed arguments are emptied', () => {
  const tokens = { nodeId: 'n', deltas: [{ t: 'text', v: SECRET }, { t: 'reasoning', v: SECRET }, { t: 'tool-args', v: SECRET }] }
  const outputs = JSON.parse(shown({ hideOutputs: true }, 'node.token', tokens, undefined, 'llm'))
  assert.equal(outputs.deltas, [{ t: 'text', v: '', chars: SECRET.length }, { t: 'reasoning', v: '', chars: SECRET.length }, { t: 'tool-args', v: SECRET }])
  const inputs = JSON.parse(shown({ hideInputs: true }, 'node.token', tokens, undefined, 'llm'))
  assert.equal(inputs.deltas[2], { t: 'tool-args', v: '' })
  assert.is(inputs.deltas[0].v, SECRET)
})

test('a frame\'s raw text goes with what it contains', () => {
  const frame = { n: 3, dir: 'c2s', bytes: 99, text: `{"params":"${SECRET}"}` }
  const kept = { n: 3, dir: 'c2s', bytes: 99 }
  assert.equal(JSON.parse(shown({ hideInputs: true }, 'node.started', started('tool', { frame }))).frame, kept)
  assert.equal(JSON.parse(shown({ hideOutputs: true }, 'node.started', started('tool', { frame }))).frame, frame)
  assert.equal(JSON.parse(shown({ hideToolResults: true }, 'node.finished', { ...finished, frame }, undefined, 'tool')).frame, kept)
  assert.equal(JSON.parse(shown({ hideInputs: true }, 'node.started', started('tool'), { frame: JSON.stringify(frame) })).frame, kept)
  assert.not.match(shown({ hideOutputs: true }, 'finding', { nodeId: 'n', code: 'c', level: 'info', message: 'm', frame }), SECRET)
})

test('the text of a batch, which holds more than its first element, goes under any switch', () => {
  const frame = { n: 3, dir: 'c2s', bytes: 99, text: ` [{"params":"${SECRET}"}]`, i: 0 }
  assert.not.match(shown({ hideToolArgs: true }, 'node.started', started('llm', { input: 1, frame })), SECRET)
})

test('a payload that cannot be read safely is hidden, not sent raw', () => {
  const thrower = { nodeId: 'n', kind: 'tool', name: 'n', instanceId: '1', get input(): unknown { throw new Error('no') }, extra: SECRET }
  const text = shown({ hideInputs: true }, 'node.started', thrower)
  assert.is(JSON.parse(text).nodeId, 'n')
  assert.not.match(text, SECRET)
  assert.not.match(shown({ hideInputs: true }, 'node.started', { ...started('tool'), toJSON: () => ({ input: SECRET }) }), SECRET)
  let reads = 0
  const fickle = { nodeId: 'n', get output() { return reads++ === 0 ? undefined : SECRET }, durationMs: 1, status: 'ok' }
  assert.not.match(shown({ hideOutputs: true }, 'node.finished', fickle), SECRET)
  assert.equal(JSON.parse(shown({ hideOutputs: true }, 'node.token', { nodeId: 'n', deltas: SECRET })).deltas, [])
})

test('nothing hidden reaches the socket, also what a viewer typed; messages of errors do', async () => {
  const server = await ingestServer()
  const options: SessionOptions = { appName: 'app', url: server.url, env: {}, hideInputs: true, hideOutputs: true }
  const session = createSession(options)
  assert.ok(await session.ready())
  const run = session.openRun('r')
  await server.arm('breakpoint.set', { matcher: { point: 'before' } })
  const node = { nodeId: 'tool:a', kind: 'tool' as const, name: 'a', instanceId: '1' }
  run.emit('node.started', { ...node, input: SECRET })
  const gate = run.gate('before', node)
  const { payload } = await server.event('exec.paused')
  server.send('exec.resume', { pauseId: payload.pauseId, action: 'continue', input: { q: SECRET } }, run.runId)
  assert.equal((await gate).input, { q: SECRET })
  run.emit('node.error', { nodeId: 'tool:a', instanceId: '1', error: { name: 'Error', message: 'told' } })
  run.finish('ok')
  await session.dispose()
  assert.equal((await server.event('exec.resumed')).payload.edited, { after: R })
  assert.not.match(server.texts.join('\n'), SECRET)
  assert.match(server.texts.join('\n'), 'told')
})

test.run()
