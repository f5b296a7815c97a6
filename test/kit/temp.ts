// Temporary folders, removed when the test process ends, whatever the end.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const made: string[] = []

/** A fresh empty folder. */
export function tempDir(name = 'graphmind-test'): string {
  if (made.length === 0) process.once('exit', removeAll)
  const path = realpathSync(mkdtempSync(join(tmpdir(), `${name}-`)))
  made.push(path)
  return path
}

function removeAll(): void {
  for (const path of made) {
    try {
      rmSync(path, { recursive: true, force: true, maxRetries: 3 })
    } catch {
      // a process that is being killed may still write there; the system cleans its own temp folder
    }
  }
}
