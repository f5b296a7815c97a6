// The page itself: links, a second window, the server going away, hostile text, accessibility.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { connectApp, startServerProcess, until, type ServerProcess } from '../kit/index.ts'
import { closeBrowser, openPage } from '../kit/browser.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

async function onPage(play: (server: ServerProcess, page: Page, faults: string[]) => Promise<void>, options: Parameters<typeof openPage>[1] = {}): Promise<void> {
  const server = await startServerProcess()
  const { page, faults } = await openPage(server.url, options)
  try {
    await page.locator('.bar').waitFor()
    await play(server, page, faults)
    assert.equal(faults, [])
  } finally {
    await page.context().close()
    if (server.running()) await server.stop()
  }
}

const started = (name: string, instanceId: string, more: Record<string, unknown> = {}) => ({ nodeId: `tool:${name}`, kind: 'tool', name, instanceId, ...more })

for (const theme of ['dark', 'light'] as const) {
  test(`axe finds nothing, with no run and with a held one (${theme})`, () => onPage(async (server, page) => {
    const faulty = async () => {
      await page.evaluate(axe)
      const { violations } = await page.evaluate('axe.run(document, { resultTypes: ["violations"] })') as { violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.failureSummary}`)
    }
    await page.getByText('Waiting for a run').waitFor()
    assert.equal(await faulty(), [])
    const app = await connectApp(server.ingestUrl)
    await app.hello()
    app.startRun('r1')
    app.emit('r1', 'node.started', started('search', 'i1', { input: { query: 'a', n: 1, ok: true, none: null } }))
    app.emit('r1', 'node.error', { nodeId: 'tool:search', instanceId: 'i1', error: { name: 'E', message: 'no index', stack: 'E\n at f' } })
    app.emit('r1', 'node.started', started('other', 'i2'))
    app.emit('r1', 'exec.paused', { pauseId: 'p', nodeId: 'tool:other', instanceId: 'i2', point: 'before', editable: true })
    app.emit('r1', 'finding', { nodeId: 'tool:search', code: 'late-reply', level: 'warning', message: 'It came late.' })
    await page.locator('.hold').waitFor()
    await page.locator('.card[data-node="tool:search"]').click()
    await page.locator('.insp .json').first().waitFor()
    assert.equal(await faulty(), [])
    await app.close()
  }, { theme }))
}

test('the first run that starts opens by itself, and its link leads back to it', () => onPage(async (server, page) => {
  const app = await connectApp(server.ingestUrl)
  await app.hello()
  app.startRun('run/with space')
  app.emit('run/with space', 'node.started', started('a b', 'i1', { input: { n: 1 } }))
  await page.locator('.card').waitFor()
  await page.locator('.card').click()
  assert.match(page.url(), /#\/run\/run%2Fwith%20space\/node\/tool%3Aa%20b$/)
  const { page: second } = await openPage(page.url())
  await second.locator('.insp h2', { hasText: 'a b' }).waitFor()
  await second.context().close()
  await app.close()
}))

test('two windows agree on what is armed and what is held', () => onPage(async (server, page) => {
  const { page: other } = await openPage(server.url)
  const app = await connectApp(server.ingestUrl)
  await app.hello()
  app.startRun('r1')
  app.emit('r1', 'node.started', started('a', 'i1'))
  app.emit('r1', 'exec.paused', { pauseId: 'p', nodeId: 'tool:a', instanceId: 'i1', point: 'before' })
  await other.locator('.hold').waitFor()
  await page.locator('.hold').waitFor()
  await page.keyboard.press('c')
  const resume = await app.next((message) => message.type === 'exec.resume')
  assert.is(resume.payload.action, 'continue')
  app.emit('r1', 'exec.resumed', { pauseId: 'p', action: 'continue' })
  await other.locator('.hold').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /on error, any node/ }).click()
  await other.getByRole('button', { name: /on error, any node/ }).waitFor({ state: 'detached' })
  await other.context().close()
  await app.close()
}))

test('the page says that the server is gone, comes back by itself and keeps what was chosen', () => onPage(async (server, page) => {
  const app = await connectApp(server.ingestUrl)
  await app.hello()
  app.startRun('r1')
  app.emit('r1', 'node.started', started('a', 'i1'))
  await page.locator('.card').click()
  await page.locator('.insp').waitFor()
  await server.crash()
  await page.getByText('connection lost').waitFor()
  const again = await startServerProcess({ port: server.port, dbPath: server.dbPath, home: server.home })
  await page.locator('.bar .chip .dot.running').waitFor()
  assert.ok(await page.locator('.insp h2', { hasText: 'a' }).isVisible())
  assert.is(await page.locator('.card').count(), 1)
  await again.stop()
}))

test('hostile text is shown as text, and nothing in it runs', () => onPage(async (server, page) => {
  const evil = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>\u202e\u200bjavascript:alert(1)'
  const app = await connectApp(server.ingestUrl)
  await app.hello()
  app.startRun('r1', { app: evil })
  app.emit('r1', 'node.started', started(evil, 'i1', { input: { [evil]: evil, '__proto__x': 1 } }))
  app.emit('r1', 'node.error', { nodeId: `tool:${evil}`, instanceId: 'i1', error: { name: evil, message: `${evil}\ud800`, stack: evil } })
  app.emit('r1', 'finding', { nodeId: `tool:${evil}`, code: 'x', level: 'error', message: evil })
  app.sendText('{"gm":1,"seq":50,"ts":1,"runId":"r1","type":"node.started","payload":{"nodeId":"tool:n","kind":"tool","name":"n","instanceId":"n1","input":{"big":9007199254740993}}}')
  await page.locator('.card[data-node="tool:n"]').click()
  await page.getByText('9007199254740993').first().waitFor()
  await page.locator('.card').first().click()
  await page.locator('.insp .note').waitFor()
  await until(async () => (await page.locator('.insp .note').textContent())?.includes('<img') === true, { what: 'the text of the error' })
  assert.not.match(await page.title(), /^owned/)
  assert.is(await page.locator('.insp img, .card img').count(), 0)
  await app.close()
}))

test.after(closeBrowser)
test.run()
