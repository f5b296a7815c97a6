// The relay without processes: however bytes are cut, whatever the gates say and whenever they change
// their mind, every byte arrives once and in order, and what is looked at is what was relayed.
import fc from 'fast-check'
import { PassThrough } from 'node:stream'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Conversation, Decision, Frame, Pieces } from '../../src/proxy/frame.ts'
import { guarded } from '../../src/proxy/guard.ts'
import { Lane } from '../../src/proxy/lane.ts'
import { Observation } from '../../src/proxy/observation.ts'
import { Pump } from '../../src/proxy/pump.ts'
import { sizeOf } from '../../src/proxy/read-frame.ts'
import { Splitter } from '../../src/proxy/split.ts'
import { until } from '../kit/index.ts'

interface Gates { mayHold(): boolean; mayHoldFrame?(): boolean; decide?(frame: Frame): Decision }

/** A pump between two streams. `seen`: the frames in the order in which the conversation got them. */
function rig({ mayHold, mayHoldFrame = () => true, decide = () => 'write' }: Gates, maxFrameBytes = 1e6) {
  const [source, sink] = [new PassThrough(), new PassThrough()]
  const written: Buffer[] = []
  sink.on('data', (chunk: Buffer) => written.push(chunk))
  const seen: Frame[] = []
  const rawAt: number[] = []
  const keep = ({ n, dir, at, cut, bytes }: Frame) => seen.push({ n, dir, at, cut, bytes: Buffer.from(bytes) })
  const conversation = {
    mayHold, mayHoldFrame, seen: keep,
    decide: (frame: Frame) => { keep(frame); return decide(frame) },
  } as Partial<Conversation> as Conversation
  const observation = new Observation({ writing: () => false, onLook: null })
  const lane = new Lane(sink, { drained: () => pump.resume(), broken: () => {} })
  const pump: Pump = new Pump('s2c', source, lane, observation, maxFrameBytes, {
    tooLong: () => { rawAt.push(seen.length); observation.stop(); pump.becomeRaw() }, ended: () => observation.catchUp(),
  })
  observation.begin(conversation)
  pump.obey(conversation)
  pump.start()
  return { source, lane, pump, seen, rawAt, output: () => Buffer.concat(written) }
}

const bytes = fc.array(fc.oneof(fc.constantFrom(10, 13, 34, 123), fc.nat(255)), { maxLength: 300 }).map((list) => Buffer.from(list))
const chunks = fc.array(bytes, { minLength: 1, maxLength: 12 })

test('however the bytes are cut, and whenever gates are armed and disarmed, all arrive in order', async () => {
  await fc.assert(fc.asyncProperty(chunks, fc.infiniteStream(fc.boolean()), fc.infiniteStream(fc.boolean()), async (pieces, arming, suspicion) => {
    let armed = false
    const { source, pump, seen, output } = rig({ mayHold: () => armed, mayHoldFrame: () => suspicion.next().value === true })
    for (const piece of pieces) {
      armed = arming.next().value === true
      if (piece.length > 0) source.write(piece)
      await new Promise(setImmediate)
    }
    source.end()
    await until(() => pump.ended, { everyMs: 1 })
    const all = Buffer.concat(pieces)
    assert.equal(output(), all)
    assert.equal(Buffer.concat(seen.map((frame) => frame.bytes)), all, 'what was seen')
    assert.ok(seen.every((frame, index) => frame.n === index + 1), 'numbered in order')
    assert.ok(seen.slice(0, -1).every((frame) => frame.bytes.indexOf(10) === frame.bytes.length - 1), 'one line each')
  }), { numRuns: 150 })
})

test('over the ceiling every byte still arrives, armed or not', async () => {
  await fc.assert(fc.asyncProperty(chunks, fc.infiniteStream(fc.boolean()), async (pieces, arming) => {
    let armed = false
    const { source, pump, output } = rig({ mayHold: () => armed, mayHoldFrame: () => true }, 20)
    for (const piece of pieces) {
      armed = arming.next().value === true
      if (piece.length > 0) source.write(piece)
      await new Promise(setImmediate)
    }
    source.end()
    await until(() => pump.ended, { everyMs: 1 })
    assert.equal(output(), Buffer.concat(pieces))
  }), { numRuns: 150 })
})

test('a frame that was parked is left out, its neighbours are not', async () => {
  const { source, output } = rig({ mayHold: () => true, decide: (frame) => frame.bytes.includes('hold') ? 'park' : 'write' })
  source.write('one\nhold\ntwo\nth')
  source.write('ree\nho')
  source.write('ld\nfour\n')
  await until(() => output().includes('four'))
  assert.is(output().toString(), 'one\ntwo\nthree\nfour\n')
})

test('while a gate is armed nothing of an unfinished frame is written, and disarming lets go of it', async () => {
  let armed = true
  const { source, pump, output } = rig({ mayHold: () => armed })
  source.write('{"half":')
  await new Promise(setImmediate)
  assert.is(output().length, 0)
  armed = false
  pump.settle()
  await until(() => output().toString() === '{"half":')
  armed = true
  source.write('1}\n{"whole":2}\n')
  await until(() => output().toString() === '{"half":1}\n{"whole":2}\n')
})

test('a line of ours waits for the end of the line that is on its way', async () => {
  const { source, lane, output } = rig({ mayHold: () => false })
  source.write('{"a":')
  await until(() => output().length === 5)
  lane.insert(Buffer.from('{"ours":1}\n'))
  lane.insert(Buffer.from('{"ours":2}\n'))
  assert.is(output().toString(), '{"a":')
  source.write('1}\n{"b":2}\n{"c"')
  await until(() => output().includes('"c"'))
  assert.is(output().toString(), '{"a":1}\n{"ours":1}\n{"ours":2}\n{"b":2}\n{"c"')
})

test('a line of ours is never fused to a last line that was cut off', async () => {
  const { source, lane, pump, output } = rig({ mayHold: () => false })
  source.end('cut off')
  await until(() => pump.ended)
  lane.insert(Buffer.from('{"ours":1}\n'))
  await until(() => output().includes('ours'))
  assert.is(output().toString(), 'cut off\n{"ours":1}\n')
})

test('a line that is cut off by the end is seen as one', async () => {
  const { source, seen } = rig({ mayHold: () => false })
  source.end('whole\ncut off')
  await until(() => seen.length === 2)
  assert.equal(seen.map((frame) => frame.cut ?? false), [false, true])
})

test('a frame that comes a byte at a time costs about its size', () => {
  const splitter = new Splitter()
  const frames: Pieces[] = []
  const byte = Buffer.from('x')
  for (let n = 0; n < 1_000_000; n++) splitter.push(byte, (frame) => frames.push(frame))
  assert.is(splitter.pending, 1_000_000)
  assert.ok(splitter.pieces().length < 50)
  splitter.push(Buffer.from('\n'), (frame) => frames.push(frame))
  assert.is(sizeOf(frames[0] ?? []), 1_000_001)
})

test('a conversation that breaks is reported once, and everything passes from then on', () => {
  const crashes: unknown[] = []
  let released = 0
  const broken = guarded({ seen: () => { throw new Error('broken') }, decide: () => 'park', mayHold: () => true, becameRawPipe: () => { released++ } } as Partial<Conversation> as Conversation, (error) => crashes.push(error))
  const frame: Frame = { n: 1, dir: 'c2s', bytes: Buffer.from('x\n'), at: 0 }
  assert.is(broken.decide(frame), 'park')
  broken.seen(frame)
  broken.seen(frame)
  assert.is(crashes.length, 1)
  assert.is(released, 1, 'what it held was given back')
  assert.is(broken.decide(frame), 'write')
  assert.is(broken.mayHold('c2s'), false)
})

test('a burst is relayed at once and looked at after it, in order, and nothing of it is lost', async () => {
  const { source, seen, output } = rig({ mayHold: () => false })
  const lines = Array.from({ length: 20_000 }, (_, n) => `{"n":${n}}\n`)
  source.write(lines.join(''))
  await until(() => output().length === lines.join('').length)
  await until(() => seen.length === lines.length)
  assert.ok(seen.every((frame, index) => frame.bytes.toString() === lines[index]))
})

test.run()
