// The one frame scheduler: whatever changed is shown once per animation frame. A tab in the
// background gets no animation frames, but its title must still say that something is held.

const due = new Set<() => void>()
let waiting = false

/** Runs the job before the next paint, once, however often it is asked for. */
export function onFrame(job: () => void): void {
  due.add(job)
  if (waiting) return
  waiting = true
  if (document.hidden) setTimeout(flush, 100)
  else requestAnimationFrame(flush)
}

function flush(): void {
  waiting = false
  const jobs = [...due]
  due.clear()
  for (const job of jobs) job()
}
