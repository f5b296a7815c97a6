// A gate of a session that is not attached, against the least that an async gate can be: an
// awaited promise that is resolved already.
import { createSession } from '../../src/client/index.ts'
import { atMost, type Family } from './row.ts'
import { interleaved, median, ratio, times } from './rounds.ts'

const AWAITS = 300_000

export const gate: Family = {
  rows: [{ id: 'gate', title: 'gate, detached', against: 'an awaited resolved promise', bar: '1.2 x', aim: '1 x', within: atMost(1.2, 1.02) }],
  async measure() {
    const session = createSession({ appName: 'bench', url: 'ws://127.0.0.1:9/ingest', env: {} })
    const run = session.openRun('bench')
    const node = { nodeId: 'tool:a', kind: 'tool' as const, name: 'a', instanceId: '1' }
    const promise = Promise.resolve({ action: 'continue' })
    const time = async (once: () => Promise<unknown>) => {
      const from = performance.now()
      for (let i = 0; i < AWAITS; i++) await once()
      return (performance.now() - from) / AWAITS * 1e6
    }
    const { floor, ours } = await interleaved(15, { floor: () => time(() => promise), ours: () => time(() => run.gate('before', node)) })
    await session.dispose({ lingerMs: 0 })
    const value = ratio(ours, floor)
    return { gate: { value, shown: times(value), detail: `${median(ours).toFixed(0)} ns, floor ${median(floor).toFixed(0)} ns` } }
  },
}
