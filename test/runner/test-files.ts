// Finds the test files, and reads from their text what uvu would pass over in silence.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** All `*.test.ts` under `root`, as paths relative to it, whose path has one of the words (no words: all). */
export function findTestFiles(root: string, words: readonly string[]): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => words.length === 0 || words.some((word) => path.includes(word.replace(/^(\.\/)?test\//, ''))))
    .sort()
}

/** Null, or why the file's text cannot be trusted: a suite that never runs, a test left on `only`. */
export function findOversight(path: string): string | null {
  return oversightIn(readFileSync(path, 'utf8'))
}

/** The pure part of `findOversight`. */
export function oversightIn(source: string): string | null {
  const suites = [...source.matchAll(/^\s*(?:export )?const (\w+) = suite\b/gm)].map((match) => match[1])
  for (const name of [...suites, 'test']) {
    const used = name !== 'test' || /^test\(/m.test(source)
    if (used && !new RegExp(`^\\s*${name}\\.run\\(\\)`, 'm').test(source)) return `\`${name}.run()\` is missing, so its tests never run`
    if (new RegExp(`^\\s*${name}\\.only\\(`, 'm').test(source)) return `\`${name}.only\` was left in, so its other tests never run`
  }
  return null
}
