// What flags and environment say together.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  readAllowedOrigins, readDbPath, readHide, readIngestUrl, readMaxFrameBytes, readPauseOnError, readPort, readRetention, readTimes,
} from '../../src/cli/settings.ts'
import { shouldOpen } from '../../src/cli/open-browser.ts'

const refused = (read: () => unknown, words: string): void => {
  assert.throws(read, (error: Error & { exitCode?: number }) => error.exitCode === 2 && error.message.includes(words))
}

test('a flag beats its variable, which beats the default', () => {
  assert.is(readDbPath({}, {}, '/home/me', '/work'), '/home/me/.graphmind/graphmind.db')
  assert.is(readDbPath({}, { GRAPHMIND_DB: 'a.db' }, '/home/me', '/work'), '/work/a.db')
  assert.is(readDbPath({ db: '/b.db' }, { GRAPHMIND_DB: 'a.db' }, '/home/me', '/work'), '/b.db')
  assert.is(readPauseOnError({}, {}), 'on')
  assert.is(readPauseOnError({}, { GRAPHMIND_PAUSE_ON_ERROR: 'tool' }), 'tool')
  assert.is(readPauseOnError({ 'pause-on-error': 'off' }, { GRAPHMIND_PAUSE_ON_ERROR: 'tool' }), 'off')
})

test('an unknown value is refused, never widened', () => {
  refused(() => readPauseOnError({}, { GRAPHMIND_PAUSE_ON_ERROR: 'tools' }), 'GRAPHMIND_PAUSE_ON_ERROR is "tools"')
  refused(() => readRetention({ GRAPHMIND_RETENTION: 'yes' }), 'GRAPHMIND_RETENTION is "yes"')
  refused(() => readTimes({ GRAPHMIND_UNATTENDED_MS: '1m' }), 'GRAPHMIND_UNATTENDED_MS is "1m"')
  refused(() => readAllowedOrigins({ GRAPHMIND_ALLOWED_ORIGINS: 'example.org' }), 'GRAPHMIND_ALLOWED_ORIGINS is "example.org"')
  refused(() => readHide({ hide: 'inputs,everything' }), '--hide is "everything"')
})

test('numbers are whole, in range and written plainly', () => {
  for (const text of ['-1', '65536', '0042', '1e3', '0x10', ' 80', '4747.0', 'http']) refused(() => readPort({ port: text }), '--port')
  assert.is(readPort({ port: '65535' }), 65535)
  assert.is(readPort({}), 4747)
  refused(() => readMaxFrameBytes({ 'max-frame-bytes': '0' }), '--max-frame-bytes')
  refused(() => readMaxFrameBytes({ 'max-frame-bytes': '64M' }), '--max-frame-bytes')
  assert.is(readMaxFrameBytes({}), 64 * 1024 * 1024)
})

test('an empty variable is as good as none', () => {
  assert.is(readPauseOnError({}, { GRAPHMIND_PAUSE_ON_ERROR: '' }), 'on')
  assert.equal(readTimes({ GRAPHMIND_ABANDON_GRACE_MS: '' }), { graceMs: 15_000, unattendedMs: 60_000 })
  assert.equal(readTimes({ GRAPHMIND_UNATTENDED_MS: '0' }).unattendedMs, 0)
})

test('nothing is ever deleted unless retention is on', () => {
  assert.is(readRetention({ GRAPHMIND_KEEP_RUNS: '5' }), null)
  assert.equal(readRetention({ GRAPHMIND_RETENTION: 'on' }), { keepRuns: 200, keepDays: 30 })
  assert.equal(readRetention({ GRAPHMIND_RETENTION: 'on', GRAPHMIND_KEEP_RUNS: '5', GRAPHMIND_KEEP_DAYS: '1' }), { keepRuns: 5, keepDays: 1 })
})

test('allowed origins are compared as browsers write them', () => {
  assert.equal(readAllowedOrigins({ GRAPHMIND_ALLOWED_ORIGINS: ' http://Example.org:80/ , https://a.b:444,*' }), ['http://example.org', 'https://a.b:444', '*'])
})

test('--port beats GRAPHMIND_URL, and an address that is none is not dialled', () => {
  const elsewhere = { GRAPHMIND_URL: 'ws://10.0.0.1:99/ingest' }
  assert.equal(readIngestUrl({}, {}), { url: 'ws://127.0.0.1:4747/ingest', viewerUrl: 'http://127.0.0.1:4747', ignored: null })
  assert.equal(readIngestUrl({}, elsewhere), { url: 'ws://10.0.0.1:99/ingest', viewerUrl: 'http://10.0.0.1:99', ignored: null })
  assert.is(readIngestUrl({ port: '5000' }, elsewhere).url, 'ws://127.0.0.1:5000/ingest')
  assert.equal(readIngestUrl({}, { GRAPHMIND_URL: '127.0.0.1:4747' }), { url: 'ws://127.0.0.1:4747/ingest', viewerUrl: 'http://127.0.0.1:4747', ignored: '127.0.0.1:4747' })
})

test('the browser opens in a terminal and not in CI, unless a flag says otherwise', () => {
  assert.is(shouldOpen(undefined, true, undefined), true)
  assert.is(shouldOpen(undefined, true, 'true'), false)
  assert.is(shouldOpen(undefined, true, 'false'), true)
  assert.is(shouldOpen(undefined, false, undefined), false)
  assert.is(shouldOpen(true, false, 'true'), true)
  assert.is(shouldOpen(false, true, undefined), false)
})

test.run()
