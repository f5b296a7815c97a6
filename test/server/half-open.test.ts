// Sockets whose other end is gone without a word are found, those that only idle are kept.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { WebSocket } from 'ws'
import { Sockets } from '../../src/server/sockets.ts'
import { until } from '../kit/index.ts'

test('a socket that answers no ping is ended, one that does is kept', async () => {
  const http = createServer()
  const accepted: import('ws').WebSocket[] = []
  const sockets = new Sockets(http, { allowedOrigins: [], token: undefined, refused: () => {}, pingMs: 100, accept: { '/ingest': (socket) => accepted.push(socket) } })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}/ingest`
  const [gone, idle] = [new WebSocket(url, { autoPong: false }), new WebSocket(url)]
  let pings = 0
  idle.on('ping', () => pings++)
  const ends: string[] = []
  gone.on('close', () => ends.push('gone'))
  idle.on('close', () => ends.push('idle'))
  await until(() => sockets.size === 2)
  await until(() => ends.length > 0)
  assert.equal([ends, sockets.size], [['gone'], 1])
  await until(() => pings > 8)
  assert.equal(ends, ['gone'])
  sockets.terminate()
  http.close()
  await until(() => sockets.size === 0)
})

test.run()
