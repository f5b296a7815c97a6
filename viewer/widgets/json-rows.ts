// JSON text as rows for a tree: only what is unfolded is scanned, and every value is shown as it
// was spelt. Iterative, so depth costs no stack.
import { scanArray, scanObject, skipSpace } from '../../src/wire/index.ts'

export interface JsonRow {
  /** Path from the root, as JSON pointer; the root's is empty. */
  path: string
  depth: number
  key: string | null
  kind: 'object' | 'array' | 'string' | 'number' | 'keyword'
  /** The value's own text. */
  text: string
  open: boolean
  /** Number of members or elements; null for a leaf or while folded and unread. */
  size: number | null
}

/** Rows of more than this are shown on demand: one object may have 10,000 keys. */
const MOST_CHILDREN = 20_000

/** `isOpen` decides by path and depth whether a container is unfolded. */
export function jsonRows(text: string, isOpen: (path: string, depth: number) => boolean): JsonRow[] {
  const rows: JsonRow[] = []
  const stack: { key: string | null; text: string; path: string; depth: number }[] = [{ key: null, text: text.trim(), path: '', depth: 0 }]
  for (let top = stack.pop(); top; top = stack.pop()) {
    const kind = kindOf(top.text)
    const container = kind === 'object' || kind === 'array'
    const open = container && isOpen(top.path, top.depth)
    const children = open ? childrenOf(top.text, kind, top.path, top.depth + 1) : null
    rows.push({ path: top.path, depth: top.depth, key: top.key, kind, text: top.text, open: open && children !== null && children.length > 0, size: children?.length ?? (container && top.text.replace(/\s/g, '').length === 2 ? 0 : null) })
    if (children) for (let i = Math.min(children.length, MOST_CHILDREN) - 1; i >= 0; i--) stack.push(children[i] as (typeof children)[number])
  }
  return rows
}

function childrenOf(text: string, kind: JsonRow['kind'], path: string, depth: number) {
  if (kind === 'object') {
    return scanObject(text)?.map(({ key, start, end }) => ({ key, text: text.slice(start, end), path: `${path}/${escapePointer(key)}`, depth })) ?? null
  }
  return scanArray(text)?.map(({ start, end }, i) => ({ key: String(i), text: text.slice(start, end), path: `${path}/${i}`, depth })) ?? null
}

function kindOf(text: string): JsonRow['kind'] {
  switch (text[skipSpace(text, 0)]) {
    case '{': return 'object'
    case '[': return 'array'
    case '"': return 'string'
    case 't': case 'f': case 'n': return 'keyword'
    default: return 'number'
  }
}

function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
