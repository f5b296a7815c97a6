// How long a user waits for nothing: `--version`, from the script and from the single executable.
import { existsSync } from 'node:fs'
import { run } from '../kit/index.ts'
import { BINARY, builtScript, cleanEnv } from './graphmind.ts'
import { atMost, type Family, type Measured } from './row.ts'
import { interleaved, median, ratio, times } from './rounds.ts'

export const startUp: Family = {
  rows: [
    { id: 'version-script', title: '--version, script', against: 'node -e 0', bar: '1.35 x', aim: '1.1 x', within: atMost(1.35, 1.1) },
    { id: 'version-binary', title: '--version, native binary', against: 'node -e 0', bar: '1.25 x', aim: '1.1 x', within: atMost(1.25, 1.1) },
  ],
  async measure(_wanted, why) {
    const env = cleanEnv()
    const timed = (program: string, ...args: string[]) => async () => {
      const from = performance.now()
      const { code, stderr } = await run(program, args, { env })
      if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${stderr}`)
      return performance.now() - from
    }
    const sides: Record<string, () => Promise<number>> = { floor: timed(process.execPath, '-e', '0'), script: timed(process.execPath, builtScript(), '--version') }
    if (existsSync(BINARY)) sides.binary = timed(BINARY, '--version')
    else why('version-binary', 'not built; npm run build:sea builds it')
    const all = await interleaved(15, sides)
    const floor = all.floor ?? []
    const row = (ours: number[] | undefined): Measured | null => ours === undefined ? null
      : { value: ratio(ours, floor), shown: times(ratio(ours, floor)), detail: `${median(ours).toFixed(1)} ms, floor ${median(floor).toFixed(1)} ms` }
    const rows = { 'version-script': row(all.script), 'version-binary': row(all.binary) }
    return Object.fromEntries(Object.entries(rows).filter((entry): entry is [string, Measured] => entry[1] !== null))
  },
}
