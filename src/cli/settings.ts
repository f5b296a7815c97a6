// What the flags and the environment say together, checked and given types. Pure: the environment
// comes in. A flag beats its variable; an empty variable counts as unset; a value that is not
// understood is refused, never taken for something wider.
import { join, resolve } from 'node:path'
import type { NodeKind } from '../wire/index.ts'
import { badValue } from './faults.ts'

export const DEFAULT_PORT = 4747
export type Env = Readonly<Record<string, string | undefined>>
export type Values = Readonly<Record<string, string>>

const KINDS: readonly NodeKind[] = ['agent', 'llm', 'tool', 'chain', 'retriever', 'server', 'resource', 'prompt', 'custom']

/** `--port`, or the default. 0: any free port. */
export function readPort(values: Values): number {
  const text = values.port
  return text === undefined ? DEFAULT_PORT : number('--port', text, 'a port: a whole number from 0 to 65535', 65_535)
}

/** `--pause-on-error`, else GRAPHMIND_PAUSE_ON_ERROR, else `on`. */
export function readPauseOnError(values: Values, env: Env): 'on' | 'off' | NodeKind {
  const [where, text] = values['pause-on-error'] !== undefined
    ? ['--pause-on-error', values['pause-on-error']] : ['GRAPHMIND_PAUSE_ON_ERROR', env.GRAPHMIND_PAUSE_ON_ERROR || 'on']
  const choices = ['on', 'off', ...KINDS] as const
  const choice = choices.find((each) => each === text)
  if (choice === undefined) throw badValue(where, text, `on, off or a kind of node (${KINDS.join(' ')})`, choices)
  return choice
}

/** `--db`, else GRAPHMIND_DB, else the file in the user's home. Absolute. */
export function readDbPath(values: Values, env: Env, home: string, cwd: string): string {
  return resolve(cwd, values.db ?? (env.GRAPHMIND_DB || join(home, '.graphmind', 'graphmind.db')))
}

/** The folder of what belongs to this install: its token. */
export function readGraphmindHome(env: Env, home: string, cwd: string): string {
  return resolve(cwd, env.GRAPHMIND_HOME || join(home, '.graphmind'))
}

/** Both are milliseconds. */
export function readTimes(env: Env): { graceMs: number; unattendedMs: number } {
  const ms = (name: string, otherwise: number): number => {
    const text = env[name]
    return text ? number(name, text, 'a whole number of milliseconds', 2 ** 31 - 1) : otherwise
  }
  return { graceMs: ms('GRAPHMIND_ABANDON_GRACE_MS', 15_000), unattendedMs: ms('GRAPHMIND_UNATTENDED_MS', 60_000) }
}

/** Origins such as `https://example.org`, or `*`. */
export function readAllowedOrigins(env: Env): string[] {
  const name = 'GRAPHMIND_ALLOWED_ORIGINS'
  return (env[name] ?? '').split(',').map((text) => text.trim()).filter(Boolean).map((text) => {
    if (text === '*') return text
    const { origin } = URL.parse(text) ?? { origin: 'null' }
    if (origin === 'null') throw badValue(name, text, 'an origin such as http://localhost:3000, or *')
    return origin
  })
}

/** Null: nothing is ever deleted. */
export function readRetention(env: Env): { keepRuns: number; keepDays: number } | null {
  const text = env.GRAPHMIND_RETENTION || 'off'
  if (text !== 'on' && text !== 'off') throw badValue('GRAPHMIND_RETENTION', text, 'on or off', ['on', 'off'])
  const count = (name: string, otherwise: number): number =>
    env[name] ? number(name, env[name], 'a whole number', Number.MAX_SAFE_INTEGER) : otherwise
  const keep = { keepRuns: count('GRAPHMIND_KEEP_RUNS', 200), keepDays: count('GRAPHMIND_KEEP_DAYS', 30) }
  return text === 'on' ? keep : null
}

const HIDE = { inputs: 'hideInputs', outputs: 'hideOutputs', 'tool-args': 'hideToolArgs', 'tool-results': 'hideToolResults' } as const
type HideOption = (typeof HIDE)[keyof typeof HIDE]

/** What `--hide` names; the GRAPHMIND_HIDE_* variables are the client's to read. */
export function readHide(values: Values): Partial<Record<HideOption, true>> {
  const hidden: Partial<Record<HideOption, true>> = {}
  if (values.hide === undefined) return hidden
  for (const word of values.hide.split(',').map((each) => each.trim())) {
    const names = Object.keys(HIDE) as (keyof typeof HIDE)[]
    const name = names.find((each) => each === word)
    if (!name) throw badValue('--hide', word, `one of ${names.join(', ')}`, names)
    hidden[HIDE[name]] = true
  }
  return hidden
}

/** Bytes; default 64 MiB. */
export function readMaxFrameBytes(values: Values): number {
  const text = values['max-frame-bytes']
  if (text === undefined) return 64 * 1024 * 1024
  const bytes = number('--max-frame-bytes', text, 'a whole number of bytes', Number.MAX_SAFE_INTEGER)
  if (bytes === 0) throw badValue('--max-frame-bytes', text, 'a whole number of bytes above 0')
  return bytes
}

/** Where the proxy reports to; `--port` beats GRAPHMIND_URL. `ignored` is a URL that is none. */
export function readIngestUrl(values: Values, env: Env): { url: string; viewerUrl: string; ignored: string | null } {
  const port = readPort(values)
  const local = { url: `ws://127.0.0.1:${port}/ingest`, viewerUrl: `http://127.0.0.1:${port}`, ignored: null }
  const text = env.GRAPHMIND_URL
  if (values.port !== undefined || !text) return local
  const url = URL.parse(text)
  if (!url || !/^wss?:$/.test(url.protocol)) return { ...local, ignored: text }
  return { url: text, viewerUrl: `${url.protocol === 'wss:' ? 'https' : 'http'}://${url.host}`, ignored: null }
}

function number(where: string, text: string, wanted: string, max: number): number {
  const value = /^(0|[1-9]\d*)$/.test(text) ? Number(text) : NaN
  if (!(value <= max)) throw badValue(where, text, wanted)
  return value
}
