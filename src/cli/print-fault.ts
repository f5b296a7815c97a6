// The one place that words an error for the person at the terminal: what went wrong and what to do,
// on one line of stderr. A stack only where GRAPHMIND_DEBUG=1 asks for it.
import { isFault } from './faults.ts'

/** Prints it; gives the exit code. */
export function printFault(error: unknown, stderr: { write(text: string): unknown }, debug: boolean): number {
  if (isFault(error)) {
    stderr.write(`graphmind: ${sentence(error.message)}${error.hint ? ` ${error.hint}` : ''}\n`)
    if (debug) stderr.write(`${error.code} ${error.stack ?? ''}\n`)
    return error.exitCode
  }
  const message = error instanceof Error ? error.message : String(error)
  stderr.write(`graphmind: ${sentence(`unexpected error: ${message}`)} Run it with GRAPHMIND_DEBUG=1 for the details.\n`)
  if (debug) stderr.write(`${error instanceof Error ? error.stack ?? '' : ''}\n`)
  return 1
}

function sentence(text: string): string {
  const line = text.replace(/\s*\n\s*/g, ' ')
  return /[.!?…]$/.test(line) ? line : `${line}.`
}
