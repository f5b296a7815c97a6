// What panels ask of a run. Pure, and read from the model when somebody looks.
import { rawMember, REDACTED, TRUNCATED } from '../../src/wire/index.ts'
import { indexBySeq } from './by-seq.ts'
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
  return model.nodes.get(nodeId)?.holds[0]
}

export function holdOfInstance(model: RunModel, id: string): Hold | undefined {
  if (model.holds.size === 0) return undefined
  const instance = model.instances.get(id)
  return instance && model.nodes.get(instance.nodeId)?.holds.find(({ instanceId }) => instanceId === id)
}

/** What a node as a whole is at: held, running, or what became of its last execution. */
export function statusOfNode(_model: RunModel, node: NodeState): NodeStatus {
  if (node.holds.length > 0) return 'held'
  if (node.open.length > 0) return 'running'
  return node.instances.at(-1)?.status ?? 'hinted'
}

/** What a person calls the node: the session goes by the server's name. */
export function nodeTitle(model: RunModel, node: NodeState): string {
  return node.kind === 'server' && model.app !== '' ? model.app : node.name
}

/** The running number of an execution within its node, from 1. */
export function numberOf(model: RunModel, instance: Instance): number {
  const node = model.nodes.get(instance.nodeId)
  return node ? indexBySeq(node.instances, instance) + 1 : 0
}
