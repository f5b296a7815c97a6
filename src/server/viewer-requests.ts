// What viewers ask for on /ws/ui. Each bad request gets an error that says what was wrong.
import { rawMember } from '../wire/index.ts'
import type { Control, Answer } from './control.ts'
import type { Deletion } from './deletion.ts'
import type { Registry } from './registry.ts'
import type { ViewerLink } from './viewer-link.ts'
import type { Viewers } from './viewers.ts'

type Message = Record<string, unknown>

export class ViewerRequests {
  readonly #registry: Registry
  readonly #viewers: Viewers
  readonly #control: Control
  readonly #deletion: Deletion

  constructor(registry: Registry, viewers: Viewers, control: Control, deletion: Deletion) {
    this.#registry = registry
    this.#viewers = viewers
    this.#control = control
    this.#deletion = deletion
  }

  handle(viewer: ViewerLink, text: string): void {
    const message = parse(text)
    if (message === null) return viewer.error('A message is one JSON object with a "type".')
    try {
      this.#dispatch(viewer, message, text)
    } catch (error) {
      viewer.error(`The server could not do it: ${error instanceof Error ? error.message : String(error)}.`, { runId: idOf(message.runId) })
    }
  }

  #dispatch(viewer: ViewerLink, message: Message, text: string): void {
    switch (message.type) {
      case 'control': return answer(viewer, this.#control.handle(rawMember(text, 'envelope')))
      case 'subscribe': return this.#subscribe(viewer, message)
      case 'unsubscribe': return this.#unsubscribe(viewer, message)
      case 'delete': return this.#delete(viewer, message)
      case 'mute': return this.#mute(viewer, message)
      default: return viewer.error(`Unknown message type ${JSON.stringify(message.type)}; known: subscribe unsubscribe delete mute control.`)
    }
  }

  #subscribe(viewer: ViewerLink, { runId, afterSeq, batch }: Message): void {
    const id = idOf(runId)
    if (id === undefined) return viewer.error('subscribe needs a runId, or "*" for the list.')
    if (afterSeq !== undefined && !(Number.isSafeInteger(afterSeq) && (afterSeq as number) >= -1)) return viewer.error(`afterSeq is a whole number, not ${JSON.stringify(afterSeq)}.`, { runId: id })
    if (id === '*') {
      viewer.list = true
      return this.#viewers.sendList(viewer)
    }
    const run = this.#registry.find(id)
    if (run === null) return viewer.error(`There is no run ${JSON.stringify(id)}.`, { runId: id })
    viewer.subscribe(run, { afterSeq: afterSeq as number | undefined, batch: batch === true })
    this.#registry.release(run)
  }

  #unsubscribe(viewer: ViewerLink, { runId }: Message): void {
    const id = idOf(runId)
    if (id === undefined) return viewer.error('unsubscribe needs a runId, or "*" for the list.')
    if (id === '*') {
      viewer.list = false
      return
    }
    const run = viewer.unsubscribe(id)
    if (run !== null) this.#registry.release(run)
  }

  #delete(viewer: ViewerLink, { runId }: Message): void {
    const id = idOf(runId)
    if (id === undefined) return viewer.error('delete needs a runId.')
    answer(viewer, this.#deletion.delete(id))
  }

  #mute(viewer: ViewerLink, { runId, nodeId, on }: Message): void {
    const run = idOf(runId)
    const node = idOf(nodeId)
    if (run === undefined || node === undefined || typeof on !== 'boolean') return viewer.error('mute needs a runId, a nodeId, and "on": true or false.', { runId: run })
    answer(viewer, this.#control.mute(run, node, on))
  }
}

function answer(viewer: ViewerLink, done: Answer): void {
  if (!done.ok) viewer.error(done.message, done.about)
}

function parse(text: string): Message | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && typeof (value as Message).type === 'string' ? value as Message : null
  } catch {
    return null
  }
}

function idOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
