// The suite's runner: `node test/run.ts [--jobs <n>] [--timeout <seconds>] [words…]` runs the test
// files whose path has one of the words, each in its own process, and ends with
// `N passed, N failed` alone on a line. It must never take a file's silence for success.
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { runFile, stopAll } from './runner/run-file.ts'
import { findOversight, findTestFiles } from './runner/test-files.ts'
import { judge, type Verdict } from './runner/verdict.ts'

const testRoot = fileURLToPath(new URL('./', import.meta.url))
const root = fileURLToPath(new URL('../', import.meta.url))

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { jobs: { type: 'string', default: '2' }, timeout: { type: 'string', default: '120' } },
})
process.exitCode = await runSuite(positionals, Number(values.jobs), Number(values.timeout) * 1000)

async function runSuite(words: string[], jobs: number, timeoutMs: number): Promise<number> {
  const files = findTestFiles(testRoot, words)
  if (files.length === 0) {
    console.error(`no test file has ${words.join(' or ')} in its path`)
    return 1
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      stopAll()
      process.exit(130)
    })
  }
  const verdicts: Verdict[] = []
  const queue = [...files]
  const started = performance.now()
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, async () => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) verdicts.push(await runOne(file, timeoutMs))
  }))
  return report(verdicts, performance.now() - started)
}

async function runOne(file: string, timeoutMs: number): Promise<Verdict> {
  const path = `${testRoot}${file}`
  const started = performance.now()
  const ending = await runFile(path, { timeoutMs, cwd: root })
  let verdict = judge(ending)
  const oversight = findOversight(path)
  if (oversight) verdict = { ...verdict, failed: Math.max(1, verdict.failed), problem: verdict.problem ?? oversight }
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const skipped = verdict.skipped > 0 ? `, ${verdict.skipped} skipped` : ''
  console.log(`${verdict.failed > 0 ? 'FAIL' : 'ok  '} ${relative(root, path)}  ${verdict.passed} passed${skipped}  ${seconds} s`)
  if (verdict.failed > 0) {
    console.log(ending.output.trimEnd().replace(/^/gm, '     | '))
    if (verdict.problem) console.log(`     ${verdict.problem}`)
  }
  return verdict
}

function report(verdicts: Verdict[], ms: number): number {
  const sum = (pick: (verdict: Verdict) => number): number => verdicts.reduce((n, verdict) => n + pick(verdict), 0)
  const [passed, failed, skipped] = [sum((v) => v.passed), sum((v) => v.failed), sum((v) => v.skipped)]
  console.log(`\n${verdicts.length} files in ${(ms / 1000).toFixed(1)} s${skipped > 0 ? `, ${skipped} tests skipped` : ''}`)
  console.log(`${passed} passed, ${failed} failed`)
  return failed > 0 ? 1 : 0
}
