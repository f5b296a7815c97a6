// The graph under a person's hands, in a real browser.
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { connectApp, startServerProcess, until, type RawApp } from '../kit/index.ts'
import { closeBrowser, openPage } from '../kit/browser.ts'

async function onGraph(play: (app: RawApp, page: Page) => Promise<void>): Promise<void> {
  const server = await startServerProcess()
  const app = await connectApp(server.ingestUrl)
  await app.hello()
  app.startRun('r')
  const { page, faults } = await openPage(`${server.url}/#/run/r`)
  try {
    await page.locator('.graph').waitFor()
    await play(app, page)
    assert.equal(faults, [])
  } finally {
    await page.context().close()
    await app.close()
    await server.stop()
  }
}

const call = (app: RawApp, name: string, instanceId: string, parentId?: string) => {
  app.emit('r', 'node.started', { nodeId: name, kind: 'tool', name, instanceId, parentId })
  app.emit('r', 'node.finished', { nodeId: name, instanceId, durationMs: 5, status: 'ok' })
}
const card = (page: Page, id: string) => page.locator(`.card[data-node="${id}"]`)
const place = async (page: Page, id: string) => { const box = await card(page, id).boundingBox(); return box && [Math.round(box.x), Math.round(box.y)] }
const selected = (page: Page) => page.evaluate('decodeURIComponent(location.hash.split("/node/")[1] ?? "")')

test('the card under the pointer stays where it is while the run grows around it', () => onGraph(async (app, page) => {
  call(app, 'root', '1')
  for (let i = 0; i < 4; i++) call(app, `t${i}`, `a${i}`, 'root')
  await card(page, 't3').waitFor()
  await card(page, 't1').hover()
  const before = await place(page, 't1')
  for (let i = 4; i < 30; i++) call(app, `t${i}`, `b${i}`, 'root')
  app.emit('r', 'node.error', { nodeId: 't0', instanceId: 'a0', error: { name: 'E', message: 'two lines of words that make the card above it a good deal taller' } })
  await card(page, 't0').locator('.p').waitFor()
  await until(async () => await page.locator('.card').count() > 8, { what: 'more cards' })
  assert.equal(await place(page, 't1'), before)
}))

test('from the keyboard alone: arrows walk the cards, the chosen one is in focus and in view, and its breakpoint can be set', () => onGraph(async (app, page) => {
  call(app, 'root', '1')
  for (let i = 0; i < 40; i++) call(app, `t${i}`, `a${i}`, 'root')
  await page.locator('.card').first().waitFor()
  await page.keyboard.press('ArrowRight')
  assert.is(await selected(page), 'root')
  await page.keyboard.press('ArrowRight')
  for (let i = 0; i < 40; i++) await page.keyboard.press('ArrowDown')
  assert.is(await selected(page), 't39')
  await until(() => page.evaluate('document.activeElement?.closest("[data-node]")?.getAttribute("data-node") === "t39"'), { what: 'the focus on the last card' })
  const [box, pane] = [await card(page, 't39').boundingBox(), await page.locator('.graph').boundingBox()]
  assert.ok(box && pane && box.y >= pane.y && box.y + box.height <= pane.y + pane.height)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const set = await app.next(({ type }) => type === 'breakpoint.set')
  assert.equal(set.payload.matcher, { kind: 'tool', name: 't39', point: 'before' })
  await card(page, 't39').locator('.bp.before.on').waitFor({ state: 'attached' })
  await page.keyboard.press('Enter')
  await app.next(({ type }) => type === 'breakpoint.clear')
  await page.keyboard.press('ArrowLeft')
  assert.is(await selected(page), 'root')
}))

test('a hand on the graph ends following, and F takes it up again', () => onGraph(async (app, page) => {
  for (let i = 0; i < 5; i++) call(app, `t${i}`, `a${i}`)
  await card(page, 't4').waitFor()
  const follow = page.getByRole('button', { name: 'follow the run' })
  assert.is(await follow.getAttribute('aria-pressed'), 'true')
  const before = await place(page, 't0')
  await page.mouse.move(500, 500)
  await page.mouse.down()
  await page.mouse.move(560, 470, { steps: 4 })
  await page.mouse.up()
  assert.equal(await place(page, 't0'), before && [(before[0] ?? 0) + 60, (before[1] ?? 0) - 30])
  assert.is(await follow.getAttribute('aria-pressed'), 'false')
  await page.keyboard.press('f')
  await until(async () => JSON.stringify(await place(page, 't0')) === JSON.stringify(before), { what: 'the view from before' })
}))

test('5,000 nodes: only what is in view is in the page, all of them are marks from afar, and a mark can be picked', () => onGraph(async (app, page) => {
  for (let i = 0; i < 5000; i++) app.sendText(JSON.stringify({ gm: 1, seq: i + 1, ts: 1, runId: 'r', type: 'node.started', payload: { nodeId: `n${i}`, parentId: i === 0 ? undefined : `n${(i - 1) >> 3}`, kind: 'tool', name: `node ${i}`, instanceId: `i${i}` } }))
  await until(async () => await page.locator('.card').count() > 0, { what: 'cards' })
  await page.reload() // a run of this size opens folded
  await page.locator('.branch.closed').first().waitFor()
  assert.ok(await page.locator('.card').count() < 80)
  await page.keyboard.press('Shift+C')
  await page.locator('.branch.closed').first().waitFor({ state: 'detached' })
  assert.ok(await page.locator('.card').count() < 150)
  await page.keyboard.press('Shift+F')
  await page.locator('canvas.marks').waitFor()
  assert.is(await page.locator('.card').count(), 0)
  for (let i = 0; i < 4; i++) await page.keyboard.press('+')
  const pane = await page.locator('.graph').boundingBox()
  if (!pane) throw new Error('no pane')
  await until(async () => {
    for (let y = 20; y < pane.height - 20; y += 9) for (let x = 40; x < pane.width - 160; x += 30) {
      await page.mouse.click(pane.x + x, pane.y + y)
      if (await selected(page)) return true
    }
    return false
  }, { what: 'a mark that was picked' })
  assert.match(await selected(page) as string, /^n\d+$/)
}))

test('a pill is spread out, and a branch folds away what is under it and says how much', () => onGraph(async (app, page) => {
  app.emit('r', 'node.started', { nodeId: 'mcp:session', kind: 'server', name: 'session', instanceId: 's' })
  app.emit('r', 'graph.hint', { nodes: Array.from({ length: 20 }, (_, i) => ({ nodeId: `tool:h${i}`, kind: 'tool', name: `h${i}`, parentId: 'mcp:session' })) })
  call(app, 'tool:h1', 'c1', 'mcp:session')
  call(app, 'inner', 'c2', 'tool:h1')
  const pill = page.locator('.fold', { hasText: '7 more, not called yet' })
  await card(page, 'tool:h1').waitFor()
  await page.keyboard.press('Shift+F')
  await pill.click()
  await card(page, 'tool:h19').waitFor({ state: 'attached' })
  await page.keyboard.press('Shift+F')
  await page.keyboard.press('+')
  await page.keyboard.press('+')
  await page.evaluate('location.hash = "#/run/r/node/tool%3Ah1"') // brings it into view
  const owner = card(page, 'tool:h1')
  await owner.getByRole('button', { name: 'fold what is under it' }).click()
  await card(page, 'inner').waitFor({ state: 'detached' })
  await owner.getByRole('button', { name: 'show 1 nodes under it' }).click()
  await card(page, 'inner').waitFor({ state: 'attached' })
}))

test('a run that is over shows nothing as running, and what was cut off as not finished', () => onGraph(async (app, page) => {
  app.emit('r', 'node.started', { nodeId: 'tool:a', kind: 'tool', name: 'a', instanceId: '1' })
  await page.locator('.card.running').waitFor()
  app.emit('r', 'run.finished', { status: 'ok' })
  await page.locator('.card.stopped', { hasText: 'did not finish' }).waitFor()
  assert.is(await page.locator('.card.running').count(), 0)
}))

test.after(closeBrowser)
test.run()
