// The requests that have no answer yet, in both directions, and for a while those that had. Ids
// compare as raw tokens within a direction; of two in flight with one id, the older is answered
// first. It decides nothing.
import type { Direction } from '../frame.ts'
import type { Instance } from './place.ts'

export interface OpenRequest {
  /** The direction of the request; its answer goes the other way. */
  readonly dir: Direction
  readonly id: string
  readonly method: string
  readonly instance: Instance
  /** Number of its frame. */
  readonly n: number
  /** A copy of the request with its line end, for a retry. */
  readonly bytes: Buffer
  /** Of the revision 2026-07-28 or later. */
  readonly modern: boolean
  /** The raw progress token that it offers; '' for none. */
  readonly token: string
  state: 'held' | 'sent' | 'answer held'
  /** When it was last heard of: sent, or progress for it. */
  lastSignAt: number
  /** Takes it back while its peer has not seen it, or lets its held answer go; null: too late. */
  recall: ((why?: string) => void) | null
  /** It was cancelled while held: what waits is not to happen. */
  withdrawn: boolean
  /** A finding about its silence was made. */
  told: boolean
}

/** How a request ended. */
export interface Closed extends Pick<OpenRequest, 'method' | 'instance' | 'n'> { how: 'answered' | 'cancelled' | 'a task'; at: number }

const MOST_REMEMBERED = 1000

export class OpenRequests {
  readonly #open = new Set<OpenRequest>()
  readonly #byId = new Map<string, OpenRequest[]>()
  readonly #byToken = new Map<string, OpenRequest>()
  readonly #closed = new Map<string, Closed>()
  readonly #closedTokens = new Map<string, Closed>()

  add(request: OpenRequest): void {
    this.#open.add(request)
    const same = this.#byId.get(key(request.dir, request.id))
    if (same) same.push(request)
    else this.#byId.set(key(request.dir, request.id), [request])
    if (request.token !== '') this.#byToken.set(key(request.dir, request.token), request)
  }

  close(request: OpenRequest, how: Closed['how'], at: number): void {
    this.#open.delete(request)
    const own = key(request.dir, request.id)
    const others = this.#byId.get(own)?.filter((each) => each !== request) ?? []
    if (others.length > 0) this.#byId.set(own, others)
    else this.#byId.delete(own)
    const closed: Closed = { how, at, method: request.method, instance: request.instance, n: request.n }
    remember(this.#closed, own, closed)
    if (request.token === '') return
    const token = key(request.dir, request.token)
    if (this.#byToken.get(token) === request) this.#byToken.delete(token)
    remember(this.#closedTokens, token, closed)
  }

  /** The oldest one that its peer has and that waits for an answer. */
  awaiting(dir: Direction, id: string): OpenRequest | undefined {
    return this.#byId.get(key(dir, id))?.find((request) => request.state === 'sent')
  }

  /** The oldest open one of that id, held or not. */
  open(dir: Direction, id: string): OpenRequest | undefined {
    return this.#byId.get(key(dir, id))?.find((request) => !request.withdrawn)
  }

  byToken(dir: Direction, token: string): OpenRequest | undefined {
    return this.#byToken.get(key(dir, token))
  }

  closed(dir: Direction, id: string): Closed | undefined {
    return this.#closed.get(key(dir, id))
  }

  closedToken(dir: Direction, token: string): Closed | undefined {
    return this.#closedTokens.get(key(dir, token))
  }

  /** In the order in which they were made. */
  all(): OpenRequest[] {
    return [...this.#open]
  }

  get size(): number {
    return this.#open.size
  }
}

function key(dir: Direction, token: string): string {
  return `${dir} ${token}`
}

function remember(map: Map<string, Closed>, at: string, closed: Closed): void {
  map.delete(at)
  map.set(at, closed)
  if (map.size > MOST_REMEMBERED) map.delete(map.keys().next().value as string)
}
