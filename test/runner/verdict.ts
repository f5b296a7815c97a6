// Reads what a uvu test file printed and how it ended, and says whether that was a success.
// uvu 0.5.6 exits 0 when a hook throws, and when `run()` was forgotten: so the exit code alone is
// never believed, and the figures must add up. Pure.
import { stripVTControlCharacters } from 'node:util'

export interface Ending {
  code: number | null
  signal: NodeJS.Signals | null
  output: string
  /** The runner stopped it, because it took longer than this many ms. */
  stoppedAfterMs?: number
  /** All its tests were over, but it went on for this many ms and was stopped. */
  lingeredMs?: number
}

export interface Verdict {
  passed: number
  failed: number
  skipped: number
  /** Why the file failed, where that is more than its failed tests. */
  problem: string | null
}

/** A file that failed counts at least one failed test. */
export function judge({ code, signal, output, stoppedAfterMs, lingeredMs }: Ending): Verdict {
  const figures = readFigures(output)
  const problem = findProblem()
  const { total = 0, passed = 0, skipped = 0 } = figures ?? {}
  const failed = Math.max(total - passed, problem === null ? 0 : 1)
  return { passed, failed, skipped, problem }

  function findProblem(): string | null {
    if (stoppedAfterMs !== undefined) return `it did not end within ${stoppedAfterMs} ms and was stopped`
    if (lingeredMs !== undefined) return `its tests were over, but ${lingeredMs} ms later it had not ended: something was left open or running`
    if (signal) return `it was ended by ${signal}`
    if (!figures) return code === 0 ? 'it ran no tests: is `test.run()` missing?' : `it exited with ${code} before its tests were counted`
    if (figures.total === 0 && figures.skipped === 0) return 'it has no tests: is `test.run()` missing?'
    if (code === 0 && figures.passed < figures.total) return `${figures.total - figures.passed} of ${figures.total} tests never ran: a hook threw`
    if (code !== 0 && figures.passed === figures.total) return `all its tests passed, but it exited with ${code}`
    return null
  }
}

function readFigures(output: string): { total: number; passed: number; skipped: number } | null {
  const plain = stripVTControlCharacters(output)
  const match = [...plain.matchAll(/^ {2}Total: +(\d+)\r?\n {2}Passed: +(\d+)\r?\n {2}Skipped: +(\d+)/gm)].at(-1)
  return match ? { total: Number(match[1]), passed: Number(match[2]), skipped: Number(match[3]) } : null
}
