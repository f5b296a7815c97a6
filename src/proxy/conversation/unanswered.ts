// What becomes of the requests that nobody will answer any more.
import type { OpenRequest } from './open-requests.ts'
import type { Scene } from './scene.ts'

/** Open by design: its end is no failure. */
const ENDLESS = 'subscriptions/listen'

/** With the server gone, what is held on the way to it can go nowhere. */
export function releaseUnreachable({ open }: Scene): void {
  for (const request of open.all()) {
    const toServer = request.dir === 'c2s' ? request.state === 'held' : request.state === 'answer held'
    if (toServer) request.recall?.('the server is gone')
  }
}

/** The server is gone: gives the requests that it owed an answer, which fail. A probe may die unanswered. */
export function endRequests(scene: Scene, why: string, onlyProbed: boolean): OpenRequest[] {
  const { open, report } = scene
  const unanswered: OpenRequest[] = []
  for (const request of open.all()) {
    if (request.state !== 'sent') continue
    if (request.dir === 's2c' || request.method === ENDLESS || onlyProbed) {
      closeUnanswered(scene, request)
      continue
    }
    unanswered.push(request)
    open.close(request, 'answered', scene.now())
    report.failed(request.instance, 'ServerExited', why, scene.now())
  }
  return unanswered
}

/** It ends without an answer, and nobody is to blame. */
export function closeUnanswered({ open, report, now }: Scene, request: OpenRequest): void {
  open.close(request, 'answered', now())
  report.closed(request.instance, request.method === ENDLESS ? 'ok' : 'unanswered', now())
}
