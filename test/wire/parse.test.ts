import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createEnvelope, envelopeText, parseEnvelope } from '../../src/wire/index.ts'

const good = { gm: 1, seq: 0, ts: 1, runId: 'r', type: 'run.finished', payload: { status: 'ok' } }
const parse = (value: unknown) => parseEnvelope(JSON.stringify(value))

test('a good envelope comes back whole', () => {
  const parsed = parse(good)
  assert.is(parsed.status, 'ok')
  assert.equal('envelope' in parsed && parsed.envelope, good)
})

test('what is not an envelope is invalid and says why', () => {
  const cases: [string, string, string][] = [
    ['', '', 'is not JSON'],
    ['[]', '', 'should be an object, is an array'],
    ['null', '', 'should be an object, is null'],
    ['{}', 'gm', 'is missing'],
    ['{"gm":"1"}', 'gm', 'should be 1, is "1"'],
    [JSON.stringify({ ...good, seq: -1 }), 'seq', 'should be an integer that is not negative, is -1'],
    [JSON.stringify({ ...good, seq: 1.5 }), 'seq', 'should be an integer that is not negative, is 1.5'],
    [JSON.stringify({ ...good, runId: '' }), 'runId', 'is empty'],
    [JSON.stringify({ ...good, payload: 1 }), 'payload', 'should be an object, is 1'],
  ]
  for (const [text, path, message] of cases) assert.equal(parseEnvelope(text), { status: 'invalid', path, message }, text)
})

test('another protocol version is told apart from garbage', () => {
  assert.equal(parse({ ...good, gm: 2 }), { status: 'version-mismatch', gm: 2 })
  assert.equal(parse({ gm: 0 }), { status: 'version-mismatch', gm: 0 })
})

test('an unknown type is accepted with whatever it carries', () => {
  assert.is(parse({ ...good, type: 'node.dreamt', payload: { x: 1 } }).status, 'unknown-type')
})

test('a known type with a bad payload names the path of the first fault', () => {
  const token = { ...good, type: 'node.token', payload: { nodeId: 'n', deltas: [{ t: 'text', v: 'a' }, { t: 'text', v: 7 }] } }
  assert.equal(parse(token), { status: 'invalid', path: 'payload.deltas[1].v', message: 'should be a string, is 7' })
  const set = { ...good, type: 'breakpoint.set', payload: { matcher: { nmae: 'x' } } }
  assert.equal(parse(set), { status: 'invalid', path: 'payload.matcher.nmae', message: 'is not a known field' })
})

test('unknown members are kept as they were spelt', () => {
  const parsed = parseEnvelope('{ "gm":1, "later":{"n":1.0}, "seq":1,"ts":2,"runId":"r","type":"run.finished","payload":{"status":"ok","big":9007199254740993},"x":[1] }')
  if (!('payloadText' in parsed)) throw new Error(parsed.status)
  assert.is(parsed.payloadText, '{"status":"ok","big":9007199254740993}')
  assert.is(parsed.extra, '"later":{"n":1.0},"x":[1]')
})

test('a doubled payload is read as JSON reads it: the last one counts, in the text as well', () => {
  const parsed = parseEnvelope('{"gm":1,"seq":1,"ts":2,"runId":"r","type":"run.finished","payload":{"status":"ok"},"payload":{"status":"error"}}')
  if (!('payloadText' in parsed)) throw new Error(parsed.status)
  assert.is(parsed.payloadText, '{"status":"error"}')
})

test('no text makes the parser throw, and 100 KB of open brackets does not stop it', () => {
  fc.assert(fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.jsonValue().map((value) => JSON.stringify({ ...good, payload: value }))), (text) => {
    assert.type(parseEnvelope(text).status, 'string')
  }))
  const deep = '['.repeat(100_000)
  assert.is(parseEnvelope(deep).status, 'invalid')
  const nested = parseEnvelope(`{"gm":1,"seq":1,"ts":2,"runId":"r","type":"x","payload":{"a":${deep}${']'.repeat(100_000)}}}`)
  assert.is(nested.status, 'unknown-type')
})

test('an envelope survives writing and reading, its payload text included', () => {
  const at = fc.record({ runId: fc.string({ minLength: 1, unit: 'binary' }), seq: fc.maxSafeNat(), ts: fc.maxSafeNat() })
  fc.assert(fc.property(at, fc.string({ minLength: 1 }), fc.dictionary(fc.string(), fc.jsonValue()), (where, type, payload) => {
    const payloadText = JSON.stringify(payload)
    const parsed = parseEnvelope(envelopeText(where, `x-${type}`, payloadText))
    if (!('payloadText' in parsed)) throw new Error(parsed.status)
    assert.is(parsed.payloadText, payloadText)
    assert.is(JSON.stringify(parsed.envelope), JSON.stringify(createEnvelope(`x-${type}`, JSON.parse(payloadText), where)))
  }))
})

test.run()
