// Which messages hold, and everything that is held. A hold pauses only what it holds. When the
// client hangs up or the proxy becomes a raw pipe the gates shut: all goes on, nothing holds again.
import type { GateNode, GateResult, Hold, ResumeRequest, Run } from '../../client/index.ts'
import type { GatePoint, PauseReason, RefusalCode } from '../../wire/index.ts'
import type { Direction, Pieces } from '../frame.ts'
import { includes } from './includes.ts'
import type { Instance } from './place.ts'

/** Never held, unless a breakpoint names them: held they would break what they are there for. */
const NEVER_HELD = new Set(['ping', 'notifications/cancelled', 'notifications/progress'])

const METHOD = Buffer.from('"method"')
const RESULT = Buffer.from('"result"')
const ERROR = Buffer.from('"error"')
const IS_ERROR = Buffer.from('"isError"')
const CANCELLED = Buffer.from('cancelled')
const ESCAPE = Buffer.from('\\u')

export interface HoldOptions {
  /** As people know it: `tools/call`. */
  method: string
  reason: PauseReason
  editable: boolean
  check(resume: ResumeRequest): { code: RefusalCode; message: string } | null
  settled(result: GateResult): void
}

export class Gates {
  readonly #run: Run
  readonly #say: (line: string) => void
  readonly #now: () => number
  readonly #viewerUrl: string
  readonly #holds = new Set<Hold>()
  /** Requests of a direction that are held before their peer sees them: a cancellation must be seen in time. */
  readonly #heldBefore: Record<Direction, number> = { c2s: 0, s2c: 0 }
  #shut = false

  constructor(run: Run, ports: { say(line: string): void; now(): number }, viewerUrl: string) {
    this.#run = run
    this.#say = (line) => ports.say(line)
    this.#now = () => ports.now()
    this.#viewerUrl = viewerUrl
  }

  /** Could anything of this direction hold, or be swallowed, now? */
  mayHold(dir: Direction): boolean {
    if (this.#shut) return false
    return this.#heldBefore[dir] > 0 || this.#run.armed('error') || this.#run.armed('before') || this.#run.armed('after')
  }

  /** A key that a gate looks for stands in the frame's bytes as it is, or spelt with escapes. */
  mayHoldFrame(dir: Direction, pieces: Pieces): boolean {
    if (!this.mayHold(dir)) return false
    const run = this.#run
    const error = run.armed('error')
    const after = run.armed('after')
    if ((error || after) && includes(pieces, ERROR)) return true
    if (error && includes(pieces, IS_ERROR)) return true
    if (after && includes(pieces, RESULT)) return true
    if (run.armed('before') && includes(pieces, METHOD)) return true
    if (this.#heldBefore[dir] > 0 && includes(pieces, CANCELLED)) return true
    return includes(pieces, ESCAPE)
  }

  /** Why this execution would hold at this point; null: it goes on. */
  reason(point: GatePoint, instance: Instance, method: string): PauseReason | null {
    if (this.#shut) return null
    const node = gateNode(instance)
    if (NEVER_HELD.has(method) && !this.#run.namedByMatcher(point, node)) return null
    return this.#run.wouldHold(point, node)
  }

  /** Does a breakpoint at this point name the node? */
  named(point: GatePoint, instance: Instance): boolean {
    return this.#run.namedByMatcher(point, gateNode(instance))
  }

  /** Holds. `settled` is called synchronously once it is let go of. */
  hold(point: GatePoint, instance: Instance, dir: Direction, { method, reason, editable, check, settled }: HoldOptions): Hold {
    const since = this.#now()
    const before = point === 'before' ? 1 : 0
    this.#heldBefore[dir] += before
    const hold = this.#run.hold(point, gateNode(instance), { reason, editable, check, abortsRun: false })
    this.#holds.add(hold)
    this.#say(`HOLDING ${method} #${instance.number} at the ${point} gate — resume it in ${this.#viewerUrl}`)
    hold.onSettled((result) => {
      this.#heldBefore[dir] -= before
      this.#holds.delete(hold)
      instance.heldMs += Math.max(0, this.#now() - since)
      settled(result)
    })
    return hold
  }

  /** Lets go of everything, and holds nothing any more. */
  shut(why: string): void {
    this.#shut = true
    this.release(why)
  }

  /** Lets go of everything that is held now. */
  release(why: string): void {
    for (const hold of [...this.#holds]) hold.release('dispose', why)
  }

  get held(): number {
    return this.#holds.size
  }
}

function gateNode({ id, place }: Instance): GateNode {
  return { nodeId: place.nodeId, kind: place.kind, name: place.name, instanceId: id }
}
