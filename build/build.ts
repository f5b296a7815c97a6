// `npm run build`: everything that is published, into dist/. Twice the same commit gives twice the
// same bytes. It writes next to nothing elsewhere: viewer/dist is the viewer's own.
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DIST, ROOT, manifest } from './paths.ts'
import { buildLibrary } from './library.ts'
import { writeNotices } from './notices.ts'
import { buildScript } from './script.ts'
import { writeStamp } from './stamp.ts'
import { buildViewer, packPage } from './viewer.ts'

/** Into another folder than dist/, where a test wants to compare. */
export async function buildAll(dist = DIST, viewerDist = join(ROOT, 'viewer/dist')): Promise<void> {
  const started = performance.now()
  rmSync(dist, { recursive: true, force: true })
  mkdirSync(dist, { recursive: true })
  const page = packPage(await buildViewer(viewerDist))
  const metafiles = await Promise.all([buildScript(dist, page, manifest()), buildLibrary(dist)])
  writeNotices(dist, metafiles.flat())
  writeStamp(dist)
  console.log(`built in ${((performance.now() - started) / 1000).toFixed(1)} s:`)
  for (const name of readdirSync(dist).filter((each) => !each.startsWith('.') && each !== 'types')) {
    console.log(`  dist/${name.padEnd(28)}${(statSync(join(dist, name)).size / 1024).toFixed(0).padStart(6)} KiB`)
  }
}

if (import.meta.main) await buildAll()
