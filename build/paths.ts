// Where things lie in the checkout. Everything that is built goes to dist/ and viewer/dist/.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../', import.meta.url))
export const DIST = join(ROOT, 'dist')

/** The part of package.json that the build reads. */
export interface Manifest {
  name: string
  version: string
  engines: { node: string }
  devDependencies: Record<string, string>
}

export function manifest(): Manifest {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest
}
