import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { layoutTree, type TreeNode } from '../../viewer/layout/tree.ts'

const node = (id: string, parentId?: string, height = 50): TreeNode => ({ id, parentId, width: 208, height })

test('a parent stands in the middle of its children, one column to the left', () => {
  const placed = layoutTree([node('a'), node('b', 'a'), node('c', 'a', 85)])
  const [a, b, c] = ['a', 'b', 'c'].map((id) => placed.get(id))
  if (!a || !b || !c) throw new Error('not placed')
  assert.ok(b.x === c.x && b.x >= a.x + a.width)
  assert.is(a.y + a.height / 2, (b.y + c.y + c.height) / 2)
})

test('nothing overlaps, whatever the tree', () => {
  const tree = fc.array(fc.record({ parent: fc.nat(), height: fc.integer({ min: 24, max: 120 }) }), { maxLength: 60 })
    .map((list) => list.map(({ parent, height }, i) => node(String(i), i === 0 ? undefined : String(parent % i), height)))
  fc.assert(fc.property(tree, (nodes) => {
    const all = [...layoutTree(nodes).values()]
    assert.is(all.length, nodes.length)
    for (const a of all) for (const b of all) {
      if (a === b || a.x !== b.x) continue
      assert.ok(a.y + a.height <= b.y + 0.001 || b.y + b.height <= a.y + 0.001, `${a.id} and ${b.id}`)
    }
  }))
})

test('a chain of 20,000 and a ring of nodes are laid out', () => {
  const chain = Array.from({ length: 20_000 }, (_, i) => node(String(i), i === 0 ? undefined : String(i - 1)))
  assert.is(layoutTree(chain).size, 20_000)
  assert.is(layoutTree([node('a', 'b'), node('b', 'c'), node('c', 'a'), node('d', 'd'), node('e', 'nobody')]).size, 5)
})

test.run()
