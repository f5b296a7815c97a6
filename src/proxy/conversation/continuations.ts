// Which execution goes on from which: a request that is repeated with the input that the server
// asked for (2026-07-28), and requests about a task that an earlier call made.
import type { InstanceLink } from '../../wire/index.ts'
import type { OpenQuestion } from './findings/waiting.ts'
import { find, rawOf, stringOf, type Message } from './frame-reader.ts'
import type { Outcome } from './outcome.ts'
import type { Instance } from './place.ts'

interface Question extends OpenQuestion { state: string | undefined }

const MOST_TASKS = 10_000
const MOST_QUESTIONS = 1000
const RELATED_TASK = 'io.modelcontextprotocol/related-task'

export class Continuations {
  readonly #questions = new Set<Question>()
  readonly #tasks = new Map<string, Instance>()

  /** The execution that this request goes on from. */
  linkOf(message: Message, nodeId: string): InstanceLink | undefined {
    const question = this.#questionFor(message, nodeId)
    if (question) {
      this.#questions.delete(question)
      return { instanceId: question.instance.id, why: 'input' }
    }
    const task = message.method.startsWith('tasks/') ? this.taskOf(message) : undefined
    return task && { instanceId: task.id, why: 'task' }
  }

  /** The call that made the task which a message is about. */
  taskOf(message: Message): Instance | undefined {
    const id = stringOf(rawOf(message, message.params, 'taskId') ?? rawOf(message, message.params, '_meta', RELATED_TASK, 'taskId'))
    return id === undefined ? undefined : this.#tasks.get(id)
  }

  /** Remembers what an answer leaves open. */
  answered(instance: Instance, method: string, outcome: Outcome, n: number, at: number): void {
    if (outcome.status === 'input_required') {
      const state = rawOf(outcome.message, outcome.message.result, 'requestState')
      this.#questions.add({ instance, method, n, at, told: false, state })
      if (this.#questions.size > MOST_QUESTIONS) this.#questions.delete(this.#questions.values().next().value as Question)
    }
    if (outcome.taskId === null) return
    this.#tasks.set(outcome.taskId, instance)
    if (this.#tasks.size > MOST_TASKS) this.#tasks.delete(this.#tasks.keys().next().value as string)
  }

  /** The questions that nobody came back to yet. */
  questions(): Iterable<OpenQuestion> {
    return this.#questions
  }

  /** By the state that is echoed; without one, the newest question of that node. */
  #questionFor(message: Message, nodeId: string): Question | undefined {
    const state = rawOf(message, message.params, 'requestState')
    if (state === undefined && find(message, message.params, 'inputResponses') === null) return undefined
    const own = [...this.#questions].filter((question) => question.instance.place.nodeId === nodeId)
    return own.findLast((question) => question.state === state) ?? own.at(-1)
  }
}
