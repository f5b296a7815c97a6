// A viewer without a page: speaks /ws/ui and remembers everything. `url` is the server's `/ws/ui`.
import type { ClientOptions } from 'ws'
import type { UiServerMessage, WireEnvelope } from '../../src/wire/index.ts'
import { openSocket, type Socket } from './socket.ts'
import { until } from './until.ts'

export interface RawViewer extends Socket<UiServerMessage> {
  subscribe(runId: string, options?: { afterSeq?: number; batch?: boolean }): void
  /** Every envelope of the run in the order of arrival, doubles included. */
  events(runId: string): WireEnvelope[]
  /** The first event of that type that fits, waiting for it. */
  event(runId: string, type: string, fits?: (payload: Record<string, unknown>) => boolean): Promise<WireEnvelope>
  /** Sends a control. `exec.resume` needs the run's id; breakpoints and mode use `*`. */
  control(type: string, payload: Record<string, unknown>, runId?: string): void
  /** Waits for the newest hold of the run (optionally at that point) and gives `exec.paused`'s payload. */
  held(runId: string, point?: string): Promise<{ pauseId: string; nodeId: string; point: string } & Record<string, unknown>>
  /** The newest run that fits, waiting for it; needs `subscribe('*')`. */
  run(fits: (run: RunLike) => boolean): Promise<RunLike>
}
type RunLike = Extract<UiServerMessage, { type: 'run.update' }>['run']

/** Connects and waits for the welcome. */
export async function connectViewer(url: string, options: ClientOptions & { token?: string } = {}): Promise<RawViewer> {
  const { token, ...rest } = options
  const socket = await openSocket<UiServerMessage>(url, token ? [`graphmind.token.${token}`] : [], rest)
  await socket.next((m) => m.type === 'welcome', 'welcome')
  const events = (runId: string): WireEnvelope[] => socket.messages.flatMap((m) =>
    m.type === 'event' && m.runId === runId ? [m.envelope]
      : m.type === 'events' && m.runId === runId ? m.envelopes : [])
  return Object.assign(socket, {
    events,
    subscribe: (runId: string, more: { afterSeq?: number; batch?: boolean } = {}) =>
      socket.send({ type: 'subscribe', runId, ...more }),
    event: (runId: string, type: string, fits: (payload: Record<string, unknown>) => boolean = () => true) => until(
      () => events(runId).find((e) => e.type === type && fits(e.payload as Record<string, unknown>)),
      { what: () => `${type} of ${runId}; so far ${events(runId).map((e) => e.type).join(' ')}` },
    ),
    control: (type: string, payload: Record<string, unknown>, runId = '*') => socket.send({
      type: 'control',
      envelope: { gm: 1, seq: 0, ts: Date.now(), runId, type, payload },
    }),
    held: (runId: string, point?: string) => until(() => heldNow(events(runId), point), {
      what: () => `a hold of ${runId}; so far ${events(runId).map((e) => e.type).join(' ')}`,
    }) as ReturnType<RawViewer['held']>,
    run: (fits: (run: RunLike) => boolean) => until(() => socket.messages
      .flatMap((m) => m.type === 'run.update' ? [m.run] : m.type === 'runs' ? m.runs : [])
      .findLast(fits), { what: 'a run in the list' }),
  })
}

function heldNow(events: WireEnvelope[], point: string | undefined): Record<string, unknown> | undefined {
  const resumed = new Set(events.filter((e) => e.type === 'exec.resumed').map((e) => (e.payload as { pauseId: string }).pauseId))
  return events
    .filter((e) => e.type === 'exec.paused')
    .map((e) => e.payload as Record<string, unknown>)
    .findLast((p) => !resumed.has(p.pauseId as string) && (point === undefined || p.point === point))
}
