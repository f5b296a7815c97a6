// GRAPHMIND_VIEWER_DIST: another build of the viewer, for those who work on it.
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { badValue } from './faults.ts'

/** The folder, absolute; null when the variable is not set. Throws UsageFault when there is no such folder. */
export function viewerDist(text: string | undefined, cwd: string): string | null {
  if (!text) return null
  const path = resolve(cwd, text)
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw badValue('GRAPHMIND_VIEWER_DIST', text, 'a folder')
  return path
}
