import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { compactJson } from '../../src/wire/index.ts'
import { jsonRows } from '../../viewer/widgets/json-rows.ts'
import { prettyJson } from '../../viewer/widgets/pretty-json.ts'

test('every token is shown as it was spelt', () => {
  const rows = jsonRows('{"n":9007199254740993,"x":[1.0,-0],"s":"\\u0041\\n"}', () => true)
  assert.equal(rows.map(({ key, text }) => [key, text]).filter(([, text]) => !/^[{[]/.test(text ?? '')), [['n', '9007199254740993'], ['0', '1.0'], ['1', '-0'], ['s', '"\\u0041\\n"']])
})

test('10,000 keys, 100 KB of brackets and prototype names are rows like any other', () => {
  assert.is(jsonRows(`{${Array.from({ length: 10_000 }, (_, i) => `"k${i}":${i}`).join(',')}}`, () => true).length, 10_001)
  assert.ok(jsonRows(`${'['.repeat(50_000)}${']'.repeat(50_000)}`, (_, depth) => depth < 8).length > 8)
  assert.equal(jsonRows('{"__proto__":{"a":1}}', () => true).map(({ path }) => path), ['', '/__proto__', '/__proto__/a'])
})

test('indented JSON is the same JSON', () => {
  fc.assert(fc.property(fc.json(), (text) => assert.is(compactJson(prettyJson(text)), compactJson(text))))
  assert.is(prettyJson('{"a":[1.0,{}],"b":[]}'), '{\n  "a": [\n    1.0,\n    {}\n  ],\n  "b": []\n}')
})

test.run()
