// Prints a text and is done: past `process.stdout`, whose making costs more than all else that
// `--version` does.
import { writeSync } from 'node:fs'

/** Writes the text to stdout; gives exit code 0. */
export function print(text: string): number {
  try {
    writeSync(1, text)
  } catch {
    process.stdout.write(text) // a pipe that was full, or closed: the stream knows what to do
  }
  return 0
}
