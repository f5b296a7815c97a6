// The session that instrumentation turned off leaves behind: no socket, no buffer, every gate
// open; `run` still runs what it is given.
import { randomUUID } from 'node:crypto'
import { PASS, PASSED } from './gate.ts'
import { settledHold } from './hold.ts'
import type { Run } from './run.ts'
import type { Session } from './session.ts'
import type { HideSwitches } from './switches.ts'

const nothing = () => {}
const never = () => nothing

function inertRun(runId: string): Run {
  return {
    runId, signal: new AbortController().signal, update: nothing, emit: nothing, wouldHold: () => null, armed: () => false,
    namedByMatcher: () => false, gate: () => PASS, hold: () => settledHold('', PASSED), finish: nothing,
  }
}

/** A session that does nothing. */
export function inertSession(switches: HideSwitches, newId: () => string = randomUUID): Session {
  return {
    enabled: false, attached: false, switches, hidden: () => true,
    openRun: (_name, options) => inertRun(options?.runId ?? newId()),
    run: async (_name, fn) => fn(inertRun(newId())),
    current: () => undefined, emit: nothing, gate: () => PASS, ready: async () => false, dispose: async () => {},
    stats: () => ({ attached: false, events: 0, buffered: 0, bufferedBytes: 0, dropped: 0, sent: 0, held: 0 }),
    onAttach: never, onDetach: never,
  }
}
