// Whatever comes in whatever order: each request is answered exactly once, what nobody changed
// leaves as the bytes that came, nothing that was cancelled in time goes out, and each execution
// that is told begins and ends once.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Matcher } from '../../src/wire/index.ts'
import { startTalk, type Talk } from './conversation-kit.ts'

const POINTS: Matcher[] = [{ point: 'before' }, { point: 'after' }, { point: 'error' }, { kind: 'tool', name: 'a' }, { kind: 'llm', point: 'error' }]
const VALUES = ['"x"', '{"a":1.0}', '{"content":[]}', '{"jsonrpc":"2.0","result":{}}']

type Step =
  | { do: 'ask'; dir: 'c2s' | 's2c'; tool: string }
  | { do: 'ask together'; dir: 'c2s' | 's2c'; tools: string[] }
  | { do: 'answer'; pick: number; how: 'fine' | 'failed' | 'refused' }
  | { do: 'cancel'; pick: number }
  | { do: 'resume'; pick: number; action: 'continue' | 'retry' | 'inject' | 'abort'; value: string; edit: boolean }
  | { do: 'arm' | 'disarm'; matcher: Matcher }
  | { do: 'detach' | 'attach' }
  | { do: 'notify'; dir: 'c2s' | 's2c' }

const dir = fc.constantFrom('c2s' as const, 's2c' as const)
const tool = fc.constantFrom('a', 'b')
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('ask' as const), dir, tool }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('ask together' as const), dir, tools: fc.array(tool, { minLength: 1, maxLength: 3 }) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('answer' as const), pick: fc.nat(), how: fc.constantFrom('fine' as const, 'failed' as const, 'refused' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), pick: fc.nat() }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('resume' as const), pick: fc.nat(), action: fc.constantFrom('continue' as const, 'retry' as const, 'inject' as const, 'abort' as const), value: fc.constantFrom(...VALUES), edit: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('arm' as const, 'disarm' as const), matcher: fc.constantFrom(...POINTS) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('detach' as const, 'attach' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('notify' as const), dir }) },
)

interface Ask { dir: 'c2s' | 's2c'; id: string; cancelled: boolean; touched: boolean }

class World {
  readonly t: Talk = startTalk({ arm: [{ point: 'error' }] })
  readonly asks: Ask[] = []
  readonly sent = new Set<string>()
  /** Requests that reached their peer and that it has not answered, by the lane they came on. */
  readonly owed: { dir: 'c2s' | 's2c'; id: string }[] = []
  read = 0
  serial = 0

  send(direction: 'c2s' | 's2c', text: string): string {
    this.sent.add(`${direction} ${text}`)
    const decision = direction === 'c2s' ? this.t.c2s(text) : this.t.s2c(text)
    this.deliver()
    return decision
  }

  /** The peers read their lanes. */
  deliver(): void {
    for (; this.read < this.t.lines.length; this.read++) {
      const line = this.t.lines[this.read]
      if (!line) continue
      const parsed = JSON.parse(line.text) as unknown
      for (const message of (Array.isArray(parsed) ? parsed : [parsed]) as { id?: number; method?: string }[]) {
        if (message.method !== undefined && message.id !== undefined) this.owed.push({ dir: line.dir, id: `${message.id}.0` })
      }
    }
  }

  ask(direction: 'c2s' | 's2c', name: string): string {
    const id = `${++this.serial}.0`
    this.asks.push({ dir: direction, id, cancelled: false, touched: false })
    const method = direction === 'c2s' ? 'tools/call' : 'sampling/createMessage'
    return `{"id":${id},"jsonrpc" : "2.0","method":"${method}","params":{"name":"${name}","n":9007199254740993}}`
  }

  answer(owed: { dir: 'c2s' | 's2c'; id: string }, how: 'fine' | 'failed' | 'refused'): void {
    const body = how === 'fine' ? '"result":{"n":1.0}' : how === 'failed' ? '"result":{"content":[],"isError":true}' : '"error":{"code":-1,"message":"no"}'
    this.send(owed.dir === 'c2s' ? 's2c' : 'c2s', `{"jsonrpc":"2.0",  "id":${owed.id},${body}}\r\n`)
  }

  act(each: Step): void {
    switch (each.do) {
      case 'ask': this.send(each.dir, `${this.ask(each.dir, each.tool)}\r\n`); return
      case 'ask together': this.send(each.dir, `[${each.tools.map((name) => this.ask(each.dir, name)).join(' , ')}]\n`); return
      case 'answer': {
        const [owed] = this.owed.splice(each.pick % Math.max(1, this.owed.length), 1)
        if (owed) this.answer(owed, each.how)
        return
      }
      case 'cancel': {
        const ask = this.asks[each.pick % Math.max(1, this.asks.length)]
        if (!ask || ask.cancelled) return
        ask.cancelled = true
        this.send(ask.dir, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${ask.id}}}\n`)
        return
      }
      case 'resume': this.resume(each); return
      case 'arm': this.t.arm(each.matcher); return
      case 'disarm': this.t.disarm(each.matcher); return
      case 'attach': this.t.attach(); return
      case 'detach': this.t.detach(); this.deliver(); return
      case 'notify': this.send(each.dir, '{"method":"notifications/message","jsonrpc":"2.0","params":{"data": 1.0}}\n')
    }
  }

  resume({ pick, action, value, edit }: Extract<Step, { do: 'resume' }>): void {
    const paused = this.t.of('exec.paused')
    const over = new Set(this.t.of('exec.resumed').map(({ pauseId }) => pauseId))
    const open = paused.filter(({ pauseId }) => !over.has(pauseId))
    const hold = open[pick % Math.max(1, open.length)]
    if (!hold) return
    if (action === 'inject') this.t.resume({ action, outputText: value }, String(hold.pauseId))
    else this.t.resume(edit && action !== 'abort' ? { action, inputText: '{"name":"b"}' } : { action }, String(hold.pauseId))
    this.deliver()
  }

  /** Everything is let go of, and everybody answers what they owe. */
  settle(): void {
    this.t.detach()
    this.deliver()
    while (this.owed.length > 0) this.answer(this.owed.shift() as { dir: 'c2s' | 's2c'; id: string }, 'fine')
  }
}

function run(steps: Step[]): World {
  const world = new World()
  for (const each of steps) world.act(each)
  world.settle()
  return world
}

const steps = fc.array(step, { maxLength: 40 })
const RUNS = { numRuns: 400 }

/** How often each id was answered on a lane. */
function answers(world: World, direction: 'c2s' | 's2c'): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of world.t.to(direction)) {
    const parsed = JSON.parse(line) as unknown
    for (const message of (Array.isArray(parsed) ? parsed : [parsed]) as { id?: number; method?: string }[]) {
      if (message.method === undefined && message.id !== undefined) counts.set(`${message.id}.0`, (counts.get(`${message.id}.0`) ?? 0) + 1)
    }
  }
  return counts
}

test('each request gets exactly one answer, and a cancelled one at most one', () => {
  fc.assert(fc.property(steps, (all) => {
    const world = run(all)
    const got = { s2c: answers(world, 's2c'), c2s: answers(world, 'c2s') }
    for (const ask of world.asks) {
      const count = got[ask.dir === 'c2s' ? 's2c' : 'c2s'].get(ask.id) ?? 0
      assert.ok(ask.cancelled ? count <= 1 : count === 1, `${ask.id} was answered ${count} times`)
    }
    assert.equal(world.t.warnings, [])
  }), RUNS)
})

test('every line that graphmind did not write is one that came, byte for byte', () => {
  fc.assert(fc.property(steps, (all) => {
    const world = run(all)
    for (const line of world.t.lines) if (line.by === 'peer') assert.ok(world.sent.has(`${line.dir} ${line.text}`), line.text)
  }), RUNS)
})

test('without a debugger both streams come out as they went in', () => {
  fc.assert(fc.property(steps, (all) => {
    const world = new World()
    world.t.detach()
    const went: string[] = []
    const send = world.send.bind(world)
    world.send = (direction, text) => { went.push(`${direction} ${text}`); return send(direction, text) }
    for (const each of all) if (each.do !== 'attach') world.act(each)
    world.settle()
    assert.equal(world.t.lines.map((line) => `${line.dir} ${line.text}`), went)
  }), RUNS)
})

test('frames that are not held never overtake each other', () => {
  fc.assert(fc.property(steps, (all) => {
    const world = new World()
    const written: string[] = []
    const send = world.send.bind(world)
    world.send = (direction, text) => {
      const decision = send(direction, text)
      if (decision === 'write') written.push(`${direction} ${text}`)
      return decision
    }
    for (const each of all) world.act(each)
    world.settle()
    const lines = world.t.lines.map((line) => `${line.dir} ${line.text}`)
    for (const direction of ['c2s', 's2c']) {
      let at = -1
      for (const text of written.filter((each) => each.startsWith(direction))) {
        at = lines.indexOf(text, at + 1)
        assert.ok(at >= 0, `${text} came out of order`)
      }
    }
  }), RUNS)
})

test('each execution that is told begins once and ends once', () => {
  fc.assert(fc.property(steps, (all) => {
    const world = run(all)
    world.t.talk.inputEnded()
    world.t.talk.exited(0, null)
    world.t.talk.finish()
    const ids = (type: string) => world.t.of(type).map(({ instanceId }) => String(instanceId)).sort()
    assert.equal([...ids('node.finished'), ...ids('node.error')].sort(), ids('node.started'))
    const pauses = world.t.of('exec.paused').map(({ pauseId }) => pauseId).sort()
    assert.equal(world.t.of('exec.resumed').map(({ pauseId }) => pauseId).sort(), pauses)
  }), RUNS)
})

test.run()
