// A viewer that only looks for the end of runs in what it is sent: cheap, so that it does not slow
// the machine for the server.
import { once } from 'node:events'
import { WebSocket } from 'ws'

export interface Watcher {
  subscribe(runId: string): void
  /** Resolves when it was sent the run.finished of that many more runs. */
  ends(count: number): Promise<void>
  /** Resolves at the next message with this text in it. */
  sees(text: string): Promise<void>
  /** Stops and starts reading. */
  pause(): void
  resume(): void
  close(): void
}

export async function watcher(port: number): Promise<Watcher> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/ui`, { perMessageDeflate: false })
  let ended = 0
  let wanted: { done(): boolean; text: string | null; resolve(): void }[] = []
  socket.on('message', (data) => {
    const bytes = data as Buffer
    for (let at = bytes.indexOf('"run.finished"'); at >= 0; at = bytes.indexOf('"run.finished"', at + 1)) ended++
    if (wanted.length === 0) return
    for (const each of wanted) if (each.text === null ? each.done() : bytes.includes(each.text)) each.resolve()
    wanted = wanted.filter((each) => each.text === null ? !each.done() : !bytes.includes(each.text))
  })
  await once(socket, 'open')
  const wait = (done: () => boolean, text: string | null) => new Promise<void>((resolve) => wanted.push({ done, text, resolve }))
  return {
    subscribe: (runId) => socket.send(JSON.stringify({ type: 'subscribe', runId, batch: true })),
    ends(count) {
      const target = ended + count
      return wait(() => ended >= target, null)
    },
    sees: (text) => wait(() => false, text),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: () => socket.terminate(),
  }
}
