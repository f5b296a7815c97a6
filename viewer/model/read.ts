// What panels ask of a run. Pure, and read from the model when somebody looks.
import { rawMember, REDACTED, TRUNCATED } from '../../src/wire/index.ts'
import type { Hold, Instance, NodeState, RunModel } from './run-model.ts'

/** The JSON text of an execution's input; undefined: it has none. */
export function inputOf(instance: Instance): string | undefined {
  return instance.startText === null ? undefined : rawMember(instance.startText, 'input')
}

/** The JSON text of its output, also of one that is held at a gate. */
export function outputOf(instance: Instance): string | undefined {
  return instance.endText === null ? undefined : rawMember(instance.endText, 'output')
}

/** What is missing of a payload, in words; null: it is whole. */
export function caveat(payloadText: string | null, member: 'input' | 'output'): string | null {
  if (payloadText === null) return null
  if (rawMember(payloadText, member) === JSON.stringify(REDACTED)) return 'hidden by a switch where it was recorded'
  if (rawMember(payloadText, TRUNCATED) !== 'true') return null
  const bytes = rawMember(payloadText, 'bytes')
  return `shortened for storage${bytes === undefined ? '' : `: ${Number(bytes).toLocaleString('en')} bytes in all`}`
}

export type NodeStatus = 'hinted' | 'held' | 'running' | Instance['status']

/** The hold of a node, the oldest if there are more. */
export function holdOfNode(model: RunModel, nodeId: string): Hold | undefined {
  for (const hold of model.holds.values()) if (hold.nodeId === nodeId) return hold
  return undefined
}

export function holdOfInstance(model: RunModel, id: string): Hold | undefined {
  for (const hold of model.holds.values()) if (hold.instanceId === id) return hold
  return undefined
}

export function statusOfNode(model: RunModel, node: NodeState): NodeStatus {
  if (model.holds.size > 0 && holdOfNode(model, node.id)) return 'held'
  const last = node.instances.at(-1)
  if (last === undefined) return 'hinted'
  if (last.status !== 'running' || node.instances.length === 1) return last.status
  return 'running'
}

/** What a person calls the node: the session goes by the server's name. */
export function nodeTitle(model: RunModel, node: NodeState): string {
  return node.kind === 'server' && model.app !== '' ? model.app : node.name
}

/** The running number of an execution within its node, from 1. */
export function numberOf(model: RunModel, instance: Instance): number {
  return (model.nodes.get(instance.nodeId)?.instances.indexOf(instance) ?? -1) + 1
}
