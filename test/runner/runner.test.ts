// The runner must not take silence for success. Each case is a real test file, run for real.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ROOT, tempDir } from '../kit/index.ts'
import { runFile } from './run-file.ts'
import { oversightIn } from './test-files.ts'
import { judge, type Verdict } from './verdict.ts'

const UVU = import.meta.resolve('uvu')

async function verdictOn(body: string, timeoutMs = 20_000): Promise<Verdict> {
  const path = join(tempDir(), 'case.test.mjs')
  writeFileSync(path, `import { test } from ${JSON.stringify(UVU)}\n${body}\n`)
  return judge(await runFile(path, { timeoutMs, cwd: ROOT }))
}

test('a file whose tests pass is a success', async () => {
  assert.equal(await verdictOn(`test('a', () => {}); test('b', () => {}); test.run()`),
    { passed: 2, failed: 0, skipped: 0, problem: null })
})

test('a failed test is counted as one', async () => {
  assert.equal(await verdictOn(`test('a', () => {}); test('b', () => { throw new Error('no') }); test.run()`),
    { passed: 1, failed: 1, skipped: 0, problem: null })
})

test('a file that forgot to run its tests fails', async () => {
  const verdict = await verdictOn(`test('a', () => {})`)
  assert.is(verdict.failed, 1)
  assert.match(verdict.problem ?? '', 'test.run()')
})

test('an error thrown in a before hook fails the file', async () => {
  const verdict = await verdictOn(`test.before(() => { throw new Error('no') }); test('a', () => {}); test('b', () => {}); test.run()`)
  assert.is(verdict.failed, 2)
  assert.match(verdict.problem ?? '', 'never ran')
})

test('an error after the last test fails the file', async () => {
  const verdict = await verdictOn(`test('a', () => { setTimeout(() => { throw new Error('late') }, 50) }); test.run()`)
  assert.is(verdict.failed, 1)
  assert.match(verdict.problem ?? '', 'exited with 1')
})

test('a file that never ends is stopped and fails', async () => {
  const verdict = await verdictOn(`test('a', () => new Promise(() => { setInterval(() => {}, 1000) })); test.run()`, 1500)
  assert.is(verdict.failed, 1)
  assert.match(verdict.problem ?? '', 'did not end within 1500 ms')
})

test('a file that leaves something open after its tests is stopped and fails', async () => {
  const verdict = await verdictOn(`test('a', () => { setInterval(() => {}, 1000) }); test.run()`)
  assert.is(verdict.failed, 1)
  assert.match(verdict.problem ?? '', 'its tests were over')
})

test('a file that is killed fails', async () => {
  const verdict = await verdictOn(`test('a', () => { process.kill(process.pid, 'SIGKILL') }); test.run()`)
  assert.is(verdict.failed, 1)
  assert.match(verdict.problem ?? '', 'SIGKILL')
})

test('a suite that is never run, or a test left on only, is seen in the text', () => {
  assert.match(oversightIn(`const gates = suite('gates')\ngates('a', f)\n`) ?? '', 'gates.run()')
  assert.match(oversightIn(`test.only('a', f)\ntest('b', f)\ntest.run()\n`) ?? '', 'test.only')
  assert.is(oversightIn(`test('a', f)\ntest.run()\n`), null)
})

test.run()
