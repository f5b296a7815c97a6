// `npm run build:sea`: the script inside a copy of the Node that runs this, as dist/graphmind: one
// file that needs no Node. Made for this platform only.
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'postject'
import { buildAll } from './build.ts'
import { DIST, ROOT, manifest } from './paths.ts'
import { isFresh } from './stamp.ts'

const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2' // Node's own marker, in its documentation
const NAME = process.platform === 'win32' ? 'graphmind.exe' : 'graphmind'

/** Makes the binary; gives its path. */
export async function buildSea(): Promise<string> {
  const wanted = manifest().devDependencies.node
  if (process.versions.node !== wanted) throw new Error(`this is Node ${process.versions.node}; the binary is made of Node ${wanted}: use npm run build:sea`)
  if (!isFresh()) await buildAll()
  const blob = makeBlob()
  const target = join(DIST, NAME)
  const fresh = `${target}.new`
  copyFileSync(process.execPath, fresh)
  chmodSync(fresh, 0o755)
  sign('remove', fresh)
  await withoutChatter(() => inject(fresh, 'NODE_SEA_BLOB', blob, {
    sentinelFuse: FUSE, ...(process.platform === 'darwin' && { machoSegmentName: 'NODE_SEA' }),
  }))
  sign('ad-hoc', fresh)
  renameSync(fresh, target) // one step: whoever starts it gets the old one or the new one
  return target
}

/** The script with its code cache. The seed makes the cache, and so the binary, repeatable. */
export function makeBlob(): Buffer {
  execFileSync(process.execPath, ['--random-seed=1', '--experimental-sea-config', 'sea-config.json'], { cwd: ROOT, stdio: 'pipe' })
  const path = join(DIST, 'graphmind.blob')
  const blob = readFileSync(path)
  rmSync(path)
  return blob
}

/** postject warns of each note section of Node's own binary, which is as it should be. */
async function withoutChatter(work: () => Promise<void>): Promise<void> {
  const { write } = process.stderr
  process.stderr.write = ((...args: Parameters<typeof write>) =>
    String(args[0]).startsWith("warning: Can't find string offset") || write.apply(process.stderr, args)) as typeof write
  await work().finally(() => { process.stderr.write = write })
}

/** macOS runs no binary whose signature is broken: Node's goes, an ad-hoc one comes. */
function sign(step: 'remove' | 'ad-hoc', path: string): void {
  if (process.platform !== 'darwin') return
  execFileSync('codesign', step === 'remove' ? ['--remove-signature', path] : ['--sign', '-', path])
}

if (import.meta.main) {
  const path = await buildSea()
  console.log(`${path}: ${(statSync(path).size / 1024 / 1024).toFixed(0)} MiB`)
}
