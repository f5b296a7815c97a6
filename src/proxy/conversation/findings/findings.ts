// Says findings, each on the execution it is about or on the session. A server that makes one
// mistake ten thousand times gets the first of them told, and then how often.
import type { Run } from '../../../client/index.ts'
import { SESSION } from '../place.ts'
import type { Finding } from './finding.ts'

const TOLD_EACH = 20

export class Findings {
  readonly #run: Run
  readonly #counts = new Map<string, number>()

  constructor(run: Run) {
    this.#run = run
  }

  say(finding: Finding | null): void {
    if (finding === null) return
    const seen = (this.#counts.get(finding.code) ?? 0) + 1
    this.#counts.set(finding.code, seen)
    if (seen <= TOLD_EACH) this.#emit(finding)
    else if (Number.isInteger(Math.log10(seen / TOLD_EACH))) this.#emit({ ...finding, message: `${finding.message} (${seen.toLocaleString('en-US')} times so far)` })
  }

  sayAll(findings: readonly Finding[]): void {
    for (const finding of findings) this.say(finding)
  }

  #emit({ code, level, message, frames, instance }: Finding): void {
    this.#run.emit('finding', { nodeId: instance?.place.nodeId ?? SESSION.nodeId, instanceId: instance?.id, code, level, message, frames })
  }
}
