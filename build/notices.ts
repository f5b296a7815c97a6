// dist/THIRD-PARTY-NOTICES.txt: the licence of every package whose code is in what we ship. The
// bundler says which went into the scripts; for the viewer's page it is what its sources import, and
// what those packages need in turn.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Metafile } from 'esbuild'
import { ROOT } from './paths.ts'

interface Package { name: string; version: string; license?: string; dependencies?: Record<string, string> }

export function writeNotices(dist: string, metafiles: readonly Metafile[]): void {
  const folders = new Set([...metafiles.flatMap(packagesOf), ...viewerPackages()])
  const parts = [...folders].map(notice).sort()
  const head = 'graphmind-ai is MIT licensed (see LICENSE). It contains code of the packages below.\n'
  writeFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), [head, ...parts].join(`\n${'-'.repeat(80)}\n\n`))
}

/** Folders of the packages that a bundle took code from. */
function packagesOf({ inputs }: Metafile): string[] {
  return Object.keys(inputs).flatMap((path) => {
    const match = /^((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)
    return match?.[1] ? [join(ROOT, match[1])] : []
  })
}

function viewerPackages(): string[] {
  const found = new Set<string>()
  const sources = readdirSync(join(ROOT, 'viewer'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && entry.name !== 'vite.config.ts' && !/[\\/](dist|node_modules)/.test(entry.parentPath))
  for (const entry of sources) {
    const code = readFileSync(join(entry.parentPath, entry.name), 'utf8')
    for (const match of code.matchAll(/(?:from|import)\s*\(?\s*'((?:@[\w-]+\/)?[\w-]+)[^']*'/g)) add(match[1] ?? '', ROOT, found)
  }
  return [...found]
}

/** Adds the package and what it depends on, found the way Node finds them. */
function add(name: string, from: string, found: Set<string>): void {
  const folder = findPackage(name, from)
  if (folder === null || found.has(folder)) return
  const { dependencies = {} } = read(folder)
  if (name.startsWith('@types/')) return
  found.add(folder)
  for (const next of Object.keys(dependencies)) add(next, folder, found)
}

function findPackage(name: string, from: string): string | null {
  for (let folder = from; folder.length >= ROOT.length - 1; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name)
    if (existsSync(join(path, 'package.json'))) return path
  }
  return null // one of Node's own modules
}

function notice(folder: string): string {
  const { name, version, license } = read(folder)
  const file = readdirSync(folder).find((each) => /^(licen[cs]e|copying)(\.|-|$)/i.test(each))
  const text = file ? readFileSync(join(folder, file), 'utf8').replace(/\r\n/g, '\n').trim() : `Licence: ${license ?? 'not stated'}`
  return `${name} ${version} (${license ?? 'licence below'})\n\n${text}\n`
}

function read(folder: string): Package {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package
}
