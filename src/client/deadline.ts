// A time limit that is fair to a busy host: while the host's own code blocks the event loop, the
// other side cannot be heard, so a limit that fires late starts over.

const LATE_MS = 100
const MOST_RESTARTS = 10

/** Calls `expired` after `ms` in which the event loop ran. Keeps no process alive. Returns how to call it off. */
export function deadline(ms: number, expired: () => void): () => void {
  let restarts = 0
  let timer: NodeJS.Timeout
  const start = () => {
    const due = performance.now() + ms
    timer = setTimeout(() => {
      if (performance.now() - due > LATE_MS && restarts++ < MOST_RESTARTS) start()
      else expired()
    }, ms).unref()
  }
  start()
  return () => clearTimeout(timer)
}

/** The promise, or `otherwise` after `ms`. Somebody waits on purpose: it keeps the process alive for that time. */
export async function awake<T>(promise: Promise<T>, ms: number, otherwise: T): Promise<T> {
  const late = Promise.withResolvers<T>()
  const timer = setTimeout(() => late.resolve(otherwise), ms)
  const answer = await Promise.race([promise, late.promise])
  clearTimeout(timer)
  return answer
}
