// The server behind both proxies: answers each request line at once. `{"method":"big"}` is answered
// with the number of bytes that its `size` says, as a tool result.

let rest = Buffer.alloc(0)
process.stdin.on('data', (chunk) => {
  let from = 0
  const data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
  const answers = []
  for (let end = data.indexOf(10, from); end >= 0; end = data.indexOf(10, from)) {
    answers.push(answer(data.latin1Slice(from, end)))
    from = end + 1
  }
  rest = data.subarray(from)
  if (answers.length > 0) process.stdout.write(answers.join(''))
})
process.stdin.on('end', () => process.exit(0))

const padding = 'x'.repeat(900)

function answer(line) {
  const id = /"id":(\d+)/.exec(line)?.[1] ?? 'null'
  const size = /"size":(\d+)/.exec(line)?.[1]
  const text = size === undefined ? (line.length > 900 ? padding : 'ok') : 'x'.repeat(Number(size))
  return `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"${text}"}]}}\n`
}
