// Databases that cannot be used: one clear line each, no stack, the file left as it was.
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { cleanEnv, connectApp, connectViewer, graphmind, run, startServerProcess, tempDir, until } from '../kit/index.ts'

async function refusedWith(path: string, message: RegExp): Promise<void> {
  const [command, args] = graphmind('serve', '--port', '0', '--no-open', '--db', path)
  const { code, stderr, stdout } = await run(command, args, { env: cleanEnv({ HOME: tempDir() }) })
  assert.match(stderr, message)
  assert.equal([code, stderr.trim().split('\n').length, stdout], [1, 1, ''])
}

test('a file that is no database, or another program\'s, is left alone', async () => {
  const folder = tempDir()
  const text = join(folder, 'notes.txt')
  writeFileSync(text, 'dear diary, this is no database at all')
  await refusedWith(text, /is not a GraphMind database/)
  assert.is(readFileSync(text, 'utf8'), 'dear diary, this is no database at all')
  const foreign = join(folder, 'foreign.db')
  const db = new DatabaseSync(foreign)
  db.exec('CREATE TABLE bookmarks (url TEXT)')
  db.close()
  const before = readFileSync(foreign)
  await refusedWith(foreign, /is not a GraphMind database/)
  assert.equal(readFileSync(foreign), before)
})

test('a database of a later version is left alone', async () => {
  const server = await startServerProcess()
  await server.stop()
  const db = new DatabaseSync(server.dbPath)
  db.exec('PRAGMA user_version = 999')
  db.close()
  await refusedWith(server.dbPath, /written by a newer GraphMind/)
})

test('a database that another program has locked is named', async () => {
  const server = await startServerProcess()
  await server.stop()
  const db = new DatabaseSync(server.dbPath)
  db.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; CREATE TABLE x (y)')
  await refusedWith(server.dbPath, /locked/)
  db.close()
})

test('a database on a disk that cannot be written to', async () => {
  const server = await startServerProcess()
  await server.stop()
  const [command, args] = graphmind('serve', '--port', '0', '--no-open', '--db', server.dbPath)
  const readOnly = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
  const { code, stderr } = await run('unshare', ['-rm', 'sh', '-c', readOnly, server.home, command, ...args], { env: cleanEnv({ HOME: tempDir() }) })
  assert.match(stderr, /cannot be (written to|opened)/)
  assert.equal([code, stderr.trim().split('\n').length], [1, 1])
})

test('a folder that is none, and a folder in place of the file', async () => {
  const folder = tempDir()
  writeFileSync(join(folder, 'file'), '')
  await refusedWith(join(folder, 'file', 'graphmind.db'), /cannot be opened/)
  mkdirSync(join(folder, 'dir'))
  await refusedWith(join(folder, 'dir'), /cannot be opened|not a GraphMind database/)
})

test('what it makes is private: folder 0700, files 0600, tightened on open', async () => {
  const home = tempDir()
  const dbPath = join(home, 'made', 'graphmind.db')
  const mode = (path: string) => statSync(path).mode & 0o777
  const server = await startServerProcess({ home, dbPath })
  const app = await connectApp(server.ingestUrl)
  app.startRun('a')
  await until(async () => (await (await fetch(`${server.url}/api/runs`)).text()).includes('"id":"a"'))
  assert.equal([join(home, 'made'), dbPath, `${dbPath}-wal`, `${dbPath}-shm`].map(mode), [0o700, 0o600, 0o600, 0o600])
  await app.close()
  await server.stop()
  chmodSync(dbPath, 0o644)
  const again = await startServerProcess({ home, dbPath })
  assert.is(mode(dbPath), 0o600)
  await again.stop()
})

test('a full disk: events are shown all the same, the run says that it is not stored, and the server goes on', async () => {
  // A disk of one megabyte, in a mount namespace of its own: that needs no root on Linux.
  const disk = tempDir()
  const server = await startServerProcess({
    dbPath: join(disk, 'graphmind.db'),
    command: (...args) => ['unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=1m tmpfs "$0" && exec "$@"', disk, ...graphmind(...args).flat()]],
  })
  const app = await connectApp(server.ingestUrl)
  await app.hello()
  app.startRun('a')
  const viewer = await connectViewer(server.uiUrl)
  viewer.subscribe('*')
  await viewer.run(({ id }) => id === 'a')
  viewer.subscribe('a', { batch: true })
  for (let i = 1; i <= 400; i++) app.emit('a', 'node.token', { nodeId: 'llm:step', deltas: [{ t: 'text', v: 'x'.repeat(10_000) }] })
  await until(() => viewer.events('a').length >= 401, { timeoutMs: 20_000, what: () => `${viewer.events('a').length} events; ${server.stderr()}` })
  await viewer.run(({ notStored }) => notStored === true)
  assert.match(server.stderr(), /disk .* is full/)
  assert.is((await fetch(`${server.url}/health`)).status, 200)
  await app.close()
  await viewer.close()
  assert.is(await server.stop(), 0)
})

test.run()
