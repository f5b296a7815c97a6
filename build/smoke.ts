// The last look at what users get: packs the package, installs it in an empty folder elsewhere, and
// runs it and the single executable from there: version, the server with its viewer, the proxy.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { DIST, ROOT, manifest } from './paths.ts'
import { isFresh } from './stamp.ts'

const OLDEST_NODE = `${manifest().engines.node.replace('>=', '')}.0`
const place = mkdtempSync(join(tmpdir(), 'graphmind-smoke-'))

if (!isFresh()) throw new Error('dist/ is not what the sources say: npm run build:sea')
try {
  const installed = installPackage()
  await smoke('the package', process.execPath, [installed])
  await smoke(`the package on Node ${OLDEST_NODE}`, installNode(OLDEST_NODE), [installed])
  await smoke('the single executable', join(DIST, process.platform === 'win32' ? 'graphmind.exe' : 'graphmind'), [])
  console.log('smoke test passed')
} finally {
  rmSync(place, { recursive: true, force: true, maxRetries: 3 })
}

/** Packs and installs; gives the path of the bin. Exactly one package may be added. */
function installPackage(): string {
  const [packed] = JSON.parse(npm(ROOT, 'pack', '--json', '--ignore-scripts', '--pack-destination', place)) as [{ filename: string; size: number }]
  console.log(`${packed.filename}: ${(packed.size / 1024).toFixed(0)} KiB packed`)
  const folder = fresh('package')
  npm(folder, 'install', '--offline', '--no-audit', '--no-fund', join(place, packed.filename))
  const added = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))
  if (added.join() !== manifest().name) throw new Error(`installing it added ${added.join(', ')}, not one package`)
  const entry = `import('${manifest().name}').then((m) => typeof m.parseEnvelope + ' ').then((a) => import('${manifest().name}/client').then((m) => console.log(a + typeof m.createSession)))`
  const exported = execFileSync(process.execPath, ['-e', entry], { cwd: folder, encoding: 'utf8' }).trim()
  if (exported !== 'function function') throw new Error(`its exports are ${exported}`)
  return join(folder, 'node_modules', manifest().name, 'dist/bin.cjs')
}

/** That Node from the npm registry; gives its path. */
function installNode(version: string): string {
  const folder = fresh('node')
  npm(folder, 'install', '--no-audit', '--no-fund', '--ignore-scripts', `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}@${version}`)
  const name = readdirSync(join(folder, 'node_modules')).find((each) => each.startsWith('node-')) ?? ''
  const path = join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (!existsSync(path)) throw new Error(`Node ${version} is not in ${name}`)
  return path
}

/** Version, server, proxy; with an empty home and, on the PATH, no Node. */
async function smoke(what: string, command: string, before: string[]): Promise<void> {
  const home = fresh('home')
  const env = { PATH: pathWithoutNode(), HOME: home, USERPROFILE: home, DO_NOT_TRACK: '1' }
  const options = { cwd: home, env, encoding: 'utf8' } as const
  const version = execFileSync(command, [...before, '--version'], options).trim()
  if (version !== manifest().version) throw new Error(`${what}: --version prints "${version}"`)

  const server = spawn(command, [...before, 'serve', '--port', '0', '--no-open'], { cwd: home, env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let text = ''
      server.stdout.on('data', (chunk: Buffer) => {
        text += String(chunk)
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text)
        if (found) resolve(found[0])
      })
      server.once('exit', (code) => reject(new Error(`${what}: serve ended with ${code}\n${text}`)))
    })
    const page = await (await fetch(url)).text()
    if (!/<script/.test(page)) throw new Error(`${what}: the viewer is not served:\n${page.slice(0, 400)}`)
    const frame = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
    const echo = process.platform === 'win32' ? [process.execPath, '-e', 'process.stdin.pipe(process.stdout)'] : ['cat']
    const proxied = execFileSync(command, [...before, 'mcp-proxy', '--port', new URL(url).port, '--', ...echo], { ...options, input: frame })
    if (proxied !== frame) throw new Error(`${what}: mcp-proxy relayed ${JSON.stringify(proxied)}`)
    const { runs } = await (await fetch(`${url}/api/runs`)).json() as { runs: unknown[] }
    if (runs.length !== 1) throw new Error(`${what}: ${runs.length} runs are recorded, not 1`)
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGINT')
    const code = await ended
    if (code !== 0 && process.platform !== 'win32') throw new Error(`${what}: serve ended with ${String(code)}`)
  } finally {
    server.kill('SIGKILL')
  }
  console.log(`${what} works`)
}

function pathWithoutNode(): string {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !existsSync(join(folder, 'node')) && !existsSync(join(folder, 'node.exe')))
  if (process.platform === 'win32' || folders.some((folder) => existsSync(join(folder, 'cat')))) return folders.join(delimiter)
  // node lies beside the system's own commands: a folder of our own with just what is needed
  const bin = fresh('bin')
  for (const name of ['cat', 'sh']) writeFileSync(join(bin, name), `#!/bin/sh\nexec ${which(name)} "$@"\n`, { mode: 0o755 })
  return bin
}

function which(name: string): string {
  return execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()
}

function npm(cwd: string, ...args: string[]): string {
  return execFileSync(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, {
    cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], shell: process.platform === 'win32',
  })
}

function fresh(name: string): string {
  return mkdtempSync(join(place, `${name}-`))
}
