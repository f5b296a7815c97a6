// Bounds the memory of a long run: above a limit the texts of the oldest executions are let go of.
// Names, times, states and counts stay; the texts are fetched again when somebody looks.
import type { FrameInfo } from '../../src/wire/index.ts'
import type { FrameRow, Instance, NodeState, RunModel } from './run-model.ts'

/** An event as the server tells it again. */
export interface FetchedEvent { seq: number; payload: Record<string, unknown>; payloadText: string }

/** Characters of payloads that are kept. */
const KEPT_CHARS = 48 * 1024 * 1024
/** A queue that is mostly behind us is made short again. */
const QUEUE_SLACK = 4096

/** Counts a text that an execution keeps, and makes room for it. */
export function keepText(model: RunModel, instance: Instance, chars: number, limit = KEPT_CHARS): void {
  if (model.kept.at(-1) !== instance) model.kept.push(instance)
  model.keptChars += chars
  while (model.keptChars > limit && model.keptFrom < model.kept.length - 1) dropOldest(model)
}

function dropOldest(model: RunModel): void {
  const oldest = model.kept[model.keptFrom++]
  if (oldest?.ended) dropTexts(model, oldest)
  if (model.keptFrom < QUEUE_SLACK) return
  model.kept.splice(0, model.keptFrom)
  model.keptFrom = 0
}

/** Lets go of the texts of one execution. */
export function dropTexts(model: RunModel, instance: Instance): void {
  const chars = charsOf(instance)
  if (chars === 0) return
  model.keptChars -= chars
  instance.startText = instance.endText = null
  instance.tokens = []
  instance.tokenChars = 0
  instance.dropped = true
  for (const row of instance.frames) {
    dropFrame(row)
    const shown = rowOf(model.frames, row.n)
    if (shown?.instanceId === instance.id) dropFrame(shown)
  }
}

function dropFrame(row: FrameRow): void {
  if (row.text === undefined && row.b64 === undefined) return
  row.text = row.b64 = undefined
  row.dropped = true
}

/** Puts back what events that were fetched again say of an execution and of frames. */
export function restoreTexts(model: RunModel, instance: Instance | undefined, events: readonly FetchedEvent[]): void {
  for (const { seq, payload, payloadText } of events) {
    if (instance && seq === instance.startSeq) instance.startText = payloadText
    if (instance && seq === instance.endSeq) instance.endText = payloadText
    const frame = payload.frame as Partial<FrameInfo> | undefined
    if (frame?.n === undefined) continue
    const rows = [rowOf(model.frames, frame.n), ...(instance?.frames.filter(({ n }) => n === frame.n) ?? [])]
    for (const row of rows) {
      if (!row) continue
      row.text ??= frame.text
      row.b64 ??= frame.b64
      row.dropped = false
    }
  }
  if (!instance) return
  instance.dropped = instance.startText === null && instance.startSeq >= 0
  model.changes.nodes.add(model.nodes.get(instance.nodeId) as NodeState)
  keepText(model, instance, charsOf(instance))
}

/** The characters that dropping it frees; a frame's text stands in the payload and beside it. */
export function charsOf({ startText, endText }: Instance): number {
  return (startText?.length ?? 0) + (endText?.length ?? 0)
}

/** The row of a frame by its number. */
export function rowOf(rows: readonly FrameRow[], n: number): FrameRow | undefined {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle] as FrameRow).n < n) low = middle + 1
    else high = middle
  }
  return rows[low]?.n === n ? rows[low] : undefined
}
