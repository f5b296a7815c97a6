// Takes argv apart: which command, which of its flags, and what is not ours at all. Pure. Nothing
// after the first `--` is looked at; and since some shells eat that `--`, the first word after
// `mcp-proxy` that is no flag starts the command to run just the same.
import mri from 'mri'
import { COMMANDS, FLAGS, takes, type CommandName, type Flag } from './flags.ts'
import { missingValue, unknownCommand, unknownFlag, unwantedValue, unwantedWord } from './faults.ts'

export interface CommandLine {
  command: CommandName
  /** The command was written, not the default. */
  named: boolean
  /** Values of flags that take one, as written; the last one counts. */
  values: Readonly<Record<string, string>>
  /** Flags without value: present and on, or (`--no-…`) off. */
  switches: Readonly<Record<string, boolean>>
  /** The command to run and its arguments, untouched (mcp-proxy). */
  rest: readonly string[]
}

/** Takes the arguments after `graphmind`. Throws UsageFault. */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const { words, flags, rest } = cut(argv)
  const word = words[0]
  const command = word === undefined ? 'serve' : COMMANDS.find((name) => name === word)
  const stranger = flags.find(({ spelling }) => !find(spelling)) // its value, left alone, would look like a command
  if (stranger) throw unknownFlag(stranger.spelling, command ?? 'serve')
  if (!command) throw unknownCommand(word ?? '')
  const checked = flags.map(({ spelling, value }) => check(spelling, value, command))
  if (words[1] !== undefined) throw unwantedWord(words[1], command)
  if (command !== 'mcp-proxy' && rest[0] !== undefined) throw unwantedWord(rest[0], command)
  return { command, named: word !== undefined, ...read(checked), rest }
}

interface Written { spelling: string; value?: string }

/** Words, flags with what belongs to them, and the rest. */
function cut(argv: readonly string[]): { words: string[]; flags: Written[]; rest: string[] } {
  const words: string[] = []
  const flags: Written[] = []
  for (let i = 0; i < argv.length; i++) {
    const arg = argv[i] ?? ''
    if (arg === '--') return { words, flags, rest: argv.slice(i + 1) }
    if (!arg.startsWith('-') || arg === '-') {
      if (words[0] === 'mcp-proxy') return { words, flags, rest: argv.slice(i) }
      words.push(arg)
      continue
    }
    const equals = arg.indexOf('=')
    const spelling = equals < 0 ? arg : arg.slice(0, equals)
    const written: Written = { spelling }
    const next = argv[i + 1]
    if (equals >= 0) written.value = arg.slice(equals + 1)
    else if (find(spelling)?.value !== undefined && next !== undefined && !next.startsWith('-')) {
      written.value = next
      i++
    }
    flags.push(written)
  }
  return { words, flags, rest: [] }
}

function find(spelling: string): Flag | undefined {
  return FLAGS.find((flag) => spelling === `--${flag.name}` || spelling === `-${flag.short}` || (flag.negatable && spelling === `--no-${flag.name}`))
}

/** The flag in one word, as mri reads it. */
function check(spelling: string, value: string | undefined, command: CommandName): string {
  const flag = find(spelling)
  if (!flag || !takes(command, flag)) throw unknownFlag(spelling, command)
  if (flag.value === undefined && value !== undefined) throw unwantedValue(flag, value)
  if (flag.value !== undefined && (value === undefined || value === '')) throw missingValue(flag)
  return value === undefined ? spelling : `${spelling}=${value}`
}

/** mri gives what occurs twice as a list: the last one counts. */
function read(flags: string[]): Pick<CommandLine, 'values' | 'switches'> {
  const parsed = mri<Record<string, unknown>>(flags, {
    string: FLAGS.filter((flag) => flag.value !== undefined).map((flag) => flag.name),
    boolean: FLAGS.filter((flag) => flag.value === undefined).map((flag) => flag.name),
    alias: Object.fromEntries(FLAGS.flatMap((flag) => flag.short ? [[flag.name, flag.short]] : [])),
  })
  const values: Record<string, string> = {}
  const switches: Record<string, boolean> = {}
  for (const { name, value } of FLAGS) {
    const all: unknown = parsed[name]
    const last: unknown = Array.isArray(all) ? all.at(-1) : all
    if (last === undefined) continue
    if (value === undefined) switches[name] = last === true
    else values[name] = name === 'hide' && Array.isArray(all) ? all.join(',') : String(last)
  }
  return { values, switches }
}
