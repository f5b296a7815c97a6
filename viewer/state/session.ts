// What the page knows: the link, what is armed, and the run that is shown. The model changes as
// events come; panels are told once per frame: `run()` of any change, `watchNode` of one node's.
import { batch, createEffect, createMemo, createRoot, createSignal } from 'solid-js'
import type { Matcher, RunMode, ScopedMatcher } from '../../src/wire/index.ts'
import { createLink, type LinkState } from '../link/link.ts'
import type { SmallMessage } from '../link/read-events.ts'
import { apply, refuse } from '../model/apply.ts'
import { createRunModel, type FrameRow, type Hold, type RunModel } from '../model/run-model.ts'
import { publishAll, publishChanges } from './changes.ts'
import { onFrame } from './frame.ts'
import { notify } from './notices.ts'
import { route, takeToken } from './route.ts'
import { removeRun, runInfo, takeRuns, updateRun } from './run-list.ts'
import { loadFrame, loadTexts } from './texts.ts'

export { dismiss, notices, notify, type Notice } from './notices.ts'
export { runInfo, runs, runsKnown } from './run-list.ts'

export const [linkState, setLinkState] = createSignal<LinkState>('connecting')
export const [breakpoints, setBreakpoints] = createSignal<readonly ScopedMatcher[]>([])
export const [mode, setMode] = createSignal<RunMode>('run')
/** The time for everything that ticks, epoch ms, twice a second. */
export const [now, setNow] = createSignal(Date.now())
export const [instanceId, setInstanceId] = createSignal<string | null>(null)
export const [frameNumber, setFrameNumber] = createSignal<number | null>(null)
export const [selectedHold, setSelectedHold] = createSignal<string | null>(null)
/** The hold whose inject or edit editor is open. */
export const [editing, setEditing] = createSignal<{ hold: Hold; kind: 'inject' | 'edit' | 'retry' } | null>(null)
/** Is the history of the shown run still coming? */
export const [replaying, setReplaying] = createSignal(false)

const [version, setVersion] = createSignal(0)
let model: RunModel = createRunModel()
let shown: string | null = null
/** Does the server know that we watch it? */
let subscribed = false
let replayEnded = false
/** While history comes in, panels are told this seldom: what they would show is out of date at once. */
const REPLAY_SHOWN_MS = 300
let publishedAt = 0

/** The model of the run that is shown; whoever reads it is told when it changes. */
export function run(): RunModel {
  version()
  return model
}

/** What is held now, oldest first. A run that is over holds nothing, whatever its app last said. */
export const holds = createRoot(() => createMemo<readonly Hold[]>(() => {
  const all = [...run().holds.values()]
  const status = runInfo()?.status
  return status !== undefined && status !== 'running' ? [] : all.sort((a, b) => a.seq - b.seq)
}, [], { equals: sameList }))
/** The hold that keys act on: the chosen row, or the oldest. */
export const activeHold = createRoot(() => createMemo(() => holds().find(({ pauseId }) => pauseId === selectedHold()) ?? holds()[0]))

const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
const link = createLink(`${scheme}://${location.host}/ws/ui`, takeToken(), {
  state(state) {
    setLinkState(state)
    if (state !== 'open') return cutOff()
    answered.clear()
    link.send({ type: 'subscribe', runId: '*' })
    if (shown !== null) subscribe(shown, model.seen.complete)
  },
  message,
  event(runId, envelope, payloadText) {
    if (runId === shown && apply(model, envelope, payloadText)) onFrame(publish)
  },
})

/** Shows another run: its history comes first, then what happens. */
export function show(runId: string | null): void {
  if (runId === shown) return
  if (shown !== null) link.send({ type: 'unsubscribe', runId: shown })
  shown = runId
  batch(() => {
    setInstanceId(null)
    setFrameNumber(null)
    setSelectedHold(null)
    setEditing(null)
    restart()
  })
}

/** Begins anew with an empty model. */
function restart(): void {
  model = createRunModel()
  answered.clear()
  publishAll(model)
  setVersion((n) => n + 1)
  if (shown !== null) subscribe(shown)
}

function subscribe(runId: string, afterSeq = -1): void {
  setReplaying(true)
  replayEnded = false
  publishedAt = performance.now()
  subscribed = link.send({ type: 'subscribe', runId, batch: true, ...(afterSeq < 0 ? {} : { afterSeq }) })
}

/** The connection is gone, perhaps in the middle of a history: what came of it is shown. */
function cutOff(): void {
  if (!replaying()) return
  replayEnded = true
  onFrame(publish)
}

function publish(): void {
  if (replaying() && !replayEnded && performance.now() - publishedAt < REPLAY_SHOWN_MS) return // what is left is told by a later one
  if (model.disordered && !replaying()) return restart()
  publishedAt = performance.now()
  batch(() => {
    publishChanges(model)
    setVersion((n) => n + 1)
  })
  if (replayEnded) setReplaying(false) // not before the last of it is shown
}

function message(received: SmallMessage): void {
  switch (received.type) {
    case 'welcome':
    case 'state':
      return batch(() => {
        setBreakpoints(received.breakpoints)
        setMode(received.mode)
      })
    case 'runs': return takeRuns(received.runs)
    case 'run.update':
      if (received.run.id === shown && !subscribed) subscribe(shown) // it was asked for before it was there
      return updateRun(received.run)
    case 'run.deleted': return removeRun(received.runId)
    case 'replay.end':
      if (received.runId !== shown) return
      replayEnded = true
      return onFrame(publish)
    case 'error': return failed(received)
    default:
  }
}

/** A request came to nothing. What is about a hold is said at the hold. */
function failed({ message, runId, pauseId }: Extract<SmallMessage, { type: 'error' }>): void {
  if (pauseId !== undefined) answered.delete(pauseId)
  if (pauseId !== undefined && model.holds.has(pauseId)) {
    refuse(model, pauseId, { seq: model.seen.last, message })
    return onFrame(publish)
  }
  if (runId === shown && replaying()) {
    subscribed = false
    cutOff()
    if (runInfo() === undefined) return // the page says that there is no such run
  }
  notify(message)
}

export type Resume = { action: 'continue' | 'retry' | 'inject' | 'abort'; output?: string; input?: string }
/** Holds that were answered, with the refusal that was known then: a second answer waits a while for the first one's fate. */
const answered = new Map<string, { refusal: Hold['refusal']; at: number }>()
const ANSWER_MS = 3000

/** Answers a hold. `output` and `input` are JSON text and travel as typed. False: it was not sent. */
export function resume(hold: Hold, { action, output, input }: Resume): boolean {
  const known = model.holds.get(hold.pauseId)
  const before = answered.get(hold.pauseId)
  if (shown === null || !known || (before && before.refusal === known.refusal && Date.now() - before.at < ANSWER_MS)) return false
  let payload = `{"pauseId":${JSON.stringify(hold.pauseId)},"action":"${action}","requestId":${JSON.stringify(requestId())}`
  if (output !== undefined) payload += `,"output":${output}`
  if (input !== undefined) payload += `,"input":${input}`
  const ok = sent(link.control('exec.resume', `${payload}}`, shown))
  if (ok) answered.set(hold.pauseId, { refusal: known.refusal, at: Date.now() })
  return ok
}

let requests = 0
const tab = Math.random().toString(36).slice(2)
function requestId(): string {
  return `viewer-${tab}-${++requests}`
}

export function setBreakpoint(matcher: Matcher, on: boolean, scope?: { runId: string }): void {
  sent(link.control(on ? 'breakpoint.set' : 'breakpoint.clear', JSON.stringify({ matcher, scope })))
}

export function changeMode(to: RunMode): void {
  sent(link.control('mode.set', JSON.stringify({ mode: to })))
}

/** From now on the server answers this node's holds with continue, or no longer. */
export function mute(nodeId: string, on: boolean): void {
  if (shown !== null) sent(link.send({ type: 'mute', runId: shown, nodeId, on }))
}

export function deleteRun(runId: string): void {
  sent(link.send({ type: 'delete', runId }))
}

function sent(ok: boolean): boolean {
  if (!ok) notify('Not sent: the connection to graphmind is down. It comes back by itself.')
  return ok
}

/** Fetches the text of a frame again, if it was let go of. */
export function needFrame(row: FrameRow): void {
  if (row.dropped && shown !== null) loadFrame(model, shown, row, () => onFrame(publish))
}

// The execution that is looked at has its texts, also when they were let go of.
createRoot(() => createEffect(() => {
  const { runId, nodeId } = route()
  const all = run()
  const instance = all.instances.get(instanceId() ?? '') ?? all.nodes.get(nodeId ?? '')?.instances.at(-1)
  if (runId !== null && runId === shown && instance?.dropped && instance.nodeId === nodeId) loadTexts(all, runId, instance, () => onFrame(publish))
}))

function sameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((each, i) => each === b[i])
}

setInterval(() => setNow(Date.now()), 500)
