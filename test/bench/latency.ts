// From `emit` in an app to the message in a viewer, through the real client and the real server,
// at a steady 2,000 events a second. App and viewer share this process, so that one clock serves.
import { WebSocket } from 'ws'
import { once } from 'node:events'
import { createSession } from '../../src/client/index.ts'
import { server } from './graphmind.ts'
import { atMost, type Family } from './row.ts'
import { median, percentile } from './rounds.ts'

const PER_MS = 2
const ROUND_MS = 1500

export const latency: Family = {
  rows: [{ id: 'latency', title: 'emit to viewer at 2,000 events/s', against: '-', bar: 'p99 6 ms', aim: '3 ms', within: atMost(6, 3) }],
  async measure() {
    const graphmind = await server()
    const session = createSession({ appName: 'bench', url: graphmind.ingestUrl, env: {} })
    if (!await session.ready({ timeoutMs: 5000 })) throw new Error('the client did not attach')
    const run = session.openRun('latency', { runId: 'latency' })
    const viewer = new WebSocket(graphmind.uiUrl, { perMessageDeflate: false })
    await once(viewer, 'open')
    let times: number[] = []
    viewer.on('message', (data) => {
      const now = performance.now()
      for (const [, at] of String(data).matchAll(/"at":([\d.]+)/g)) times.push(now - Number(at))
    })
    viewer.send(JSON.stringify({ type: 'subscribe', runId: 'latency', batch: true }))
    const p99: number[] = []
    const p50: number[] = []
    for (let round = -1; round < 5; round++) {
      times = []
      const sent = await steady(() => run.emit('node.finished', { nodeId: 'tool:a', durationMs: 1, status: 'ok', output: { at: performance.now() } }))
      while (times.length < sent) await new Promise((resolve) => setTimeout(resolve, 5))
      if (round < 0) continue
      p99.push(percentile(times, 99))
      p50.push(median(times))
    }
    viewer.terminate()
    await session.dispose()
    await graphmind.stop()
    const value = median(p99)
    return { latency: { value, shown: `p99 ${value.toFixed(1)} ms`, detail: `p50 ${median(p50).toFixed(2)} ms` } }
  },
}

/** Calls `emit` 2,000 times a second, as evenly as timers allow. */
async function steady(emit: () => void): Promise<number> {
  const from = performance.now()
  let sent = 0
  for (let now = from; now - from < ROUND_MS; now = performance.now()) {
    for (const due = Math.floor((now - from) * PER_MS); sent < due; sent++) emit()
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  return sent
}
