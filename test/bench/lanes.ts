// One client's side of a stdio pipe: sends requests, waits for answers, and takes the time.
import type { Started } from '../kit/index.ts'

export interface Lane {
  readonly process: Started
  /** `count` calls, one after the other: the milliseconds of each. */
  calls(count: number): Promise<number[]>
  /** Calls a second with `inFlight` at a time, requests of about `bytes`. */
  rate(count: number, inFlight: number, bytes: number): Promise<number>
  /** One answer of about `bytes`: milliseconds until its last byte. */
  big(bytes: number): Promise<number>
  end(): Promise<void>
}

export function lane(process: Started): Lane {
  let id = 0
  let answered = 0
  let heard: () => void = () => {}
  process.child.stdout?.on('data', (chunk: Buffer) => {
    let lines = 0
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++
    if (lines === 0) return
    answered += lines
    heard()
  })
  const call = (params: string) => process.stdin.write(`{"jsonrpc":"2.0","id":${++id},"method":"tools/call","params":${params}}\n`)
  const one = (params: string) => new Promise<number>((resolve) => {
    const from = performance.now()
    heard = () => resolve(performance.now() - from)
    call(params)
  })
  return {
    process,
    async calls(count) {
      const all: number[] = []
      for (let i = 0; i < count; i++) all.push(await one('{"name":"echo","arguments":{"text":"hello"}}'))
      return all
    },
    rate(count, inFlight, bytes) {
      const params = `{"name":"echo","arguments":{"text":"${'y'.repeat(Math.max(0, bytes - 100))}"}}`
      return new Promise((resolve) => {
        const from = performance.now()
        const first = answered
        let sent = 0
        const more = () => {
          while (sent < count && sent - (answered - first) < inFlight) {
            call(params)
            sent++
          }
          if (answered - first >= count) resolve(count / (performance.now() - from) * 1000)
        }
        heard = more
        more()
      })
    },
    big: (bytes) => one(`{"name":"big","size":${bytes}}`),
    async end() {
      process.stdin.end()
      await process.exited
    },
  }
}
