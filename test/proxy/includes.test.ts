import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { includes } from '../../src/proxy/conversation/includes.ts'

test('a key is found wherever the pieces of a frame were cut', () => {
  fc.assert(fc.property(
    fc.string({ unit: fc.constantFrom('"', 'e', 'r'), maxLength: 30 }),
    fc.array(fc.nat(30)),
    fc.string({ unit: fc.constantFrom('"', 'e', 'r'), minLength: 1, maxLength: 5 }),
    (text, cuts, wanted) => {
      const bytes = Buffer.from(text)
      const ends = [...cuts.filter((cut) => cut <= bytes.length).sort((a, b) => a - b), bytes.length]
      const pieces = ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end))
      assert.is(includes(pieces, Buffer.from(wanted)), bytes.includes(wanted))
    },
  ))
})

test.run()
