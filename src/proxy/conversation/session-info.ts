// What is known about the session as a whole: the run's name and meta at the launch, and what the
// peers tell about themselves later, in either era of the protocol.
import type { HideSwitches, Run } from '../../client/index.ts'
import type { Direction, Frame, LaunchInfo } from '../frame.ts'
import { rawOf, stringOf, type Message } from './frame-reader.ts'
import { WRITER, type Finding } from './findings/finding.ts'

const PREFIX = 'io.modelcontextprotocol/'
/** From here on the protocol is stateless: no initialize, `_meta` on every request. */
const MODERN_SINCE = '2026-07-28'
const BATCHES_IN = '2025-03-26'
const LONGEST_NAME = 200

/** The run's name until the server tells its own. */
export function launchName({ command, args }: LaunchInfo, { hideInputs }: HideSwitches): string {
  const bare = command.replace(/^.*[\\/](?=[^\\/]+$)/, '')
  const line = hideInputs ? bare : [bare, ...args].join(' ')
  return line.length > LONGEST_NAME ? `${line.slice(0, LONGEST_NAME).toWellFormed()}…` : line.toWellFormed()
}

/** The run's meta at the launch. Names of the environment, never values. */
export function launchMeta(info: LaunchInfo, switches: HideSwitches, executable?: string | null): Record<string, unknown> {
  const { command, args, cwd, env, parentPid, version } = info
  return {
    source: 'mcp-proxy',
    command: switches.hideInputs ? [command] : [command, ...args],
    ...(executable ? { executable } : {}),
    cwd,
    path: env.PATH ?? env.Path ?? '',
    env: Object.keys(env).sort(),
    parentPid,
    proxyVersion: version,
    hidden: Object.entries(switches).filter(([, on]) => on === true).map(([name]) => name),
  }
}

export class SessionInfo {
  readonly #run: Run
  #revision: string | null = null
  #client: string | null = null
  #server: string | null = null

  constructor(run: Run) {
    this.#run = run
  }

  get revision(): string | null {
    return this.#revision
  }

  /** Learns from a request; answers whether it is of the new era. */
  request(message: Message): boolean {
    const version = stringOf(rawOf(message, message.params, '_meta', `${PREFIX}protocolVersion`))
    if (version === undefined) {
      if (message.method === 'initialize') this.#learn({ client: rawOf(message, message.params, 'clientInfo') })
      return false
    }
    this.#learn({ revision: version, client: rawOf(message, message.params, '_meta', `${PREFIX}clientInfo`) })
    return version >= MODERN_SINCE
  }

  /** Learns from an answer to a request of this method. */
  answer(method: string, modern: boolean, message: Message): void {
    if (method === 'initialize') {
      this.#learn({ revision: stringOf(rawOf(message, message.result, 'protocolVersion')), server: rawOf(message, message.result, 'serverInfo') })
    } else if (modern && this.#server === null) {
      this.#learn({ server: rawOf(message, message.result, '_meta', `${PREFIX}serverInfo`) ?? rawOf(message, message.result, 'serverInfo') })
    }
  }

  /** A batch in a revision that has none; null where it is allowed, or nothing is agreed yet. */
  batch({ n, dir }: Frame): Finding | null {
    if (this.#revision === null || this.#revision === BATCHES_IN) return null
    return { code: 'batch-not-allowed', level: 'warning', message: `The ${WRITER[dir as Direction]} sent a batch, which revision ${this.#revision} of the protocol does not have; only ${BATCHES_IN} does.`, frames: [n] }
  }

  #learn({ revision, client, server }: { revision?: string; client?: string; server?: string }): void {
    const news = {
      ...(revision !== undefined && revision !== this.#revision ? { revision } : {}),
      ...(client !== undefined && client !== this.#client ? { clientInfo: parsed(client) } : {}),
      ...(server !== undefined && server !== this.#server ? { serverInfo: parsed(server) } : {}),
    }
    if (Object.keys(news).length === 0) return
    this.#revision = revision ?? this.#revision
    this.#client = client ?? this.#client
    this.#server = server ?? this.#server
    const name = server === undefined ? undefined : nameOf(parsed(server))
    this.#run.update(name === undefined ? { meta: news } : { app: name, meta: news })
  }
}

function nameOf(server: unknown): string | undefined {
  if (typeof server !== 'object' || server === null) return undefined
  const { name } = server as { name?: unknown }
  return typeof name === 'string' && name.trim() !== '' ? name.slice(0, LONGEST_NAME) : undefined
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch {
    return json // shown as it was said
  }
}
