import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { matches, parseMatcher, runHash, sameMatcher } from '../../src/wire/index.ts'

const tool = { kind: 'tool', name: 'search' } as const

test('present fields must all match, and the point is before unless said', () => {
  assert.ok(matches({}, tool, 'before'))
  assert.not(matches({}, tool, 'error'))
  assert.ok(matches({ kind: 'tool', name: 'search', point: 'error' }, tool, 'error'))
  assert.not(matches({ kind: 'llm' }, tool, 'before'))
  assert.not(matches({ name: 'other' }, tool, 'before'))
})

test('two matchers are the same once the default is filled in', () => {
  assert.ok(sameMatcher({}, { point: 'before' }))
  assert.not(sameMatcher({ name: 'a' }, { name: 'a', point: 'after' }))
})

test('a misspelt field or value is refused and named', () => {
  assert.equal(parseMatcher({ name: 'a' }), { ok: true, matcher: { name: 'a', point: 'before' } })
  for (const [value, part] of [[{ nmae: 'a' }, 'nmae'], [{ kind: 'tol' }, 'tol'], [{ point: 'befor' }, 'befor'], [{ name: 1 }, 'name'], [[], 'object'], [null, 'object']] as const) {
    const parsed = parseMatcher(value)
    assert.ok(!parsed.ok && parsed.message.includes(part), JSON.stringify(value))
  }
})

test('a deep link takes any id', () => {
  assert.is(runHash('a/b', 'tool:x y'), '#/run/a%2Fb/node/tool%3Ax%20y')
  assert.is(runHash('\ud800'), '#/run/%EF%BF%BD')
})

test.run()
