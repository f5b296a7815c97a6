import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { layoutTree, ROW_GAP, type TreeNode } from '../../viewer/layout/tree.ts'

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

test('a short subtree leaves room for its longer neighbour', () => {
  // b has one child, c has five: the columns are as full as they can be, and no card is further from its neighbour than the gap.
  const placed = layoutTree([node('a'), node('b', 'a'), node('c', 'a'), node('b1', 'b'), ...Array.from({ length: 5 }, (_, i) => node(`c${i}`, 'c'))])
  const column = ['b1', 'c0', 'c1', 'c2', 'c3', 'c4'].map((id) => placed.get(id)?.y ?? 0)
  for (let i = 1; i < column.length; i++) assert.is((column[i] as number) - (column[i - 1] as number), 50 + ROW_GAP)
})

test('a card that appears below the others moves none of them apart', () => {
  const before = layoutTree([node('a'), node('b', 'a'), node('c', 'a')])
  const after = layoutTree([node('a'), node('b', 'a'), node('c', 'a'), node('d', 'a')])
  const shift = (id: string) => (after.get(id)?.y ?? 0) - (before.get(id)?.y ?? 0)
  assert.is(shift('b'), shift('c'))
})

test('ten times the nodes cost about ten times the time', () => {
  const tree = (n: number) => Array.from({ length: n }, (_, i) => node(String(i), i === 0 ? undefined : String((i * 7919) % i), 50 + i % 3 * 20))
  const cost = (nodes: TreeNode[]) => {
    const before = process.cpuUsage().user
    layoutTree(nodes)
    return process.cpuUsage().user - before
  }
  const [few, many] = [tree(4_000), tree(40_000)]
  for (let i = 0; i < 5; i++) layoutTree(few)
  const ratio = Math.min(...[1, 2, 3, 4].map(() => cost(many) / Math.max(500, cost(few))))
  assert.ok(ratio < 30, `${ratio}`)
})

test.run()
