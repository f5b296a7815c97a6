// What an install costs: the packed tarball, and the packages that it brings.
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT, run, tempDir } from '../kit/index.ts'
import { atMost, type Family } from './row.ts'

export const packageRows: Family = {
  rows: [
    { id: 'tarball', title: 'npm tarball, packed', against: '-', bar: '1.5 MB', aim: '0.6 MB', within: atMost(1.5, 0.6) },
    { id: 'packages', title: "packages a user's install adds", against: '-', bar: '1', aim: '1', within: atMost(1, 1) },
  ],
  async measure() {
    const folder = tempDir()
    await npm(['pack', '--ignore-scripts', '--pack-destination', folder], ROOT)
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))
    if (tarball === undefined) throw new Error('npm pack made no tarball')
    const file = join(folder, tarball)
    const megabytes = statSync(file).size / 1e6
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    await npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', file], folder)
    const packages = installed(join(folder, 'node_modules'))
    return {
      tarball: { value: megabytes, shown: `${megabytes.toFixed(2)} MB`, detail: tarball },
      packages: { value: packages.length, shown: String(packages.length), detail: packages.join(' ') },
    }
  },
}

async function npm(args: string[], cwd: string): Promise<void> {
  const beside = join(dirname(process.execPath), 'npm')
  const { code, stderr } = await run(existsSync(beside) ? beside : 'npm', args, { cwd, env: process.env, timeoutMs: 120_000 })
  if (code !== 0) throw new Error(`npm ${args[0]} ended with ${code}: ${stderr.slice(-1000)}`)
}

function installed(folder: string): string[] {
  return readdirSync(folder).filter((name) => !name.startsWith('.')).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(folder, name)).map((each) => `${name}/${each}`) : [name])
}
