// The floor of the replay row: for each connection, reads the events of the run from the same file
// and sends the same bytes over a bare TCP socket, as fast as it takes them.
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { DatabaseSync } from 'node:sqlite'

const CHUNK_CHARS = 256 * 1024
const db = new DatabaseSync(process.argv[2] ?? '', { readOnly: true })
const { key, id } = db.prepare('SELECT key, id FROM runs ORDER BY event_count DESC LIMIT 1').get() as { key: number; id: string }
const rows = db.prepare('SELECT seq, at, type, payload FROM events WHERE run = ? ORDER BY seq')

async function replay(socket: Socket): Promise<void> {
  let chunk = ''
  for (const { seq, at, type, payload } of rows.iterate(key) as Iterable<{ seq: number; at: number; type: number; payload: string }>) {
    chunk += `{"gm":1,"seq":${seq},"ts":${1_700_000_000_000 + at},"runId":"${id}","type":"node.token.${type}","payload":${payload}},`
    if (chunk.length < CHUNK_CHARS) continue
    if (!socket.write(chunk)) await once(socket, 'drain')
    chunk = ''
  }
  socket.end(chunk)
}

const server = createServer((socket) => void replay(socket))
server.listen(0, '127.0.0.1', () => console.log(`listening on ${(server.address() as AddressInfo).port}.`))
