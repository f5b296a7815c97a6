// The server's stderr as lines. It comes in pieces that end anywhere; a line begins when its first
// character came.
import { insertBySeq } from './by-seq.ts'
import type { LogLine, RunModel } from './run-model.ts'

const MOST_LINES = 20_000
/** Let go of at once, so that a line costs about nothing. */
const SLACK = 2_000

/** Adds a piece. One that comes late makes the lines anew. */
export function addLog(model: RunModel, seq: number, ts: number, text: string): void {
  const { log, logChunks } = model
  const late = (logChunks.at(-1)?.seq ?? -1) > seq
  const before = logChunks.at(-1)
  insertBySeq(logChunks, { seq, ts, text })
  if (late) {
    log.length = 0
    logChunks.forEach((chunk, i) => append(log, chunk, logChunks[i - 1]))
  } else append(log, { seq, ts, text }, before)
  trim(model)
}

function append(lines: LogLine[], { seq, ts, text }: LogLine, before: LogLine | undefined): void {
  const parts = text.split('\n')
  const goesOn = before !== undefined && !before.text.endsWith('\n')
  const last = lines.at(-1)
  parts.forEach((part, i) => {
    if (i === 0 && goesOn && last) lines[lines.length - 1] = { ...last, text: last.text + clean(part) }
    else if (i < parts.length - 1 || part !== '') lines.push({ seq, ts, text: clean(part) })
  })
}

function clean(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

function trim({ log, logChunks }: RunModel): void {
  if (log.length <= MOST_LINES + SLACK) return
  log.splice(0, log.length - MOST_LINES)
  const oldest = log[0]?.seq ?? 0
  let chunks = 0
  while ((logChunks[chunks]?.seq ?? Infinity) < oldest) chunks++
  logChunks.splice(0, chunks)
}
