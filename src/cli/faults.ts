// Every mistake on the command line or in the environment, worded once. Exit code 2. Also
// recognises the faults of the other rooms, which have the same shape.
import { nearest } from './nearest.ts'
import { COMMANDS, FLAGS, spellings, type CommandName, type Flag } from './flags.ts'

/** What is printed of an error: `code` is stable, `GM_…`. */
export interface PrintableFault { code: string; message: string; hint: string; exitCode: number }

/** A mistake in how graphmind was called. */
export class UsageFault extends Error implements PrintableFault {
  readonly code: string
  readonly hint: string
  readonly exitCode = 2
  constructor(code: string, message: string, hint = '') {
    super(message)
    this.name = 'UsageFault'
    this.code = code
    this.hint = hint
  }
}

/** Is it a fault of any room, made for a person to read? */
export function isFault(error: unknown): error is PrintableFault & Error {
  return error instanceof Error && 'exitCode' in error && 'code' in error && String(error.code).startsWith('GM_')
}

export function unknownCommand(word: string): UsageFault {
  const guess = nearest(word, [...COMMANDS, '--help', '--version'])
  return new UsageFault('GM_UNKNOWN_COMMAND', `unknown command "${word}"`,
    guess ? didYouMean(guess) : `The commands are ${COMMANDS.join(' and ')}; see graphmind --help.`)
}

export function unknownFlag(spelling: string, command: CommandName): UsageFault {
  const owner = FLAGS.find((flag) => `--${flag.name}` === spelling && flag.commands !== 'all')
  if (owner && owner.commands !== 'all') {
    return new UsageFault('GM_UNKNOWN_FLAG', `${command} takes no ${spelling}`, `It is a flag of ${owner.commands.join(' and ')}.`)
  }
  const valid = spellings(command)
  const guess = nearest(spelling, valid) ?? (spelling.startsWith('--no-') ? nearest(spelling.replace('--no-', '--'), valid) : null)
  return new UsageFault('GM_UNKNOWN_FLAG', `unknown flag ${spelling}`,
    guess ? didYouMean(guess) : `See graphmind ${command} --help.`)
}

export function missingValue(flag: Flag): UsageFault {
  return new UsageFault('GM_MISSING_VALUE', `--${flag.name} needs a value`, `Write --${flag.name} <${flag.value}>.`)
}

export function unwantedValue(flag: Flag, value: string): UsageFault {
  return new UsageFault('GM_BAD_VALUE', `--${flag.name} takes no value, not even "${value}"`, `Write --${flag.name}${flag.negatable ? ` or --no-${flag.name}` : ''}.`)
}

export function unwantedWord(word: string, command: CommandName): UsageFault {
  return new UsageFault('GM_UNEXPECTED_ARGUMENT', `${command} takes no argument "${word}"`, `See graphmind ${command} --help.`)
}

/** `where` is the flag or the variable, as it is spelt. */
export function badValue(where: string, value: string, wanted: string, choices: readonly string[] = []): UsageFault {
  const guess = nearest(value, choices)
  return new UsageFault('GM_BAD_VALUE', `${where} is "${value}", which is not ${wanted}`, guess ? didYouMean(guess) : '')
}

function didYouMean(guess: string): string {
  return `Did you mean ${guess}?`
}
