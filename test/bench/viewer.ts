// The viewer in headless Chromium, on a real server with stored and with live runs. What the page
// does is seen from outside: its socket and its frames are watched, its code is not touched.
import { gzipSync } from 'node:zlib'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openBrowser, type Browser } from './chromium.ts'
import { ROOT, type ServerProcess } from '../kit/index.ts'
import { runTexts } from './events.ts'
import { server } from './graphmind.ts'
import { feed, frames } from './raw-feed.ts'
import { atMost, type Family, type Measured } from './row.ts'
import { median, percentile } from './rounds.ts'
import { watcher } from './watcher.ts'

const ROUNDS = 5
const LIVE_RATE = 20_000
const LIVE_MS = 3000
const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`

export const viewerRows: Family = {
  rows: [
    { id: 'viewer-paint', title: 'viewer: first paint, cold server', against: '-', bar: '300 ms', aim: '150 ms', within: atMost(300, 150) },
    { id: 'viewer-open-10k', title: 'viewer: open 10,000 events, 500 nodes', against: '-', bar: '250 ms', aim: '125 ms', within: atMost(250, 125) },
    { id: 'viewer-open-100k', title: 'viewer: open 100,000 events, 5,000 nodes', against: '-', bar: '1500 ms', aim: '750 ms', within: atMost(1500, 750) },
    { id: 'viewer-live', title: 'viewer: live events, 20,000/s at 500 nodes', against: '-', bar: 'no dropped frame', aim: 'none', within: atMost(0, 0) },
    { id: 'viewer-pan', title: 'viewer: pan and zoom at 5,000 nodes, work a frame', against: '-', bar: 'p95 8 ms', aim: '4 ms', within: atMost(8, 4) },
    { id: 'viewer-size', title: 'viewer: bundle without the code editor, gzipped', against: '-', bar: '110 KB', aim: '55 KB', within: atMost(110, 55) },
  ],
  async measure(wanted, why) {
    const results: Record<string, Measured> = {}
    /** One that fails does not take the others with it. */
    const row = async (id: string, measure: () => Measured | Promise<Measured>) => {
      if (!wanted.has(id)) return
      try {
        results[id] = await measure()
      } catch (error) {
        why(id, `failed: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`)
      }
    }
    await row('viewer-size', bundleSize)
    if ([...wanted].every((id) => id === 'viewer-size')) return results
    const browser = await openBrowser()
    await row('viewer-paint', () => firstPaint(browser))
    if ([...wanted].some((id) => ON_RUNS.has(id))) await withStoredRuns(async (graphmind) => {
      await row('viewer-open-10k', () => open(browser, graphmind, 'small'))
      await row('viewer-open-100k', () => open(browser, graphmind, 'large'))
      await row('viewer-live', () => live(browser, graphmind))
      await row('viewer-pan', () => panAndZoom(browser, graphmind))
    })
    await browser.close()
    return results
  },
}

const ON_RUNS = new Set(['viewer-open-10k', 'viewer-open-100k', 'viewer-live', 'viewer-pan'])

async function withStoredRuns(measure: (graphmind: ServerProcess) => Promise<void>): Promise<void> {
  const graphmind = await server()
  await store(graphmind.port, 'small', 10_000, 500)
  await store(graphmind.port, 'large', 100_000, 5000)
  await measure(graphmind)
  await graphmind.stop()
}

async function store(port: number, runId: string, events: number, nodes: number): Promise<void> {
  const sender = await feed(port)
  const viewer = await watcher(port)
  viewer.subscribe('*')
  const stored = viewer.sees(`"eventCount":${events}`)
  await sender.send(frames(runTexts(runId, events, nodes)))
  await stored
  sender.close()
  viewer.close()
}

async function firstPaint(browser: Browser): Promise<Measured> {
  const paints: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const graphmind = await server()
    const page = await browser.newPage()
    await page.goto(graphmind.url)
    const paint = await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime)
    paints.push(Number(await paint.jsonValue()))
    await page.close()
    await graphmind.stop()
  }
  return { value: median(paints), shown: ms(median(paints)), detail: `${paints.map((each) => each.toFixed(0)).join(' ')} ms` }
}

/** When the page subscribed to a run, when that replay ended and when it was painted; see in-page.js. */
interface Watched { subscribed: number; replayed: number; drawn: number; gaps: number[] }
interface InPage { bench: Watched & { countFrames(): void } }

/** A fresh page at the run's address, once the run is drawn. */
async function openRun(browser: Browser, graphmind: ServerProcess, runId: string): Promise<{ page: Page; seen: Watched }> {
  const page = await browser.newPage()
  try {
    await page.addInitScript({ path: join(import.meta.dirname, 'in-page.js') })
    await page.goto(`${graphmind.url}/#/run/${runId}`)
    await page.waitForFunction(() => (globalThis as unknown as InPage).bench.drawn > 0, undefined, { timeout: 20_000 })
    await page.waitForSelector('.graph [data-node], .graph canvas', { timeout: 5000 })
    return { page, seen: await page.evaluate(() => ({ ...(globalThis as unknown as InPage).bench })) }
  } catch (error) {
    await page.close() // it may still be busy, and the next row must not pay for it
    throw error
  }
}

async function open(browser: Browser, graphmind: ServerProcess, runId: string): Promise<Measured> {
  const drawn: number[] = []
  const replayed: number[] = []
  for (let round = -1; round < ROUNDS; round++) {
    const { page, seen } = await openRun(browser, graphmind, runId)
    await page.close()
    if (round < 0) continue
    drawn.push(seen.drawn - seen.subscribed)
    replayed.push(seen.replayed - seen.subscribed)
  }
  return { value: median(drawn), shown: ms(median(drawn)), detail: `the last event was there after ${ms(median(replayed))}` }
}

/** Feeds a live run and counts frames that came more than one late; the main thread's time a live event as well. */
async function live(browser: Browser, graphmind: ServerProcess): Promise<Measured> {
  const sender = await feed(graphmind.port)
  const texts = [...runTexts('live', 2000 + LIVE_RATE * LIVE_MS / 1000, 500)].slice(0, -1)
  await sender.send(frames(texts.splice(0, 2000)))
  const { page } = await openRun(browser, graphmind, 'live')
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const scriptMs = async () => ((await session.send('Performance.getMetrics')).metrics.find((each) => each.name === 'ScriptDuration')?.value ?? 0) * 1000
  await page.evaluate(() => (globalThis as unknown as InPage).bench.countFrames())
  const before = await scriptMs()
  const from = performance.now()
  for (let sent = 0; sent < texts.length; ) {
    const due = Math.min(texts.length, Math.floor((performance.now() - from) * LIVE_RATE / 1000))
    if (due > sent) await sender.send(frames(texts.slice(sent, due)))
    sent = due
    await new Promise((resolve) => setTimeout(resolve, 4))
  }
  await new Promise((resolve) => setTimeout(resolve, 300))
  const perEvent = (await scriptMs() - before) / texts.length * 1000
  const gaps = await page.evaluate(() => (globalThis as unknown as InPage).bench.gaps)
  await page.close()
  sender.close()
  const dropped = gaps.filter((gap) => gap > 1000 / 60 * 2.5).length
  return {
    value: dropped, shown: `${dropped} dropped`,
    detail: `of ${gaps.length} frames, p95 ${ms(percentile(gaps, 95))} apart; ${perEvent.toFixed(1)} us of script an event, drawing included (bar for applying: 5 us)`,
  }
}

interface TraceEvent { name: string; ph: string; ts: number; dur?: number; tid: number; pid: number; args: { name?: string } }

/** Drags and zooms with a real mouse; work on the main thread between one frame's begin and the next. */
async function panAndZoom(browser: Browser, graphmind: ServerProcess): Promise<Measured> {
  const { page } = await openRun(browser, graphmind, 'large')
  const size = page.viewportSize() ?? { width: 1440, height: 900 }
  const [x, y] = [size.width / 2, size.height / 2]
  const cdp = await page.context().newCDPSession(page)
  const trace: TraceEvent[] = []
  cdp.on('Tracing.dataCollected', ({ value }) => trace.push(...value as unknown as TraceEvent[]))
  await cdp.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', 'cc'] } })
  await page.mouse.move(x, y)
  await page.mouse.down()
  for (let step = 0; step < 120; step++) await page.mouse.move(x + Math.sin(step / 10) * 250, y + Math.cos(step / 10) * 150)
  await page.mouse.up()
  for (let step = 0; step < 60; step++) await page.mouse.wheel(0, step % 30 < 15 ? 120 : -120)
  const complete = new Promise((resolve) => cdp.once('Tracing.tracingComplete', resolve))
  await cdp.send('Tracing.end')
  await complete
  await page.close()
  const work = workPerFrame(trace)
  return { value: percentile(work, 95), shown: `p95 ${ms(percentile(work, 95))}`, detail: `${work.length} frames, median ${ms(median(work))}` }
}

/** Milliseconds of tasks on the page's main thread, summed from the beginning of one frame to that of the next. */
function workPerFrame(trace: readonly TraceEvent[]): number[] {
  const begins = trace.filter((event) => event.name === 'ProxyMain::BeginMainFrame' && event.ph !== 'E')
  const { pid, tid } = busiest(begins)
  const starts = begins.filter((event) => event.pid === pid && event.tid === tid).map((event) => event.ts).sort((a, b) => a - b)
  const tasks = trace.filter((event) => event.pid === pid && event.tid === tid && event.name === 'RunTask' && event.dur !== undefined)
  return starts.slice(0, -1).map((start, at) => {
    const end = starts[at + 1] ?? Infinity
    return tasks.filter((task) => task.ts + (task.dur ?? 0) > start && task.ts + (task.dur ?? 0) <= end).reduce((sum, task) => sum + (task.dur ?? 0), 0) / 1000
  })
}

function busiest(events: readonly TraceEvent[]): { pid: number; tid: number } {
  const counts = new Map<string, number>()
  for (const { pid, tid } of events) counts.set(`${pid} ${tid}`, (counts.get(`${pid} ${tid}`) ?? 0) + 1)
  const [key = '0 0'] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? []
  const [pid = 0, tid = 0] = key.split(' ').map(Number)
  return { pid, tid }
}

function bundleSize(): Measured {
  const html = readFileSync(join(ROOT, 'viewer/dist/index.html'), 'utf8')
  const editors = html.match(/<script\b[^>]*type="?text\/plain"?[^>]*>[\s\S]*?<\/script>/gi) ?? []
  const rest = editors.reduce((page, editor) => page.replace(editor, () => ''), html)
  const kb = (text: string) => gzipSync(text, { level: 9 }).length / 1000
  return { value: kb(rest), shown: `${kb(rest).toFixed(0)} KB`, detail: `with the editor ${kb(html).toFixed(0)} KB` }
}
