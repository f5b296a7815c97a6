// What a card says, as a person would say it. Pure. No figure is made up: what no event carries
// is not there.
import { count, duration, middle, size } from '../../format/format.ts'
import { outputOf, statusOfNode, nodeTitle, type NodeStatus } from '../../model/read.ts'
import type { Instance, NodeState, RunModel } from '../../model/run-model.ts'

const PREVIEW_CHARS = 160
const STRIP_BARS = 12
const STRIP_HEIGHT = 12

/** `stopped`: it ran when its run ended, and will not end any more. */
export type CardStatus = NodeStatus | 'stopped'

export interface CardText {
  kind: NodeState['kind']
  title: string
  status: CardStatus
  count: number
  /** The first words of the second row. */
  line: string
  aside: string
  preview: string
  bad: boolean
}

/** `over`: the run has ended. `now` is epoch ms. */
export function cardText(model: RunModel, node: NodeState, now: number, over: boolean): CardText {
  const status = cardStatus(model, node, over)
  const last = node.instances.at(-1)
  return {
    kind: node.kind, title: nodeTitle(model, node), status, count: node.instances.length,
    line: lineOf(model, node, last, status, now), aside: asideOf(model, node, last), ...previewOf(model, node, last, status),
  }
}

export function cardStatus(model: RunModel, node: NodeState, over: boolean): CardStatus {
  const status = statusOfNode(model, node)
  if (node.kind === 'server' && status === 'running') return 'ok' // a session is there; what runs are its calls
  return over && (status === 'running' || status === 'held') ? 'stopped' : status
}

/** Does the card need room for a preview? */
export function hasPreview(model: RunModel, node: NodeState): boolean {
  const last = node.instances.at(-1)
  if (node.kind === 'server') return model.log.length > 0
  return last !== undefined && (last.error !== null || last.tokens.length > 0 || node.holds.some(({ point }) => point === 'after'))
}

const TAIL_CHARS = 9
/** Names up to this long fit as they are. */
const SHORT_CHARS = 16
const LONGEST_SHOWN = 80

/** A name in parts that a card can shorten one by one: what siblings share, the beginning, the end. */
export function splitName(title: string, prefix: number): { shared: string; head: string; tail: string } {
  const line = middle(title.slice(prefix), LONGEST_SHOWN).replace(/[\p{Cc}\s]+/gu, ' ')
  const tail = line.length > SHORT_CHARS ? [...line].slice(-TAIL_CHARS).join('') : ''
  return { shared: middle(title.slice(0, prefix), LONGEST_SHOWN), head: line.slice(0, line.length - tail.length), tail }
}

function lineOf(model: RunModel, node: NodeState, last: Instance | undefined, status: CardStatus, now: number): string {
  if (status === 'hinted') return 'not called yet'
  const hold = status === 'held' ? node.holds[0] : undefined
  if (hold) {
    const others = node.holds.length > 1 ? `, ${node.holds.length} of them` : ''
    return `held ${duration(Math.max(0, now - hold.since))} ${hold.point === 'error' ? 'at error' : hold.point === 'before' ? 'before it runs' : 'before its answer'}${others}`
  }
  if (node.kind === 'server') return [version(model), text(model.meta.revision)].filter(Boolean).join('  ') || (node.open.length > 0 ? 'starting' : '')
  if (!last) return ''
  if (status === 'stopped') return 'did not finish'
  if (node.open.length > 1) return `${node.open.length} running, ${duration(Math.max(0, now - (node.open[0] as Instance).startedAt))}`
  if (node.open[0]) return `running ${duration(Math.max(0, now - node.open[0].startedAt))}`
  return last.durationMs === null ? last.status : duration(last.durationMs)
}

function asideOf(model: RunModel, node: NodeState, last: Instance | undefined): string {
  if (node.kind === 'server') return model.meta.source === 'mcp-proxy' ? 'stdio' : ''
  switch (last?.status) {
    case 'aborted': return 'aborted'
    case 'unanswered': return 'not answered'
    case 'unsupported': return 'not supported'
    case 'input_required': return 'asked for input'
    case 'ok': return last.usage ? `${count(last.usage.inputTokens + last.usage.outputTokens)} tok` : answerSize(last)
    default: return ''
  }
}

function answerSize(last: Instance): string {
  const bytes = last.frames.findLast(({ role }) => role === 'end')?.bytes
  return bytes === undefined ? '' : size(bytes)
}

function previewOf(model: RunModel, node: NodeState, last: Instance | undefined, status: CardStatus): { preview: string; bad: boolean } {
  if (node.kind === 'server') return { preview: model.log.at(-1)?.text.slice(0, PREVIEW_CHARS) ?? '', bad: false }
  if (!last) return { preview: '', bad: false }
  const shown = node.holds.length > 0 && status === 'held' ? model.instances.get(node.holds[0]?.instanceId ?? '') ?? last : last
  if (shown.error) return { preview: shown.error.message.slice(0, PREVIEW_CHARS), bad: status === 'error' || status === 'held' }
  if (shown.tokens.length > 0) return { preview: ending(shown.streamed), bad: false }
  return { preview: outputOf(shown)?.slice(0, PREVIEW_CHARS) ?? '', bad: false }
}

/** The newest words of a stream, not from the middle of one. */
function ending(streamed: string): string {
  if (streamed.length <= PREVIEW_CHARS / 2) return streamed
  const cut = streamed.slice(-PREVIEW_CHARS / 2)
  return `…${cut.slice(cut.indexOf(' ') + 1)}`
}

function version(model: RunModel): string {
  const { serverInfo } = model.meta
  return typeof serverInfo === 'object' && serverInfo !== null ? text((serverInfo as { version?: unknown }).version) : ''
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export interface StripBar { height: number; status: string }

/** The last executions as bars: height tells the duration among them, the class the state. */
export function stripOf(node: NodeState, over: boolean): StripBar[] {
  if (node.kind === 'server') return []
  const last = node.instances.slice(-STRIP_BARS)
  const longest = Math.max(1, ...last.map(({ durationMs }) => durationMs ?? 0))
  return last.map(({ id, durationMs, status }) => ({
    height: 3 + Math.round((STRIP_HEIGHT - 3) * (durationMs ?? longest) / longest),
    status: over && status === 'running' ? 'stopped' : node.holds.some((hold) => hold.instanceId === id) ? 'held' : status,
  }))
}
