// `graphmind serve`: starts the server, says what it armed and where, opens the viewer, and stays
// until it is told to stop.
import type { ServerOptions } from '../server/index.ts'
import type { CommandLine } from './command-line.ts'
import type { World } from './commands.ts'
import { isFault } from './faults.ts'
import { openBrowser, shouldOpen } from './open-browser.ts'
import { quietSqliteWarning } from './quiet-sqlite.ts'
import { findRunning } from './running-server.ts'
import {
  readAllowedOrigins, readDbPath, readGraphmindHome, readPauseOnError, readPort, readRetention, readTimes,
} from './settings.ts'
import { keepToken, readToken } from './token.ts'
import { viewerDist } from './viewer-dist.ts'
import { viewerPage } from './viewer-page.ts'

/** The longest that stopping may take; after it the process ends all the same. */
const STOP_MS = 1900

export async function serve({ values, switches }: CommandLine, world: World): Promise<number> {
  const { env, stdout, stderr, home, cwd } = world
  const port = readPort(values)
  const graphmindHome = readGraphmindHome(env, home, cwd)
  const open = shouldOpen(switches.open, stdout.isTTY === true, env.CI)
  const dist = viewerDist(env.GRAPHMIND_VIEWER_DIST, cwd)
  const options: ServerOptions = {
    port,
    dbPath: readDbPath(values, env, home, cwd),
    version: world.version,
    pauseOnError: readPauseOnError(values, env),
    ...readTimes(env),
    allowedOrigins: readAllowedOrigins(env),
    retention: readRetention(env),
    ...(switches.token && { token: keepToken(graphmindHome) }),
    viewer: dist === null ? viewerPage() : null,
    ...(dist !== null && { viewerDist: dist }),
    log: (line) => stderr.write(`${line}\n`),
  }
  const stopped = stopSignal()
  quietSqliteWarning()
  const { startServer } = await import('../server/index.ts')
  let server
  try {
    server = await startServer(options)
  } catch (error) {
    if (!isFault(error) || error.code !== 'GM_PORT_TAKEN') throw error
    const running = await findRunning(port)
    if (!running) throw error
    const link = viewerLink(`http://127.0.0.1:${port}`, running.guarded ? readToken(graphmindHome) : null)
    stdout.write(`graphmind ${running.version} is already running, viewer at ${link}\n`)
    if (open) await show(link, world)
    return 0
  }
  const link = viewerLink(server.url, options.token ?? null)
  stdout.write(greeting(link, options))
  if (open) void show(link, world)
  await stopped
  stderr.write('graphmind: stopping; held calls go on. Ctrl+C again ends it at once.\n')
  await Promise.race([server.close(), new Promise((resolve) => setTimeout(resolve, STOP_MS))])
  return 0
}

function greeting(link: string, { dbPath, pauseOnError, version, token }: ServerOptions): string {
  const armed = pauseOnError === 'on' ? 'at every error (--pause-on-error off lets them pass)'
    : pauseOnError === 'off' ? 'at no error (--pause-on-error is off)'
      : `at every error of a ${pauseOnError} node (--pause-on-error ${pauseOnError})`
  return [
    `graphmind ${version}`,
    `  viewer    ${link}`,
    `  database  ${dbPath}`,
    `  stops     ${armed}`,
    ...(token === undefined ? [] : ['  token     asked of everyone; the link carries it']),
    '  Ctrl+C    ends it and lets held calls go on',
    '',
  ].join('\n')
}

function viewerLink(url: string, token: string | null): string {
  return token === null ? url : `${url}/#token=${token}`
}

async function show(link: string, { stderr }: World): Promise<void> {
  if (!await openBrowser(link)) stderr.write(`graphmind: no browser could be opened; go to ${link}\n`)
}

/** The first request to stop; a second one ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(130)
        asked = true
        resolve()
      })
    }
  })
}
