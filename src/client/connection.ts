// When to try to reach the server, and when again: nothing before first use; every 10 s while there
// is none; at once, then after 200, 400 and 800 ms, when an attachment is lost. Keeps no process alive.
import type { HelloAckPayload, ParsedEnvelope } from '../wire/index.ts'
import { Link, type LinkEnd, type LinkOptions } from './link.ts'

const QUICK_MS = [0, 200, 400, 800]
/** A quickly regained attachment that is lost sooner does not earn the quick attempts anew: the server may be choking on us. */
const SETTLED_MS = 2000
/** While somebody waits for the debugger. */
const HURRY_MS = 100

export interface ConnectionOptions {
  retryMs: number
  /** Made anew for each attempt: the token may have changed. */
  link(): LinkOptions
}

export interface ConnectionOwner {
  attached(link: Link, ack: HelloAckPayload): void
  message(parsed: ParsedEnvelope): void
  detached(): void
  /** An attempt came to nothing. */
  failed(end: LinkEnd): void
}

export class Connection {
  readonly #options: ConnectionOptions
  readonly #owner: ConnectionOwner
  #state: 'idle' | 'dialling' | 'attached' | 'waiting' | 'stopped' = 'idle'
  #link: Link | null = null
  #timer: NodeJS.Timeout | undefined
  #quick = QUICK_MS.length
  #regaining = false
  #attachedAt = 0
  #hurried = 0
  #attempts: ((attached: boolean) => void)[] = []

  constructor(options: ConnectionOptions, owner: ConnectionOwner) {
    this.#options = options
    this.#owner = owner
  }

  get attached(): boolean {
    return this.#state === 'attached'
  }

  get link(): Link | null {
    return this.#link
  }

  /** First use. */
  start(): void {
    if (this.#state === 'idle') this.#dial()
  }

  /** Tries now, unless it does already; resolves with how that went. */
  attempt(): Promise<boolean> {
    if (this.#state === 'attached') return Promise.resolve(true)
    if (this.#state === 'stopped') return Promise.resolve(false)
    const outcome = new Promise<boolean>((resolve) => this.#attempts.push(resolve))
    if (this.#state !== 'dialling') this.#dial()
    return outcome
  }

  /** Tries again and again without long pauses until called off. */
  hurry(): () => void {
    this.#hurried++
    if (this.#state === 'idle' || this.#state === 'waiting') this.#dial()
    return () => { this.#hurried-- }
  }

  /** The end, without a farewell; no more attempts. */
  stop(): void {
    this.#state = 'stopped'
    clearTimeout(this.#timer)
    this.#link?.drop()
    this.#link = null
    this.#settle(false)
  }

  #dial(): void {
    clearTimeout(this.#timer)
    this.#state = 'dialling'
    this.#link = new Link(this.#options.link(), {
      attached: (link, ack) => this.#attached(link, ack),
      message: (parsed) => this.#owner.message(parsed),
      ended: (_link, end) => this.#ended(end),
    })
  }

  #attached(link: Link, ack: HelloAckPayload): void {
    if (this.#state === 'stopped') return
    this.#state = 'attached'
    this.#attachedAt = performance.now()
    this.#owner.attached(link, ack)
    this.#settle(true)
  }

  #ended(end: LinkEnd): void {
    if (this.#state === 'stopped') return
    const was = this.#state
    this.#link = null
    this.#state = 'waiting'
    const brief = this.#regaining && performance.now() - this.#attachedAt < SETTLED_MS
    if (was === 'attached' && !brief) this.#quick = 0
    this.#timer = setTimeout(() => this.#dial(), this.#pause()).unref()
    if (was === 'attached') this.#owner.detached()
    else this.#owner.failed(end)
    this.#settle(false)
  }

  #pause(): number {
    const quick = QUICK_MS[this.#quick++]
    const { retryMs } = this.#options
    this.#regaining = quick !== undefined
    return quick ?? (this.#hurried > 0 ? Math.min(HURRY_MS, retryMs) : retryMs)
  }

  #settle(attached: boolean): void {
    for (const resolve of this.#attempts.splice(0)) resolve(attached)
  }
}
