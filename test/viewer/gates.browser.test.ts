// The main job, seen from a person's chair: a real page, a real server, a real proxy, the official
// MCP client on the other end.
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startServerProcess, until, type ServerProcess } from '../kit/index.ts'
import { closeBrowser, openPage } from '../kit/browser.ts'
import { connectMcp, type McpSession } from '../kit/mcp-session.ts'

interface Stage { server: ServerProcess; mcp: McpSession; page: Page; faults: string[] }

async function onStage(play: (stage: Stage) => Promise<void>): Promise<void> {
  const server = await startServerProcess()
  const mcp = await connectMcp(server.port)
  const { page, faults } = await openPage(server.url)
  try {
    await page.waitForSelector('.card')
    await play({ server, mcp, page, faults })
    assert.equal(faults, [])
  } finally {
    await mcp.close()
    await page.context().close()
    await server.stop()
  }
}

const call = ({ mcp }: Stage, name: string, args: Record<string, unknown> = {}) =>
  mcp.client.callTool({ name, arguments: args }).catch((error: unknown) => error as Error & { code?: number })
const press = (page: Page, name: string) => page.locator('.hold').getByRole('button', { name }).first().click()
const held = (page: Page, tool: string) => page.locator('.hold', { hasText: tool }).first().waitFor()
const free = (page: Page) => page.locator('.hold').first().waitFor({ state: 'detached' })

/** Types into the code editor in place of what is there, and sends it from the keyboard. */
async function type(page: Page, text: string): Promise<void> {
  await page.locator('.edit .cm-content').waitFor()
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText(text)
  await page.keyboard.press('Control+Enter')
  await page.locator('.edit').waitFor({ state: 'detached' })
}

async function arm(page: Page, node: string, point: 'before' | 'after'): Promise<void> {
  const gutter = page.locator(`.card[data-node="${node}"] .bp.${point}`)
  await gutter.waitFor({ state: 'attached' })
  await gutter.click({ force: true })
  await page.locator(`.card[data-node="${node}"] .bp.${point}.on`).waitFor({ state: 'attached' })
}

test('a tool fails, the person injects {"tasks": []}, and the client gets a valid result', () => onStage(async (stage) => {
  const answer = call(stage, 'search_tasks', { query: 'overdue' })
  await held(stage.page, 'search_tasks')
  await until(async () => /held/.test(await stage.page.title()), { what: 'the title to say that something is held' })
  await stage.page.keyboard.press('i')
  await stage.page.locator('.edit .cm-content').waitFor()
  await stage.page.keyboard.press('Control+A')
  await stage.page.keyboard.insertText('{"tasks": [}')
  await stage.page.keyboard.press('Control+Enter')
  assert.ok(await stage.page.getByText('Not JSON yet').isVisible(), 'what is no JSON is not sent')
  await type(stage.page, '{"tasks": []}')
  assert.equal(await answer, { content: [{ type: 'text', text: '{"tasks":[]}' }], structuredContent: { tasks: [] } })
  await free(stage.page)
}))

test('at the error gate: continue gives the failure, retry calls again, abort answers -32099', () => onStage(async (stage) => {
  const failed = call(stage, 'search_tasks', { query: 'a' })
  await held(stage.page, 'search_tasks')
  await stage.page.keyboard.press('c')
  assert.is((await failed as { isError?: boolean }).isError, true)
  await free(stage.page)

  await stage.mcp.client.listTools() // it says there that it is safe to repeat
  const retried = call(stage, 'flaky')
  await held(stage.page, 'flaky')
  await stage.page.keyboard.press('r')
  assert.equal((await retried as { content?: unknown }).content, [{ type: 'text', text: 'works now' }])
  await free(stage.page)

  const aborted = call(stage, 'search_tasks', { query: 'b' })
  await held(stage.page, 'search_tasks')
  await press(stage.page, 'Abort')
  assert.is((await aborted as { code?: number }).code, -32099)
}))

test('a tool that does not say it is safe to repeat asks before it is called twice', () => onStage(async (stage) => {
  const failed = call(stage, 'search_tasks', { query: 'a' })
  await stage.mcp.client.listTools()
  await held(stage.page, 'search_tasks')
  await stage.page.keyboard.press('r')
  await stage.page.getByText('Really retry?').waitFor()
  await stage.page.keyboard.press('r')
  await until(async () => (await stage.page.locator('.card[data-node="tool:search_tasks"] .x').textContent()) === '×2', { what: 'the second call' })
  await held(stage.page, 'search_tasks')
  await stage.page.keyboard.press('c')
  assert.is((await failed as { isError?: boolean }).isError, true)
}))

test('at the before gate: an edited argument reaches the server, an injected answer never does', () => onStage(async (stage) => {
  await call(stage, 'create_task', { title: 'first' })
  await arm(stage.page, 'tool:create_task', 'before')
  const edited = call(stage, 'create_task', { title: 'wrong' })
  await held(stage.page, 'create_task')
  await stage.page.keyboard.press('e')
  await type(stage.page, '{"title": "right"}')
  assert.equal((await edited as { content?: unknown }).content, [{ type: 'text', text: 'created right' }])

  await free(stage.page)
  const injected = call(stage, 'create_task', { title: 'never' })
  await held(stage.page, 'create_task')
  await stage.page.keyboard.press('i')
  await type(stage.page, '"made up"')
  assert.equal((await injected as { content?: unknown }).content, [{ type: 'text', text: 'made up' }])

  await free(stage.page)
  const aborted = call(stage, 'create_task', { title: 'x' })
  await held(stage.page, 'create_task')
  await press(stage.page, 'Abort')
  assert.is((await aborted as { code?: number }).code, -32099)
}))

test('at the after gate the answer is seen, can be replaced, and goes on', () => onStage(async (stage) => {
  await call(stage, 'list_tasks')
  await arm(stage.page, 'tool:list_tasks', 'after')
  const replaced = call(stage, 'list_tasks')
  await held(stage.page, 'list_tasks')
  await stage.page.keyboard.press('i')
  await type(stage.page, '{"tasks": ["b"]}')
  assert.equal((await replaced as { structuredContent?: unknown }).structuredContent, { tasks: ['b'] })
  await free(stage.page)
  const kept = call(stage, 'list_tasks')
  await held(stage.page, 'list_tasks')
  await press(stage.page, 'Continue')
  assert.equal((await kept as { structuredContent?: unknown }).structuredContent, { tasks: ['a'] })
}))

test.after(closeBrowser)
test.run()
