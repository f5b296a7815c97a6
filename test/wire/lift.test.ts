import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { errorFrame, liftNotification, liftResult, rawMember, readParams, scanObject, spliceParams } from '../../src/wire/index.ts'

const lift = (method: string, value: string, more: { params?: string; modern?: boolean; id?: string } = {}) =>
  liftResult({ method, value, id: more.id ?? '1', modern: more.modern ?? false, params: more.params })
const result = (method: string, value: string, more: { params?: string; modern?: boolean } = {}) => {
  const lifted = lift(method, value, more)
  if (!lifted.ok) throw new Error(lifted.message)
  return JSON.parse(lifted.result ?? 'null') as unknown
}

test('a bare value becomes the result of its method', () => {
  assert.equal(result('tools/call', '{"tasks": []}'), { content: [{ type: 'text', text: '{"tasks":[]}' }], structuredContent: { tasks: [] } })
  assert.equal(result('tools/call', '"hello"'), { content: [{ type: 'text', text: 'hello' }] })
  assert.equal(result('tools/call', '[1]'), { content: [{ type: 'text', text: '[1]' }] })
  assert.equal(result('resources/read', '"hi"', { params: '{"uri":"file:///a"}' }), { contents: [{ uri: 'file:///a', mimeType: 'text/plain', text: 'hi' }] })
  assert.equal(result('resources/read', '{"a":1}', { params: '{"uri":"x:y"}' }), { contents: [{ uri: 'x:y', mimeType: 'application/json', text: '{"a":1}' }] })
  assert.equal(result('prompts/get', '"hi"'), { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }] })
  assert.equal(result('sampling/createMessage', '"hi"'), { role: 'assistant', content: { type: 'text', text: 'hi' }, model: 'graphmind-injected', stopReason: 'endTurn' })
  assert.equal(result('elicitation/create', '{"action":"accept"}'), { action: 'accept' })
})

test('in the 2026-07-28 era a lifted result is complete and structured content may be anything', () => {
  assert.equal(result('tools/call', '[1]', { modern: true }), { content: [{ type: 'text', text: '[1]' }], structuredContent: [1], resultType: 'complete' })
  assert.equal(result('completion/complete', '{}', { modern: true }), { resultType: 'complete' })
})

test('a value that has the shape already passes as typed', () => {
  assert.equal(result('tools/call', '{"content":[],"isError":true}'), { content: [], isError: true })
  assert.equal(result('resources/read', '{"contents":[]}'), { contents: [] })
  assert.equal(result('tools/call', '{"resultType":"input_required","inputRequests":{}}', { modern: true }), { resultType: 'input_required', inputRequests: {} })
})

test('a whole frame replaces the frame, and gets the id of the request where it has none', () => {
  assert.equal(lift('tools/call', '{"jsonrpc":"2.0","result":{}}', { id: '"a"' }), { ok: true, result: null, frame: '{"id":"a","jsonrpc":"2.0","result":{}}' })
  assert.is(lift('tools/call', '{"jsonrpc":"2.0"}').ok, false)
})

test('numbers and the id stay as they were spelt, on one line', () => {
  const lifted = lift('tools/call', '{\n "n": 9007199254740993,\n "x": 1.0 }', { id: '0.0' })
  assert.is(lifted.ok && lifted.frame, '{"jsonrpc":"2.0","id":0.0,"result":{"content":[{"type":"text","text":"{\\"n\\":9007199254740993,\\"x\\":1.0}"}],"structuredContent":{"n":9007199254740993,"x":1.0}}}')
})

test('hidden and shortened values are refused with a sentence', () => {
  for (const [value, code] of [
    ['{"a":"__REDACTED__"}', 'placeholder'], ['{"__graphmindTruncated":true}', 'truncated'],
    ['"abc[graphmind cut 12 characters]"', 'truncated'], ['{nope', 'shape'],
  ] as const) {
    const lifted = lift('tools/call', value)
    assert.is(!lifted.ok && lifted.code, code, value)
  }
})

test('a notification takes params or a whole frame', () => {
  assert.equal(liftNotification({ method: 'notifications/message', value: '{"a":1}' }), { ok: true, result: null, frame: '{"jsonrpc":"2.0","method":"notifications/message","params":{"a":1}}' })
  assert.is(liftNotification({ method: 'x', value: '7' }).ok, false)
  assert.is(liftNotification({ method: 'x', value: '{"jsonrpc":"2.0"}' }).ok, false)
  assert.is(readParams('7').ok, false)
})

test('edited params replace the old ones and nothing else', () => {
  assert.is(spliceParams('{ "id":1.0,"params" : {"a":1}, "method":"x" }', '{"b":2}'), '{ "id":1.0,"params" : {"b":2}, "method":"x" }')
  assert.is(spliceParams('{"id":1,"method":"x"}', '{}'), '{"id":1,"method":"x","params":{}}')
  assert.is(spliceParams('{}', '{}'), '{"params":{}}')
  assert.is(spliceParams('[]', '{}'), null)
})

test('whatever is typed, the answer is one line of JSON with the id as it was, or a refusal', () => {
  const methods = fc.constantFrom('tools/call', 'resources/read', 'prompts/get', 'sampling/createMessage', 'x')
  fc.assert(fc.property(methods, fc.oneof(fc.json(), fc.string()), fc.constantFrom('1', '"a"', '0.0', '-0'), fc.boolean(), (method, value, id, modern) => {
    const lifted = lift(method, value, { id, modern })
    if (!lifted.ok) return
    assert.not.match(lifted.frame, /\n/)
    assert.ok(scanObject(lifted.frame))
    assert.is(rawMember(lifted.frame, 'id'), rawMember(value.trim(), 'jsonrpc') === undefined ? id : rawMember(lifted.frame, 'id'))
  }))
  assert.is(errorFrame('"x"', -32099, 'Stopped "here"'), '{"jsonrpc":"2.0","id":"x","error":{"code":-32099,"message":"Stopped \\"here\\""}}')
})

test.run()
