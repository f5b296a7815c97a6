// Reading what is stored: the list of many runs, and a long run replayed to a viewer.
import { once } from 'node:events'
import { connect } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { runTexts } from './events.ts'
import { floor as startFloor, server } from './graphmind.ts'
import { feed, frames } from './raw-feed.ts'
import { atMost, type Family } from './row.ts'
import { interleaved, median, ratio, times } from './rounds.ts'
import { watcher } from './watcher.ts'

const RUNS = 10_000
const EVENTS_A_RUN = 200
const LONG_RUN = 100_000

export const runList: Family = {
  rows: [{ id: 'runs', title: 'GET /api/runs with 10,000 runs, 2,000,000 events', against: 'SELECT of the same rows', bar: '3 x', aim: '1.5 x', within: atMost(3, 1.5) }],
  async measure() {
    const graphmind = await server()
    const sender = await feed(graphmind.port)
    for (let first = 0; first < RUNS; first += 100) {
      await sender.send(frames(Array.from({ length: 100 }, (_, at) => [...runTexts(`list-${first + at}`, EVENTS_A_RUN)]).flat()))
    }
    while ((await list(graphmind.url)).split('"status":"ok"').length <= RUNS) await new Promise((resolve) => setTimeout(resolve, 200))
    sender.close()
    const db = new DatabaseSync(graphmind.dbPath, { readOnly: true })
    const select = db.prepare('SELECT * FROM runs ORDER BY started_at DESC, key DESC')
    const timed = (work: () => unknown) => async () => {
      const from = performance.now()
      await work()
      return performance.now() - from
    }
    const { ours, floor } = await interleaved(9, { floor: timed(() => select.all()), ours: timed(() => list(graphmind.url)) })
    db.close()
    await graphmind.stop()
    const value = ratio(ours, floor)
    return { runs: { value, shown: times(value), detail: `${median(ours).toFixed(0)} ms, floor ${median(floor).toFixed(0)} ms` } }
  },
}

async function list(url: string): Promise<string> {
  return (await fetch(`${url}/api/runs`)).text()
}

export const replay: Family = {
  rows: [{ id: 'replay', title: 'replay of 100,000 events to a viewer', against: 'reading and sending the same bytes raw', bar: '2 x', aim: '1.2 x', within: atMost(2, 1.2) }],
  async measure() {
    const graphmind = await server()
    const sender = await feed(graphmind.port)
    const first = await watcher(graphmind.port)
    first.subscribe('*')
    const stored = first.sees(`"eventCount":${LONG_RUN}`)
    await sender.send(frames(runTexts('long', LONG_RUN)))
    await stored
    sender.close()
    first.close()
    const base = await startFloor('replay.ts', graphmind.dbPath)
    const { ours, floor } = await interleaved(7, {
      floor: async () => {
        const from = performance.now()
        const socket = connect({ port: base.port, host: '127.0.0.1' })
        socket.resume()
        await once(socket, 'end')
        return performance.now() - from
      },
      ours: async () => {
        const viewer = await watcher(graphmind.port)
        const end = viewer.sees('"replay.end"')
        const from = performance.now()
        viewer.subscribe('long')
        await end
        const ms = performance.now() - from
        viewer.close()
        return ms
      },
    })
    base.process.kill()
    await graphmind.stop()
    const value = ratio(ours, floor)
    return { replay: { value, shown: times(value), detail: `${median(ours).toFixed(0)} ms, floor ${median(floor).toFixed(0)} ms` } }
  },
}
