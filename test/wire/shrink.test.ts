import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { checkPayload, encodePayload, MAX_PAYLOAD_BYTES, shortenJson, shrinkPayload, UNREADABLE, utf8Length } from '../../src/wire/index.ts'

const MB = 1024 * 1024
const parsed = (text: string) => JSON.parse(shrinkPayload(text)) as Record<string, unknown>

test('a payload that fits is left alone, to the byte', () => {
  const text = `{"nodeId":"n", "output" : [1.0,${'0,'.repeat(100_000)}9007199254740993]}`
  assert.is(shrinkPayload(text), text)
})

test('the largest field is shortened, the others stay exact, and the payload says so', () => {
  const text = `{"nodeId":"tool:x","instanceId":"i","durationMs":1.0,"status":"ok","output":{"big":9007199254740993,"text":"${'é'.repeat(2 * MB)}"}}`
  const small = shrinkPayload(text)
  assert.ok(Buffer.byteLength(small) <= MAX_PAYLOAD_BYTES)
  assert.ok(small.includes('"big":9007199254740993') && small.includes('"durationMs":1.0'))
  const { __graphmindTruncated, bytes, preview, fields } = parsed(text)
  assert.equal([__graphmindTruncated, bytes, fields], [true, Buffer.byteLength(text), ['output.text']])
  assert.is(preview, text.slice(0, 2000))
})

test('a shrunk event is still valid for its type, whatever was large in it', () => {
  const big = 'x'.repeat(MB)
  const events: [string, object][] = [
    ['node.token', { nodeId: 'n', deltas: Array.from({ length: 30_000 }, () => ({ t: 'text', v: 'twenty characters ok' })) }],
    ['node.token', { nodeId: 'n', deltas: [{ t: 'text', v: big }] }],
    ['node.error', { nodeId: 'n', error: { stack: big, message: big, name: 'E' } }],
    ['node.started', { input: { [big]: big }, frame: { text: big, n: 1, dir: 'c2s', bytes: MB }, nodeId: 'n', kind: 'tool', name: big, instanceId: 'i' }],
    ['graph.hint', { nodes: Array.from({ length: 20_000 }, (_, i) => ({ nodeId: `tool:${i}`, kind: 'tool', name: `tool ${i}` })) }],
    ['run.started', { app: 'a', sdk: { name: 's', version: '1' }, meta: Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`key ${i}`, i])) }],
  ]
  for (const [type, payload] of events) {
    const small = shrinkPayload(JSON.stringify(payload))
    assert.ok(Buffer.byteLength(small) <= MAX_PAYLOAD_BYTES, type)
    assert.is(checkPayload(type, JSON.parse(small)), null, type)
  }
})

const value = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 5 }, fc.string({ unit: 'binary', maxLength: 300 }), fc.double(), fc.boolean(), fc.constant(null),
    fc.array(tie('any'), { maxLength: 20 }), fc.dictionary(fc.string({ maxLength: 8 }), tie('any'), { maxKeys: 20 })),
})).any

test('any payload shrinks to JSON within the limit, and top-level types stay', () => {
  fc.assert(fc.property(fc.dictionary(fc.string({ maxLength: 12 }), value, { minKeys: 1, maxKeys: 12 }), fc.integer({ min: 60_000, max: 90_000 }), (payload, limit) => {
    const text = JSON.stringify({ ...payload, pad: 'p'.repeat(limit) })
    const small = shrinkPayload(text, limit)
    assert.ok(Buffer.byteLength(small) <= limit)
    const before = JSON.parse(text) as Record<string, unknown>
    const after = JSON.parse(small) as Record<string, unknown>
    for (const key of Object.keys(before)) {
      if (key in { bytes: 0, preview: 0, fields: 0 }) continue
      assert.is(kind(after[key]), kind(before[key]), key)
    }
  }))
})

test('shrinking twice changes nothing', () => {
  const once = shrinkPayload(JSON.stringify({ a: 'x'.repeat(2 * MB) }))
  assert.is(shrinkPayload(once), once)
})

test('a shortened string never ends inside an escape or a surrogate pair', () => {
  const units = fc.constantFrom('a', 'é', '語', '😀', '\\n', '\\"', '\\\\', '\\u0041', '\\ud83d\\ude00', '\\/')
  fc.assert(fc.property(fc.array(units, { minLength: 40, maxLength: 400 }), fc.integer({ min: 60, max: 200 }), (parts, room) => {
    const text = `"${parts.join('')}"`
    const small = shortenJson(text, room)
    const back = JSON.parse(small) as string
    assert.ok(back.isWellFormed() && Buffer.byteLength(small) <= Math.max(room, 2))
  }))
})

test('16 MiB of deep or wide JSON shrinks in one go', () => {
  for (const text of [
    `{"a":${'['.repeat(4 * MB)}${']'.repeat(4 * MB)}}`,
    `{"a":${'{"b":'.repeat(2 * MB)}1${'}'.repeat(2 * MB)}}`,
    `{"a":[${'1,'.repeat(8 * MB)}1]}`,
  ]) assert.ok(Buffer.byteLength(shrinkPayload(text)) <= MAX_PAYLOAD_BYTES)
})

test('sizes are those of UTF-8', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => assert.is(utf8Length(text), Buffer.byteLength(text))))
  assert.is(utf8Length('\ud83d'), 3)
})

test('what cannot be written loses only that field', () => {
  const cycle: Record<string, unknown> = { fine: 1 }
  cycle.self = { deeper: cycle }
  let deep: unknown = 1
  for (let i = 0; i < 100_000; i++) deep = [deep]
  const thrower = Object.defineProperty({ ok: true }, 'bad', { enumerable: true, get() { throw new Error('no') } })
  const back = JSON.parse(encodePayload({ nodeId: 'n', cycle, deep, thrower, big: 12n, fn() {} })) as Record<string, any>
  assert.equal([back.nodeId, back.cycle.fine, back.thrower, back.big, 'fn' in back], ['n', 1, { ok: true, bad: UNREADABLE }, '12', false])
  assert.ok('deep' in back) // newer engines write it whole, older ones lose it
})

test('members that are JSON text already are spliced in as they are', () => {
  assert.is(encodePayload({ nodeId: 'n' }, { input: '{"a":1.0}' }), '{"nodeId":"n","input":{"a":1.0}}')
  assert.is(encodePayload({}, { output: '9007199254740993' }), '{"output":9007199254740993}')
})

function kind(of: unknown): string {
  return of === null ? 'null' : Array.isArray(of) ? 'array' : typeof of
}

test.run()
