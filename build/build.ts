// `npm run build`: everything that is published, into dist/. Twice the same commit gives twice the
// same bytes. It writes next to nothing elsewhere: viewer/dist is the viewer's own.
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DIST, manifest } from './paths.ts'
import { buildLibrary } from './library.ts'
import { writeNotices } from './notices.ts'
import { buildScript } from './script.ts'
import { writeStamp } from './stamp.ts'
import { buildViewer, packPage } from './viewer.ts'

export async function buildAll(): Promise<void> {
  const started = performance.now()
  rmSync(DIST, { recursive: true, force: true })
  mkdirSync(DIST, { recursive: true })
  const page = packPage(await buildViewer())
  const metafiles = await Promise.all([buildScript(page, manifest()), buildLibrary()])
  writeNotices(metafiles.flat())
  writeStamp()
  console.log(`built in ${((performance.now() - started) / 1000).toFixed(1)} s:`)
  for (const name of readdirSync(DIST).filter((each) => !each.startsWith('.') && each !== 'types')) {
    console.log(`  dist/${name.padEnd(28)}${(statSync(join(DIST, name)).size / 1024).toFixed(0).padStart(6)} KiB`)
  }
}

if (import.meta.main) await buildAll()
