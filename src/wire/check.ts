// Compiles the contract's schemas into plain functions: quick, without eval, and each answers
// with the path of the first fault. It knows the JSON Schema words that the contract uses and
// throws at start on any other, so a rule can never be written and silently not checked.
import { definitions, type Schema } from './contract.ts'

export interface Fault { path: string; message: string }

/** Null: the value is as it should be. */
export type Check = (value: unknown) => Fault | null

const KNOWN_WORDS = new Set(['type', 'required', 'properties', 'additionalProperties', 'items', 'enum', 'const', 'minimum', 'minLength', 'anyOf', '$ref'])
const compiled = new Map<string, Check>()

/** A checker for the schema. */
export function compile(schema: Schema): Check {
  for (const word of Object.keys(schema)) if (!KNOWN_WORDS.has(word)) throw new Error(`the contract uses "${word}", which check.ts does not know`)
  if (typeof schema.$ref === 'string') return named(schema.$ref.slice('#/$defs/'.length))
  if (Array.isArray(schema.anyOf)) return anyOf(schema.anyOf.map((each: Schema) => compile(each)))
  if (Array.isArray(schema.enum)) return oneOf(schema.enum)
  if ('const' in schema) return oneOf([schema.const])
  switch (schema.type) {
    case 'object': return objectCheck(schema)
    case 'array': return arrayCheck(compile(schema.items as Schema))
    case 'string': return stringCheck((schema.minLength as number | undefined) ?? 0)
    case 'boolean': return (value) => typeof value === 'boolean' ? null : wrong('true or false', value)
    case 'number':
    case 'integer': return numberCheck(schema.type === 'integer', (schema.minimum as number | undefined) ?? -Infinity)
    default: throw new Error(`the contract uses type ${String(schema.type)}, which check.ts does not know`)
  }
}

function named(name: string): Check {
  const known = compiled.get(name)
  if (known) return known
  const schema = definitions[name]
  if (!schema) throw new Error(`the contract refers to "${name}", which it does not define`)
  const check = compile(schema)
  compiled.set(name, check)
  return check
}

interface Property { key: string; check: Check | null; needed: boolean }

function objectCheck(schema: Schema): Check {
  const required = (schema.required as string[] | undefined) ?? []
  const properties = Object.entries((schema.properties as Record<string, Schema | true> | undefined) ?? {})
    .map(([key, rules]): Property => ({ key, check: rules === true ? null : compile(rules), needed: required.includes(key) }))
    .filter(({ check, needed }) => check !== null || needed)
  const closed = schema.additionalProperties === false ? new Set(properties.map(({ key }) => key)) : null
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong('an object', value)
    const record = value as Record<string, unknown>
    for (let i = 0; i < properties.length; i++) { // an index, not an iterator: this runs for every event
      const { key, check, needed } = properties[i] as Property
      const member = record[key]
      if (member === undefined) {
        if (needed) return { path: `.${key}`, message: 'is missing' }
        continue
      }
      const fault = check?.(member)
      if (fault) return { path: `.${key}${fault.path}`, message: fault.message }
    }
    if (closed) for (const key of Object.keys(record)) if (!closed.has(key)) return { path: `.${key}`, message: 'is not a known field' }
    return null
  }
}

function arrayCheck(item: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return wrong('an array', value)
    for (let i = 0; i < value.length; i++) {
      const fault = item(value[i])
      if (fault) return { path: `[${i}]${fault.path}`, message: fault.message }
    }
    return null
  }
}

function stringCheck(minLength: number): Check {
  return (value) => typeof value !== 'string' ? wrong('a string', value)
    : value.length < minLength ? { path: '', message: 'is empty' } : null
}

function numberCheck(integer: boolean, minimum: number): Check {
  const wanted = `${integer ? 'an integer' : 'a number'}${minimum === 0 ? ' that is not negative' : ''}`
  return (value) => typeof value === 'number' && value >= minimum && (integer ? Number.isSafeInteger(value) : Number.isFinite(value))
    ? null : wrong(wanted, value)
}

function oneOf(values: readonly unknown[]): Check {
  return (value) => values.includes(value) ? null : wrong(values.map(String).join(' or '), value)
}

function anyOf(checks: Check[]): Check {
  return (value) => {
    let first: Fault | null = null
    for (const check of checks) {
      const fault = check(value)
      if (!fault) return null
      first ??= fault
    }
    return first
  }
}

function wrong(wanted: string, value: unknown): Fault {
  return { path: '', message: `should be ${wanted}, is ${describe(value)}` }
}

function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'string') return value.length > 40 ? `a string of ${value.length} characters` : JSON.stringify(value)
  return typeof value === 'object' ? 'an object' : String(value)
}
