// The command. The only file that reads process.argv and sets the exit code; it decides what is
// asked for and loads no more than that.
import { homedir } from 'node:os'
import { isSea } from 'node:sea'
import { version } from './built-in.ts'
import { parseCommandLine } from './command-line.ts'
import { LOAD, type World } from './commands.ts'
import { commandHelp, overview } from './help.ts'
import { printFault } from './print-fault.ts'

async function main(argv: readonly string[]): Promise<number> {
  const line = parseCommandLine(argv)
  if (line.switches.version) return print(`${version()}\n`)
  if (line.switches.help) return print(line.named ? commandHelp(line.command) : overview())
  const command = await LOAD[line.command]()
  return command(line, world())
}

function world(): World {
  const { env, stdin, stdout, stderr, execPath, argv } = process
  return {
    env, stdin, stdout, stderr, cwd: process.cwd(), home: homedir(), version: version(),
    self: { execPath, script: isSea() ? null : argv[1] ?? null },
  }
}

function print(text: string): number {
  process.stdout.write(text)
  return 0
}

// A reader that went away (`| head`) is no error of ours.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

main(process.argv.slice(2)).then(
  (code) => end(code),
  (error: unknown) => end(printFault(error, process.stderr, process.env.GRAPHMIND_DEBUG === '1')),
)

/** Ends even where a socket or a pipe is still open, once what was printed has left; a reader that is stuck delays it by little. */
function end(code: number): void {
  process.exitCode = code
  setTimeout(() => process.exit(), 500)
  process.stdout.write('', () => process.exit())
}
