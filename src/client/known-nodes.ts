// The nodes of a run as it announced them: their kind (the hide switches ask for it), and for a
// gap marker, so that what follows a gap hangs in the right place.
import type { HintedNode, NodeKind } from '../wire/index.ts'

/** A node beyond these is of unknown kind, which hides more, never less. */
const MOST_NODES = 10_000
/** So many go into a gap marker. */
const MOST_HINTED = 500

export class KnownNodes {
  readonly #nodes = new Map<string, HintedNode>()

  /** Learns from an event's payload, which may be anything. */
  learn(type: string, payload: object): void {
    if (type === 'node.started') this.#add(payload)
    else if (type === 'graph.hint') {
      const { nodes } = payload as { nodes?: unknown }
      if (Array.isArray(nodes)) for (const node of nodes) this.#add(node as object)
    }
  }

  kindOf = (nodeId: unknown): NodeKind | undefined => this.#nodes.get(nodeId as string)?.kind

  /** The first that were announced. */
  hints(): HintedNode[] {
    return [...this.#nodes.values()].slice(0, MOST_HINTED)
  }

  #add(node: object): void {
    const { nodeId, kind, name, parentId } = node as Partial<HintedNode>
    if (typeof nodeId !== 'string' || typeof kind !== 'string' || typeof name !== 'string') return
    const known = this.#nodes.get(nodeId)
    if (known?.kind === kind && known.name === name) return
    if (known === undefined && this.#nodes.size >= MOST_NODES) return
    this.#nodes.set(nodeId, typeof parentId === 'string' ? { nodeId, kind, name, parentId } : { nodeId, kind, name })
  }
}
