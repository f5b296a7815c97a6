// A server in the test's own process: quick to start, and its options are the test's.
import { join } from 'node:path'
import { startServer, type RunningServer, type ServerOptions } from '../../src/server/index.ts'
import type { RunInfo } from '../../src/wire/index.ts'
import { connectApp, connectViewer, tempDir, until, type RawApp, type RawViewer } from '../kit/index.ts'

export interface Here extends RunningServer {
  readonly dbPath: string
  /** What it said on stderr. */
  readonly lines: string[]
  app(): Promise<RawApp>
  viewer(): Promise<RawViewer>
  /** The run as /api/runs has it. */
  run(id: string): Promise<RunInfo | undefined>
  /** Waits until it is so. */
  runIs(id: string, fits: (run: RunInfo) => boolean): Promise<RunInfo>
  /** The run's envelopes as the API gives them. */
  events(id: string): Promise<{ seq: number; type: string; payload: Record<string, unknown> }[]>
}

export async function serverHere(options: Partial<ServerOptions> = {}): Promise<Here> {
  const dbPath = options.dbPath ?? join(tempDir(), 'graphmind.db')
  const lines: string[] = []
  const server = await startServer({
    port: 0, dbPath, version: '1.2.3', pauseOnError: 'on', graceMs: 15_000, unattendedMs: 0, allowedOrigins: [], log: (line) => lines.push(line), ...options,
  })
  const socketUrl = (path: string) => `ws://127.0.0.1:${server.port}${path}`
  const json = async (path: string) => (await fetch(server.url + path)).json() as Promise<Record<string, unknown>>
  const run = async (id: string) => ((await json('/api/runs')).runs as RunInfo[]).find((each) => each.id === id)
  return {
    ...server, dbPath, lines, run,
    app: () => connectApp(socketUrl('/ingest')),
    viewer: () => connectViewer(socketUrl('/ws/ui')),
    runIs: (id, fits) => until(async () => { const found = await run(id); return found && fits(found) ? found : null }, { what: `${id} to be as wanted` }),
    events: async (id) => (await json(`/api/runs/${encodeURIComponent(id)}/events?limit=5000`)).events as Awaited<ReturnType<Here['events']>>,
  }
}

/** A node.token payload; small and always the same. */
export const token = (text: string | number) => ({ nodeId: 'llm:step', deltas: [{ t: 'text', v: `${text}` }] })
export const paused = (pauseId: string, nodeId = 'tool:x') => ({ pauseId, nodeId, point: 'error', reason: 'error' })
