// Findings about answers that fit no open request, ids that are used twice, and progress that
// nobody waits for.
import type { Frame } from '../../frame.ts'
import type { Message } from '../frame-reader.ts'
import type { Closed, OpenRequest, OpenRequests } from '../open-requests.ts'
import { other, READER, span, WRITER, type Finding } from './finding.ts'

/** An answer that no open request waits for. */
export function strayAnswer({ n, dir, at }: Frame, { id }: Message, open: OpenRequests): Finding {
  const asked = other(dir)
  const closed = open.closed(asked, id)
  if (id === 'null' || id === '') {
    return { code: 'answer-without-id', level: 'warning', message: `The ${WRITER[dir]} answered without an id: it could not read a frame of the ${READER[dir]}, and says so.`, frames: [n] }
  }
  if (closed !== undefined) return closed.how === 'cancelled' ? late(n, at, closed, asked) : again(n, at, closed)
  const twin = open.all().find((request) => request.dir === asked && request.state === 'sent' && looselySame(request.id, id))
  if (twin) {
    return { code: 'id-type-changed', level: 'error', message: `The answer's id is ${typed(id)}, but the request's was ${typed(twin.id)}. The ${READER[dir]} does not take it for the answer to ${twin.method} and goes on waiting.`, frames: [twin.n, n], instance: twin.instance }
  }
  return { code: 'answer-to-nothing', level: 'warning', message: `The ${WRITER[dir]} answered the id ${id.slice(0, 100)}, which the ${READER[dir]} never used.`, frames: [n] }
}

function late(n: number, at: number, closed: Closed, asked: Frame['dir']): Finding {
  return { code: 'late-answer', level: 'info', message: `The answer to ${closed.method} came ${span(at - closed.at)} after the ${WRITER[asked]} had cancelled it, so nobody waits for it.`, frames: [closed.n, n], instance: closed.instance }
}

function again(n: number, at: number, closed: Closed): Finding {
  return { code: 'second-answer', level: 'warning', message: `${closed.method} was answered a second time, ${span(at - closed.at)} after the first.`, frames: [closed.n, n], instance: closed.instance }
}

function looselySame(a: string, b: string): boolean {
  const bare = (token: string) => token.replace(/^"([^]*)"$/, '$1')
  return bare(a) === bare(b) || (bare(a).trim() !== '' && Number(bare(a)) === Number(bare(b)))
}

function typed(token: string): string {
  return `${token[0] === '"' ? 'the string' : 'the number'} ${token.slice(0, 100)}`
}

/** A request under an id that is still in flight. */
export function duplicateId(n: number, id: string, first: OpenRequest): Finding {
  return { code: 'duplicate-id', level: 'error', message: `Two requests are in flight with the id ${id.slice(0, 100)}: ${first.method} and this one. Their answers are told apart by order alone.`, frames: [first.n, n], instance: first.instance }
}

/** Progress that fits no open request; null when it belongs to a task that goes on. */
export function strayProgress({ n, dir, at }: Frame, token: string, open: OpenRequests): Finding | null {
  const closed = open.closedToken(other(dir), token)
  if (closed?.how === 'a task') return null
  if (closed !== undefined) {
    return { code: 'progress-after-answer', level: 'warning', message: `Progress for ${closed.method} came ${span(at - closed.at)} after it was ${closed.how}.`, frames: [closed.n, n], instance: closed.instance }
  }
  return { code: 'unknown-progress-token', level: 'warning', message: `The ${WRITER[dir]} reports progress for the token ${token.slice(0, 100) || '(none)'}, which the ${READER[dir]} never offered.`, frames: [n] }
}
