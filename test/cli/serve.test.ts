// `graphmind serve` as a person runs it: what it prints, the port that is taken, the browser, Ctrl+C.
import { existsSync, readFileSync, statSync, writeFileSync, chmodSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { cleanEnv, connectApp, connectViewer, graphmind, run, start, startServerProcess, tempDir, until, type RawViewer } from '../kit/index.ts'

test('it says where the viewer and the database are, what it stops at and how to stop it', async () => {
  const server = await startServerProcess()
  await server.sees('Ctrl+C')
  const { stdout } = { stdout: server.stdout() }
  assert.match(stdout, /^graphmind \d+\.\d+\.\d+\n/)
  assert.match(stdout, `viewer    ${server.url}\n`)
  assert.match(stdout, `database  ${server.dbPath}\n`)
  assert.match(stdout, 'stops     at every error')
  const health = await (await fetch(`${server.url}/health`)).json() as { ok: boolean; name: string }
  assert.is(health.name, 'graphmind-ai')
  assert.is(await server.stop(), 0)
})

test('without a flag the database is in the home folder, and only its owner can read it', async () => {
  const home = tempDir()
  const server = start(...graphmind('serve', '--port', '0'), { env: cleanEnv({ HOME: home }) })
  await server.sees('Ctrl+C')
  const folder = join(home, '.graphmind')
  assert.is(statSync(folder).mode & 0o777, 0o700)
  assert.is(statSync(join(folder, 'graphmind.db')).mode & 0o777, 0o600)
  server.kill('SIGINT')
  assert.is((await server.exited).code, 0)
})

test('pause-on-error arms what was asked for and says so', async () => {
  const armed = async (server: { uiUrl: string }): Promise<unknown> => {
    const viewer = await connectViewer(server.uiUrl)
    const welcome = viewer.messages.find((message) => message.type === 'welcome')
    await viewer.close()
    return welcome?.breakpoints
  }
  const off = await startServerProcess({ args: ['--pause-on-error', 'off'] })
  await off.sees('stops     at no error')
  assert.equal(await armed(off), [])
  await off.stop()
  const tool = await startServerProcess({ env: { GRAPHMIND_PAUSE_ON_ERROR: 'tool' } })
  await tool.sees('stops     at every error of a tool node')
  assert.equal(await armed(tool), [{ kind: 'tool', point: 'error' }])
  await tool.stop()
})

test('a port taken by graphmind: says where its viewer is, opens it, exits with 0', async () => {
  const server = await startServerProcess()
  const { env, opened } = withOpener()
  const second = await run(...graphmind('serve', '--port', String(server.port), '--open'), { env })
  assert.is(second.code, 0)
  assert.match(second.stdout, `is already running, viewer at ${server.url}\n`)
  assert.is(second.stderr, '')
  assert.is(await until(opened), server.url)
  assert.ok(server.running())
  await server.stop()
})

test('a port taken by something else: says which port and what to do, exits with 1', async () => {
  const other = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1')
  await until(() => other.listening)
  const { port } = other.address() as AddressInfo
  const ran = await run(...graphmind('serve', '--port', String(port)), { env: cleanEnv({ HOME: tempDir() }) })
  other.close()
  assert.is(ran.code, 1)
  assert.match(ran.stderr, new RegExp(`^graphmind: [^\\n]*${port}[^\\n]*--port[^\\n]*\\n$`))
  assert.is(ran.stdout, '')
})

test('a port taken by something that never answers: says so within seconds, exits with 1', async () => {
  const other = createServer(() => {}).listen(0, '127.0.0.1')
  await until(() => other.listening)
  const { port } = other.address() as AddressInfo
  const ran = await run(...graphmind('serve', '--port', String(port)), { env: cleanEnv({ HOME: tempDir() }), timeoutMs: 10_000 })
  other.closeAllConnections()
  other.close()
  assert.is(ran.code, 1)
  assert.match(ran.stderr, String(port))
})

test('--open opens the viewer without a terminal; without it, nothing is opened', async () => {
  const forced = withOpener()
  const server = await startServerProcess({ env: forced.env, args: ['--open'] })
  assert.is(await until(forced.opened), server.url)
  await server.stop()
  const silent = withOpener()
  const second = start(...graphmind('serve', '--port', '0'), { env: silent.env })
  await second.sees('Ctrl+C')
  second.kill('SIGINT')
  await second.exited
  assert.is(silent.opened(), null)
})

test('a missing opener prints the address instead of failing', async () => {
  const server = await startServerProcess({ env: { PATH: tempDir() }, args: ['--open'] })
  await server.sees(`no browser could be opened; go to ${server.url}`)
  assert.is(await server.stop(), 0)
})

test('Ctrl+C lets held calls go, closes sockets with 1001 and exits with 0 within 2 s', async () => {
  const server = await startServerProcess()
  const app = await connectApp(server.ingestUrl)
  await app.hello()
  app.startRun('r1')
  app.emit('r1', 'node.started', { nodeId: 'tool:a', kind: 'tool', name: 'a', instanceId: 'i1' })
  app.emit('r1', 'exec.paused', { pauseId: 'p1', nodeId: 'tool:a', instanceId: 'i1', point: 'error' })
  const viewer: RawViewer = await connectViewer(server.uiUrl)
  viewer.subscribe('r1')
  await viewer.held('r1')
  const asked = performance.now()
  server.kill('SIGINT')
  const { code } = await server.exited
  assert.is(code, 0)
  assert.ok(performance.now() - asked < 2500, `took ${performance.now() - asked} ms`)
  await until(() => app.closed() && viewer.closed())
  assert.is(app.closed()?.code, 1001)
  assert.is(viewer.closed()?.code, 1001)
  assert.not.ok(existsSync(`${server.dbPath}-wal`) && statSync(`${server.dbPath}-wal`).size > 0, 'the database is checkpointed')
})

test('a second Ctrl+C ends it at once, whoever does not hang up', async () => {
  const server = await startServerProcess()
  const deaf = connect(server.port, '127.0.0.1')
  deaf.on('error', () => {})
  deaf.write(`GET /ingest HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`)
  await new Promise((resolve) => deaf.once('data', resolve))
  server.kill('SIGINT')
  await server.sees('Ctrl+C again')
  server.kill('SIGINT')
  assert.is((await server.exited).code, 130)
  deaf.destroy()
})

test('SIGTERM stops it as Ctrl+C does', async () => {
  const server = await startServerProcess()
  server.kill('SIGTERM')
  assert.is((await server.exited).code, 0)
})

test('--token: the link carries it, everyone else is refused, and only its owner can read the file', async () => {
  const home = tempDir()
  const server = await startServerProcess({ home, args: ['--token'] })
  const link = await server.sees(/#token=([\w-]{32,})/)
  const path = join(home, '.graphmind/token')
  assert.is(readFileSync(path, 'utf8').trim(), link[1])
  assert.is(statSync(path).mode & 0o777, 0o600)
  assert.is((await fetch(`${server.url}/api/runs`)).status, 401)
  assert.is((await fetch(`${server.url}/api/runs`, { headers: { authorization: `Bearer ${link[1]}` } })).status, 200)
  const second = await run(...graphmind('serve', '--port', String(server.port), '--no-open'), {
    env: cleanEnv({ HOME: home, GRAPHMIND_HOME: join(home, '.graphmind') }),
  })
  assert.match(second.stdout, `viewer at ${server.url}/#token=${link[1]}\n`)
  await server.stop()
})

test('a token that others could read is replaced', async () => {
  const home = tempDir()
  mkdirSync(join(home, '.graphmind'))
  const old = 'x'.repeat(43)
  writeFileSync(join(home, '.graphmind/token'), old)
  chmodSync(join(home, '.graphmind/token'), 0o644)
  const server = await startServerProcess({ home, args: ['--token'] })
  const link = await server.sees(/#token=([\w-]{32,})/)
  assert.is.not(link[1], old)
  assert.is(statSync(join(home, '.graphmind/token')).mode & 0o777, 0o600)
  await server.stop()
})

test('a database that is none is one clear line and exit code 1, and the file stays as it was', async () => {
  const path = join(tempDir(), 'notes.txt')
  writeFileSync(path, 'shopping list\n'.repeat(100))
  const ran = await run(...graphmind('serve', '--port', '0', '--db', path), { env: cleanEnv({ HOME: tempDir() }) })
  assert.is(ran.code, 1)
  assert.match(ran.stderr, /^graphmind: [^\n]*notes\.txt[^\n]*\n$/)
  assert.is(readFileSync(path, 'utf8'), 'shopping list\n'.repeat(100))
})

/** A PATH whose only browser opener writes down what it was asked to open. */
function withOpener(): { env: NodeJS.ProcessEnv; opened: () => string | null } {
  const home = tempDir()
  const seen = join(home, 'opened')
  for (const name of ['xdg-open', 'open']) {
    writeFileSync(join(home, name), `#!/bin/sh\nprintf %s "$1" > '${seen}.part' && mv '${seen}.part' '${seen}'\n`, { mode: 0o755 })
  }
  return {
    env: cleanEnv({ HOME: home, PATH: `${home}:${process.env.PATH}` }),
    opened: () => existsSync(seen) ? readFileSync(seen, 'utf8') : null,
  }
}

test.run()
