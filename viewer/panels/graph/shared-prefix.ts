// The beginning that the names of siblings share (`mcp__github__`), so that it can be dimmed and
// what tells them apart is seen. Pure.
import type { NodeState } from '../../model/run-model.ts'

const FEWEST_SIBLINGS = 3
const FEWEST_CHARS = 4

/** Per node how many first characters are shared; nodes without a shared beginning are left out. */
export function sharedPrefixes(nodes: readonly NodeState[]): Map<string, number> {
  const groups = new Map<string, NodeState[]>()
  for (const node of nodes) {
    const key = `${node.kind} ${node.parentId ?? ''}`
    const group = groups.get(key)
    if (group) group.push(node)
    else groups.set(key, [node])
  }
  const prefixes = new Map<string, number>()
  for (const group of groups.values()) {
    const length = group.length < FEWEST_SIBLINGS ? 0 : sharedLength(group.map(({ name }) => name))
    if (length >= FEWEST_CHARS) for (const { id } of group) prefixes.set(id, length)
  }
  return prefixes
}

/** Characters that all names begin with, up to the last separator, and never a whole name. */
function sharedLength(names: string[]): number {
  const first = names[0] ?? ''
  let length = first.length
  for (const name of names) {
    let same = 0
    while (same < length && name.charCodeAt(same) === first.charCodeAt(same)) same++
    length = Math.min(same, length, name.length - 1)
  }
  while (length > 0 && !/[_\-./:]/.test(first[length - 1] as string)) length--
  return length
}
