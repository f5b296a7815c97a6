// The viewer's page: the packed bytes, once; a folder for those who build it; words where there is none.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { tempDir } from '../kit/index.ts'
import { serverHere } from './here.ts'

const SCRIPT = 'console.log(1)'
const HTML = `<!doctype html><title>v</title><script>${SCRIPT}</script>`
const HASH = `'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`
const viewer = { html: HTML, brotli: brotliCompressSync(HTML), gzip: gzipSync(HTML), etag: '"v1"', csp: HASH }

interface Answer { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }

/** A request whose encodings are as given; fetch would decode. */
function get(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(url, { headers, method }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }))
    }).on('error', reject).end()
  })
}

test('the page comes in the smallest form that the browser takes, and not twice', async () => {
  const server = await serverHere({ viewer })
  const br = await get(server.url, { 'Accept-Encoding': 'gzip, deflate, br' })
  assert.equal([br.status, br.headers['content-encoding'], brotliDecompressSync(br.body).toString()], [200, 'br', HTML])
  const gzip = await get(`${server.url}/any/path?x=1`, { 'Accept-Encoding': 'gzip;q=0.5, br;q=0' })
  assert.equal([gzip.headers['content-encoding'], gunzipSync(gzip.body).toString()], ['gzip', HTML])
  const plain = await get(server.url)
  assert.equal([plain.headers['content-encoding'], plain.body.toString(), plain.headers.vary], [undefined, HTML, 'Accept-Encoding'])
  const again = await get(server.url, { 'If-None-Match': '"v1"' })
  assert.equal([again.status, again.body.length], [304, 0])
  const head = await get(server.url, { 'Accept-Encoding': 'br' }, 'HEAD')
  assert.equal([head.status, head.body.length, head.headers['content-length']], [200, 0, String(viewer.brotli.byteLength)])
  await server.close()
})

test('the policy lets the page run its own scripts and nothing else', async () => {
  const server = await serverHere({ viewer })
  const policy = String((await get(server.url)).headers['content-security-policy'])
  const rules = new Map(policy.split(';').map((rule) => rule.trim().split(' ')).map(([name, ...sources]) => [name, sources]))
  assert.equal(rules.get('default-src'), ["'none'"])
  assert.equal(rules.get('script-src'), [HASH])
  for (const none of ['base-uri', 'form-action', 'frame-ancestors']) assert.equal(rules.get(none), ["'none'"], none)
  await server.close()
})

test('without a viewer the page says how to build one, and the API works', async () => {
  const server = await serverHere({ viewer: null })
  const { status, body } = await get(server.url)
  assert.is(status, 200)
  assert.match(body.toString(), /npm run build/)
  assert.is((await get(`${server.url}/api/runs`)).status, 200)
  await server.close()
})

test('another build is served from its folder, as it is now, and nothing outside of it', async () => {
  const outer = tempDir()
  const folder = join(outer, 'dist')
  const { mkdirSync, symlinkSync } = await import('node:fs')
  mkdirSync(folder)
  writeFileSync(join(outer, 'secret.txt'), 'SECRET')
  writeFileSync(join(folder, 'index.html'), 'first')
  symlinkSync(join(outer, 'secret.txt'), join(folder, 'link.txt'))
  const server = await serverHere({ viewer, viewerDist: folder })
  assert.is((await get(server.url)).body.toString(), 'first')
  writeFileSync(join(folder, 'index.html'), 'second')
  assert.is((await get(server.url)).body.toString(), 'second')
  for (const path of ['/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/link.txt', '/%00', '/%ff']) {
    assert.not.match((await get(server.url + path)).body.toString(), /SECRET/, path)
  }
  await server.close()
})

test.run()
