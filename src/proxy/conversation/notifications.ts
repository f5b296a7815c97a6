// A notification arrives: it is shown, also on the request that it is about, and takes effect once
// it goes on. A cancellation decides, once, what becomes of a request that is held.
import type { GateResult } from '../../client/index.ts'
import type { PauseReason } from '../../wire/index.ts'
import type { Direction } from '../frame.ts'
import { injectedNotification, refuseNotification } from './actions.ts'
import { strayProgress } from './findings/answers.ts'
import { other } from './findings/finding.ts'
import { largeInteger } from './findings/integers.ts'
import { frameInfo } from './frame-info.ts'
import { rawOf, stringOf, tokenOf, type Message } from './frame-reader.ts'
import { placeOf, type Instance } from './place.ts'
import type { Arrival, Scene } from './scene.ts'

const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId'
const LONGEST_TEXT = 2000

export function takeNotification(scene: Scene, arrival: Arrival): void {
  const { frame, message, told, gated } = arrival
  const instance = scene.instances.next(placeOf(message), frame.at)
  const stream = subscription(scene, arrival)
  scene.report.started(instance, message, { frame: told, parentId: stream?.place.nodeId, saidBy: frame.dir })
  scene.findings.say(largeInteger(frame, message, message.params, `${message.method}'s params`, !scene.session.hidden('custom', frame.dir === 's2c' ? 'output' : 'input')))
  const reason = gated ? scene.gates.reason('before', instance, message.method) : null
  if (reason !== null) return hold(scene, arrival, instance, reason)
  goesOn(scene, arrival, instance, frame.at)
}

/** The open subscription that it came through. */
function subscription(scene: Scene, { frame, message }: Arrival): Instance | undefined {
  const id = tokenOf(message, message.params, '_meta', SUBSCRIPTION_ID)
  const request = id === '' ? undefined : scene.open.open(other(frame.dir), id)
  return request?.method === 'subscriptions/listen' ? request.instance : undefined
}

/** It is on its way, or will be next: what it says is true now. */
function goesOn(scene: Scene, arrival: Arrival, instance: Instance, at: number): void {
  if (arrival.message.method === 'notifications/cancelled') return cancel(scene, arrival, instance, at)
  show(scene, arrival, at)
  scene.report.closed(instance, 'ok', at)
}

/** Before its peer saw it: neither goes on. An answer that is held: it is written, then this. */
function cancel(scene: Scene, { frame, message, parcel, index, gated }: Arrival, instance: Instance, at: number): void {
  const unseen = withdraw(scene, frame.dir, message, at) && gated
  if (unseen) parcel.swallow(index)
  scene.report.closed(instance, unseen ? 'aborted' : 'ok', at)
}

/** Takes the request back that is cancelled. Had its peer not seen it yet? */
function withdraw(scene: Scene, dir: Direction, message: Message, at: number): boolean {
  const request = scene.open.open(dir, tokenOf(message, message.params, 'requestId'))
  if (request === undefined) return false
  const unseen = request.state === 'held'
  request.withdrawn = true
  if (request.recall !== null) request.recall()
  else {
    scene.open.close(request, 'cancelled', at)
    scene.report.closed(request.instance, 'aborted', at)
  }
  return unseen
}

/** Progress and log messages also show on the request that they are about. */
function show(scene: Scene, { frame, message }: Arrival, at: number): void {
  const progress = message.method === 'notifications/progress'
  const token = tokenOf(message, message.params, 'progressToken') || tokenOf(message, message.params, '_meta', 'progressToken')
  const id = tokenOf(message, message.params, 'requestId') || tokenOf(message, message.params, '_meta', SUBSCRIPTION_ID)
  const asked = other(frame.dir)
  const request = (token === '' ? undefined : scene.open.byToken(asked, token)) ?? (id === '' ? undefined : scene.open.open(asked, id))
  if (request) {
    request.lastSignAt = at
    request.told = false
  } else if (progress) scene.findings.say(strayProgress(frame, token, scene.open))
  const instance = request?.instance ?? scene.continuations.taskOf(message) ?? scene.open.closedToken(asked, token)?.instance
  if (instance) scene.report.shown(instance, `${sentence(message)}\n`)
}

function sentence(message: Message): string {
  const own = (key: string) => rawOf(message, message.params, key)
  const text = message.method === 'notifications/progress' ? progressText(own('progress'), own('total'), stringOf(own('message')))
    : message.method === 'notifications/message' ? `${stringOf(own('level')) ?? 'log'}: ${stringOf(own('data')) ?? own('data') ?? ''}`
      : `${message.method.replace(/^notifications\//, '')}${stringOf(own('status')) === undefined ? '' : `: ${stringOf(own('status'))}`}`
  return text.slice(0, LONGEST_TEXT).toWellFormed()
}

function progressText(progress = '?', total: string | undefined, text: string | undefined): string {
  return `progress ${progress}${total === undefined ? '' : `/${total}`}${text === undefined ? '' : ` ${text}`}`
}

function hold(scene: Scene, arrival: Arrival, instance: Instance, reason: PauseReason): void {
  const { message: { method }, frame, parcel } = arrival
  parcel.wait()
  scene.gates.hold('before', instance, frame.dir, {
    method, reason, editable: false,
    check: (resume) => refuseNotification(method, resume),
    settled: (result) => settle(scene, arrival, instance, result),
  })
}

function settle(scene: Scene, arrival: Arrival, instance: Instance, { action, outputText }: GateResult): void {
  const { message: { method }, parcel, index, batch } = arrival
  if (action === 'abort') {
    scene.aborted()
    parcel.remove(index)
    return scene.report.closed(instance, 'aborted', scene.now())
  }
  const made = action === 'inject' ? injectedNotification(method, outputText ?? '{}') : null
  if (made !== null && 'frame' in made) {
    return parcel.replace(index, made.frame, (written) => scene.report.closed(instance, 'ok', scene.now(), written === null ? undefined : frameInfo(written, batch ? index : undefined)))
  }
  if (method !== 'notifications/cancelled') parcel.pass(() => goesOn(scene, arrival, instance, scene.now()))
  else settleCancellation(scene, arrival, instance)
}

/** A cancellation that was held itself: what it cancels may still be held, and then neither goes on. */
function settleCancellation(scene: Scene, { frame, message, parcel, index }: Arrival, instance: Instance): void {
  const unseen = withdraw(scene, frame.dir, message, scene.now())
  if (unseen) parcel.remove(index)
  else parcel.pass()
  scene.report.closed(instance, unseen ? 'aborted' : 'ok', scene.now())
}
