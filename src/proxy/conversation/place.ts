// Which node of the graph a message belongs to, and the executions (instances) of nodes. A node is
// one logical thing of the server: a tool, a resource, a prompt, a method.
import type { NodeKind } from '../../wire/index.ts'
import { rawOf, stringOf, type Message } from './frame-reader.ts'

export interface Place { nodeId: string; kind: NodeKind; name: string }

/** The session itself. */
export const SESSION: Place = { nodeId: 'mcp:session', kind: 'server', name: 'session' }
export const SESSION_INSTANCE = 'mcp_session'
/** Lines that are no JSON-RPC. */
export const NOT_A_FRAME: Place = { nodeId: 'mcp:not-json', kind: 'custom', name: 'not JSON' }

const LONGEST_NAME = 1000

/** The node of a request or a notification. */
export function placeOf(message: Message): Place {
  switch (message.method) {
    case 'tools/call': return named(message, 'tool', 'name')
    case 'resources/read': return named(message, 'resource', 'uri')
    case 'prompts/get': return named(message, 'prompt', 'name')
    case 'sampling/createMessage': return { nodeId: 'llm:sampling', kind: 'llm', name: 'sampling' }
    default: return method(message.method)
  }
}

/** The node of a tool of this name. */
export function toolPlace(name: string): Place {
  return { nodeId: `tool:${short(name)}`, kind: 'tool', name: short(name) }
}

function named(message: Message, kind: 'tool' | 'resource' | 'prompt', key: string): Place {
  const name = stringOf(rawOf(message, message.params, key))
  return name === undefined || name === '' ? method(message.method) : { nodeId: `${kind}:${short(name)}`, kind, name: short(name) }
}

function method(name: string): Place {
  return { nodeId: `mcp:${short(name)}`, kind: 'custom', name: short(name) }
}

function short(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME).toWellFormed()}…` : name.toWellFormed()
}

/** One execution of a node. */
export interface Instance {
  /** Counts up in the session. */
  readonly number: number
  /** `mcp_<number>`: two directions may use the same JSON-RPC id, so ids are our own. */
  readonly id: string
  readonly place: Place
  /** Epoch ms, as all times here. */
  readonly startedAt: number
  heldMs: number
}

/** Numbers the executions of a session. */
export class Instances {
  #count = 0

  next(place: Place, startedAt: number): Instance {
    const number = ++this.#count
    return { number, id: `mcp_${number}`, place, startedAt, heldMs: 0 }
  }
}
