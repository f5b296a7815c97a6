// Lets the client see that the server closed its stdout although it lives on. Ending the stream is
// enough for a socket; a FIFO only ends when its descriptor is closed, and the number is then taken
// by the null device, so that nothing opened later can ever be written to by mistake.
import { closeSync, fstatSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import type { Writable } from 'node:stream'

/** Call when everything on it was taken. */
export function closeOutput(stdout: Writable): void {
  stdout.end()
  const { fd } = stdout as { fd?: unknown }
  if (typeof fd !== 'number' || process.platform === 'win32') return
  try {
    if (!fstatSync(fd).isFIFO()) return
    closeSync(fd)
    openSync(devNull, 'r+') // takes the lowest free number, which is this one
  } catch {
    // it is closed already
  }
}
