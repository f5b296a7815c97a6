// The text of a WebSocket message. Node keeps the text of a large buffer outside of V8's heap, in
// memory that malloc then hardly ever gives back; read in pieces it is an ordinary string.
const PIECE_BYTES = 512 * 1024

/** Text messages are valid UTF-8: ws has checked. */
export function messageText(data: Buffer): string {
  if (data.length <= PIECE_BYTES) return data.toString('utf8')
  let text = ''
  for (let from = 0; from < data.length;) {
    const to = characterStart(data, Math.min(from + PIECE_BYTES, data.length))
    text += data.toString('utf8', from, to)
    from = to
  }
  return text
}

/** The last index up to `at` where a character starts. */
function characterStart(data: Buffer, at: number): number {
  let start = at
  while (start < data.length && ((data[start] ?? 0) & 0xc0) === 0x80) start--
  return start
}
