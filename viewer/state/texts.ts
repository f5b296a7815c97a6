// Brings back texts that the model has let go of, when somebody looks at them.
import { fetchEvent } from '../link/fetch-events.ts'
import { restoreTexts } from '../model/keep.ts'
import type { FrameRow, Instance, RunModel } from '../model/run-model.ts'
import { notify } from './notices.ts'
import { token } from './route.ts'

/** An execution with more frames shows the first of them. */
const MOST_EVENTS = 64
const loading = new WeakSet<object>()

/** Fetches the texts of an execution; `done` is called when the model has them. */
export function loadTexts(model: RunModel, runId: string, instance: Instance, done: () => void): void {
  if (!instance.dropped || loading.has(instance)) return
  const seqs = [instance.startSeq, instance.endSeq, ...instance.frames.filter((row) => row.dropped).map(({ seq }) => seq)]
  load(model, runId, instance, instance, seqs, done)
}

/** Fetches the text of one frame of the table. */
export function loadFrame(model: RunModel, runId: string, row: FrameRow, done: () => void): void {
  if (!row.dropped || loading.has(row)) return
  load(model, runId, row, model.instances.get(row.instanceId ?? ''), [row.seq], done)
}

function load(model: RunModel, runId: string, key: object, instance: Instance | undefined, seqs: number[], done: () => void): void {
  loading.add(key)
  const wanted = [...new Set(seqs)].filter((seq) => seq >= 0).slice(0, MOST_EVENTS)
  Promise.all(wanted.map((seq) => fetchEvent(location.origin, token(), runId, seq)))
    .then((events) => {
      restoreTexts(model, instance, events.filter((event) => event !== null))
      done()
    }, () => notify('What is shown here is no longer in memory, and the server cannot be reached to fetch it.'))
    .finally(() => loading.delete(key))
}
