// The frames that went over the pipe, in the order of the wire, each once. One that was held is
// told of twice, when it came and when it went on; the elements of a batch share one.
import type { FrameInfo } from '../../src/wire/index.ts'
import type { At } from './nodes.ts'
import type { FrameRole, FrameRow, Instance, RunModel } from './run-model.ts'

/** Shared by all executions without frames. */
export const NO_FRAMES: FrameRow[] = []

export type FramePart = FrameInfo | { n: number; i: number }
export interface FrameOf { nodeId: string; instance: Instance | undefined; role: FrameRole }

/** Adds the frame that an event stands for, to its execution and to the run's table. */
export function addFrame(model: RunModel, frame: FramePart | undefined, { seq, ts }: At, { nodeId, instance, role }: FrameOf): void {
  if (!frame) return
  const whole = 'dir' in frame ? frame : undefined
  const row: FrameRow = {
    seq, ts, n: frame.n, i: frame.i, dir: whole?.dir, bytes: whole?.bytes, text: whole?.text, b64: whole?.b64,
    ours: whole?.by === 'graphmind', nodeId, instanceId: instance?.id, role, dropped: false,
  }
  insertRow(model.frames, row, false)
  if (!instance) return
  if (instance.frames === NO_FRAMES) instance.frames = []
  insertRow(instance.frames, { ...row }, true)
}

/** Inserts by number (within an execution: number and element). A known frame takes in what is new. */
function insertRow(rows: FrameRow[], row: FrameRow, byElement: boolean): void {
  let low = 0
  let high = rows.length
  const last = rows.at(-1)
  if (last && compare(last, row, byElement) < 0) low = high // the usual case
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(rows[middle] as FrameRow, row, byElement) < 0) low = middle + 1
    else high = middle
  }
  const known = rows[low]
  if (known && compare(known, row, byElement) === 0) merge(known, row)
  else rows.splice(low, 0, row)
}

function compare(a: FrameRow, b: FrameRow, byElement: boolean): number {
  return a.n - b.n || (byElement ? (a.i ?? 0) - (b.i ?? 0) : 0)
}

/** Whichever of the two came first, the result is the same. */
function merge(known: FrameRow, row: FrameRow): void {
  if (isMoreOf(row, known)) {
    known.nodeId = row.nodeId
    known.instanceId = row.instanceId
    known.role = row.role
    known.i = row.i
  }
  if (row.seq < known.seq) {
    known.seq = row.seq
    known.ts = row.ts
  }
  known.dir ??= row.dir
  known.bytes ??= row.bytes
  known.text ??= row.text
  known.b64 ??= row.b64
  known.ours ||= row.ours
}

const RANK: Record<FrameRole, number> = { end: 0, start: 1, other: 2 }

/** Does it say better what the frame is about? The first element of a batch, then what it begins or ends. */
function isMoreOf(a: FrameRow, b: FrameRow): boolean {
  return ((a.i ?? 0) - (b.i ?? 0) || RANK[a.role] - RANK[b.role] || a.seq - b.seq) < 0
}
