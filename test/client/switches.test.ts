import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createSession, hidden, readEnabled, readHideSwitches } from '../../src/client/index.ts'

test('GRAPHMIND_DISABLED beats everything, also enabled: true in code', () => {
  assert.is(readEnabled(true, { GRAPHMIND_DISABLED: '1' }), false)
  assert.is(readEnabled(true, { GRAPHMIND_DISABLED: '1', GRAPHMIND: '1' }), false)
  assert.is(readEnabled(undefined, { GRAPHMIND_DISABLED: '0' }), true)
})

test('the enabled option counts as given, in production too', () => {
  assert.is(readEnabled(true, { NODE_ENV: 'production' }), true)
  assert.is(readEnabled(false, { GRAPHMIND: '1' }), false)
})

test('under NODE_ENV=production it is off unless GRAPHMIND=1', () => {
  assert.is(readEnabled(undefined, { NODE_ENV: 'production' }), false)
  assert.is(readEnabled(undefined, { NODE_ENV: 'production', GRAPHMIND: '1' }), true)
  assert.is(readEnabled(undefined, { NODE_ENV: 'development' }), true)
  assert.is(readEnabled(undefined, {}), true)
})

test('any value of a hide switch but empty, 0, false, off and no counts as on', () => {
  for (const value of ['', '0', 'false', 'FALSE', 'off', 'no', ' no ']) {
    assert.is(readHideSwitches({}, { GRAPHMIND_HIDE_INPUTS: value }).hideInputs, false, JSON.stringify(value))
  }
  for (const value of ['1', 'true', 'yes', 'on', 'nope', '00']) {
    assert.is(readHideSwitches({}, { GRAPHMIND_HIDE_INPUTS: value }).hideInputs, true, JSON.stringify(value))
  }
})

test('code cannot undo a hide switch of the environment', () => {
  assert.is(readHideSwitches({ hideOutputs: false }, { GRAPHMIND_HIDE_OUTPUTS: '1' }).hideOutputs, true)
  assert.is(readHideSwitches({ hideToolArgs: true }, {}).hideToolArgs, true)
})

test('the tool switches cover tools, and nodes of which nobody said what they are', () => {
  const switches = readHideSwitches({ hideToolArgs: true, hideToolResults: true }, {})
  assert.is(hidden(switches, 'tool', 'input'), true)
  assert.is(hidden(switches, undefined, 'output'), true)
  assert.is(hidden(switches, 'llm', 'input'), false)
})

test('switched off, a session runs what it is given and does nothing else', async () => {
  const session = createSession({ appName: 'app', env: { GRAPHMIND_DISABLED: '1' } })
  assert.is(session.enabled, false)
  assert.is(await session.run('r', () => 42), 42)
  const thrown = new Error('mine')
  assert.is(await session.run('r', () => { throw thrown }).catch((error) => error), thrown)
  const run = session.openRun('r')
  run.emit('node.started', { nodeId: 'a', kind: 'tool', name: 'a', instanceId: '1' })
  assert.equal(await run.gate('before', { nodeId: 'a', kind: 'tool', name: 'a' }), { action: 'continue', by: 'pass' })
  assert.is(await session.ready(), false)
  assert.is(session.stats().events, 0)
  await session.dispose()
})

test.run()
