// Nothing is left behind: signals to the proxy, and the sudden death of the proxy itself, reach the
// server and everything that it started.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { tempDir, until, type Started } from '../kit/index.ts'
import { lives, proxied, server } from './relay-kit.ts'

const { constants } = await import('node:os')

/** `npx` -> `sh` -> node, as a package's bin is started; needs no registry, since the bin is there. */
function npxTree(): { command: string[]; cwd: string } {
  const cwd = tempDir()
  const bin = join(cwd, 'node_modules', '.bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(cwd, 'package.json'), '{"name":"tree","version":"1.0.0","private":true}')
  writeFileSync(join(bin, 'tree-server'), `#!/bin/sh\n${server('tells-its-pid').map((word) => `'${word}'`).join(' ')}\n`)
  chmodSync(join(bin, 'tree-server'), 0o755)
  return { command: ['npx', '--no-install', 'tree-server'], cwd }
}

async function tree(): Promise<{ proxy: Started; pid: number }> {
  const { command, cwd } = npxTree()
  const proxy = await proxied(command, { cwd })
  const pid = Number((await proxy.sees(/pid (\d+)/, 20_000))[1])
  assert.ok(lives(pid))
  return { proxy, pid }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  test(`${signal} to the proxy of npx -> sh -> node leaves nothing behind`, async () => {
    const { proxy, pid } = await tree()
    proxy.kill(signal)
    const { code } = await proxy.exited
    assert.not.ok(lives(pid), 'the server')
    assert.ok(code !== null && code >= 128, `exit code ${code}`)
  })
}

test('SIGKILL of the proxy leaves nothing behind', async () => {
  const { proxy, pid } = await tree()
  proxy.kill('SIGKILL')
  await proxy.exited
  await until(() => !lives(pid), { what: 'the end of the server' })
})

test('SIGKILL of the proxy ends even a server that ignores SIGTERM', async () => {
  const proxy = await proxied(server('ignores-everything'))
  const pid = Number((await proxy.sees(/pid (\d+)/))[1])
  proxy.kill('SIGKILL')
  await until(() => !lives(pid), { what: 'the end of the server' })
})

for (const [signal, code] of [['SIGINT', 40], ['SIGTERM', 41], ['SIGHUP', 42]] as const) {
  test(`the server gets ${signal} itself; its last words arrive, and its own exit code is the proxy's`, async () => {
    const proxy = await proxied(server('tells-signals'))
    await proxy.sees('ready')
    proxy.kill(signal)
    assert.is((await proxy.exited).code, code)
    assert.is(proxy.stderr(), `ready\ngot ${signal}\n`)
    assert.is(proxy.stdout(), '{"last":"words"}\n')
  })
}

test('a signal that only the server knows reaches it and does not end the proxy', async () => {
  const proxy = await proxied(server('tells-signals'))
  await proxy.sees('ready')
  proxy.kill('SIGUSR2')
  await proxy.sees('got SIGUSR2')
  assert.ok(proxy.running())
  proxy.kill('SIGTERM')
  assert.is((await proxy.exited).code, 41)
})

test('a server that ignores the signal is killed soon after', async () => {
  const proxy = await proxied(server('ignores-everything'))
  await proxy.sees(/pid/)
  proxy.kill('SIGTERM')
  assert.is((await proxy.exited).code, 128 + constants.signals.SIGKILL)
  assert.match(proxy.stderr(), 'got SIGTERM')
})

test('a second signal does not wait', async () => {
  const proxy = await proxied(server('ignores-everything'))
  await proxy.sees(/pid/)
  proxy.kill('SIGTERM')
  await proxy.sees('got SIGTERM')
  const before = performance.now()
  proxy.kill('SIGINT')
  await proxy.exited
  assert.ok(performance.now() - before < 1500)
})

test.run()
