// Does a tool's structured result keep to the schema that the server announced for it? The
// validator uses no eval. It only looks at schemas and results of a size worth checking live.
import { Validator, type OutputUnit, type Schema } from '@cfworker/json-schema'
import type { Frame } from '../../frame.ts'
import { rawOf, type Message } from '../frame-reader.ts'
import type { Instance } from '../place.ts'
import { quoted, type Finding } from './finding.ts'

const MOST_BYTES = 512 * 1024
const DRAFT_7 = 'http://json-schema.org/draft-07/schema'

export class OutputSchemas {
  readonly #validators = new Map<string, Validator>()

  /** What a tools/list says of a tool. */
  announce(tool: string, schema: unknown): void {
    const validator = typeof schema === 'object' && schema !== null ? compile(schema) : null
    if (validator === null) this.#validators.delete(tool)
    else this.#validators.set(tool, validator)
  }

  /** Null: they agree, or nothing was announced. `quotes`: may values of the result be told? */
  check(tool: string, { n }: Frame, message: Message, instance: Instance, quotes: boolean): Finding | null {
    const validator = this.#validators.get(tool)
    if (validator === undefined) return null
    const found = (text: string): Finding => ({ code: 'output-schema-mismatch', level: 'error', message: `The tool ${quoted(tool)} announces an outputSchema, ${text}`, frames: [n], instance })
    const structured = rawOf(message, message.result, 'structuredContent')
    if (structured === undefined) return found('but its result has no structuredContent.')
    if (structured.length > MOST_BYTES) return null
    const fault = firstFault(validator, structured)
    return fault === null ? null : found(`but its structuredContent disagrees at ${fault.at}${quotes ? `: ${fault.error}` : '.'}`)
  }
}

function compile(schema: Schema): Validator | null {
  try {
    const dialect = typeof schema.$schema === 'string' && schema.$schema.startsWith(DRAFT_7) ? '7' : '2020-12'
    return new Validator(schema, dialect, false)
  } catch {
    return null // no schema: nothing to compare with
  }
}

function firstFault(validator: Validator, json: string): { at: string; error: string } | null {
  try {
    const { valid, errors } = validator.validate(JSON.parse(json))
    return valid ? null : describe(errors)
  } catch {
    return null // a schema that cannot be followed (a remote $ref) proves nothing about the result
  }
}

/** The deepest fault says most. */
function describe(errors: OutputUnit[]): { at: string; error: string } {
  const deepest = errors.reduce((a, b) => depth(b) > depth(a) ? b : a, errors[0] as OutputUnit)
  return { at: deepest.instanceLocation.replace(/^#\/?/, '/'), error: deepest.error }
}

function depth({ instanceLocation }: OutputUnit): number {
  return instanceLocation.split('/').length
}
