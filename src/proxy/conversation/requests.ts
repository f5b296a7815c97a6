// A request arrives: it is shown, remembered until its answer comes, and perhaps held before its
// peer sees it. Also the two things that we write ourselves: an answer, and a request once more.
import type { GateResult } from '../../client/index.ts'
import type { PauseReason } from '../../wire/index.ts'
import { abortFrame, editedRequest, injectedAnswer, refuseBefore } from './actions.ts'
import { duplicateId } from './findings/answers.ts'
import { other } from './findings/finding.ts'
import { largeInteger } from './findings/integers.ts'
import { frameInfo } from './frame-info.ts'
import { readFrame, tokenOf, type Message } from './frame-reader.ts'
import type { OpenRequest } from './open-requests.ts'
import { readOutcome, type Outcome } from './outcome.ts'
import { placeOf } from './place.ts'
import type { Frame as ToldFrame } from './report.ts'
import type { Arrival, Scene } from './scene.ts'

const LINE_FEED = Buffer.from('\n')

export function takeRequest(scene: Scene, arrival: Arrival): void {
  const { frame, message, told, gated } = arrival
  const modern = scene.info.request(message)
  const twin = scene.open.open(frame.dir, message.id)
  const request = openRequest(scene, arrival, modern)
  const { instance, method } = request
  scene.open.add(request)
  scene.report.started(instance, message, { frame: told, link: scene.continuations.linkOf(message, instance.place.nodeId) })
  if (twin) scene.findings.say(duplicateId(frame.n, message.id, twin))
  scene.findings.say(largeInteger(frame, message, message.params, `${method}'s params`, !scene.session.hidden(instance.place.kind, 'input')))
  const reason = gated ? scene.gates.reason('before', instance, method) : null
  if (reason !== null) hold(scene, arrival, request, reason)
  else if (arrival.batch && gated) waitWithBatch(scene, arrival, request)
}

function openRequest(scene: Scene, arrival: Arrival, modern: boolean): OpenRequest {
  const { frame, message } = arrival
  return {
    dir: frame.dir, id: message.id, method: message.method, n: frame.n, modern,
    instance: scene.instances.next(placeOf(message), frame.at),
    bytes: ownBytes(arrival),
    token: tokenOf(message, message.params, '_meta', 'progressToken'),
    state: 'sent', lastSignAt: frame.at, recall: null, withdrawn: false, told: false,
  }
}

/** The request as it can be sent again: the frame as it came, or its part of a batch. */
function ownBytes({ frame, message, batch }: Arrival): Buffer {
  if (batch) return Buffer.concat([frame.bytes.subarray(message.start, message.end), LINE_FEED])
  return frame.cut === true && frame.bytes.at(-1) !== 10 ? Buffer.concat([frame.bytes, LINE_FEED]) : Buffer.from(frame.bytes)
}

/** While another element of its batch is held, this one does not leave either. */
function waitWithBatch(scene: Scene, { parcel, index }: Arrival, request: OpenRequest): void {
  parcel.whenParked(() => {
    if (request.withdrawn) return
    request.state = 'held'
    request.recall = () => {
      parcel.swallow(index)
      withdrawn(scene, request)
    }
    parcel.whenGone(() => {
      if (!request.withdrawn) sent(scene, request)
    })
  })
}

function hold(scene: Scene, arrival: Arrival, request: OpenRequest, reason: PauseReason): void {
  const { instance, method, dir } = request
  request.state = 'held'
  arrival.parcel.wait()
  const held = scene.gates.hold('before', instance, dir, {
    method, reason, editable: true,
    check: (resume) => refuseBefore(request, resume),
    settled: (result) => settle(scene, arrival, request, result),
  })
  if (request.state === 'held') request.recall = (why) => held.release('cancel', why)
}

function settle(scene: Scene, { parcel, index }: Arrival, request: OpenRequest, { action, outputText, inputText }: GateResult): void {
  request.recall = null
  if (request.withdrawn) {
    parcel.remove(index)
    return withdrawn(scene, request)
  }
  if (action === 'abort' || action === 'inject') {
    request.state = 'sent' // it is over for the peer that asked; nothing else may settle it
    parcel.remove(index)
    const made = action === 'abort' ? { frame: abortFrame(request) } : injectedAnswer(request, outputText ?? 'null')
    return answer(scene, request, 'frame' in made ? made.frame : abortFrame(request), action === 'abort')
  }
  sent(scene, request)
  const edited = inputText === undefined ? null : editedRequest(request.bytes, inputText)
  if (edited === null || !('frame' in edited)) return parcel.pass()
  const [message] = messagesOf(edited.frame)
  if (message === undefined) return parcel.pass()
  parcel.replace(index, message.bytes.subarray(message.start, message.end), (written) => {
    if (written !== null) scene.report.shown(request.instance, '', frameInfo(written))
  })
}

function sent(scene: Scene, request: OpenRequest): void {
  request.state = 'sent'
  request.recall = null
  request.lastSignAt = scene.now()
}

/** Cancelled before its peer saw it: it never happened. */
function withdrawn(scene: Scene, request: OpenRequest): void {
  request.withdrawn = true
  scene.open.close(request, 'cancelled', scene.now())
  scene.report.closed(request.instance, 'aborted', scene.now())
}

/** Answers a request in its peer's place: exactly one line, with the id as it was spelt. */
export function answer(scene: Scene, request: OpenRequest, frame: Buffer, aborted: boolean): void {
  const bytes = Buffer.concat([frame, LINE_FEED])
  const dir = other(request.dir)
  const n = scene.write(dir, bytes, 'graphmind')
  conclude(scene, request, ownOutcome(scene, request, frame, aborted), scene.now(), frameInfo({ n, dir, bytes, by: 'graphmind' }))
}

/** What an answer of our own means. */
export function ownOutcome(scene: Scene, { method, instance }: OpenRequest, frame: Buffer, aborted: boolean): Outcome {
  const [message] = messagesOf(frame)
  const outcome = readOutcome(message ?? NO_MESSAGE, method, !scene.session.hidden(instance.place.kind, 'output'))
  return aborted ? { ...outcome, status: 'aborted' } : outcome
}

/** The request is over, as the outcome says. */
export function conclude(scene: Scene, request: OpenRequest, outcome: Outcome, at: number, told?: ToldFrame): void {
  if (outcome.status === 'aborted') scene.aborted()
  scene.open.close(request, outcome.taskId === null ? 'answered' : 'a task', at)
  scene.report.ended(request.instance, outcome, at, told)
  scene.continuations.answered(request.instance, request.method, outcome, request.n, at)
}

/** Sends a request that had an answer once more, as a new execution; with `input`, with other params. */
export function again(scene: Scene, request: OpenRequest, input: string | undefined): void {
  const edited = input === undefined ? null : editedRequest(request.bytes, input)
  const bytes = edited !== null && 'frame' in edited ? edited.frame : request.bytes
  const n = scene.write(request.dir, bytes, 'graphmind')
  const now = scene.now()
  const instance = scene.instances.next(request.instance.place, now)
  scene.open.add({ ...request, instance, n, bytes, state: 'sent', lastSignAt: now, recall: null, withdrawn: false, told: false })
  const [message] = messagesOf(bytes)
  const link = { instanceId: request.instance.id, why: edited === null ? 'retry' : 'edit' } as const
  scene.report.started(instance, message ?? NO_MESSAGE, { frame: frameInfo({ n, dir: request.dir, bytes, by: 'graphmind' }), link })
}

function messagesOf(bytes: Buffer): Message[] {
  const reading = readFrame(bytes)
  return reading.shape === 'message' ? reading.messages : []
}

const NO_MESSAGE: Message = { kind: 'other', bytes: Buffer.alloc(0), text: '', start: 0, end: 0, id: '', method: '', params: null, result: null, error: null, versioned: false }
