// An answer arrives: it ends the request that waited for it, or is held first. One hold for one
// outcome: a failure that both gates would hold is held at the error gate.
import type { GateResult } from '../../client/index.ts'
import type { GatePoint, PauseReason } from '../../wire/index.ts'
import { abortFrame, injectedAnswer, refuseAnswer } from './actions.ts'
import { strayAnswer } from './findings/answers.ts'
import { other } from './findings/finding.ts'
import { largeInteger } from './findings/integers.ts'
import { frameInfo } from './frame-info.ts'
import type { OpenRequest } from './open-requests.ts'
import { readOutcome, type Outcome } from './outcome.ts'
import type { Written } from './parcel.ts'
import { again, conclude, ownOutcome } from './requests.ts'
import type { Arrival, Scene } from './scene.ts'
import { readTools } from './tool-roster.ts'

export function takeAnswer(scene: Scene, arrival: Arrival): void {
  const { frame, message, told, gated } = arrival
  const request = message.id === '' || message.id === 'null' ? undefined : scene.open.awaiting(other(frame.dir), message.id)
  if (request === undefined) return stray(scene, arrival)
  const outcome = readOutcome(message, request.method, quotes(scene, request))
  const held = gated ? reasonToHold(scene, request, outcome) : null
  if (held !== null) hold(scene, arrival, request, outcome, held)
  else conclude(scene, request, outcome, frame.at, told)
  learn(scene, arrival, request, outcome)
}

/** It belongs to a request that is over, or to none. */
function stray(scene: Scene, { frame, message, told }: Arrival): void {
  const closed = scene.open.closed(other(frame.dir), message.id)
  if (closed) scene.report.shown(closed.instance, '', told)
  else scene.report.stray(told)
  scene.findings.say(strayAnswer(frame, message, scene.open))
}

function learn(scene: Scene, { frame, message }: Arrival, request: OpenRequest, outcome: Outcome): void {
  const { method, instance, modern } = request
  scene.info.answer(method, modern, message)
  if (outcome.status !== 'ok' || outcome.taskId !== null) return
  if (method === 'tools/list') readTools(message, scene.run, scene.schemas)
  if (method === 'tools/call') scene.findings.say(scene.schemas.check(instance.place.name, frame, message, instance, quotes(scene, request)))
  scene.findings.say(largeInteger(frame, message, message.result, `The result of ${method}`, quotes(scene, request)))
}

/** May what the result says be told? */
function quotes({ session }: Scene, { instance, method }: OpenRequest): boolean {
  return !session.hidden(method.startsWith('tasks/') ? 'tool' : instance.place.kind, 'output')
}

interface Reason { point: GatePoint; reason: PauseReason }

/** Failures come to the error gate first. A server that does not know the probe has not failed. */
function reasonToHold({ gates }: Scene, { instance, method }: OpenRequest, { status }: Outcome): Reason | null {
  if (status === 'error' || (status === 'unsupported' && gates.named('error', instance))) {
    const reason = gates.reason('error', instance, method)
    if (reason !== null) return { point: 'error', reason }
  }
  const reason = gates.reason('after', instance, method)
  return reason === null ? null : { point: 'after', reason }
}

function hold(scene: Scene, arrival: Arrival, request: OpenRequest, outcome: Outcome, { point, reason }: Reason): void {
  const { instance, method, dir } = request
  request.state = 'answer held'
  scene.report.waiting(instance, outcome, arrival.told)
  arrival.parcel.wait()
  let over = false
  const held = scene.gates.hold(point, instance, other(dir), {
    method, reason, editable: true,
    check: (resume) => refuseAnswer(request, resume, scene.reaches(dir)),
    settled: (result) => {
      over = true
      request.recall = null
      settle(scene, arrival, request, outcome, result)
    },
  })
  if (!over) request.recall = (why) => held.release('cancel', why)
}

function settle(scene: Scene, { parcel, index, batch }: Arrival, request: OpenRequest, outcome: Outcome, { action, outputText, inputText }: GateResult): void {
  if (request.withdrawn) {
    parcel.pass()
    scene.open.close(request, 'cancelled', scene.now())
    return scene.report.ended(request.instance, { ...outcome, status: 'aborted' }, scene.now())
  }
  const made = action === 'inject' ? injectedAnswer(request, outputText ?? 'null') : action === 'abort' ? { frame: abortFrame(request) } : null
  if (made !== null && 'frame' in made) {
    const own = ownOutcome(scene, request, made.frame, action === 'abort')
    const told = (written: Written | null) => written === null ? undefined : frameInfo(written, batch ? index : undefined)
    return parcel.replace(index, made.frame, (written) => conclude(scene, request, own, scene.now(), told(written)))
  }
  if (action === 'retry') {
    parcel.remove(index)
    conclude(scene, request, outcome, scene.now())
    return again(scene, request, inputText)
  }
  parcel.pass(() => conclude(scene, request, outcome, scene.now()))
}
