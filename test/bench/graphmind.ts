// graphmind as a user runs it: the built script, or with --sources the sources as they lie here.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnv, CLI, ROOT, start, startServerProcess, tempDir, type ServerProcess, type ServerProcessOptions, type Started } from '../kit/index.ts'

const SCRIPT = join(ROOT, 'dist/bin.cjs')
/** The single executable, where it was built. */
export const BINARY = join(ROOT, 'dist', process.platform === 'win32' ? 'graphmind.exe' : 'graphmind')

let script = SCRIPT

/** Measure the sources from now on. */
export function measureSources(): void {
  script = CLI
}

/** The script that is measured. */
export function builtScript(): string {
  return script
}

export function command(...args: string[]): [command: string, args: string[]] {
  return [process.execPath, [script, ...args]]
}

export function server(options: ServerProcessOptions = {}): Promise<ServerProcess> {
  return startServerProcess({ command, ...options })
}

/** A floor process that says on which port it listens. */
export async function floor(file: string, ...args: string[]): Promise<{ port: number; process: Started }> {
  const started = start(process.execPath, [join(import.meta.dirname, 'floors', file), ...args], { env: cleanEnv() })
  const found = await started.sees(/listening on (\d+)\./)
  return { port: Number(found[1]), process: started }
}

/** Resident memory of a process in MiB; null where the system does not tell (only Linux does, cheaply). `peak`: the most it ever was. */
export function residentMiB(pid: number, which: 'now' | 'peak' = 'now'): number | null {
  const file = `/proc/${pid}/status`
  if (!existsSync(file)) return null
  const found = new RegExp(`${which === 'now' ? 'VmRSS' : 'VmHWM'}:\\s+(\\d+) kB`).exec(readFileSync(file, 'utf8'))
  return found ? Number(found[1]) / 1024 : null
}

export { tempDir, start, cleanEnv }
