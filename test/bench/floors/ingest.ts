// The floor of the ingest rows: receives, parses and inserts in batches, and nothing else. Says
// "stored" to the sender of each run.finished, once it is committed.
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { WebSocketServer, type WebSocket } from 'ws'

const db = new DatabaseSync(process.argv[2] ?? ':memory:')
db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
  CREATE TABLE events (run TEXT, seq INTEGER, ts INTEGER, type TEXT, payload TEXT, PRIMARY KEY (run, seq)) WITHOUT ROWID`)
const insert = db.prepare('INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?, ?)')

interface Event { runId: string; seq: number; ts: number; type: string; payload: unknown }

const batch: [event: Event, from: WebSocket][] = []

function commit(): void {
  db.exec('BEGIN')
  for (const [{ runId, seq, ts, type, payload }] of batch) insert.run(runId, seq, ts, type, JSON.stringify(payload))
  db.exec('COMMIT')
  for (const [event, from] of batch.splice(0)) if (event.type === 'run.finished') from.send(`{"type":"stored","runId":${JSON.stringify(event.runId)}}`)
}

const wss = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
wss.on('connection', (socket) => socket.on('message', (data) => {
  const event = JSON.parse(String(data)) as Event
  if (event.type === 'hello') return
  if (batch.push([event, socket]) === 1) setImmediate(commit)
}))
wss.on('listening', () => console.log(`listening on ${(wss.address() as AddressInfo).port}.`))
