// The front door of the client: the runtime inside an instrumented app. Published as
// graphmind-ai/client; adapters and the proxy are built on it. Importing it does nothing.
import { inertSession } from './inert.ts'
import { LiveSession } from './live-session.ts'
import type { Session, SessionOptions } from './session.ts'
import { readEnabled, readHideSwitches } from './switches.ts'

/** A session for this app; one that does nothing where instrumentation is switched off. Never throws. */
export function createSession(options: SessionOptions): Session {
  const env = options.env ?? process.env
  if (!readEnabled(options.enabled, env)) return inertSession(readHideSwitches(options, env), options.newId)
  return new LiveSession(options, env)
}

export type { OpenRunOptions, Session, SessionOptions, SessionStats } from './session.ts'
export type { Run } from './run.ts'
export type { GateNode, GateOptions } from './gate.ts'
export type { GateResult, Hold, LetGoBy } from './hold.ts'
export type { Refusal, ResumeRequest } from './resume.ts'
export { hidden, isOn, readEnabled, readHideSwitches, type Env, type HideSwitches } from './switches.ts'
export { errorInfo } from './failure.ts'
