// All calls that are held now. While there are any the process stays alive, since a person is
// looking at them; when the debugger goes, all are let go of.
import type { OpenHold } from './hold.ts'
import type { ResumeRequest } from './resume.ts'

export class Holds {
  readonly #open = new Map<string, OpenHold>()
  readonly #waited: (some: boolean) => void

  /** `waited` hears when there begin to be some, and when there are none any more. */
  constructor(waited: (some: boolean) => void) {
    this.#waited = waited
  }

  get size(): number {
    return this.#open.size
  }

  add(hold: OpenHold): void {
    this.#open.set(hold.pauseId, hold)
    if (this.#open.size === 1) this.#waited(true)
    hold.onSettled(() => this.#remove(hold))
  }

  resume(pauseId: string, request: ResumeRequest, principal: string | undefined): void {
    this.#open.get(pauseId)?.resume(request, principal)
  }

  /** Lets go of all that fit. */
  letGo(by: 'disconnect' | 'dispose', fits: (hold: OpenHold) => boolean = () => true): void {
    for (const hold of [...this.#open.values()]) if (fits(hold)) hold.letGo(by)
  }

  #remove(hold: OpenHold): void {
    this.#open.delete(hold.pauseId)
    if (this.#open.size === 0) this.#waited(false)
  }
}
