// The one frame scheduler: whatever changed is shown once per animation frame. A tab in the
// background gets no animation frames, and timers only now and then, but its title must still say
// within a second that something is held: there a job runs at once, unless one ran just before.

const HIDDEN_MS = 250

const due = new Set<() => void>()
let waiting = false
let frame = 0
let timer: ReturnType<typeof setTimeout> | undefined
let flushedAt = 0

/** Runs the job before the next paint, once, however often it is asked for. */
export function onFrame(job: () => void): void {
  due.add(job)
  const rested = document.hidden && performance.now() - flushedAt > HIDDEN_MS
  if (waiting && !rested) return
  waiting = true
  if (rested) return queueMicrotask(flush)
  frame = requestAnimationFrame(flush)
  timer = setTimeout(flush, HIDDEN_MS) // the tab may go to the background before the frame comes
}

function flush(): void {
  cancelAnimationFrame(frame)
  clearTimeout(timer)
  waiting = false
  flushedAt = performance.now()
  const jobs = [...due]
  due.clear()
  for (const job of jobs) job()
}
