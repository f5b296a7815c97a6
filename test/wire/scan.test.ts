import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { compactJson, rawMember, scanArray, scanObject } from '../../src/wire/index.ts'

test('numbers, escapes and order come out as they were spelt', () => {
  const text = '{ "a" : 9007199254740993 , "b\\u0041":[1.0, -0,1E400],"c":"\\/\\"}" ,"d":{ "}":"{" } }'
  const values = scanObject(text)?.map(({ key, start, end }) => [key, text.slice(start, end)])
  assert.equal(values, [['a', '9007199254740993'], ['bA', '[1.0, -0,1E400]'], ['c', '"\\/\\"}"'], ['d', '{ "}":"{" }']])
})

test('of a doubled key the last one counts, as with JSON.parse', () => {
  assert.is(rawMember('{"id":1,"id":2}', 'id'), '2')
  assert.is(rawMember('{"id":1}', 'method'), undefined)
})

test('broken structure is no object', () => {
  for (const text of ['', '[', '{', '{"a"', '{"a":}', '{"a":1', '{"a":1,}', '{a:1}', '{"a":[}', '{"a":"x}', '{"a" 1}', '{"\\q":1}']) {
    assert.is(scanObject(text), null, text)
  }
  for (const text of ['', '{', '[1', '[,1]', '[1,]', '["]']) assert.is(scanArray(text), null, text)
})

test('depth costs no stack', () => {
  const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  assert.is(scanObject(deep)?.[0]?.end, deep.length - 1)
})

test('offsets are byte offsets when the bytes are read as latin1', () => {
  const bytes = Buffer.from('{"ü":"😀","id":7}')
  const id = scanObject(bytes.toString('latin1'))?.find(({ key }) => key === 'id')
  assert.is(id && bytes.subarray(id.start, id.end).toString(), '7')
})

const spaced = fc.jsonValue().chain((value) => fc.constantFrom(0, 1, '\t', ' \r ').map((indent) => ({ value, text: JSON.stringify(value, null, indent) })))

test('the scanner finds just what JSON.parse finds', () => {
  fc.assert(fc.property(spaced, ({ value, text }) => {
    const object = scanObject(text)
    const array = scanArray(text)
    if (Array.isArray(value)) assert.equal(array?.map(({ start, end }) => JSON.parse(text.slice(start, end))), JSON.parse(text))
    else if (typeof value === 'object' && value !== null) {
      const members = object?.map(({ key, start, end }) => [key, JSON.parse(text.slice(start, end))] as const) ?? []
      assert.is(JSON.stringify(Object.fromEntries(members)), JSON.stringify(JSON.parse(text)))
    } else assert.equal([object, array], [null, null])
  }))
})

test('compacting drops white space between tokens and nothing else', () => {
  fc.assert(fc.property(spaced, ({ value, text }) => assert.is(compactJson(text), JSON.stringify(value))))
  assert.is(compactJson(' { "a b" : [ 1.0 ,\n -0 ] } '), '{"a b":[1.0,-0]}')
})

test.run()
