// One held call: it says so, waits, and is let go of once: by a viewer, or by itself when the
// debugger goes, time is up, the call was cancelled or the session ends. The first one wins.
import type { GatePoint, PauseReason } from '../wire/index.ts'
import type { Refusal, ResumeRequest } from './resume.ts'
import type { GateNode } from './gate.ts'

/** Who let go. `pass`: it was never held. */
export type LetGoBy = 'viewer' | 'disconnect' | 'timeout' | 'dispose' | 'cancel' | 'pass'
export type GateResult = Readonly<ResumeRequest> & { readonly by: LetGoBy }

export interface Hold {
  readonly pauseId: string
  /** Never rejects. */
  readonly done: Promise<GateResult>
  /** Calls back synchronously, the moment it is let go of; at once where it is already. */
  onSettled(fn: (result: GateResult) => void): void
  /** Lets go with continue. Nothing happens when it was let go of before. */
  release(by: 'cancel' | 'dispose', principal?: string): void
}

export interface HeldCall {
  readonly pauseId: string
  readonly runId: string
  readonly point: GatePoint
  readonly reason: PauseReason
  readonly node: GateNode
  readonly editable: boolean | undefined
}

export interface HoldPorts {
  /** `principal`: who let go, where it was not a person. */
  resumed(call: HeldCall, result: GateResult, principal: string | undefined): void
  refused(call: HeldCall, refusal: Refusal, requestId: string | undefined): void
  /** Why a viewer's request cannot be followed; null: it can. */
  check(call: HeldCall, request: ResumeRequest): Refusal | null
  /** A person aborts: before anybody waiting hears of it. */
  abort(call: HeldCall): void
  warn(message: string): void
}

export class OpenHold implements Hold {
  readonly call: HeldCall
  readonly done: Promise<GateResult>
  readonly #ports: HoldPorts
  readonly #resolve: (result: GateResult) => void
  #result: GateResult | null = null
  #listeners: ((result: GateResult) => void)[] = []
  #timer: NodeJS.Timeout | undefined

  /** `timeoutMs` 0: it waits for ever. */
  constructor(call: HeldCall, ports: HoldPorts, timeoutMs: number) {
    this.call = call
    this.#ports = ports
    const { promise, resolve } = Promise.withResolvers<GateResult>()
    this.done = promise
    this.#resolve = resolve
    if (timeoutMs > 0) this.#timer = setTimeout(() => this.letGo('timeout'), timeoutMs).unref()
  }

  get pauseId(): string {
    return this.call.pauseId
  }

  onSettled(fn: (result: GateResult) => void): void {
    if (this.#result !== null) this.#notify(fn, this.#result)
    else this.#listeners.push(fn)
  }

  release(by: 'cancel' | 'dispose', principal?: string): void {
    this.letGo(by, principal)
  }

  letGo(by: Exclude<LetGoBy, 'viewer' | 'pass'>, principal: string = by): void {
    this.#settle({ action: 'continue', by }, principal)
  }

  /** What a viewer wants. Refused: still held. */
  resume(request: ResumeRequest, principal: string | undefined): void {
    if (this.#result !== null) return
    const refusal = this.#ports.check(this.call, request)
    if (refusal !== null) this.#ports.refused(this.call, refusal, request.requestId)
    else this.#settle({ ...request, by: 'viewer' }, principal)
  }

  #settle(result: GateResult, principal: string | undefined): void {
    if (this.#result !== null) return
    this.#result = result
    clearTimeout(this.#timer)
    this.#ports.resumed(this.call, result, principal)
    if (result.action === 'abort') this.#ports.abort(this.call)
    for (const listener of this.#listeners.splice(0)) this.#notify(listener, result)
    this.#resolve(result)
  }

  #notify(listener: (result: GateResult) => void, result: GateResult): void {
    try {
      listener(result)
    } catch (error) {
      this.#ports.warn(`a listener of a hold threw: ${error instanceof Error ? error.message : 'unknown'}`)
    }
  }
}


/** Stands for a hold where nobody could ever let go: it is over at once. */
export function settledHold(pauseId: string, result: GateResult): Hold {
  return { pauseId, done: Promise.resolve(result), onSettled: (fn) => fn(result), release: () => {} }
}
