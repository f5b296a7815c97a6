// What the page knows: the link, the list of runs, what is armed, and the run that is shown. The
// model changes as events come; panels are told once per frame, through `version`.
import { batch, createMemo, createRoot, createSignal } from 'solid-js'
import type { Matcher, RunInfo, RunMode, ScopedMatcher, UiServerMessage } from '../../src/wire/index.ts'
import { createLink, type LinkState } from '../link/link.ts'
import { apply } from '../model/apply.ts'
import { createRunModel, type Hold, type RunModel } from '../model/run-model.ts'
import { onFrame } from './frame.ts'
import { go, route, takeToken } from './route.ts'

export const [linkState, setLinkState] = createSignal<LinkState>('connecting')
export const [runs, setRuns] = createSignal<readonly RunInfo[]>([])
export const [runsKnown, setRunsKnown] = createSignal(false)
export const [breakpoints, setBreakpoints] = createSignal<readonly ScopedMatcher[]>([])
export const [mode, setMode] = createSignal<RunMode>('run')
export const [notices, setNotices] = createSignal<readonly { id: number; text: string }[]>([])
/** The time for everything that ticks, epoch ms, twice a second. */
export const [now, setNow] = createSignal(Date.now())
export const [instanceId, setInstanceId] = createSignal<string | null>(null)
export const [frameNumber, setFrameNumber] = createSignal<number | null>(null)
export const [selectedHold, setSelectedHold] = createSignal<string | null>(null)
/** The hold whose inject or edit editor is open. */
export const [editing, setEditing] = createSignal<{ hold: Hold; kind: 'inject' | 'edit' | 'retry' } | null>(null)

const [version, setVersion] = createSignal(0)
const [replaying, setReplaying] = createSignal(false)
export { replaying }
let model: RunModel = createRunModel()
let shown: string | null = null
const pending = new Map<string, RunInfo>()

/** The model of the run that is shown; whoever reads it is told when it changes. */
export function run(): RunModel {
  version()
  return model
}

export const runInfo = createRoot(() => createMemo(() => runs().find(({ id }) => id === route().runId)))
export const holds = createRoot(() => createMemo(() => [...run().holds.values()].sort((a, b) => a.seq - b.seq)))
/** The hold that keys act on: the chosen row, or the oldest. */
export const activeHold = createRoot(() => createMemo(() => holds().find(({ pauseId }) => pauseId === selectedHold()) ?? holds()[0]))

const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
const link = createLink(`${scheme}://${location.host}/ws/ui`, takeToken(), {
  state(state) {
    setLinkState(state)
    if (state !== 'open') return
    link.send({ type: 'subscribe', runId: '*' })
    if (shown !== null) subscribe(shown, model.seen.complete)
  },
  message,
  event(runId, envelope, payloadText) {
    if (runId === shown && apply(model, envelope, payloadText)) changed()
  },
})

/** Shows another run: its history comes first, then what happens. */
export function show(runId: string | null): void {
  if (runId === shown) return
  if (shown !== null) link.send({ type: 'unsubscribe', runId: shown })
  shown = runId
  batch(() => {
    model = createRunModel()
    setInstanceId(null)
    setFrameNumber(null)
    setSelectedHold(null)
    setEditing(null)
    setVersion((n) => n + 1)
  })
  if (runId !== null) subscribe(runId)
}

function subscribe(runId: string, afterSeq?: number): void {
  setReplaying(true)
  link.send({ type: 'subscribe', runId, batch: true, ...(afterSeq === undefined || afterSeq < 0 ? {} : { afterSeq }) })
}

function changed(): void {
  onFrame(publish)
}
function publish(): void {
  setVersion((n) => n + 1)
}

function message(received: Exclude<UiServerMessage, { type: 'event' | 'events' }>): void {
  switch (received.type) {
    case 'welcome':
    case 'state':
      setBreakpoints(received.breakpoints)
      setMode(received.mode)
      return
    case 'runs':
      batch(() => {
        setRuns(received.runs)
        setRunsKnown(true)
        openFirst(received.runs)
      })
      return
    case 'run.update':
      pending.set(received.run.id, received.run)
      onFrame(mergeRuns)
      return
    case 'run.deleted':
      setRuns((list) => list.filter(({ id }) => id !== received.runId))
      if (route().runId === received.runId) go(null, null, true)
      return
    case 'replay.end':
      if (received.runId === shown) setReplaying(false)
      return
    case 'error':
      notify(received.message)
      return
    default:
  }
}

function mergeRuns(): void {
  const updated = new Map(pending)
  pending.clear()
  setRuns((list) => {
    const merged = list.map((known) => {
      const update = updated.get(known.id)
      updated.delete(known.id)
      return update ?? known
    })
    return updated.size === 0 ? merged : [...updated.values(), ...merged].sort((a, b) => b.startedAt - a.startedAt)
  })
  openFirst(runs())
}

/** The first run that starts opens by itself, where nothing else was asked for. */
function openFirst(list: readonly RunInfo[]): void {
  const first = list.find(({ live }) => live) ?? list[0]
  if (route().runId === null && first) go(first.id, null, true)
}

let noticeCount = 0
/** Says something in a corner for a while. */
export function notify(text: string): void {
  const id = ++noticeCount
  setNotices((list) => [...list.slice(-3), { id, text }])
  setTimeout(() => dismiss(id), 8000)
}
export function dismiss(id: number): void {
  setNotices((list) => list.filter((notice) => notice.id !== id))
}

export type Resume = { action: 'continue' | 'retry' | 'inject' | 'abort'; output?: string; input?: string }

/** Answers a hold. `output` and `input` are JSON text and travel as typed. */
export function resume(hold: Hold, { action, output, input }: Resume): boolean {
  const { runId } = route()
  if (runId === null) return false
  let payload = `{"pauseId":${JSON.stringify(hold.pauseId)},"action":"${action}"`
  if (output !== undefined) payload += `,"output":${output}`
  if (input !== undefined) payload += `,"input":${input}`
  return sent(link.control('exec.resume', `${payload}}`, runId))
}

export function setBreakpoint(matcher: Matcher, on: boolean, scope?: { runId: string }): void {
  sent(link.control(on ? 'breakpoint.set' : 'breakpoint.clear', JSON.stringify({ matcher, scope })))
}

export function changeMode(to: RunMode): void {
  sent(link.control('mode.set', JSON.stringify({ mode: to })))
}

/** From now on the server answers this node's holds with continue, or no longer. */
export function mute(nodeId: string, on: boolean): void {
  const { runId } = route()
  if (runId !== null) sent(link.send({ type: 'mute', runId, nodeId, on }))
}

export function deleteRun(runId: string): void {
  sent(link.send({ type: 'delete', runId }))
}

function sent(ok: boolean): boolean {
  if (!ok) notify('Not sent: the connection to graphmind is down. It comes back by itself.')
  return ok
}

setInterval(() => setNow(Date.now()), 500)
