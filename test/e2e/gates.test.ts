// Every action at every gate, by the real parts: the official client, the proxy, the server that
// holds the debugger's end, and a viewer that speaks /ws/ui. What the MCP server itself was sent is
// read from a tee in front of it, since "the server never saw it" is half of the promise.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { CLI, cleanEnv, connectViewer, startServerProcess, tempDir, until, type RawViewer, type ServerProcess } from '../kit/index.ts'
import { TASKS_SERVER } from '../kit/mcp-session.ts'

const TEE = fileURLToPath(new URL('../kit/tee.ts', import.meta.url))
const EVERYTHING = join(dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')), 'dist/index.js')
const node = process.execPath

type Json = Record<string, unknown>
interface Debugged {
  graphmind: ServerProcess
  viewer: RawViewer
  client: Client
  runId: string
  /** The requests of that method that the MCP server was sent, parsed. */
  sent(method: string): { id: unknown; params: Json }[]
  /** What the client's model and its person were asked. */
  asked: Json[]
  call(name: string, args?: Json): Promise<CallToolResult>
  /** Waits for the hold at that point, answers it, and waits until that is told. */
  resume(point: string, action: string, more?: Json): Promise<{ nodeId: string }>
  close(): Promise<void>
}

async function debug(server: string[]): Promise<Debugged> {
  const prefix = join(tempDir(), 'inside')
  const graphmind = await startServerProcess()
  const asked: Json[] = []
  const client = new Client({ name: 'gates', version: '1.0.0' }, { capabilities: { sampling: {}, elicitation: {}, roots: {} } })
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
    asked.push(params)
    return { role: 'assistant' as const, model: 'real', content: { type: 'text' as const, text: 'the model itself' } }
  })
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params)
    return { action: 'decline' as const }
  })
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [] }))
  await client.connect(new StdioClientTransport({
    command: node,
    args: [CLI, 'mcp-proxy', '--port', String(graphmind.port), '--', node, TEE, prefix, ...server],
    env: cleanEnv() as Record<string, string>,
    stderr: 'ignore',
  }))
  const viewer = await connectViewer(graphmind.uiUrl)
  viewer.subscribe('*')
  const { id: runId } = await viewer.run(({ live }) => live)
  viewer.subscribe(runId)
  await viewer.event(runId, 'run.started')
  return {
    graphmind, viewer, client, runId, asked,
    sent: (method) => readFileSync(`${prefix}.c2s`, 'utf8').split('\n').filter(Boolean)
      .map((line) => JSON.parse(line) as { id: unknown; method?: string; params: Json })
      .filter((frame) => frame.method === method),
    call: (name, args = {}) => client.callTool({ name, arguments: args }) as Promise<CallToolResult>,
    async resume(point, action, more = {}) {
      const held = await viewer.held(runId, point)
      viewer.control('exec.resume', { pauseId: held.pauseId, action, ...more }, runId)
      await viewer.event(runId, 'exec.resumed', ({ pauseId }) => pauseId === held.pauseId)
      return held
    },
    async close() {
      await client.close()
      await viewer.close()
      await graphmind.stop()
    },
  }
}

/** Arms a breakpoint for as long as `work` takes. */
async function armed<T>(at: Debugged, matcher: Json, work: () => Promise<T>): Promise<T> {
  await change(at, 'breakpoint.set', matcher)
  try {
    return await work()
  } finally {
    await change(at, 'breakpoint.clear', matcher)
  }
}

/** Resolves once the proxy knows: after the server told the viewer, a ping goes all the way and back. */
async function change({ viewer, client }: Debugged, type: string, matcher: Json): Promise<void> {
  const before = viewer.messages.length
  viewer.control(type, { matcher })
  await until(() => viewer.messages.slice(before).some((m) => m.type === 'state'), { what: `the ${type} to be told` })
  await client.ping()
}

/** The error that the promise is rejected with. */
async function refusal(work: Promise<unknown>): Promise<{ code?: number; message: string }> {
  return work.then((value) => { throw new Error(`it was answered with ${JSON.stringify(value)}`) }, (error: { code?: number; message: string }) => error)
}

const tools = suite<{ at: Debugged }>('tools')
tools.before(async (context) => { context.at = await debug([node, TASKS_SERVER]) })
tools.after(async ({ at }) => at.close())

const BEFORE = { name: 'create_task', point: 'before' }
const created = (title: string) => [{ type: 'text', text: `created ${title}` }]
const titles = ({ sent }: Debugged) => sent('tools/call').map(({ params }) => (params.arguments as { title?: string }).title)

for (const action of ['continue', 'retry']) {
  tools(`before, ${action}: the call goes to the server as it was`, async ({ at }) => {
    await armed(at, BEFORE, async () => {
      const answer = at.call('create_task', { title: `before ${action}` })
      assert.is((await at.resume('before', action)).nodeId, 'tool:create_task')
      assert.equal((await answer).content, created(`before ${action}`))
    })
  })
}

tools('before, edit: the changed argument is what the server is sent', async ({ at }) => {
  await armed(at, BEFORE, async () => {
    const answer = at.call('create_task', { title: 'typed wrong' })
    await at.resume('before', 'continue', { input: { name: 'create_task', arguments: { title: 'typed right' } } })
    assert.equal((await answer).content, created('typed right'))
    assert.not.ok(titles(at).includes('typed wrong'))
  })
})

tools('before, inject: the client gets what was typed, the server is never asked', async ({ at }) => {
  await armed(at, BEFORE, async () => {
    const answer = at.call('create_task', { title: 'never sent' })
    await at.resume('before', 'inject', { output: { tasks: [] } })
    const { content, structuredContent, isError } = await answer
    assert.equal({ content, structuredContent }, { content: [{ type: 'text', text: '{"tasks":[]}' }], structuredContent: { tasks: [] } })
    assert.not.ok(isError)
    assert.not.ok(titles(at).includes('never sent'))
  })
})

tools('before, abort: the client gets -32099, the server is never asked, the session goes on', async ({ at }) => {
  await armed(at, BEFORE, async () => {
    const answer = refusal(at.call('create_task', { title: 'aborted' }))
    await at.resume('before', 'abort')
    assert.is((await answer).code, -32099)
    assert.not.ok(titles(at).includes('aborted'))
  })
  assert.equal((await at.call('create_task', { title: 'goes on' })).content, created('goes on'))
})

const AFTER = { name: 'list_tasks', point: 'after' }
const listed = ({ content, structuredContent }: CallToolResult) => ({ content, structuredContent })
const REAL_LIST = { content: [{ type: 'text', text: '{"tasks":["a"]}' }], structuredContent: { tasks: ['a'] } }

tools('after, continue: the answer goes on as it came', async ({ at }) => {
  await armed(at, AFTER, async () => {
    const answer = at.call('list_tasks')
    await at.resume('after', 'continue')
    assert.equal(listed(await answer), REAL_LIST)
  })
})

tools('after, inject: the client gets the value instead of the answer', async ({ at }) => {
  await armed(at, AFTER, async () => {
    const answer = at.call('list_tasks')
    await at.resume('after', 'inject', { output: { tasks: ['b', 'c'] } })
    assert.equal(listed(await answer), { content: [{ type: 'text', text: '{"tasks":["b","c"]}' }], structuredContent: { tasks: ['b', 'c'] } })
  })
})

tools('after, inject: a whole result passes as it is', async ({ at }) => {
  await armed(at, AFTER, async () => {
    const result = { content: [{ type: 'text', text: 'by hand' }], structuredContent: { tasks: ['by hand'] } }
    const answer = at.call('list_tasks')
    await at.resume('after', 'inject', { output: result })
    assert.equal(listed(await answer), result)
  })
})

tools('after, retry: the server is asked again with the same id, and its second answer counts', async ({ at }) => {
  await armed(at, AFTER, async () => {
    const answer = at.call('list_tasks', { project: 'again' })
    await at.resume('after', 'retry')
    await at.resume('after', 'continue')
    assert.equal(listed(await answer), REAL_LIST)
    const asked = at.sent('tools/call').filter(({ params }) => (params.arguments as Json).project === 'again')
    assert.is(asked.length, 2)
    assert.equal(asked[0], asked[1])
  })
})

tools('after, abort: -32099 instead of the answer', async ({ at }) => {
  await armed(at, AFTER, async () => {
    const answer = refusal(at.call('list_tasks'))
    await at.resume('after', 'abort')
    assert.is((await answer).code, -32099)
  })
})

tools('error, continue: the failure goes on as it came', async ({ at }) => {
  const answer = at.call('search_tasks', { query: 'x' })
  await at.resume('error', 'continue')
  assert.equal(await answer, { content: [{ type: 'text', text: 'index unavailable: tasks.idx is being rebuilt' }], isError: true })
})

tools('error, inject: a valid result instead of the failure', async ({ at }) => {
  const answer = at.call('search_tasks', { query: 'x' })
  await at.resume('error', 'inject', { output: { tasks: [] } })
  assert.equal(await answer, { content: [{ type: 'text', text: '{"tasks":[]}' }], structuredContent: { tasks: [] } })
})

tools('error, retry: the second try works and is what the client gets', async ({ at }) => {
  const answer = at.call('flaky')
  await at.resume('error', 'retry')
  assert.equal(await answer, { content: [{ type: 'text', text: 'works now' }] })
})

tools('error, retry with other arguments: the same call, linked to the first', async ({ at }) => {
  const answer = at.call('search_tasks', { query: 'first' })
  await at.resume('error', 'retry', { input: { name: 'search_tasks', arguments: { query: 'second' } } })
  await at.resume('error', 'continue') // the index is still broken
  assert.is((await answer).isError, true)
  assert.ok(at.sent('tools/call').some(({ params }) => (params.arguments as Json).query === 'second'))
  await at.viewer.event(at.runId, 'node.started', ({ nodeId, link }) => nodeId === 'tool:search_tasks' && (link as { why?: string } | undefined)?.why === 'edit')
})

tools('error, abort: -32099 instead of the failure', async ({ at }) => {
  const answer = refusal(at.call('search_tasks', { query: 'x' }))
  await at.resume('error', 'abort')
  assert.is((await answer).code, -32099)
})

tools('a JSON-RPC error is held too, and the client gets a result in its place', async ({ at }) => {
  const answer = at.call('no_such_tool')
  await at.resume('error', 'inject', { output: 'made up' })
  assert.equal((await answer).content, [{ type: 'text', text: 'made up' }])
})

tools('a value that only stands for something hidden is refused, and the call stays held', async ({ at }) => {
  const answer = at.call('search_tasks', { query: 'x' })
  const { pauseId } = await at.viewer.held(at.runId, 'error')
  at.viewer.control('exec.resume', { pauseId, action: 'inject', output: { token: '__REDACTED__' } }, at.runId)
  const refused = await at.viewer.event(at.runId, 'exec.refused', (payload) => payload.pauseId === pauseId)
  assert.is((refused.payload as { code: string }).code, 'placeholder')
  await at.resume('error', 'inject', { output: 'typed at last' })
  assert.equal((await answer).content, [{ type: 'text', text: 'typed at last' }])
})

tools('a resource and a prompt are answered in their own shapes', async ({ at }) => {
  await armed(at, { kind: 'resource', point: 'before' }, async () => {
    const read = at.client.readResource({ uri: 'tasks://today' })
    await at.resume('before', 'inject', { output: 'all due' })
    const { contents } = await read
    assert.is(contents[0]?.uri, 'tasks://today')
    assert.is((contents[0] as { text?: string }).text, 'all due')
  })
  await armed(at, { kind: 'prompt', point: 'after' }, async () => {
    const got = at.client.getPrompt({ name: 'plan' })
    await at.resume('after', 'inject', { output: 'Plan the night.' })
    assert.equal((await got).messages, [{ role: 'user', content: { type: 'text', text: 'Plan the night.' } }])
  })
})

const asking = suite<{ at: Debugged }>('requests of the server')
asking.before(async (context) => { context.at = await debug([node, EVERYTHING]) })
asking.after(async ({ at }) => at.close())

const SAMPLING = { kind: 'llm', point: 'before' }
const sample = (at: Debugged) => at.call('trigger-sampling-request', { prompt: 'hello', maxTokens: 5 })

asking('sampling, before, inject: the server gets the typed text as the answer of a model, the client is not asked', async ({ at }) => {
  await armed(at, SAMPLING, async () => {
    const answer = sample(at)
    assert.is((await at.resume('before', 'inject', { output: 'typed by a person' })).nodeId, 'llm:sampling')
    const text = JSON.stringify((await answer).content)
    assert.match(text, /typed by a person/)
    assert.match(text, /graphmind-injected/)
    assert.is(at.asked.length, 0)
  })
})

asking('sampling, before, edit: the client is asked what was typed', async ({ at }) => {
  await armed(at, SAMPLING, async () => {
    const answer = sample(at)
    const input = { messages: [{ role: 'user', content: { type: 'text', text: 'edited' } }], maxTokens: 7 }
    await at.resume('before', 'continue', { input })
    assert.match(JSON.stringify((await answer).content), /the model itself/)
    assert.is(at.asked.pop()?.maxTokens, 7)
  })
})

asking('sampling, before, abort: the server gets the error, and its tool says so', async ({ at }) => {
  await armed(at, SAMPLING, async () => {
    const answer = sample(at)
    await at.resume('before', 'abort')
    await at.resume('error', 'continue')
    const { isError, content } = await answer
    assert.is(isError, true)
    assert.match(JSON.stringify(content), /-32099/)
  })
})

asking('sampling, after: the model is asked again, then its answer is replaced', async ({ at }) => {
  await armed(at, { kind: 'llm', point: 'after' }, async () => {
    const before = at.asked.length
    const answer = sample(at)
    await at.resume('after', 'retry')
    await at.resume('after', 'inject', { output: 'better' })
    assert.match(JSON.stringify((await answer).content), /better/)
    assert.is(at.asked.length - before, 2)
  })
})

asking('elicitation: what the person would have answered can be put in their place', async ({ at }) => {
  await armed(at, { name: 'elicitation/create', point: 'before' }, async () => {
    const before = at.asked.length
    const answer = at.call('trigger-elicitation-request')
    assert.is((await at.resume('before', 'inject', { output: { action: 'accept', content: { name: 'Grace' } } })).nodeId, 'mcp:elicitation/create')
    assert.match(JSON.stringify((await answer).content), /Grace/)
    assert.is(at.asked.length, before)
  })
})

asking('elicitation, after: the decline of the person can be replaced', async ({ at }) => {
  await armed(at, { name: 'elicitation/create', point: 'after' }, async () => {
    const answer = at.call('trigger-elicitation-request')
    await at.resume('after', 'inject', { output: { action: 'accept', content: { name: 'Lin' } } })
    assert.match(JSON.stringify((await answer).content), /Lin/)
  })
})

tools.run()
asking.run()
