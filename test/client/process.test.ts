import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { CLIENT_VERSION } from '../../src/client/version.ts'
import { cleanEnv, freePort, ROOT, run, start, tempDir, until } from '../kit/index.ts'
import { closeAll, ingestServer } from './ingest-server.ts'

test.after.each(closeAll)

/** A host program on the client, as a file. */
function host(body: string): string {
  const file = join(tempDir(), 'host.ts')
  writeFileSync(file, `import { createSession } from ${JSON.stringify(new URL('../../src/client/index.ts', import.meta.url).href)}\n${body}`)
  return file
}

test('a session keeps no process alive, with a server or without', async () => {
  const server = await ingestServer()
  for (const url of [server.url, `ws://127.0.0.1:${await freePort()}`]) {
    const file = host(`
      const session = createSession({ appName: 'a', url: ${JSON.stringify(url)} })
      await session.ready()
      session.openRun('r')
      console.log('done')
    `)
    const { code, stdout, stderr } = await run(process.execPath, [file], { timeoutMs: 20_000 })
    assert.equal([code, stdout, stderr], [0, 'done\n', ''])
  }
})

test('what was emitted in the last turn of an attached process arrives', async () => {
  const server = await ingestServer()
  const file = host(`
    const session = createSession({ appName: 'a', url: ${JSON.stringify(server.url)} })
    await session.ready()
    session.openRun('r').finish('ok')
  `)
  assert.is((await run(process.execPath, [file])).code, 0)
  await server.event('run.finished')
})

test('a held call keeps the process there until it is let go of', async () => {
  const server = await ingestServer()
  server.ack = { breakpoints: [{}] }
  const file = host(`
    const session = createSession({ appName: 'a', url: ${JSON.stringify(server.url)} })
    await session.ready()
    const { action } = await session.openRun('r').gate('before', { nodeId: 'n', kind: 'tool', name: 'n' })
    console.log(action)
  `)
  const started = start(process.execPath, [file])
  const { payload, runId } = await server.event('exec.paused')
  await new Promise((resolve) => setTimeout(resolve, 200))
  assert.ok(started.running())
  server.send('exec.resume', { pauseId: payload.pauseId, action: 'retry' }, runId)
  assert.is((await started.exited).code, 0)
  assert.is(started.stdout(), 'retry\n')
})

test('a host whose call is held goes on when the server dies', async () => {
  const file = host(`
    const session = createSession({ appName: 'a', url: process.argv[2] })
    await session.ready()
    const { by } = await session.openRun('r').gate('before', { nodeId: 'n', kind: 'tool', name: 'n' })
    console.log(by)
  `)
  const server = await ingestServer()
  server.ack = { breakpoints: [{}] }
  const started = start(process.execPath, [file, server.url])
  await server.event('exec.paused')
  await server.close()
  assert.is((await started.exited).code, 0)
  assert.is(started.stdout(), 'disconnect\n')
})

test('importing the client loads no socket library and opens nothing', async () => {
  const file = host(`
    void createSession
    const loaded = process.moduleLoadList.filter((name) => /^NativeModule (http|https|net|tls)$/.test(name))
    console.log(JSON.stringify([loaded, process.getActiveResourcesInfo()]))
  `)
  const { stdout } = await run(process.execPath, [file], { env: cleanEnv() })
  assert.equal(JSON.parse(stdout), [[], []])
})

test('disabled by the environment, the app opens no socket at all', async () => {
  const server = await ingestServer()
  const file = host(`
    const session = createSession({ appName: 'a', url: ${JSON.stringify(server.url)}, enabled: true })
    await session.run('r', async (run) => { run.emit('node.started', { nodeId: 'n', kind: 'tool', name: 'n', instanceId: '1' }) })
    console.log(await session.ready())
  `)
  const { stdout } = await run(process.execPath, [file], { env: cleanEnv({ GRAPHMIND_DISABLED: '1' }) })
  assert.is(stdout, 'false\n')
  assert.is(server.sockets.length, 0)
})

test('the client says the version of the package', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  assert.is(CLIENT_VERSION, version)
})

test('whatever a host emits, it is not thrown at', async () => {
  const server = await ingestServer()
  const file = host(`
    const session = createSession({ appName: 'a', url: ${JSON.stringify(server.url)} })
    await session.ready()
    const run = session.openRun('r')
    const cycle = {}
    cycle.self = cycle
    for (const input of [cycle, 1n, Symbol('s'), () => 1, new Proxy({}, { ownKeys() { throw new Error('no') } }), '\\ud800', new Date(NaN)]) {
      run.emit('node.started', { nodeId: 'n', kind: 'tool', name: 'n', instanceId: '1', input })
    }
    for (const payload of [null, undefined, 5, 'x']) run.emit('node.started', payload)
    run.finish('ok')
    console.log('alive')
    await session.dispose()
  `)
  const { stdout, code } = await run(process.execPath, [file])
  assert.equal([code, stdout], [0, 'alive\n'])
  await until(() => server.events('run.finished').length === 1)
  assert.ok(server.events('node.started').length >= 7)
})

test.run()
