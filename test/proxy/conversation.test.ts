// What is told about a session: nodes and executions, frames as they were, what is hidden, what is
// too large to tell whole, the server's log, and how it ends.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { launchMeta, launchName } from '../../src/proxy/conversation.ts'
import { notice, raw, request, result, startTalk, toolError } from './conversation-kit.ts'

const SECRET = 'correct horse battery staple'
const everything = (t: ReturnType<typeof startTalk>) => t.events.map((event) => event.text).join('\n')

test('each kind of request is a node of its kind under the session, each frame an execution', () => {
  const t = startTalk()
  t.c2s(request(1, 'tools/call', { name: 'add' }))
  t.c2s(request(2, 'tools/call', { name: 'add' }))
  t.c2s(request(3, 'resources/read', { uri: 'file:///a' }))
  t.c2s(request(4, 'prompts/get', { name: 'greet' }))
  t.c2s(request(5, 'tools/list', {}))
  t.s2c(request(1, 'sampling/createMessage', {}))
  t.s2c(notice('notifications/tools/list_changed'))
  const nodes = t.of('node.started').map(({ nodeId, kind, name, instanceId, parentId }) => [nodeId, kind, name, instanceId, parentId])
  assert.equal(nodes, [
    ['mcp:session', 'server', 'session', 'mcp_session', undefined],
    ['tool:add', 'tool', 'add', 'mcp_1', 'mcp:session'],
    ['tool:add', 'tool', 'add', 'mcp_2', 'mcp:session'],
    ['resource:file:///a', 'resource', 'file:///a', 'mcp_3', 'mcp:session'],
    ['prompt:greet', 'prompt', 'greet', 'mcp_4', 'mcp:session'],
    ['mcp:tools/list', 'custom', 'tools/list', 'mcp_5', 'mcp:session'],
    ['llm:sampling', 'llm', 'sampling', 'mcp_6', 'mcp:session'],
    ['mcp:notifications/tools/list_changed', 'custom', 'notifications/tools/list_changed', 'mcp_7', 'mcp:session'],
  ])
})

test('values and frames are told as they were spelt', () => {
  const t = startTalk()
  t.c2s('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","n":9007199254740993,"f":1.0,"z":-0}}\r\n')
  const started = t.node('tool:add')[0]
  assert.is(raw(started, 'input'), '{"name":"add","n":9007199254740993,"f":1.0,"z":-0}')
  const frame = started?.payload.frame as { n: number; dir: string; bytes: number; text: string }
  assert.is(frame.text, '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","n":9007199254740993,"f":1.0,"z":-0}}\r')
  assert.is(frame.bytes, frame.text.length + 1)
  assert.equal([frame.n, frame.dir], [1, 'c2s'])
})

test('a frame that is not UTF-8 is told as its bytes, and its event is still valid', () => {
  const t = startTalk()
  const bytes = Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","x":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}}\n')])
  t.c2s(Buffer.from(bytes))
  const frame = t.node('tool:add')[0]?.payload.frame as { b64: string; text?: string }
  assert.equal(Buffer.from(frame.b64, 'base64'), bytes.subarray(0, -1))
  assert.is(frame.text, undefined)
})

test('what only looks like JSON is told as text', () => {
  const t = startTalk()
  t.c2s('{"jsonrpc":"2.0","id":1,"method":"x/y","params":{"a":nonsense}}')
  t.s2c('{"jsonrpc":"2.0","id":1,"result":{"a":"\u0001"}}')
  assert.is(t.node('mcp:x/y')[0]?.payload.input, '{"a":nonsense}')
  assert.is(t.node('mcp:x/y')[1]?.payload.output, '{"a":"\u0001"}')
})

test('the text of a batch rides on its first event, the others point at it', () => {
  const t = startTalk()
  t.c2s([request(1), request(2)])
  const frames = t.of('node.started').slice(1).map(({ frame }) => frame) as { text?: string; i: number; n: number }[]
  assert.ok(frames[0]?.text?.startsWith('['))
  assert.equal(frames[1], { n: 1, i: 1 })
})

test('a tool that fails says why, a JSON-RPC error which', () => {
  const t = startTalk()
  t.c2s(request(1))
  t.s2c(toolError(1, 'out of tea'))
  t.c2s(request(2))
  t.s2c({ jsonrpc: '2.0', id: 2, error: { code: -32602, message: 'bad params' } })
  assert.equal(t.of('node.error').map(({ error }) => error), [{ name: 'ToolError', message: 'out of tea' }, { name: 'JSON-RPC error -32602', message: 'bad params' }])
  assert.ok(raw(t.events.find((event) => event.type === 'node.error'), 'output')?.includes('out of tea'))
})

test('a log message with the token or the id of an open request also shows on it', () => {
  const t = startTalk()
  t.c2s(request(1, 'tools/call', { name: 'add', _meta: { progressToken: 9 } }))
  t.s2c(notice('notifications/message', { level: 'info', data: 'adding', _meta: { progressToken: 9 } }))
  t.s2c(notice('notifications/message', { level: 'info', data: { a: 1 }, requestId: 1 }))
  t.s2c(notice('notifications/message', { level: 'info', data: 'elsewhere' }))
  assert.equal(t.of('node.token').map(({ instanceId, deltas }) => [instanceId, (deltas as { v: string }[])[0]?.v]), [['mcp_1', 'info: adding\n'], ['mcp_1', 'info: {"a":1}\n']])
})

test('ten thousand progress frames are all relayed and told', () => {
  const t = startTalk({ arm: [{ point: 'error' }] })
  t.c2s(request(1, 'tools/call', { name: 'add', _meta: { progressToken: 1 } }))
  for (let i = 0; i < 10_000; i++) t.s2c(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":${i}}}`)
  t.s2c(result(1))
  assert.is(t.to('s2c').length, 10_001)
  assert.is(t.of('node.token').length, 10_000)
})

test('a frame of 32 MiB is told shortened and marked, in little time', () => {
  const t = startTalk()
  t.c2s(request(1))
  const big = Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"${'é'.repeat(16 * 1024 * 1024)}"}]}}\n`)
  const start = performance.now()
  t.s2c(big)
  const ms = performance.now() - start
  const finished = t.events.at(-1)
  assert.is(finished?.payload.__graphmindTruncated, true)
  assert.equal(finished?.payload.fields, ['output', 'frame.text'])
  assert.ok((finished?.text.length ?? Infinity) < 512 * 1024)
  assert.not.match(finished?.text ?? '', /\uFFFD/)
  assert.match(String((finished?.payload.output as { content: { text: string }[] }).content[0]?.text.slice(-60)), /é\[graphmind cut \d+ characters\]$/)
  assert.ok(ms < 3000, `took ${Math.round(ms)} ms`)
})

test('100 KB of nested brackets are seen without recursion', () => {
  const t = startTalk({ arm: [{ point: 'before' }] })
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
  t.c2s(deep)
  t.c2s(`{"jsonrpc":"2.0","id":1,"method":"x/y","params":{"d":${deep}}}`)
  t.resume({ action: 'continue' })
  assert.is(t.to('c2s').length, 2)
  assert.equal(t.warnings, [])
})

test('with hidden inputs neither params nor their frames are told anywhere', () => {
  const t = startTalk({ hide: { hideInputs: true }, arm: [{ point: 'before', kind: 'tool' }] })
  t.c2s(request(1, 'tools/call', { name: 'add', arguments: { a: SECRET, n: 9007199254740993 } }))
  t.resume({ action: 'continue', inputText: JSON.stringify({ name: 'add', arguments: { a: SECRET } }) })
  t.c2s([request(2, 'x/y', { a: SECRET }), request(3, 'x/y', { a: SECRET })])
  t.c2s(`not json ${SECRET}`)
  t.c2s(request(4, 'x/big', { a: SECRET.repeat(40_000) }))
  assert.not.match(everything(t), new RegExp(SECRET))
  assert.not.match(everything(t), /9007199254740993/)
  assert.match(t.lines[0]?.text ?? '', new RegExp(SECRET))
})

test('with hidden outputs neither results, quotes of them, notifications of the server nor its log are told', () => {
  const t = startTalk({ hide: { hideOutputs: true }, arm: [{ point: 'error' }] })
  t.c2s(request(1, 'tools/call', { name: 'add', _meta: { progressToken: 1 } }))
  t.s2c(notice('notifications/progress', { progressToken: 1, progress: 1, message: SECRET }))
  t.s2c(notice('notifications/message', { level: 'info', data: SECRET }))
  t.s2c(toolError(1, SECRET))
  t.resume({ action: 'inject', outputText: JSON.stringify({ a: SECRET }) })
  t.c2s(request(2))
  t.s2c(result(2, { content: [{ type: 'text', text: SECRET.repeat(40_000) }] }))
  t.s2c(`banner ${SECRET}`)
  t.talk.stderr(Buffer.from(SECRET))
  t.c2s(request(3))
  t.talk.exited(1, null)
  t.talk.finish()
  assert.not.match(everything(t), new RegExp(SECRET))
})

test('with hidden tool results a task that is asked for a tool result tells none either', () => {
  const t = startTalk({ hide: { hideToolResults: true } })
  t.c2s(request(1))
  t.s2c(toolError(1, SECRET))
  t.c2s(request(2, 'tasks/result', { taskId: 't' }))
  t.s2c(result(2, { content: [{ type: 'text', text: SECRET }] }))
  assert.not.match(everything(t), new RegExp(SECRET))
  assert.match((t.of('node.error')[0]?.error as { message: string }).message, /hidden/)
})

test("the server's log is told live as text of the session", () => {
  const t = startTalk()
  const bytes = Buffer.from('caf\u00e9\n')
  t.talk.stderr(bytes.subarray(0, 4))
  t.talk.stderr(bytes.subarray(4))
  const text = t.of('node.token').filter(({ nodeId }) => nodeId === 'mcp:session').flatMap(({ deltas }) => (deltas as { v: string }[]).map(({ v }) => v)).join('')
  assert.is(text, 'caf\u00e9\n')
})

test('one who attaches late gets the last 200 lines of the log, and of long lines 32 KiB', () => {
  const t = startTalk({ attached: false })
  for (let i = 0; i < 1000; i++) t.talk.stderr(Buffer.from(`line ${i}\n`))
  assert.is(t.of('node.token').length, 0)
  t.attach()
  const kept = (t.of('node.token')[0]?.deltas as { v: string }[])[0]?.v ?? ''
  assert.is(kept.split('\n').length, 201)
  assert.ok(kept.startsWith('line 800\n') && kept.endsWith('line 999\n'))
  const long = startTalk({ attached: false })
  long.talk.stderr(Buffer.alloc(100_000, 'x'))
  long.talk.finish()
  assert.is((long.of('node.token')[0]?.deltas as { v: string }[])[0]?.v.length, 32 * 1024)
})

test('the run tells how it was launched, names of the environment alone', () => {
  const info = { command: '/usr/bin/npx', args: ['-y', 'server', '--key', SECRET], cwd: '/work', env: { PATH: '/bin', TOKEN: SECRET }, viewerUrl: '', version: '1', parentPid: 4 }
  const open = { hideInputs: false, hideOutputs: false, hideToolArgs: false, hideToolResults: false }
  assert.is(launchName(info, open), `npx -y server --key ${SECRET}`)
  assert.equal(launchMeta(info, open, '/usr/bin/npx'), {
    source: 'mcp-proxy', command: ['/usr/bin/npx', '-y', 'server', '--key', SECRET], executable: '/usr/bin/npx', cwd: '/work', path: '/bin', env: ['PATH', 'TOKEN'], parentPid: 4, proxyVersion: '1', hidden: [],
  })
  const hidden = { ...open, hideInputs: true }
  assert.is(launchName(info, hidden), 'npx')
  assert.not.match(JSON.stringify(launchMeta(info, hidden)), new RegExp(SECRET))
})

test('after the end nothing more is told, and the end is told once', () => {
  const t = startTalk()
  t.talk.finish()
  t.talk.finish()
  assert.is(t.of('run.finished').length, 1)
})

test.run()
