// The front door of the proxy: `graphmind mcp-proxy`. Cheap to import: what looks at frames and
// talks to the debugger is loaded after the server was started.
import { Child, startChild } from './child.ts'
import { findExecutable } from './find-executable.ts'
import { Mirror } from './mirror.ts'
import { loadObserver } from './observer.ts'
import type { ProxyOptions } from './proxy-options.ts'
import { Relay } from './relay.ts'
import { startFault } from './start-fault.ts'

const LINGER_MS = 500

/**
 * Starts the server, relays until everything is over and resolves with the exit code: the server's,
 * 128 and the number of the signal that ended it, 127 for a command that is not there, 126 for one
 * that cannot be executed. Never rejects for what a peer does.
 */
export async function runProxy(options: ProxyOptions): Promise<number> {
  const mirror = new Mirror(options.stderr)
  const started = await startChild(options)
  if (!(started instanceof Child)) return reportFailure(started, mirror, options)
  const trace = options.trace ? new (await import('./trace.ts')).Trace((line) => mirror.say(line)) : null
  return new Relay(started, mirror, trace, options).run()
}

async function reportFailure(error: NodeJS.ErrnoException, mirror: Mirror, options: ProxyOptions): Promise<number> {
  const { command, cwd, env } = options
  const { exitCode, line } = startFault(error, command, cwd, env, findExecutable(command, cwd, env))
  mirror.say(line)
  const keepRunning = setInterval(() => {}, LINGER_MS)
  try {
    const ports = { write: () => 0, childAlive: () => false, say: (text: string) => mirror.say(text), now: () => Date.now() }
    const { conversation, session } = await loadObserver(options, ports, () => {})
    conversation.failedToStart(error)
    conversation.finish()
    await session.dispose({ lingerMs: LINGER_MS })
  } catch {
    // the debugger could not be told; the line above says what matters
  }
  await mirror.flushed(LINGER_MS)
  clearInterval(keepRunning)
  return exitCode
}

export type { ProxyOptions } from './proxy-options.ts'
export { isUrl, recipeText, urlRefusal } from './recipe.ts'
