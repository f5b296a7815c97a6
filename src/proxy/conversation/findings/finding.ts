// What is wrong and why, in a plain sentence. Findings never alter a byte.
import type { Direction } from '../../frame.ts'
import type { Instance } from '../place.ts'

export interface Finding {
  /** Stable, kebab-case. */
  code: string
  level: 'info' | 'warning' | 'error'
  message: string
  /** The numbers of the frames it points at. */
  frames: number[]
  /** The execution it is about; without one it is about the session. */
  instance?: Instance
}

/** Who wrote the frames of a direction, and who reads them. */
export const WRITER: Record<Direction, 'client' | 'server'> = { c2s: 'client', s2c: 'server' }
export const READER: Record<Direction, 'client' | 'server'> = { c2s: 'server', s2c: 'client' }

export function other(dir: Direction): Direction {
  return dir === 'c2s' ? 's2c' : 'c2s'
}

/** A length of time as a person says it. */
export function span(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  const seconds = ms / 1000
  return seconds < 10 ? `${seconds.toFixed(1)} s` : seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`
}

/** `one thing`, `3 things`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return n === 1 ? `1 ${one}` : `${n.toLocaleString('en-US')} ${many}`
}

/** Text as it can be shown in a sentence. */
export function quoted(text: string, most = 120): string {
  const shown = text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text.toWellFormed()
  return JSON.stringify(shown)
}
