// The tools that the server announces: they show grey on the graph before their first call, and
// their output schemas are what results are compared with.
import type { Run } from '../../client/index.ts'
import type { OutputSchemas } from './findings/output-schema.ts'
import { textOf, type Message } from './frame-reader.ts'
import { SESSION, toolPlace } from './place.ts'

const MOST_BYTES = 2 * 1024 * 1024
const MOST_HINTED = 500

/** Takes in a result of tools/list. */
export function readTools(message: Message, run: Run, schemas: OutputSchemas): void {
  if (message.result === null || message.result.end - message.result.start > MOST_BYTES) return
  const tools = named(textOf(message, message.result))
  for (const { name, outputSchema } of tools) schemas.announce(name, outputSchema)
  if (tools.length > 0) run.emit('graph.hint', { nodes: tools.slice(0, MOST_HINTED).map(({ name }) => ({ ...toolPlace(name), parentId: SESSION.nodeId })) })
}

function named(json: string): { name: string; outputSchema?: unknown }[] {
  try {
    const { tools } = JSON.parse(json) as { tools?: unknown }
    return Array.isArray(tools) ? tools.filter((tool): tool is { name: string } => typeof (tool as { name?: unknown } | null)?.name === 'string') : []
  } catch {
    return [] // not JSON after all
  }
}
