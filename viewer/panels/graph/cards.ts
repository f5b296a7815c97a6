// Which cards the graph has, what each says and how tall it is. Pure: the model in, cards out.
import type { NodeKind } from '../../../src/wire/index.ts'
import { duration, size } from '../../format/format.ts'
import type { Instance, NodeState, RunModel } from '../../model/run-model.ts'
import { holdOfNode, nodeTitle, outputOf, statusOfNode, type NodeStatus } from '../../model/read.ts'
import type { TreeNode } from '../../layout/tree.ts'

export const CARD_WIDTH = 208
const ROW = 50
const PREVIEW_ROWS = 35
const PILL = 24
/** Announced tools and resources beyond this many fold into a pill. */
const MOST_HINTED = 12
export const CHATTER = 'fold:chatter'
export const HINTED = 'fold:hinted'

export interface Card extends TreeNode {
  kind: NodeKind
  title: string
  status: NodeStatus
  count: number
  /** One line of what is going on. */
  line: string
  aside: string
  preview: string
  bad: boolean
  /** A pill that stands for many. */
  fold: boolean
}

/** The cards in the order in which their nodes were first heard of. `open`: folds that are unfolded. */
export function cardsOf(model: RunModel, open: ReadonlySet<string>, now: number): Card[] {
  const nodes = [...model.nodes.values()].sort((a, b) => a.seq - b.seq)
  const chatter = open.has(CHATTER) ? [] : nodes.filter((node) => isChatter(node) && statusOfNode(model, node) !== 'held')
  const uncalled = nodes.filter((node) => node.instances.length === 0)
  const folded = uncalled.length > MOST_HINTED && !open.has(HINTED) ? new Set(uncalled.slice(MOST_HINTED)) : new Set<NodeState>()
  const left = new Set(chatter.length > 1 ? chatter : [])
  const cards = nodes.filter((node) => !left.has(node) && !folded.has(node)).map((node) => cardOf(model, node, now))
  const parent = nodes.find(({ kind }) => kind === 'server')?.id
  if (left.size > 0) cards.push(pill(CHATTER, parent, `protocol, ${left.size} methods`, [...left].reduce((n, node) => n + node.instances.length, 0)))
  if (folded.size > 0) cards.push(pill(HINTED, parent ?? [...folded][0]?.parentId, `${folded.size} more, not called yet`, 0))
  return cards
}

/** Protocol talk that says nothing about the work: all but calls of tools, resources, prompts, models. */
function isChatter(node: NodeState): boolean {
  return node.kind === 'custom' && node.id.startsWith('mcp:') && node.id !== 'mcp:not-json' && node.errors === 0
}

function pill(id: string, parentId: string | undefined, title: string, count: number): Card {
  return { id, parentId, width: 40 + title.length * 6, height: PILL, kind: 'custom', title, status: 'ok', count, line: '', aside: '', preview: '', bad: false, fold: true }
}

function cardOf(model: RunModel, node: NodeState, now: number): Card {
  const status = statusOfNode(model, node)
  const last = node.instances.at(-1)
  const { preview, bad } = previewOf(model, node, last, status)
  return {
    id: node.id, parentId: node.parentId, width: CARD_WIDTH, height: preview === '' ? ROW : ROW + PREVIEW_ROWS,
    kind: node.kind, title: nodeTitle(model, node), status, count: node.instances.length, line: lineOf(model, node, last, status, now),
    aside: asideOf(node, last), preview, bad, fold: false,
  }
}

function lineOf(model: RunModel, node: NodeState, last: Instance | undefined, status: NodeStatus, now: number): string {
  if (status === 'hinted') return 'not called yet'
  const hold = holdOfNode(model, node.id)
  if (hold) return `held ${duration(Math.max(0, now - hold.since))} ${hold.point === 'error' ? 'at error' : hold.point === 'before' ? 'before it runs' : 'before its answer'}`
  if (node.kind === 'server') return [version(model), text(model.meta.revision)].filter(Boolean).join('  ') || 'starting'
  if (!last) return ''
  if (last.status === 'running') return `running ${duration(Math.max(0, now - last.startedAt))}`
  return last.durationMs === null ? last.status : duration(last.durationMs)
}

function asideOf(node: NodeState, last: Instance | undefined): string {
  if (node.kind === 'server') return 'stdio'
  switch (last?.status) {
    case 'aborted': return 'aborted'
    case 'unanswered': return 'not answered'
    case 'input_required': return 'asked for input'
    case 'ok': {
      const bytes = last.frames.findLast(({ role }) => role === 'end')?.bytes
      return bytes === undefined ? '' : size(bytes)
    }
    default: return ''
  }
}

function previewOf(model: RunModel, node: NodeState, last: Instance | undefined, status: NodeStatus): { preview: string; bad: boolean } {
  if (last?.error && (last.status === 'error' || status === 'held')) return { preview: last.error.message, bad: true }
  if (node.kind === 'server') return { preview: model.log.at(-1)?.text.slice(0, 200) ?? '', bad: false }
  if (last?.status === 'running' && last.streamed !== '') return { preview: last.streamed.slice(-160), bad: false }
  if (last && status === 'held' && outputOf(last) !== undefined) return { preview: (outputOf(last) ?? '').slice(0, 160), bad: false }
  return { preview: '', bad: false }
}

function version(model: RunModel): string {
  const { serverInfo } = model.meta
  return typeof serverInfo === 'object' && serverInfo !== null ? text((serverInfo as { version?: unknown }).version) : ''
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

const STRIP = 8

/** The last executions as bars: height tells the duration among them, the class the state. */
export function stripOf(model: RunModel, nodeId: string): { height: number; status: string }[] {
  const last = model.nodes.get(nodeId)?.instances.slice(-STRIP) ?? []
  if (last.length < 2) return []
  const longest = Math.max(1, ...last.map(({ durationMs }) => durationMs ?? 0))
  const held = new Set([...model.holds.values()].map(({ instanceId }) => instanceId))
  return last.map(({ id, durationMs, status }) => ({ height: 3 + Math.round(9 * (durationMs ?? longest) / longest), status: held.has(id) ? 'held' : status }))
}
