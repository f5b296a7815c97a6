// The command. The only file that reads process.argv and sets the exit code; it decides what is
// asked for and loads no more than that.
import { homedir } from 'node:os'
import { isSea } from 'node:sea'
import { version } from './built-in.ts'
import { parseCommandLine } from './command-line.ts'
import { LOAD, type World } from './commands.ts'
import { commandHelp, overview } from './help.ts'
import { print } from './print.ts'
import { printFault } from './print-fault.ts'

async function main(argv: readonly string[]): Promise<number> {
  const line = parseCommandLine(argv)
  if (line.switches.version) return print(`${version()}\n`)
  if (line.switches.help) return print(line.named ? commandHelp(line.command) : overview())
  const command = await LOAD[line.command]()
  // a reader that went away (`| head`) is no error of ours
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
  const code = await command(line, world())
  await written(process.stdout)
  return code
}

/** What was printed has left, or its reader has been stuck for a while. */
function written(stdout: NodeJS.WriteStream): Promise<void> | void {
  if (stdout.writableLength === 0 || stdout.destroyed) return
  return new Promise((resolve) => {
    setTimeout(resolve, 500)
    stdout.write('', () => resolve())
  })
}

function world(): World {
  const { env, stdin, stdout, stderr, execPath, argv } = process
  return {
    env, stdin, stdout, stderr, cwd: process.cwd(), home: homedir(), version: version(),
    self: { execPath, script: isSea() ? null : argv[1] ?? null },
  }
}

main(process.argv.slice(2)).then(
  // whatever is still open, a socket or a pipe, does not keep it
  (code) => process.exit(code),
  (error: unknown) => process.exit(printFault(error, process.stderr, process.env.GRAPHMIND_DEBUG === '1')),
)
