// What an adapter tells a gate, and the one answer that almost every gate gives.
import type { NodeKind } from '../wire/index.ts'
import type { GateResult } from './hold.ts'
import type { Refusal, ResumeRequest } from './resume.ts'

/** The execution that comes to a gate. */
export interface GateNode {
  nodeId: string
  kind: NodeKind
  name: string
  instanceId?: string
}

export interface GateOptions {
  /** Can the call run with another input? Told to the viewer; `false` refuses edits. */
  editable?: boolean
  /** Looks at what a viewer sends; a refusal is answered with exec.refused and the call stays held. */
  check?: (request: ResumeRequest) => Refusal | null
  /** Default true: abort also fires the run's AbortSignal. */
  abortsRun?: boolean
}

/** What a gate gives that does not hold. Shared. */
export const PASSED: GateResult = Object.freeze({ action: 'continue', by: 'pass' } as const)
export const PASS: Promise<GateResult> = Promise.resolve(PASSED)
