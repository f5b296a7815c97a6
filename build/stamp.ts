// Is what lies in dist/ still what the sources say? A hash over every source that the build reads,
// kept beside its output, so that `npm run demo` and the tests build only when they must.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { DIST, ROOT } from './paths.ts'

const NAME = '.built-from'
const SOURCES = ['src', 'viewer', 'build', 'package.json', 'package-lock.json', 'tsconfig.json', 'sea-config.json']

/** To be called at the end of a build. */
export function writeStamp(dist: string): void {
  writeFileSync(join(dist, NAME), sourceHash())
}

/** Whether a build of the sources as they are is there. */
export function isFresh(): boolean {
  const stamp = join(DIST, NAME)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceHash()
}

function sourceHash(): string {
  const hash = createHash('sha256')
  for (const path of SOURCES.flatMap(filesOf).sort()) hash.update(`${relative(ROOT, path)}\0`).update(readFileSync(path)).update('\0')
  return hash.digest('hex')
}

function filesOf(name: string): string[] {
  const path = join(ROOT, name)
  if (!existsSync(path)) return []
  if (/\.json$/.test(name)) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/[\\/](dist|node_modules)([\\/]|$)/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name))
}
