// The law of the rooms: who may import whom, read from the imports themselves.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ROOT } from './kit/index.ts'

/** Room -> the rooms it may import, through their index.ts alone. */
const LAW: Record<string, readonly string[]> = {
  wire: [],
  client: ['wire'],
  store: ['wire'],
  server: ['wire', 'store'],
  proxy: ['wire', 'client'],
  cli: ['wire', 'client', 'store', 'server', 'proxy'],
}
/** Only the cli reads these of `process`; the client reads the environment in one place (its switches are a library's). */
const PROCESS_WORDS = /\bprocess\.(argv|exitCode|exit\(|chdir)/

interface Import { from: string; to: string; line: string }

const sources = list('src').concat(list('viewer'))

test('a room imports only the rooms below it, and only through their front door', () => {
  const breaches = sources.filter((file) => file.startsWith('src/')).flatMap(importsOf).flatMap(({ from, to, line }) => {
    const [own, other] = [roomOf(from), roomOf(to)]
    if (own === other && own !== null) return []
    if (own === null) return other === 'wire' && from === 'src/index.ts' ? [] : [`${from}: ${line}`]
    const allowed = other !== null && LAW[own]?.includes(other) && to === `src/${other}/index.ts`
    return allowed ? [] : [`${from}: ${line}`]
  })
  assert.equal(breaches, [])
})

test('the viewer imports nothing of src but the wire', () => {
  const breaches = sources.filter((file) => file.startsWith('viewer/')).flatMap(importsOf)
    .filter(({ to }) => !to.startsWith('viewer/') && to !== 'src/wire/index.ts')
  assert.equal(breaches.map(({ from, line }) => `${from}: ${line}`), [])
})

test('no file is part of an import cycle', () => {
  const graph = new Map(sources.map((file) => [file, importsOf(file).filter(({ line }) => !/^\s*(import|export) type\b/.test(line)).map(({ to }) => to)]))
  const done = new Set<string>()
  for (const file of graph.keys()) assert.is(findCycle(file, [], graph, done), null)
})

test('the wire is pure: it imports nothing but itself', () => {
  const packages = list('src/wire').flatMap((file) => specifiers(file).filter(({ text }) => !text.startsWith('.')).map(({ text }) => `${file}: ${text}`))
  assert.equal(packages, [])
})

test('only the cli reads argv, changes the working directory or ends the process', () => {
  const breaches = sources.filter((file) => /^src\/(?!cli\/)/.test(file)).filter((file) => PROCESS_WORDS.test(withoutComments(file)))
  assert.equal(breaches, [])
})

test('a room exists for each line of the law, and each room has a line', () => {
  const rooms = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  assert.equal(rooms.sort(), Object.keys(LAW).sort())
})

function list(folder: string): string[] {
  const path = join(ROOT, folder)
  if (!existsSync(path)) return []
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/[\\/](dist|node_modules)([\\/]|$)/.test(entry.parentPath))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))
}

function withoutComments(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8').replace(/^\s*(\/\/|\*|\/\*).*$/gm, '')
}

/** Every specifier: static, re-export and dynamic. */
function specifiers(file: string): { text: string; line: string }[] {
  const code = withoutComments(file)
  const found = code.matchAll(/^\s*(?:import|export)\b[^'"`;]*?from\s*'([^']+)'|^\s*import\s*'([^']+)'|\bimport\(\s*'([^']+)'/gm)
  return [...found].map((match) => ({ text: match[1] ?? match[2] ?? match[3] ?? '', line: match[0].trim().replace(/\s+/g, ' ') }))
}

function importsOf(file: string): Import[] {
  return specifiers(file).filter(({ text }) => text.startsWith('.')).map(({ text, line }) => {
    const target = relative(ROOT, resolve(ROOT, dirname(file), text.replace(/\?.*$/, ''))).split(sep).join('/')
    return { from: file, to: resolveFile(target), line }
  })
}

function resolveFile(target: string): string {
  const path = [target, `${target}.ts`, `${target}.tsx`, `${target}/index.ts`].find((each) => /\.\w+$/.test(each) && existsSync(join(ROOT, each)))
  return path ?? target
}

function roomOf(file: string): string | null {
  return /^src\/([^/]+)\//.exec(file)?.[1] ?? null
}

function findCycle(file: string, path: string[], graph: Map<string, string[]>, done: Set<string>): string | null {
  if (path.includes(file)) return [...path.slice(path.indexOf(file)), file].join(' -> ')
  if (done.has(file)) return null
  for (const next of graph.get(file) ?? []) {
    const cycle = findCycle(next, [...path, file], graph, done)
    if (cycle) return cycle
  }
  done.add(file)
  return null
}

test.run()
