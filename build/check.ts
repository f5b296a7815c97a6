// `npm run check`: the type check of everything: src, build and test by one configuration, the
// viewer by its own.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from './paths.ts'

const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
for (const project of ['tsconfig.json', 'viewer/tsconfig.json']) {
  const { status } = spawnSync(process.execPath, [tsc, '--noEmit', '-p', join(ROOT, project)], { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
  else console.log(`types are right: ${project}`)
}
