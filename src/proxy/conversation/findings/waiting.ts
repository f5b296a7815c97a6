// Findings about silence: a request without an answer and who owes the next frame, a question that
// the client never comes back to, a pipe that nobody reads.
import type { PipeName } from '../../frame.ts'
import type { OpenRequest } from '../open-requests.ts'
import type { Instance } from '../place.ts'
import { count, span, WRITER, READER, type Finding } from './finding.ts'

const PATIENCE_MS = 10_000
/** These wait for a person or a model. */
const SLOW = new Set(['sampling/createMessage', 'elicitation/create'])
const SLOW_PATIENCE_MS = 120_000
/** Open by design. */
const ENDLESS = new Set(['subscriptions/listen'])

/** The requests that have been without a sign for long; each is told once. */
export function silentRequests(open: readonly OpenRequest[], now: number): Finding[] {
  return open.filter((request) => isSilent(request, now)).map((request) => {
    request.told = true
    return silence(request, open, now)
  })
}

function isSilent({ method, state, told, lastSignAt }: OpenRequest, now: number): boolean {
  return state === 'sent' && !told && !ENDLESS.has(method) && now - lastSignAt >= (SLOW.has(method) ? SLOW_PATIENCE_MS : PATIENCE_MS)
}

/** While the asked side itself waits for an answer, it is the other one's turn. */
function silence({ dir, method, n, instance, lastSignAt }: OpenRequest, open: readonly OpenRequest[], now: number): Finding {
  const back = open.find((request) => request.dir !== dir && request.n > n && request.state === 'sent')
  const held = open.find((request) => request.dir !== dir && request.n > n && request.state !== 'sent')
  const owes = back ? `The ${READER[back.dir]} owes the next frame: the ${WRITER[back.dir]} waits for its answer to ${back.method} (frame ${back.n}).`
    : held ? `${held.method} of the ${WRITER[held.dir]} (frame ${held.n}) is held here, which may be why.`
      : `The ${READER[dir]} owes the next frame.`
  return { code: 'unanswered', level: 'warning', message: `${method} has had no answer for ${span(now - lastSignAt)}. ${owes}`, frames: back ? [n, back.n] : [n], instance }
}

/** A question of the server (input_required) that the client has not come back to. */
export interface OpenQuestion { instance: Instance; method: string; n: number; at: number; told: boolean }

export function forgottenQuestions(questions: Iterable<OpenQuestion>, now: number, over: boolean): Finding[] {
  return [...questions].filter((question) => !question.told && (over || now - question.at >= SLOW_PATIENCE_MS)).map((question) => {
    question.told = true
    const waited = over ? 'before the session ended' : `for ${span(now - question.at)}`
    return { code: 'input-never-given', level: 'warning', message: `The server asked for input to go on with ${question.method}; the client has not repeated the request with it ${waited}. The client owes the next frame.`, frames: [question.n], instance: question.instance }
  })
}

const NOT_READING: Record<PipeName, string> = {
  'client stdin': 'The client does not take in what it asked for',
  'client stdout': 'The client does not read what the server writes',
  'server stdin': 'The server does not read its stdin',
  'server stdout': 'What the server writes is not taken off its stdout',
}

export function stalledPipe(pipe: PipeName, waitingBytes: number, sinceMs: number, now: number): Finding {
  return { code: 'pipe-not-read', level: 'warning', message: `${NOT_READING[pipe]}: ${count(waitingBytes, 'byte')} have been waiting on ${pipe} for ${span(now - sinceMs)}.`, frames: [] }
}
