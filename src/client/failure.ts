// What a host threw, as the wire tells it. It may be anything, and reading it may throw again.
import type { ErrorInfo } from '../wire/index.ts'

/** Name, message and stack of anything that was thrown. */
export function errorInfo(error: unknown): ErrorInfo {
  try {
    if (typeof error !== 'object' || error === null) return { name: 'Error', message: String(error) }
    const { name, message, stack } = error as Partial<Record<keyof ErrorInfo, unknown>>
    const info: ErrorInfo = { name: typeof name === 'string' && name ? name : 'Error', message: typeof message === 'string' ? message : describe(error) }
    return typeof stack === 'string' ? { ...info, stack } : info
  } catch {
    return { name: 'Error', message: 'an error that cannot be read' }
  }
}

function describe(error: object): string {
  try {
    return JSON.stringify(error) ?? Object.prototype.toString.call(error)
  } catch {
    return Object.prototype.toString.call(error)
  }
}
