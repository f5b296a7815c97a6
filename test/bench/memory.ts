// What the server keeps: memory after a million small events and after the largest frames, and the
// size of the file. Each is measured once, on a server of its own.
import { statSync } from 'node:fs'
import { MAX_FRAME_BYTES } from '../../src/wire/index.ts'
import { until } from '../kit/index.ts'
import { runTexts } from './events.ts'
import { residentMiB, server } from './graphmind.ts'
import { feed, frames } from './raw-feed.ts'
import { atMost, type Family, type Measured } from './row.ts'
import { watcher } from './watcher.ts'

const RUNS = 20
const EVENTS_A_RUN = 50_000
const LARGE_FRAMES = 8
const SETTLE_MS = 20_000

export const memory: Family = {
  rows: [
    { id: 'memory', title: 'server memory after 1,000,000 events', against: 'at start', bar: '+ 60 MiB', aim: '+ 25 MiB', within: atMost(60, 25) },
    { id: 'disk', title: 'bytes on disk per small event', against: 'its JSON text', bar: '1.3 x', aim: '0.7 x', within: atMost(1.3, 0.7) },
  ],
  async measure(_wanted, why) {
    const graphmind = await server()
    const sender = await feed(graphmind.port)
    const viewer = await watcher(graphmind.port)
    const start = residentMiB(graphmind.pid)
    let textBytes = 0
    for (let each = 0; each < RUNS; each++) {
      const texts = [...runTexts(`memory-${each}`, EVENTS_A_RUN)]
      for (const text of texts) textBytes += text.length
      await sender.send(frames(texts.slice(0, 1)))
      viewer.subscribe(`memory-${each}`)
      const ended = viewer.ends(1)
      await sender.send(frames(texts.slice(1)))
      await ended
    }
    sender.close()
    viewer.close()
    const settled = await lowest(graphmind.pid, SETTLE_MS, start === null ? 0 : start + 25)
    await graphmind.stop()
    const perEvent = statSync(graphmind.dbPath).size / (RUNS * EVENTS_A_RUN)
    const perText = textBytes / (RUNS * EVENTS_A_RUN)
    const results: Record<string, Measured> = {
      disk: { value: perEvent / perText, shown: `${(perEvent / perText).toFixed(2)} x`, detail: `${perEvent.toFixed(0)} bytes, its text ${perText.toFixed(0)}` },
    }
    if (start === null || settled === null) why('memory', 'this system does not tell the memory of a process')
    else results.memory = { value: settled - start, shown: `+ ${(settled - start).toFixed(0)} MiB`, detail: `${start.toFixed(0)} MiB at start, ${settled.toFixed(0)} MiB after` }
    return results
  },
}

export const largeFrames: Family = {
  rows: [{ id: 'memory-large', title: 'server memory after 16 MiB frames', against: 'at start', bar: 'back within 40 MiB', aim: '15 MiB', within: atMost(40, 15) }],
  async measure(_wanted, why) {
    const graphmind = await server()
    const sender = await feed(graphmind.port)
    const viewer = await watcher(graphmind.port)
    const start = residentMiB(graphmind.pid)
    const run = [...runTexts('large', 3)]
    await sender.send(frames(run.slice(0, 1)))
    viewer.subscribe('large')
    const ended = viewer.ends(1)
    const big = 'x'.repeat(MAX_FRAME_BYTES - 1000)
    for (let seq = 1; seq <= LARGE_FRAMES; seq++) {
      await sender.send(frames([`{"gm":1,"seq":${seq},"ts":1,"runId":"large","type":"node.finished","payload":{"nodeId":"tool:a","output":"${big}","durationMs":1,"status":"ok"}}`]))
    }
    await sender.send(frames([`{"gm":1,"seq":${LARGE_FRAMES + 1},"ts":1,"runId":"large","type":"run.finished","payload":{"status":"ok"}}`]))
    await ended
    const peak = residentMiB(graphmind.pid, 'peak')
    const settled = await lowest(graphmind.pid, SETTLE_MS, start === null ? 0 : start + 15)
    sender.close()
    viewer.close()
    await graphmind.stop()
    if (start === null || settled === null || peak === null) {
      why('memory-large', 'this system does not tell the memory of a process')
      return {} as Record<string, Measured>
    }
    return { 'memory-large': { value: settled - start, shown: `+ ${(settled - start).toFixed(0)} MiB`, detail: `${start.toFixed(0)} MiB at start, ${peak.toFixed(0)} MiB at most` } }
  },
}

/** The least it holds within this time; sooner, once it is down to `enough`. */
async function lowest(pid: number, ms: number, enough = 0): Promise<number | null> {
  const deadline = performance.now() + ms
  let least = residentMiB(pid)
  await until(() => {
    const now = residentMiB(pid)
    if (now !== null && (least === null || now < least)) least = now
    return performance.now() > deadline || (least !== null && least <= enough)
  }, { timeoutMs: ms + 5000, everyMs: 100 })
  return least
}
