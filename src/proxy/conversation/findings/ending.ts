// Findings about the end: a server that went before it had answered, one that never started, and
// what may have made it go.
import type { OpenRequest } from '../open-requests.ts'
import { count, quoted, type Finding } from './finding.ts'

export interface Exit { code: number | null; signal: string | null }
/** How it went before the end. */
export interface LastWords {
  /** '' where it said nothing, or may not be told. */
  stderrTail: string
  /** The newest frame to the server ended in CRLF, and nothing came back after it: its number. */
  crlfFrame: number | null
  clientHungUp: boolean
  /** The revision is not known yet and nothing but a probe was asked. */
  onlyProbed: boolean
}

export function describeExit({ code, signal }: Exit): string {
  return signal !== null ? `was ended by ${signal}` : `exited with code ${code ?? 'unknown'}`
}

/** Did nobody do anything wrong? Hanging up, and then the end, is how a session ends. */
export function isPeaceful({ code, signal }: Exit, { clientHungUp }: Pick<LastWords, 'clientHungUp'>): boolean {
  return clientHungUp || code === 0 || signal === 'SIGTERM' || signal === 'SIGINT' || signal === 'SIGHUP'
}

/** `unanswered`: the client's requests that the server had and did not answer. */
export function exitFindings(exit: Exit, unanswered: readonly OpenRequest[], last: LastWords): Finding[] {
  if (last.onlyProbed) return [{ code: 'only-probed', level: 'info', message: 'The client only asked what this server speaks, and ended it. That is how a client that knows both eras of the protocol begins.', frames: [] }]
  const findings: Finding[] = []
  const said = last.stderrTail === '' ? 'It said nothing on stderr.' : `Its last words on stderr: ${quoted(last.stderrTail, 1500)}`
  if (unanswered.length > 0) {
    const names = unanswered.slice(0, 5).map((request) => `${request.method} (frame ${request.n})`).join(', ')
    findings.push({ code: 'exited-before-answering', level: 'error', message: `The server ${describeExit(exit)} before it had answered ${count(unanswered.length, 'request')}: ${names}${unanswered.length > 5 ? ', …' : ''}. ${said}`, frames: unanswered.slice(0, 100).map((request) => request.n) })
  } else if (!isPeaceful(exit, last)) {
    findings.push({ code: 'server-exited', level: 'error', message: `The server ${describeExit(exit)} while the client was still there. ${said}`, frames: [] })
  }
  if (findings.length > 0 && last.crlfFrame !== null && last.stderrTail === '') {
    findings.push({ code: 'crlf-before-exit', level: 'warning', message: 'The last line that the client wrote ended in CR LF, and the server then went without a word. Some servers cannot read a line that ends in a carriage return.', frames: [last.crlfFrame] })
  }
  return findings
}

/** The command could not be started. `path`: the PATH that was searched. */
export function startFinding(error: NodeJS.ErrnoException, command: string, cwd: string, path: string | undefined): Finding {
  const say = (code: string, message: string): Finding => ({ code, level: 'error', message, frames: [] })
  if (error.code === 'EACCES' || error.code === 'EPERM') return say('command-not-executable', `${quoted(command, 500)} was found but may not be executed.`)
  if (error.code !== 'ENOENT') return say('command-not-started', `${quoted(command, 500)} could not be started: ${error.message}`)
  const where = /[\\/]/.test(command) ? `in ${quoted(cwd, 500)}` : path === undefined || path === '' ? 'and there is no PATH to search' : `in the PATH that was searched: ${path}`
  return say('command-not-found', `The command ${quoted(command, 500)} was not found ${where}.`)
}
