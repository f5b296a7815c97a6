// A sender that costs next to nothing, so that the server is what is measured: WebSocket frames are
// made before the clock starts and go out as they are over a bare TCP socket.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

const NO_MASK = Buffer.alloc(4)
const CHUNK_BYTES = 64 * 1024

export interface Feed {
  /** Sends frames as fast as the server takes them. */
  send(frames: readonly Buffer[]): Promise<void>
  /** Waits for a message of the server that contains the text. */
  sees(text: string): Promise<void>
  close(): void
}

/** Text messages as WebSocket frames, joined to chunks of 64 KiB. */
export function frames(texts: Iterable<string>): Buffer[] {
  const chunks: Buffer[] = []
  let parts: Buffer[] = []
  let bytes = 0
  const flush = () => {
    if (parts.length > 0) chunks.push(Buffer.concat(parts))
    parts = []
    bytes = 0
  }
  for (const text of texts) {
    const payload = Buffer.from(text)
    parts.push(header(payload.length), NO_MASK, payload)
    bytes += payload.length + 14
    if (bytes >= CHUNK_BYTES) flush()
  }
  flush()
  return chunks
}

function header(length: number): Buffer {
  if (length < 126) return Buffer.from([0x81, 0x80 | length])
  if (length < 65536) return Buffer.from([0x81, 0xfe, length >> 8, length & 255])
  const long = Buffer.alloc(10)
  long.writeUInt16BE(0x81ff)
  long.writeBigUInt64BE(BigInt(length), 2)
  return long
}

/** Connects, upgrades and says hello. */
export async function feed(port: number, app = 'bench'): Promise<Feed> {
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  socket.setNoDelay(true)
  let heard = ''
  socket.on('data', (data: Buffer) => { heard = (heard + data.toString('latin1')).slice(-100_000) })
  socket.on('error', () => {}) // `sees` fails then, by its time limit
  socket.write(`GET /ingest HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n`)
  const sees = async (text: string) => {
    const deadline = performance.now() + 60_000
    while (!heard.includes(text)) {
      if (performance.now() > deadline) throw new Error(`the server did not say ${text} within a minute`)
      await Promise.race([once(socket, 'data'), new Promise((resolve) => setTimeout(resolve, 1000).unref())])
    }
  }
  await sees('\r\n\r\n')
  await write(socket, frames([JSON.stringify({
    gm: 1, seq: 0, ts: Date.now(), runId: '*', type: 'hello',
    payload: { versions: { protocol: 1, client: 'bench/1' }, capabilities: [], app, sdk: { name: 'bench', version: '1' } },
  })]))
  return { send: (chunks) => write(socket, chunks), sees, close: () => socket.destroy() }
}

async function write(socket: Socket, chunks: readonly Buffer[]): Promise<void> {
  for (const chunk of chunks) if (!socket.write(chunk)) await once(socket, 'drain')
}
