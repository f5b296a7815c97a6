// Makes what looks at the relayed frames: the session with the debugger, its run, the conversation.
// Loaded while the server starts, so that it costs the first byte nothing.
import type { Session } from '../client/index.ts'
import type { Conversation, ConversationPorts, LaunchInfo } from './frame.ts'
import { findExecutable } from './find-executable.ts'
import { guarded } from './guard.ts'
import type { ProxyOptions } from './proxy-options.ts'

export interface Observer {
  readonly session: Session
  readonly conversation: Conversation
}

export async function loadObserver(options: ProxyOptions, ports: ConversationPorts, onCrash: (error: unknown) => void): Promise<Observer> {
  const [{ createSession }, { createConversation, launchMeta, launchName }] = await Promise.all([import('../client/index.ts'), import('./conversation.ts')])
  const { command, args, cwd, env, viewerUrl, version, url, hide } = options
  const info: LaunchInfo = { command, args, cwd, env, viewerUrl, version, parentPid: process.ppid }
  const session = createSession({
    ...hide, url, enabled: true, appName: 'mcp-proxy', sdk: { name: 'graphmind-mcp-proxy', version },
    env: forProxies(env), retryMs: 1000, flushMs: 2, warn: (line) => ports.say(line),
  })
  const run = session.openRun(launchName(info, session.switches), { meta: launchMeta(info, session.switches, findExecutable(command, cwd, env)) })
  return { session, conversation: guarded(createConversation(run, session, ports, info), onCrash) }
}

/** The variables that are a proxy's; those that switch instrumentation are for the server's own code. */
function forProxies(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { GRAPHMIND_DISABLED: _disabled, GRAPHMIND: _on, GRAPHMIND_URL: _url, ...rest } = env
  return rest
}
