// The proxy explains: each finding is a plain sentence that points at its frames, and is not made
// where nothing is wrong.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { notice, request, result, startTalk, toolError } from './conversation-kit.ts'

const INIT = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', clientInfo: { name: 'c', version: '1' }, capabilities: {} } }
const INIT_RESULT = result(0, { protocolVersion: '2025-06-18', serverInfo: { name: 'weather', version: '1' }, capabilities: {} })
const enoent = Object.assign(new Error('spawn nope ENOENT'), { code: 'ENOENT' })

test('an ordinary session has no findings', () => {
  const t = startTalk()
  t.c2s(INIT)
  t.s2c(INIT_RESULT)
  t.c2s(notice('notifications/initialized'))
  t.c2s(request(1))
  t.s2c(result(1))
  t.talk.tick(t.state.now + 60_000)
  t.talk.inputEnded()
  t.talk.outputEnded()
  t.talk.exited(0, null)
  t.talk.finish()
  assert.equal(t.findings(), [])
  assert.equal(t.of('run.finished'), [{ status: 'ok' }])
})

const lines: [string, string, string, RegExp][] = [
  ['a banner on stdout', 'Server listening on stdio', 'text-on-stdout', /"Server listening on stdio".*stderr/],
  ['text before a frame', 'debug: {"jsonrpc":"2.0","id":1,"result":{}}', 'text-fused-to-frame', /before it: "debug:"/],
  ['text after a frame', '{"jsonrpc":"2.0","id":1,"result":{}}done', 'text-fused-to-frame', /after it: "done"/],
  ['two frames on one line', '{"jsonrpc":"2.0","id":1,"result":{}}{"jsonrpc":"2.0","id":2,"result":{}}', 'text-fused-to-frame', /2 frames share one line/],
  ['Content-Length framing', 'Content-Length: 42\r\n', 'content-length-framing', /one JSON message a line/],
  ['a byte order mark', '\uFEFF{"jsonrpc":"2.0","id":1,"result":{}}', 'byte-order-mark', /byte order mark/],
  ['an empty line', '\n', 'blank-line', /empty line/],
  ['JSON that is no message', '{"hello":1}', 'not-json-rpc', /neither a method nor a result/],
  ['a frame without its version', '{"id":1,"method":"ping"}', 'no-jsonrpc-version', /"jsonrpc": "2\.0"/],
]
for (const [what, line, code, says] of lines) {
  test(`${what} is explained, and relayed as it is`, () => {
    const t = startTalk()
    t.s2c(line)
    const finding = t.finding(code)
    assert.match(finding?.message ?? '', says)
    assert.equal(finding?.frames, [1])
    assert.is(t.to('s2c')[0], line.endsWith('\n') ? line : `${line}\n`)
  })
}

test('a line that is no JSON shows as a warning node with its text', () => {
  const t = startTalk()
  t.s2c('npm WARN deprecated')
  const [started, finished] = t.node('mcp:not-json')
  assert.is(started?.payload.input, 'npm WARN deprecated')
  assert.is(finished?.payload.status, 'warning')
})

test('a frame fused to text is no answer, since its reader cannot read it', () => {
  const t = startTalk()
  t.c2s(request(1))
  t.s2c(`oops ${JSON.stringify(result(1))}`)
  assert.is(t.of('node.finished').filter(({ nodeId }) => nodeId === 'tool:add').length, 0)
})

test('a last line that was cut off is told with its length', () => {
  const t = startTalk()
  t.s2c('{"jsonrpc":"2.0","id":1,"res', { cut: true })
  assert.match(t.finding('cut-line')?.message ?? '', /after 28 bytes.*middle of a frame/)
  const whole = startTalk()
  whole.s2c('{"jsonrpc":"2.0","method":"x"}', { cut: true })
  assert.match(whole.finding('cut-line')?.message ?? '', /no newline/)
})

test('an answer whose id has another type than the request is explained on that request', () => {
  const t = startTalk()
  t.c2s(request(5))
  t.s2c(result('5'))
  const finding = t.finding('id-type-changed')
  assert.match(finding?.message ?? '', /the string "5".*the number 5.*goes on waiting/)
  assert.is(finding?.instanceId, 'mcp_1')
  assert.equal(finding?.frames, [1, 2])
})

test('an answer to nothing, a second one and one without an id are told apart', () => {
  const t = startTalk()
  t.c2s(request(1))
  t.s2c(result(1))
  t.s2c(result(1))
  t.s2c(result(77))
  t.s2c({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } })
  assert.equal(t.findings().map(({ code }) => code), ['second-answer', 'answer-to-nothing', 'answer-without-id'])
})

test('two requests in flight with one id are flagged and told apart by order', () => {
  const t = startTalk()
  t.c2s(request(1, 'tools/call', { name: 'a' }))
  t.c2s(request(1, 'tools/call', { name: 'b' }))
  assert.equal(t.finding('duplicate-id')?.frames, [1, 2])
  t.s2c(result(1))
  t.s2c(result(1))
  assert.equal(t.of('node.finished').map(({ nodeId }) => nodeId), ['tool:a', 'tool:b'])
})

test('an answer to a request that is still held is not taken for its answer', () => {
  const t = startTalk({ arm: [{ point: 'before' }] })
  t.c2s(request(1))
  t.s2c(result(1))
  assert.ok(t.finding('answer-to-nothing'))
  t.resume({ action: 'continue' })
  t.s2c(result(1))
  assert.is(t.of('node.finished').length, 1)
})

test('ids of different spelling are different, and so are the two directions', () => {
  const t = startTalk()
  for (const id of ['0', '"0"', '0.0']) t.c2s(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"add"}}`)
  t.s2c(request(0, 'roots/list', {}))
  t.s2c('{"jsonrpc":"2.0","id":0.0,"result":{}}')
  assert.equal(t.findings(), [])
  assert.equal(t.of('node.finished').map(({ instanceId }) => instanceId), ['mcp_3'])
})

test('progress for a token that was never offered, or after the answer, is told', () => {
  const t = startTalk()
  t.c2s(request(1, 'tools/call', { name: 'add', _meta: { progressToken: 'p' } }))
  t.s2c(notice('notifications/progress', { progressToken: 'p', progress: 1, total: 2, message: 'half' }))
  assert.equal(t.findings(), [])
  assert.equal(t.of('node.token')[0]?.deltas, [{ t: 'text', v: 'progress 1/2 half\n' }])
  t.s2c(result(1))
  t.state.now += 40
  t.s2c(notice('notifications/progress', { progressToken: 'p', progress: 2 }))
  t.s2c(notice('notifications/progress', { progressToken: 'q', progress: 2 }))
  assert.match(t.finding('progress-after-answer')?.message ?? '', /40 ms after it was answered/)
  assert.match(t.finding('unknown-progress-token')?.message ?? '', /"q"/)
})

test('a request without an answer says who owes the next frame', () => {
  const t = startTalk()
  t.c2s(request(1))
  t.talk.tick(t.state.now + 9000)
  assert.equal(t.findings(), [])
  t.talk.tick(t.state.now + 12_000)
  t.talk.tick(t.state.now + 13_000)
  assert.is(t.findings().length, 1)
  assert.match(t.finding('unanswered')?.message ?? '', /no answer for 12 s.*The server owes the next frame/)
})

test('while the server waits for the client, the client owes the next frame', () => {
  const t = startTalk()
  t.c2s(request(1))
  t.s2c(request(0, 'sampling/createMessage', {}))
  t.talk.tick(t.state.now + 12_000)
  assert.match(t.finding('unanswered')?.message ?? '', /The client owes the next frame.*sampling\/createMessage \(frame 2\)/)
})

test('progress, and a hold, are no silence', () => {
  const t = startTalk({ arm: [{ point: 'error' }] })
  t.c2s(request(1, 'tools/call', { name: 'add', _meta: { progressToken: 1 } }))
  t.c2s(request(2))
  t.s2c(toolError(2))
  t.state.now += 9000
  t.s2c(notice('notifications/progress', { progressToken: 1, progress: 1 }))
  t.talk.tick(t.state.now + 9000)
  assert.equal(t.findings(), [])
})

test('a server that exits before answering: code, signal, its last words, and the call fails', () => {
  const t = startTalk()
  t.c2s(request(1))
  t.talk.stderr(Buffer.from('Traceback\nKeyError: tea\n'))
  t.talk.exited(3, null)
  const finding = t.finding('exited-before-answering')
  assert.match(finding?.message ?? '', /exited with code 3 before it had answered 1 request: tools\/call \(frame 1\).*KeyError: tea/)
  assert.equal(finding?.frames, [1])
  assert.is(t.of('node.error')[0]?.instanceId, 'mcp_1')
  t.talk.finish()
  assert.is(t.of('run.finished')[0]?.status, 'error')
  const killed = startTalk()
  killed.c2s(request(1))
  killed.talk.exited(null, 'SIGKILL')
  assert.match(killed.finding('exited-before-answering')?.message ?? '', /ended by SIGKILL.*said nothing/)
})

test('a carriage return right before a silent exit is suspected', () => {
  const t = startTalk()
  t.c2s(`${JSON.stringify(request(1))}\r\n`)
  t.talk.exited(1, null)
  assert.equal(t.finding('crlf-before-exit')?.frames, [1])
  const answered = startTalk()
  answered.c2s(`${JSON.stringify(request(1))}\r\n`)
  answered.s2c(result(1))
  answered.talk.exited(1, null)
  assert.not.ok(answered.finding('crlf-before-exit'))
})

test('a command that was not found: what was looked for, and the PATH that was searched', () => {
  const t = startTalk({ launch: { command: 'nope', env: { PATH: '/usr/bin:/opt/x' } } })
  t.talk.failedToStart(enoent)
  t.talk.finish()
  assert.match(t.finding('command-not-found')?.message ?? '', /"nope" was not found in the PATH that was searched: \/usr\/bin:\/opt\/x/)
  assert.is(t.of('run.finished')[0]?.status, 'error')
})

test('a pipe that nobody reads: which, how many bytes wait, since when', () => {
  const t = startTalk()
  t.talk.stalled('client stdout', 65536, t.state.now - 3000)
  assert.match(t.finding('pipe-not-read')?.message ?? '', /client does not read.*65,536 bytes.*client stdout for 3\.0 s/)
})

test('a server that closes its stdout and lives on is told once', () => {
  const t = startTalk()
  t.talk.outputEnded()
  t.talk.tick(t.state.now + 1000)
  assert.equal(t.findings(), [])
  t.talk.tick(t.state.now + 4000)
  t.talk.tick(t.state.now + 9000)
  assert.equal(t.findings().map(({ code }) => code), ['stdout-closed'])
})

function withSchema() {
  const t = startTalk()
  t.c2s(request(1, 'tools/list', {}))
  t.s2c(result(1, { tools: [{ name: 'add', inputSchema: {}, outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] } }] }))
  t.c2s(request(2))
  return t
}

test('outputSchema and structuredContent that disagree are told with where', () => {
  const t = withSchema()
  t.s2c(result(2, { content: [], structuredContent: { sum: '3' } }))
  assert.match(t.finding('output-schema-mismatch')?.message ?? '', /"add".*disagrees at \/sum/)
})

test('a result without the structured content that was announced is told', () => {
  const t = withSchema()
  t.s2c(result(2, { content: [] }))
  assert.match(t.finding('output-schema-mismatch')?.message ?? '', /no structuredContent/)
})

test('a result that keeps to its schema, or that failed, is not complained about', () => {
  const t = withSchema()
  t.s2c(result(2, { content: [], structuredContent: { sum: 3 } }))
  t.c2s(request(3))
  t.s2c(toolError(3))
  assert.equal(t.findings(), [])
})

test('a schema that cannot be followed proves nothing', () => {
  const t = startTalk()
  t.c2s(request(1, 'tools/list', {}))
  t.s2c(result(1, { tools: [{ name: 'add', outputSchema: { $ref: 'https://example.com/x.json' } }, { name: 7 }, null] }))
  t.c2s(request(2))
  t.s2c(result(2, { structuredContent: {} }))
  assert.equal(t.findings(), [])
})

test('integers beyond 2^53 are told, and what only looks like one is not', () => {
  const t = startTalk()
  t.c2s('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":9007199254740993}}}')
  assert.match(t.finding('integer-beyond-2-53')?.message ?? '', /9007199254740993, which JavaScript reads as 9007199254740992/)
  const fine = startTalk()
  fine.c2s('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":"9007199254740993","b":0.12345678901234567,"c":9007199254740991,"9007199254740993":1}}}')
  assert.equal(fine.findings(), [])
})

test('a batch is told where the revision has none', () => {
  const t = startTalk()
  t.c2s([request(9, 'ping')])
  assert.equal(t.findings(), [])
  t.c2s(INIT)
  t.s2c(INIT_RESULT)
  t.s2c([result(9, {})])
  assert.match(t.finding('batch-not-allowed')?.message ?? '', /server sent a batch.*2025-06-18/)
})

test('a mistake made ten thousand times is told twenty times, and then how often', () => {
  const t = startTalk()
  for (let i = 0; i < 10_000; i++) t.s2c('noise')
  assert.is(t.findings().length, 22)
  assert.match(t.findings().at(-1)?.message ?? '', /2,000 times so far/)
})

test.run()
