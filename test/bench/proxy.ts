// The proxy's rows: the same server behind a bare Node pipe, behind the proxy with no server to
// report to, and behind the proxy attached with the error gate armed. All three live at once and
// take turns.
import { join } from 'node:path'
import { connectViewer, freePort } from '../kit/index.ts'
import { builtScript, cleanEnv, command, residentMiB, server, start, tempDir } from './graphmind.ts'
import { lane, type Lane } from './lanes.ts'
import { atLeast, atMost, type Family, type Measured } from './row.ts'
import { interleaved, median, percentile, ratio, times } from './rounds.ts'

const FLOORS = join(import.meta.dirname, 'floors')
const SERVER = [process.execPath, join(FLOORS, 'echo-server.cjs')]
const CALLS = 1000
const BIG = 32 * 1024 * 1024

function barePipe(): Lane {
  return lane(start(process.execPath, [join(FLOORS, 'bare-pipe.cjs'), ...SERVER], { env: cleanEnv(), unread: true }))
}

function proxy(url: string): Lane {
  const home = tempDir()
  return lane(start(...command('mcp-proxy', '--', ...SERVER), { env: cleanEnv({ HOME: home, GRAPHMIND_HOME: home, GRAPHMIND_URL: url }), unread: true }))
}

export const proxyRows: Family = {
  rows: [
    { id: 'proxy-p50-alone', title: 'proxy p50, no server', against: 'a bare Node process piping stdin/stdout to a child', bar: '1.25 x', aim: '1.05 x', within: atMost(1.25, 1.05) },
    { id: 'proxy-p50', title: 'proxy p50, attached, error gate armed', against: 'same', bar: '1.5 x', aim: '1.15 x', within: atMost(1.5, 1.15) },
    { id: 'proxy-p99', title: 'proxy p99, attached', against: 'same', bar: '4 x', aim: '2 x', within: atMost(4, 2) },
    { id: 'proxy-rate', title: 'proxy throughput, 1 KiB frames, 32 in flight', against: 'same', bar: '0.6 x', aim: '0.85 x', within: atLeast(0.6, 0.85) },
    { id: 'proxy-big', title: 'proxy, one 32 MiB result', against: 'same', bar: '1.5 x, memory + 3 frames', aim: '1.1 x', within: atMost(1.5, 1.1) },
  ],
  async measure(wanted) {
    const graphmind = await server()
    const viewer = await connectViewer(graphmind.uiUrl)
    viewer.send({ type: 'subscribe', runId: '*' })
    const lanes = {
      floor: barePipe(),
      alone: proxy(`ws://127.0.0.1:${await freePort()}/ingest`),
      attached: proxy(graphmind.ingestUrl),
    }
    for (const each of Object.values(lanes)) await each.calls(20)
    await viewer.run((run) => run.live)
    const results: Record<string, Measured> = {}
    if (wanted.has('proxy-p50') || wanted.has('proxy-p99') || wanted.has('proxy-p50-alone')) Object.assign(results, await latency(lanes))
    if (wanted.has('proxy-rate')) results['proxy-rate'] = await rate(lanes)
    if (wanted.has('proxy-big')) results['proxy-big'] = await big(lanes)
    await Promise.all(Object.values(lanes).map((each) => each.end()))
    await viewer.close()
    await graphmind.stop()
    return results
  },
}

type Lanes = Record<'floor' | 'alone' | 'attached', Lane>

async function latency({ floor, alone, attached }: Lanes): Promise<Record<string, Measured>> {
  const p99: Record<string, number[]> = { floor: [], attached: [] }
  const round = (name: string, each: Lane) => async () => {
    const all = await each.calls(CALLS)
    p99[name]?.push(percentile(all, 99))
    return median(all)
  }
  const p50 = await interleaved(7, { floor: round('floor', floor), alone: round('alone', alone), attached: round('attached', attached) })
  const us = (values: readonly number[] | undefined) => `${(median(values ?? []) * 1000).toFixed(0)} us`
  const row = (value: number, ours: readonly number[] | undefined, base: readonly number[] | undefined): Measured =>
    ({ value, shown: times(value), detail: `${us(ours)}, floor ${us(base)}` })
  return {
    'proxy-p50-alone': row(ratio(p50.alone, p50.floor), p50.alone, p50.floor),
    'proxy-p50': row(ratio(p50.attached, p50.floor), p50.attached, p50.floor),
    'proxy-p99': row(ratio(p99.attached ?? [], p99.floor ?? []), p99.attached, p99.floor),
  }
}

async function rate({ floor, alone, attached }: Lanes): Promise<Measured> {
  const round = (each: Lane) => () => each.rate(20_000, 32, 1024)
  const rates = await interleaved(5, { floor: round(floor), alone: round(alone), attached: round(attached) })
  const value = ratio(rates.alone, rates.floor)
  const shown = (values: readonly number[]) => `${Math.round(median(values)).toLocaleString('en')}/s`
  return { value, shown: times(value), detail: `${shown(rates.alone)}, floor ${shown(rates.floor)}; attached ${shown(rates.attached)} (${times(ratio(rates.attached, rates.floor))}), where the server works on the same cores` }
}

async function big({ floor, attached }: Lanes): Promise<Measured> {
  const before = residentMiB(attached.process.pid)
  const rounds = await interleaved(5, { floor: () => floor.big(BIG), ours: () => attached.big(BIG) })
  const peak = residentMiB(attached.process.pid, 'peak')
  const value = ratio(rounds.ours, rounds.floor)
  const grown = before === null || peak === null ? 'memory not measured here' : `memory + ${((peak - before) / 32).toFixed(1)} frames`
  return { value, shown: times(value), detail: `${median(rounds.ours).toFixed(0)} ms, floor ${median(rounds.floor).toFixed(0)} ms; ${grown}` }
}

/** Milliseconds from spawn to the first byte of the answer. */
async function toFirstByte(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const from = performance.now()
  const started = start(program, args, { env, unread: true })
  const first = new Promise<number>((resolve) => started.child.stdout?.once('data', () => resolve(performance.now() - from)))
  started.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
  const ms = await first
  started.child.stdout?.resume()
  started.stdin.end()
  await started.exited
  return ms
}

export const proxyStart: Family = {
  rows: [{ id: 'proxy-start', title: 'proxy start to first relayed byte', against: "a bare Node pipe's", bar: '+ 40 ms', aim: '+ 15 ms', within: atMost(40, 15) }],
  async measure() {
    const home = tempDir()
    const env = cleanEnv({ HOME: home, GRAPHMIND_HOME: home, GRAPHMIND_URL: `ws://127.0.0.1:${await freePort()}/ingest` })
    const { floor, ours } = await interleaved(9, {
      floor: () => toFirstByte(process.execPath, [join(FLOORS, 'bare-pipe.cjs'), ...SERVER], env),
      ours: () => toFirstByte(process.execPath, [builtScript(), 'mcp-proxy', '--', ...SERVER], env),
    })
    const value = median(ours.map((each, round) => each - (floor[round] ?? 0)))
    return { 'proxy-start': { value, shown: `+ ${value.toFixed(0)} ms`, detail: `${median(ours).toFixed(0)} ms, floor ${median(floor).toFixed(0)} ms` } }
  },
}
