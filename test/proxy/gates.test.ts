// Every cell of the gate table, in both directions, on the core alone.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { notice, raw, request, result, startTalk, toolError } from './conversation-kit.ts'

const ABORTED = (id: string) => new RegExp(`^\\{"jsonrpc":"2.0","id":${id},"error":\\{"code":-32099,"message":"[^"]+"\\}\\}\\n$`)
const BEFORE = { point: 'before' } as const
const AFTER = { point: 'after' } as const
const ERROR = { point: 'error' } as const

test('a held request goes on as the bytes that came', () => {
  const t = startTalk({ arm: [BEFORE] })
  const line = '{ "jsonrpc":"2.0" ,"id":1.0,"method":"tools/call","params":{"name":"add","x":9007199254740993,"x":-0}}\r\n'
  assert.is(t.c2s(line), 'park')
  assert.equal(t.to('c2s'), [])
  t.resume({ action: 'continue' })
  assert.equal(t.to('c2s'), [line])
  assert.is(t.lines[0]?.by, 'peer')
})

test('a hold says on stderr what is held and where to resume it', () => {
  const t = startTalk({ arm: [ERROR] })
  t.c2s(request(5))
  t.s2c(toolError(5))
  assert.equal(t.said, ['HOLDING tools/call #1 at the error gate — resume it in http://127.0.0.1:4747'])
})

test('at the before gate retry goes on as continue does', () => {
  const t = startTalk({ arm: [BEFORE] })
  t.c2s(request(1))
  t.resume({ action: 'retry' })
  assert.is(t.to('c2s').length, 1)
})

test('an injected answer reaches the sender and the server never sees the request', () => {
  const t = startTalk({ arm: [BEFORE] })
  t.c2s(request('a\u00e9'))
  t.resume({ action: 'inject', outputText: '{"tasks": [9007199254740993]}' })
  assert.equal(t.to('c2s'), [])
  assert.equal(t.to('s2c'), ['{"jsonrpc":"2.0","id":"a\u00e9","result":{"content":[{"type":"text","text":"{\\"tasks\\":[9007199254740993]}"}],"structuredContent":{"tasks":[9007199254740993]}}}\n'])
  const [finished] = t.of('node.finished')
  assert.is(finished?.status, 'ok')
  assert.is((finished?.frame as { by: string }).by, 'graphmind')
})

test('a request that is aborted before it left is answered with -32099, and the run ends aborted', () => {
  const t = startTalk({ arm: [BEFORE] })
  t.c2s(request(0))
  t.resume({ action: 'abort' })
  assert.match(t.to('s2c').join(''), ABORTED('0'))
  assert.equal(t.to('c2s'), [])
  assert.is(t.of('node.finished')[0]?.status, 'aborted')
  t.talk.inputEnded()
  t.talk.exited(0, null)
  t.talk.finish()
  assert.is(t.of('run.finished')[0]?.status, 'aborted')
})

test('an edited request keeps its id, spacing and everything but the params', () => {
  const t = startTalk({ arm: [BEFORE] })
  t.c2s('  {"id": 007.0, "method":"tools/call", "params" : {"name":"add"} ,"x":"\\u00e9"} \r\n')
  t.resume({ action: 'continue', inputText: '{ "name": "add", "arguments": {"b": 1.0} }' })
  assert.equal(t.to('c2s'), ['  {"id": 007.0, "method":"tools/call", "params" : {"name":"add","arguments":{"b":1.0}} ,"x":"\\u00e9"} \r\n'])
  const shown = t.of('node.token').find((event) => (event.frame as { by?: string } | undefined)?.by === 'graphmind')
  assert.ok(shown, 'the frame that was really sent is shown')
  t.s2c('{"jsonrpc":"2.0","id":007.0,"result":{}}')
  assert.is(t.of('node.finished').length, 1)
})

test('an edit of a request without params inserts them', () => {
  const t = startTalk({ arm: [BEFORE] })
  t.c2s('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
  t.resume({ action: 'continue', inputText: '{"cursor":"x"}' })
  assert.equal(t.to('c2s'), ['{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}\n'])
})

test('an edit that is no JSON object is refused and the request stays held', () => {
  const t = startTalk({ arm: [BEFORE] })
  t.c2s(request(1))
  t.resume({ action: 'continue', inputText: '"no"' })
  assert.is(t.of('exec.refused')[0]?.code, 'shape')
  assert.is(t.held, 1)
  assert.equal(t.lines, [])
})

for (const [value, code] of [['{"a":"__REDACTED__"}', 'placeholder'], ['{"__graphmindTruncated":true}', 'truncated']] as const) {
  test(`an injected ${code} is refused and the call stays held`, () => {
    const t = startTalk({ arm: [ERROR] })
    t.c2s(request(1))
    t.s2c(toolError(1))
    t.resume({ action: 'inject', outputText: value })
    assert.is(t.of('exec.refused')[0]?.code, code)
    assert.is(t.held, 1)
  })
}

test('a held answer goes on as the bytes that came', () => {
  const t = startTalk({ arm: [AFTER] })
  t.c2s(request(1))
  const line = '{"result":{"a":1e400,"b":"\\/"},"id":1,"jsonrpc":"2.0"}\n'
  assert.is(t.s2c(line), 'park')
  assert.is(t.of('node.finished').length, 0)
  t.state.now += 500
  t.resume({ action: 'continue' })
  assert.equal(t.to('s2c'), [line])
  assert.is(t.of('node.finished')[0]?.heldMs, 500)
})

test('an answer that is held is shown before anybody decides', () => {
  const t = startTalk({ arm: [ERROR] })
  t.c2s(request(1))
  t.s2c(toolError(1, 'out of tea'))
  const types = t.node('tool:add').map((event) => event.type)
  assert.equal(types, ['node.started', 'node.token', 'exec.paused'])
  assert.match(JSON.stringify(t.of('node.token')[0]?.frame), /out of tea/)
})

test('after a value is injected the requester sees it instead of the answer', () => {
  const t = startTalk({ arm: [AFTER] })
  t.c2s(request(1, 'resources/read', { uri: 'file:///a' }))
  t.s2c(result(1, { contents: [] }))
  t.resume({ action: 'inject', outputText: '"hello"' })
  assert.equal(t.to('s2c'), ['{"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"file:///a","mimeType":"text/plain","text":"hello"}]}}\n'])
})

test('a failure that is replaced ends its execution well', () => {
  const t = startTalk({ arm: [ERROR] })
  t.c2s(request(1))
  t.s2c({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'no' } })
  t.resume({ action: 'inject', outputText: '{"tasks":[]}' })
  assert.is(t.of('node.error').length, 0)
  assert.is(t.of('node.finished')[0]?.status, 'ok')
  assert.match(t.to('s2c')[0] ?? '', /"structuredContent":\{"tasks":\[\]\}/)
})

test('a value with its own jsonrpc replaces the whole frame and gets the id', () => {
  const t = startTalk({ arm: [ERROR] })
  t.c2s(request(3))
  t.s2c(toolError(3))
  t.resume({ action: 'inject', outputText: '{"jsonrpc":"2.0","error":{"code":1,"message":"mine"}}' })
  assert.equal(t.to('s2c'), ['{"id":3,"jsonrpc":"2.0","error":{"code":1,"message":"mine"}}\n'])
  assert.is((t.of('node.error')[0]?.error as { message: string }).message, 'mine')
})

test('in the new era an injected result is complete, and structuredContent may be any value', () => {
  const t = startTalk({ arm: [ERROR] })
  t.c2s(request(1, 'tools/call', { name: 'add', _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }))
  t.s2c(toolError(1))
  t.resume({ action: 'inject', outputText: '[1]' })
  assert.equal(t.to('s2c'), ['{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[1]"}],"structuredContent":[1],"resultType":"complete"}}\n'])
})

test('a retry sends the same bytes as a new execution, without another before gate', () => {
  const t = startTalk({ arm: [ERROR] })
  const line = '{"jsonrpc":"2.0", "id":"x","method":"tools/call","params":{"name":"add"}}\r\n'
  t.c2s(line)
  t.s2c(toolError('x'))
  t.arm(BEFORE)
  t.resume({ action: 'retry' })
  assert.equal(t.to('c2s'), [line, line])
  assert.equal(t.to('s2c'), [])
  assert.is(t.held, 0)
  const second = t.of('node.started').filter((event) => event.nodeId === 'tool:add').at(-1)
  assert.equal(second?.link, { instanceId: 'mcp_1', why: 'retry' })
  t.s2c(result('x'))
  assert.is(t.to('s2c').length, 1)
  assert.is(t.of('node.finished').at(-1)?.instanceId, 'mcp_2')
})

test('a retry that fails again holds again', () => {
  const t = startTalk({ arm: [ERROR] })
  t.c2s(request(1))
  t.s2c(toolError(1))
  t.resume({ action: 'retry' })
  t.s2c(toolError(1))
  assert.is(t.held, 1)
  t.resume({ action: 'continue' })
  assert.is(t.to('s2c').length, 1)
  assert.is(t.of('node.error').length, 2)
})

test('a retry with other arguments is linked as an edit', () => {
  const t = startTalk({ arm: [ERROR] })
  t.c2s(request(1))
  t.s2c(toolError(1))
  t.resume({ action: 'retry', inputText: '{"name":"add","arguments":{"a":2}}' })
  assert.equal(t.to('c2s')[1], '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":2}}}\n')
  assert.equal(t.of('node.started').at(-1)?.link, { instanceId: 'mcp_1', why: 'edit' })
})

test('with the server gone a retry is refused and the answer can still be had', () => {
  const t = startTalk({ arm: [ERROR] })
  t.c2s(request(1))
  t.s2c(toolError(1))
  t.state.alive = false
  t.talk.exited(0, null)
  assert.is(t.held, 1)
  t.resume({ action: 'retry' })
  assert.is(t.of('exec.refused')[0]?.code, 'unsupported')
  assert.ok(t.talk.holding())
  t.resume({ action: 'inject', outputText: '{}' })
  assert.is(t.to('s2c').length, 1)
  assert.not.ok(t.talk.holding())
})

test('an aborted failure is answered with -32099 instead, with the id as it was spelt', () => {
  const t = startTalk({ arm: [ERROR] })
  t.c2s('{"jsonrpc":"2.0","id":1.50,"method":"tools/call","params":{"name":"add"}}')
  t.s2c('{"jsonrpc":"2.0","id":1.50,"result":{"content":[],"isError":true}}')
  t.resume({ action: 'abort' })
  assert.match(t.to('s2c').join(''), ABORTED('1\\.50'))
  assert.is(t.of('node.finished')[0]?.status, 'aborted')
})

test('one hold for one outcome: where both gates match, a failure is held at the error gate', () => {
  const t = startTalk({ arm: [ERROR, AFTER] })
  t.c2s(request(1))
  t.s2c(toolError(1))
  assert.equal(t.of('exec.paused').map(({ point }) => point), ['error'])
  t.resume({ action: 'continue' })
  assert.is(t.held, 0)
  assert.is(t.to('s2c').length, 1)
})

test('an after gate holds a failure too where no error gate does', () => {
  const t = startTalk({ arm: [AFTER] })
  t.c2s(request(1))
  t.s2c(toolError(1))
  assert.equal(t.of('exec.paused').map(({ point }) => point), ['after'])
})

test('a request of the server is held, edited and injected like one of the client', () => {
  const t = startTalk({ arm: [{ kind: 'llm' }] })
  assert.is(t.s2c(request(0, 'sampling/createMessage', { messages: [] })), 'park')
  t.resume({ action: 'inject', outputText: '"Tea."' })
  assert.equal(t.to('c2s'), ['{"jsonrpc":"2.0","id":0,"result":{"role":"assistant","content":{"type":"text","text":"Tea."},"model":"graphmind-injected","stopReason":"endTurn"}}\n'])
  assert.equal(t.to('s2c'), [])
})

test('a client that refuses a request of the server is held at the error gate, and asked again', () => {
  const t = startTalk({ arm: [ERROR] })
  t.s2c(request(0, 'elicitation/create', { message: 'name?' }))
  t.c2s({ jsonrpc: '2.0', id: 0, error: { code: -1, message: 'no user' } })
  t.resume({ action: 'retry' })
  assert.is(t.to('s2c').length, 2)
  t.c2s(result(0, { action: 'accept' }))
  assert.is(t.to('c2s').length, 1)
})

test('a notification is forwarded, replaced or swallowed', () => {
  const t = startTalk({ arm: [BEFORE] })
  const line = notice('notifications/message', { level: 'info', data: 'x' })
  t.s2c(line)
  t.resume({ action: 'continue' })
  t.s2c(line)
  t.resume({ action: 'inject', outputText: '{"level":"error","data":1.0}' })
  t.s2c(line)
  t.resume({ action: 'abort' })
  assert.equal(t.to('s2c'), [`${JSON.stringify(line)}\n`, '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":1.0}}\n'])
})

test('step mode never stops pings, cancellations and progress', () => {
  const t = startTalk({ step: true })
  assert.is(t.c2s(request(1, 'ping', {})), 'write')
  assert.is(t.s2c(result(1, {})), 'write')
  assert.is(t.c2s(notice('notifications/cancelled', { requestId: 9 })), 'write')
  assert.is(t.s2c(notice('notifications/progress', { progressToken: 1, progress: 1 })), 'write')
  assert.is(t.c2s(request(2)), 'park')
})

test('a breakpoint that names ping stops it', () => {
  const t = startTalk({ arm: [{ name: 'ping' }] })
  assert.is(t.c2s(request(1, 'ping', {})), 'park')
})

test('while one request is held, others, their answers and pings flow', () => {
  const t = startTalk({ arm: [{ kind: 'tool', name: 'slow' }] })
  t.c2s(request(1, 'tools/call', { name: 'slow' }))
  t.c2s(request(2, 'tools/call', { name: 'quick' }))
  t.c2s(request(3, 'ping', {}))
  t.s2c(result(2))
  assert.is(t.to('c2s').length, 2)
  assert.is(t.to('s2c').length, 1)
  assert.is(t.held, 1)
})

test('fifty calls of which five are held all get exactly one answer', () => {
  const t = startTalk({ arm: [ERROR] })
  for (let id = 0; id < 50; id++) t.c2s(request(id))
  for (let id = 0; id < 50; id++) t.s2c(id % 10 === 3 ? toolError(id) : result(id))
  assert.is(t.held, 5)
  for (let pause = 5; pause > 0; pause--) t.resume({ action: 'inject', outputText: '{}' }, `pause_${pause}`)
  const ids = t.to('s2c').map((line) => (JSON.parse(line) as { id: number }).id)
  assert.is(ids.length, 50)
  assert.is(new Set(ids).size, 50)
})

test('cancelled before it left: neither the request nor the cancellation goes on', () => {
  const t = startTalk({ arm: [BEFORE] })
  t.c2s(request(1))
  assert.is(t.c2s(notice('notifications/cancelled', { requestId: 1 })), 'drop')
  assert.equal(t.lines, [])
  assert.is(t.held, 0)
  assert.is(t.of('exec.resumed')[0]?.principal, 'cancel')
  assert.equal(t.of('node.finished').map(({ status }) => status), ['aborted', 'aborted'])
})

test('a cancellation is seen in time even when its breakpoint was cleared meanwhile', () => {
  const t = startTalk({ arm: [BEFORE] })
  t.c2s(request(1))
  t.disarm(BEFORE)
  assert.is(t.c2s('{"jsonrpc":"2.0","method":"notifications\\/cancelled","params":{"requestId":1}}'), 'drop')
  assert.equal(t.lines, [])
})

test('cancelled while its answer is held: the answer is written, then the cancellation', () => {
  const t = startTalk({ arm: [ERROR] })
  t.c2s(request(1))
  t.s2c(toolError(1))
  t.arm(BEFORE)
  t.c2s(notice('notifications/cancelled', { requestId: 1 }))
  assert.equal(t.lines.map(({ dir, by }) => `${dir} ${by}`), ['c2s peer', 's2c peer', 'c2s peer'])
  assert.is(t.held, 0)
  assert.equal(t.of('node.finished').filter(({ nodeId }) => nodeId === 'tool:add').map(({ status }) => status), ['aborted'])
})

test('a cancellation of another direction cancels nothing', () => {
  const t = startTalk({ arm: [BEFORE] })
  t.c2s(request(1))
  t.disarm(BEFORE)
  t.s2c(notice('notifications/cancelled', { requestId: 1 }))
  assert.is(t.held, 1)
})

test('a held cancellation takes its held request with it when it goes on', () => {
  const t = startTalk({ arm: [BEFORE, { name: 'notifications/cancelled' }] })
  t.c2s(request(1))
  t.c2s(notice('notifications/cancelled', { requestId: 1 }))
  assert.is(t.held, 2)
  t.resume({ action: 'continue' })
  assert.is(t.held, 0)
  assert.equal(t.lines, [])
})

test('cancelled on its way: forwarded, shown as aborted, and a late answer is told with how late', () => {
  const t = startTalk({ arm: [ERROR] })
  t.c2s(request(1))
  t.c2s(notice('notifications/cancelled', { requestId: 1 }))
  t.state.now += 300
  assert.is(t.s2c(toolError(1)), 'write')
  assert.is(t.to('c2s').length, 2)
  assert.match(t.finding('late-answer')?.message ?? '', /300 ms after the client had cancelled/)
})

test('the client hanging up lets go of everything at once, and nothing holds again', () => {
  const t = startTalk({ arm: [ERROR, { name: 'slow' }] })
  t.c2s(request(1))
  t.c2s(request(2, 'tools/call', { name: 'slow' }))
  t.s2c(toolError(1))
  assert.is(t.held, 2)
  t.talk.inputEnded()
  assert.is(t.held, 0)
  assert.is(t.to('c2s').length, 2)
  assert.is(t.to('s2c').length, 1)
  t.s2c(toolError(2))
  assert.is(t.held, 0)
})

test('the debugger going away lets go of everything with the bytes that came', () => {
  const t = startTalk({ arm: [BEFORE] })
  t.c2s(request(1))
  t.c2s(request(2))
  t.detach()
  assert.equal(t.to('c2s'), [`${JSON.stringify(request(1))}\n`, `${JSON.stringify(request(2))}\n`])
  assert.is(t.talk.mayHold('c2s'), false)
})

test('becoming a raw pipe lets go of everything and tells nothing more', () => {
  const t = startTalk({ arm: [BEFORE] })
  t.c2s(request(1))
  t.talk.becameRawPipe()
  assert.is(t.to('c2s').length, 1)
  const count = t.events.length
  t.c2s(request(2))
  assert.is(t.events.length, count)
  assert.ok(t.finding('raw-pipe'))
})

test('a batch waits as a whole, and goes on byte for byte when nothing was changed', () => {
  const t = startTalk({ arm: [{ name: 'slow' }] })
  const line = ` [${JSON.stringify(request(1))} ,\t${JSON.stringify(request(2, 'tools/call', { name: 'slow' }))}]\n`
  assert.is(t.c2s(line), 'park')
  t.resume({ action: 'continue' })
  assert.equal(t.to('c2s'), [line])
})

test('in a batch only the changed element changes', () => {
  const t = startTalk({ arm: [{ name: 'slow' }] })
  t.c2s(`[{"jsonrpc":"2.0","id":1,"method":"ping"} , {"jsonrpc":"2.0","id":2.0,"method":"tools/call","params":{"name":"slow"}},{"jsonrpc":"2.0","method":"x"}]\n`)
  t.resume({ action: 'continue', inputText: '{"name":"quick"}' })
  assert.equal(t.to('c2s'), [`[{"jsonrpc":"2.0","id":1,"method":"ping"} , {"jsonrpc":"2.0","id":2.0,"method":"tools/call","params":{"name":"quick"}},{"jsonrpc":"2.0","method":"x"}]\n`])
})

test('an element of a batch that is answered here is taken out of it', () => {
  const t = startTalk({ arm: [{ name: 'slow' }] })
  t.c2s(`[{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow"}}, {"jsonrpc":"2.0","id":1,"method":"ping"}]\n`)
  t.resume({ action: 'inject', outputText: '"ok"' })
  assert.equal(t.to('c2s'), ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n'])
  assert.equal(t.to('s2c'), ['{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"ok"}]}}\n'])
})

test('a batch of which nothing is left is not written', () => {
  const t = startTalk({ arm: [BEFORE] })
  t.c2s([request(1)])
  t.resume({ action: 'abort' })
  assert.equal(t.to('c2s'), [])
  assert.is(t.to('s2c').length, 1)
})

test('answers in a batch are held one by one, and the retried one comes by itself', () => {
  const t = startTalk({ arm: [ERROR] })
  t.c2s([request(1), request(2)])
  t.s2c([toolError(1), toolError(2)])
  assert.is(t.held, 2)
  t.resume({ action: 'retry' }, 'pause_1')
  t.resume({ action: 'inject', outputText: '{"jsonrpc":"2.0","result":{}}' }, 'pause_2')
  assert.equal(t.to('s2c'), ['[{"id":2,"jsonrpc":"2.0","result":{}}]\n'])
  t.s2c(result(1))
  assert.is(t.to('s2c').length, 2)
})

test('a request that waits with its batch can be cancelled and is then taken out', () => {
  const t = startTalk({ arm: [{ name: 'slow' }] })
  t.c2s([request(1), request(2, 'tools/call', { name: 'slow' })])
  assert.is(t.c2s(notice('notifications/cancelled', { requestId: 1 })), 'drop')
  t.resume({ action: 'continue' })
  assert.equal(t.to('c2s'), [`[${JSON.stringify(request(2, 'tools/call', { name: 'slow' }))}]\n`])
})

test('keys spelt with escapes are held as well', () => {
  const t = startTalk({ arm: [ERROR] })
  t.c2s(request(1))
  assert.is(t.s2c('{"jsonrpc":"2.0","id":1,"result":{"content":[],"is\\u0045rror":true}}'), 'park')
  t.c2s(request(2))
  assert.is(t.s2c('{"jsonrpc":"2.0","id":2,"\\u0065rror":{"code":1,"message":"x"}}'), 'park')
})

test('with the error gate armed a frame that speaks of no error is written unasked', () => {
  const t = startTalk({ arm: [ERROR] })
  const bytes = Buffer.from(`${JSON.stringify(result(1))}\n`)
  assert.is(t.talk.mayHoldFrame('s2c', [bytes]), false)
})

test('a server that does not know the probe of the new era has not failed', () => {
  const t = startTalk({ arm: [ERROR] })
  t.c2s(request(0, 'server/discover', {}))
  assert.is(t.s2c({ jsonrpc: '2.0', id: 0, error: { code: -32601, message: 'Method not found' } }), 'write')
  assert.is(t.of('node.finished')[0]?.status, 'unsupported')
})

test('the value that was injected is told exactly', () => {
  const t = startTalk({ arm: [AFTER] })
  t.c2s(request(1, 'x/y', {}))
  t.s2c(result(1, {}))
  t.resume({ action: 'inject', outputText: '{"n":9007199254740993,"f":1.0}' })
  assert.is(raw(t.events.findLast((event) => event.type === 'node.finished'), 'output'), '{"n":9007199254740993,"f":1.0}')
})

test.run()
