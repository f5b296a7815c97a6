// Breakpoints: what a matcher is, when two are the same and what it matches.
import type { GatePoint, Matcher, NodeKind } from './messages.ts'

export const NODE_KINDS: readonly NodeKind[] =
  ['agent', 'llm', 'tool', 'chain', 'retriever', 'server', 'resource', 'prompt', 'custom']
export const GATE_POINTS: readonly GatePoint[] = ['before', 'after', 'error']

/** A matcher with its default filled in. */
export type FullMatcher = Matcher & { point: GatePoint }

export type ParsedMatcher = { ok: true; matcher: FullMatcher } | { ok: false; message: string }

/** Reads a matcher from the wire; an unknown field or value is refused with a sentence. */
export function parseMatcher(value: unknown): ParsedMatcher {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse('a matcher is an object')
  const { kind, name, point, ...rest } = value as Record<string, unknown>
  const unknown = Object.keys(rest)[0]
  if (unknown !== undefined) return refuse(`a matcher has no field "${unknown}"; it knows kind, name and point`)
  if (kind !== undefined && !NODE_KINDS.includes(kind as NodeKind)) return refuse(`unknown kind ${JSON.stringify(kind)}; known: ${NODE_KINDS.join(' ')}`)
  if (name !== undefined && typeof name !== 'string') return refuse('the name of a matcher is a string')
  if (point !== undefined && !GATE_POINTS.includes(point as GatePoint)) return refuse(`unknown point ${JSON.stringify(point)}; known: ${GATE_POINTS.join(' ')}`)
  const matcher: FullMatcher = { point: (point as GatePoint | undefined) ?? 'before' }
  if (kind !== undefined) matcher.kind = kind as NodeKind
  if (name !== undefined) matcher.name = name
  return { ok: true, matcher }
}

function refuse(message: string): ParsedMatcher {
  return { ok: false, message }
}

/** Are the two the same, once the default point is filled in? */
export function sameMatcher(a: Matcher, b: Matcher): boolean {
  return a.kind === b.kind && a.name === b.name && (a.point ?? 'before') === (b.point ?? 'before')
}

/** Does the matcher stop this node at this point? Present fields must all match. */
export function matches(matcher: Matcher, node: { kind: NodeKind; name: string }, point: GatePoint): boolean {
  return (matcher.point ?? 'before') === point &&
    (matcher.kind === undefined || matcher.kind === node.kind) &&
    (matcher.name === undefined || matcher.name === node.name)
}
