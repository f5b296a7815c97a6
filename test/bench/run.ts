// `npm run bench`: measures and prints the table. It fails nobody: a row is a figure, not a verdict.
//   --only <row>   only this row (or several, with commas, or the beginning of ids)
//   --json <file>  the figures as JSON as well
//   --sources      measure the sources instead of the build
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT, run } from '../kit/index.ts'
import { gate } from './gate.ts'
import { measureSources } from './graphmind.ts'
import { crowd, ingest } from './ingest.ts'
import { latency } from './latency.ts'
import { largeFrames, memory } from './memory.ts'
import { packageRows } from './package.ts'
import { proxyRows, proxyStart } from './proxy.ts'
import { table, type Family, type Line } from './row.ts'
import { startUp } from './start-up.ts'
import { replay, runList } from './stored.ts'
import { viewerRows } from './viewer.ts'

const FAMILIES: readonly Family[] = [proxyRows, proxyStart, ingest, latency, crowd, memory, largeFrames, runList, replay, gate, startUp, packageRows, viewerRows]

const { values } = parseArgs({ options: { only: { type: 'string' }, json: { type: 'string' }, sources: { type: 'boolean' } } })
const only = values.only?.split(',')
const ids = FAMILIES.flatMap((family) => family.rows.map((row) => row.id))
const isWanted = (id: string) => only === undefined || only.some((each) => ids.includes(each) ? id === each : id.startsWith(each))

if (!ids.some(isWanted)) {
  console.error(`No row begins with "${values.only}". Rows: ${ids.join(' ')}`)
  process.exit(2)
}
if (values.sources) measureSources()
else await build()

const started = performance.now()
const lines: Line[] = []
for (const family of FAMILIES) {
  const rows = family.rows.filter((row) => isWanted(row.id))
  if (rows.length === 0) continue
  console.error(`measuring ${rows.map((row) => row.id).join(', ')} …`)
  lines.push(...await measure(family, new Set(rows.map((row) => row.id))))
}
console.log(`${cpus().length} x ${cpus()[0]?.model ?? 'unknown CPU'}, Node ${process.version}, ${Math.round((performance.now() - started) / 1000)} s\n`)
console.log(table(lines))
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(lines.map(({ info, measured, reason }) => ({
  id: info.id, row: info.title, against: info.against, bar: info.bar, aim: info.aim, ...measured ?? { reason }, within: measured ? info.within(measured.value) : null,
})), null, 2)}\n`)
process.exit(0)

async function measure(family: Family, wanted: ReadonlySet<string>): Promise<Line[]> {
  const reasons = new Map<string, string>()
  const results = await family.measure(wanted, (id, reason) => reasons.set(id, reason)).catch((error: unknown) => {
    for (const row of family.rows) reasons.set(row.id, `failed: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`)
    if (error instanceof Error) console.error(error.stack)
    return {} as Awaited<ReturnType<Family['measure']>>
  })
  return family.rows.filter((row) => wanted.has(row.id)).map((info) => ({ info, measured: results[info.id] ?? null, reason: reasons.get(info.id) ?? 'not measured' }))
}

async function build(): Promise<void> {
  const { code, stdout, stderr } = await run(process.execPath, [join(ROOT, 'build/if-needed.ts')], { env: process.env, timeoutMs: 300_000 })
  if (code === 0) return
  console.error(`${stdout}\n${stderr}\nThe build failed, so there is nothing to measure.`)
  process.exit(1)
}
