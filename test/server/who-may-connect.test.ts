import { request } from 'node:http'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { connectApp, connectViewer, openSocket, Refused, startServerProcess, type ServerProcess } from '../kit/index.ts'

let server: ServerProcess
test.before(async () => { server = await startServerProcess() })
test.after(async () => { await server.stop() })

/** The status of a request with any headers; fetch would not send a foreign Host. */
function status(path: string, headers: Record<string, string>, method = 'GET'): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: server.port, path, method, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    }).on('error', reject).end()
  })
}

const refused = (path: string, headers: Record<string, string>) =>
  openSocket(`ws://127.0.0.1:${server.port}${path}`, [], { headers }).then((socket) => socket.close().then(() => 0), (error: unknown) => error instanceof Refused ? error.status : -1)

test('a page of another origin gets 403 everywhere, and changes nothing', async () => {
  const before = await (await fetch(`${server.url}/api/runs`)).text()
  for (const origin of ['http://evil.example', 'null', 'http://localhost.evil.example', `http://127.0.0.1:${server.port + 1}`, `https://127.0.0.1.evil:${server.port}`]) {
    assert.is(await status('/api/runs', { Origin: origin }), 403, origin)
    assert.is(await status('/', { Origin: origin }), 403, origin)
    for (const path of ['/ingest', '/ws/ui']) assert.is(await refused(path, { Origin: origin }), 403, `${path} ${origin}`)
  }
  assert.is(await (await fetch(`${server.url}/api/runs`)).text(), before)
})

test('a name that was rebound to this machine gets 403', async () => {
  for (const host of ['evil.example', `evil.example:${server.port}`, '127.0.0.1.evil.example', '192.168.0.1', '[::2]:80']) {
    assert.is(await status('/api/runs', { Host: host }), 403, host)
    assert.is(await refused('/ws/ui', { Host: host }), 403, host)
  }
})

test('this machine by any of its names, the page itself and a tunnel come in', async () => {
  for (const [host, origin] of [['localhost:4747', 'http://localhost:4747'], ['127.0.0.1:9', 'http://127.0.0.1:9'], ['[::1]:4747', 'http://[::1]:4747'], ['localhost', 'http://localhost']] as const) {
    assert.is(await status('/api/runs', { Host: host, Origin: origin }), 200, host)
    assert.is(await refused('/ws/ui', { Host: host, Origin: origin }), 0, host)
  }
})

test('an origin that was allowed by name comes in, others do not', async () => {
  const open = await startServerProcess({ env: { GRAPHMIND_ALLOWED_ORIGINS: 'https://app.example, http://localhost:3000' } })
  const from = async (origin: string) => (await fetch(`${open.url}/api/runs`, { headers: { Origin: origin } })).status
  assert.equal(await Promise.all(['https://app.example', 'http://localhost:3000', 'http://app.example', 'https://app.example:444'].map(from)), [200, 200, 403, 403])
  await open.stop()
})

test('nothing but GET and HEAD is answered', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) assert.is(await status('/api/runs', {}, method), 405, method)
  assert.is(await status('/api/runs', {}, 'HEAD'), 200)
})

test('every answer forbids framing, sniffing and telling where one came from', async () => {
  for (const path of ['/', '/health', '/api/runs', '/api/runs/none/events']) {
    const { headers } = await fetch(server.url + path)
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, path)
    assert.equal([headers.get('x-content-type-options'), headers.get('referrer-policy'), headers.get('access-control-allow-origin')], ['nosniff', 'no-referrer', null], path)
  }
})

test('with a token, API and sockets ask for it, and /health does not', async () => {
  const guarded = await startServerProcess({ args: ['--token'] })
  const token = /#token=(\S+)/.exec(guarded.stdout())?.[1] ?? ''
  const get = async (path: string, headers: Record<string, string> = {}) => (await fetch(guarded.url + path, { headers })).status
  assert.equal(await Promise.all([get('/health'), get('/api/runs'), get('/api/runs', { Authorization: 'Bearer wrong' }), get('/api/runs', { Authorization: `Bearer ${token}` })]), [200, 401, 401, 200])
  for (const connect of [() => connectApp(guarded.ingestUrl), () => connectViewer(guarded.uiUrl), () => connectViewer(guarded.uiUrl, { token: 'wrong' })]) {
    const error = await connect().catch((reason: unknown) => reason)
    assert.is(error instanceof Refused && error.status, 401)
  }
  const viewer = await connectViewer(guarded.uiUrl, { token })
  await viewer.close()
  await guarded.stop()
})

test.run()
