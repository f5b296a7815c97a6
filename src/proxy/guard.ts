// Keeps a fault in the conversation away from the pipes: the first one is reported to `onCrash`, and
// from then on everything passes.
import type { Conversation } from './frame.ts'

/** The same conversation, which never throws. */
export function guarded(inner: Conversation, onCrash: (error: unknown) => void): Conversation {
  let crashed = false
  const attempt = <T>(act: () => T, otherwise: T): T => {
    if (crashed) return otherwise
    try {
      return act()
    } catch (error) {
      crashed = true
      try {
        inner.becameRawPipe() // what it holds is given back, if it still can
      } catch {
        // it cannot: it is broken, which is being reported already
      }
      onCrash(error)
      return otherwise
    }
  }
  return {
    mayHold: (dir) => attempt(() => inner.mayHold(dir), false),
    mayHoldFrame: (dir, pieces) => attempt(() => inner.mayHoldFrame(dir, pieces), false),
    seen: (frame) => attempt(() => inner.seen(frame), undefined),
    decide: (frame) => attempt(() => inner.decide(frame), 'write'),
    stderr: (chunk) => attempt(() => inner.stderr(chunk), undefined),
    inputEnded: () => attempt(() => inner.inputEnded(), undefined),
    holding: () => attempt(() => inner.holding(), false),
    outputEnded: () => attempt(() => inner.outputEnded(), undefined),
    exited: (code, signal) => attempt(() => inner.exited(code, signal), undefined),
    failedToStart: (error) => attempt(() => inner.failedToStart(error), undefined),
    stalled: (pipe, bytes, since) => attempt(() => inner.stalled(pipe, bytes, since), undefined),
    becameRawPipe: () => attempt(() => inner.becameRawPipe(), undefined),
    tick: (now) => attempt(() => inner.tick(now), undefined),
    finish: () => attempt(() => inner.finish(), undefined),
  }
}
