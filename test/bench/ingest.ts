// The server under load: prepared frames over bare sockets, so that the sender costs little. The
// clock stops when the viewer has the last event (which was committed before), at the floor when
// its last batch is committed.
import { join } from 'node:path'
import { runTexts } from './events.ts'
import { floor as startFloor, server, tempDir } from './graphmind.ts'
import { feed, frames, type Feed } from './raw-feed.ts'
import { atLeast, type Family } from './row.ts'
import { interleaved, median, ratio, times } from './rounds.ts'
import { watcher, type Watcher } from './watcher.ts'

const EVENTS = 60_000
const RUNS = 12

let runs = 0
const nextRun = () => `bench-${++runs}`
const perSecond = (values: readonly number[]) => `${Math.round(median(values)).toLocaleString('en')}/s`

/** Events a second of one run; `ended` resolves when they all arrived. */
async function oneRun(sender: Feed, runId: string, ended: () => Promise<void>): Promise<number> {
  const chunks = frames(runTexts(runId, EVENTS))
  const end = ended()
  const from = performance.now()
  await sender.send(chunks)
  await end
  return EVENTS / (performance.now() - from) * 1000
}

export const ingest: Family = {
  rows: [{
    id: 'ingest', title: 'ingest with one live viewer', against: 'ws receive + JSON.parse + batched insert, nothing else',
    bar: '0.7 x (about 60,000/s)', aim: '0.9 x', within: atLeast(0.7, 0.9),
  }],
  async measure() {
    const graphmind = await server()
    const base = await startFloor('ingest.ts', join(tempDir(), 'floor.db'))
    const [sender, baseSender, viewer] = await Promise.all([feed(graphmind.port), feed(base.port), watcher(graphmind.port)])
    const { ours, floor } = await interleaved(5, {
      floor: () => {
        const runId = nextRun()
        return oneRun(baseSender, runId, () => baseSender.sees(`"stored","runId":"${runId}"`))
      },
      ours: async () => {
        const runId = nextRun()
        await sender.send(frames([...runTexts(runId, 3)].slice(0, 1)))
        viewer.subscribe(runId)
        return oneRun(sender, runId, () => viewer.ends(1))
      },
    })
    sender.close()
    baseSender.close()
    viewer.close()
    base.process.kill()
    await graphmind.stop()
    const value = ratio(ours, floor)
    return { ingest: { value, shown: times(value), detail: `${perSecond(ours)}, floor ${perSecond(floor)}` } }
  },
}

export const crowd: Family = {
  rows: [{
    id: 'ingest-crowd', title: 'ingest, 12 runs, 3 viewers, one of them stalled', against: 'same ingest with no viewer',
    bar: '0.7 x, stalled one caught up after', aim: '0.9 x', within: atLeast(0.7, 0.9),
  }],
  async measure() {
    const graphmind = await server()
    const senders = await Promise.all(Array.from({ length: RUNS }, () => feed(graphmind.port)))
    let caughtUp = 0
    const all = async (viewers: Watcher[]) => {
      const ids = senders.map(nextRun)
      const chunks = ids.map((id) => frames(runTexts(id, EVENTS / RUNS)))
      await Promise.all(senders.map((sender, at) => sender.send(frames([...runTexts(ids[at] ?? '', 3)].slice(0, 1)))))
      for (const viewer of viewers) for (const id of ids) viewer.subscribe(id)
      const stalled = viewers[2]
      const later = stalled?.ends(RUNS)
      stalled?.pause()
      const seen = viewers.slice(0, 2).map((viewer) => viewer.ends(RUNS))
      const last = ids.map((id) => finished(graphmind.url, id))
      const from = performance.now()
      await Promise.all(senders.map((sender, at) => sender.send(chunks[at] ?? [])))
      await Promise.all(viewers.length > 0 ? seen : last.map((each) => each()))
      const rate = EVENTS / (performance.now() - from) * 1000
      if (stalled) {
        stalled.resume()
        await later
        caughtUp++
      }
      for (const viewer of viewers) viewer.close()
      return rate
    }
    const { ours, floor } = await interleaved(5, {
      floor: () => all([]),
      ours: async () => all(await Promise.all([1, 2, 3].map(() => watcher(graphmind.port)))),
    })
    for (const sender of senders) sender.close()
    await graphmind.stop()
    const value = ratio(ours, floor)
    return { 'ingest-crowd': { value, shown: times(value), detail: `${perSecond(ours)}, without viewers ${perSecond(floor)}; the stalled one caught up in ${caughtUp} of 6 rounds` } }
  },
}

/** Asks until the server has the end of the run: without a viewer there is nobody else to tell. */
function finished(url: string, runId: string): () => Promise<void> {
  return async () => {
    for (;;) {
      const answer = await fetch(`${url}/api/runs/${runId}/events?afterSeq=${EVENTS / RUNS - 2}&limit=1`)
      if (answer.ok && (await answer.text()).includes('"run.finished"')) return
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
}
