// `node test/bench/soak.ts [--seconds 60] [--rate 60000]`: one server at the load that it is built
// for, with a viewer tailing live. Prints, every ten seconds, the rate, the server's memory and how
// long /health takes. Not part of the table: it measures staying power.
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { runTexts } from './events.ts'
import { residentMiB, server } from './graphmind.ts'
import { feed, frames } from './raw-feed.ts'
import { watcher } from './watcher.ts'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' }, rate: { type: 'string', default: '60000' } } })
const EVENTS_A_RUN = 60_000
const REPORT_MS = 10_000
const PIECE = 1000

const graphmind = await server()
const [sender, viewer] = await Promise.all([feed(graphmind.port), watcher(graphmind.port)])
const until = performance.now() + Number(values.seconds) * 1000
const started = performance.now()
const health: number[] = []
// Asked from a thread of its own: this one is busy sending.
const asking = new Worker(`
const { parentPort, workerData } = require('node:worker_threads')
setInterval(async () => {
  const asked = performance.now()
  await (await fetch(workerData)).text()
  parentPort.postMessage(performance.now() - asked)
}, 100)`, { eval: true, workerData: `${graphmind.url}/health` })
asking.on('message', (ms: number) => health.push(ms))
console.log(`at start: ${residentMiB(graphmind.pid)?.toFixed(0)} MiB`)
let events = 0
let reported = started
for (let run = 0; performance.now() < until; run++) {
  const texts = [...runTexts(`soak-${run}`, EVENTS_A_RUN)]
  await sender.send(frames(texts.slice(0, 1)))
  viewer.subscribe(`soak-${run}`)
  const ended = viewer.ends(1)
  const from = performance.now()
  for (let sent = 1; sent < texts.length; sent += PIECE) {
    await sender.send(frames(texts.slice(sent, sent + PIECE)))
    const due = from + sent / Number(values.rate) * 1000
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
  }
  await ended
  events += texts.length
  const rate = texts.length / (performance.now() - from) * 1000
  if (performance.now() - reported < REPORT_MS) continue
  reported = performance.now()
  const sorted = health.splice(0).sort((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor(sorted.length * part)]?.toFixed(1) ?? '-'
  console.log(`${((reported - started) / 1000).toFixed(0)} s: ${events.toLocaleString('en')} events, now ${Math.round(rate).toLocaleString('en')}/s seen by the viewer, ${residentMiB(graphmind.pid)?.toFixed(0)} MiB, /health p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`)
}
await asking.terminate()
sender.close()
viewer.close()
await graphmind.stop()
