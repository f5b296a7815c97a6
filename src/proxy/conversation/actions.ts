// What a person's answer to a hold becomes on the pipe, and why some answers are refused. Text in,
// bytes out: what was not changed stays as it was spelt.
import type { ResumeRequest } from '../../client/index.ts'
import { ABORT_CODE, errorFrame, liftNotification, liftResult, readParams, spliceParams, type RefusalCode } from '../../wire/index.ts'
import { readFrame, textOf } from './frame-reader.ts'
import type { OpenRequest } from './open-requests.ts'

export type Refusal = { code: RefusalCode; message: string }

/** The request's own id on an error answer that says who ended it. */
export function abortFrame({ id, method }: Pick<OpenRequest, 'id' | 'method'>): Buffer {
  return Buffer.from(errorFrame(utf8(id), ABORT_CODE, `${method} was aborted in the GraphMind debugger.`))
}

/** The answer with an injected value; the request is looked at for what it asked. */
export function injectedAnswer(request: OpenRequest, value: string): { frame: Buffer } | Refusal {
  const params = paramsOf(request)
  const lifted = liftResult({ method: request.method, params, value, id: utf8(request.id), modern: request.modern })
  return lifted.ok ? { frame: Buffer.from(lifted.frame) } : { code: lifted.code, message: lifted.message }
}

function paramsOf({ bytes }: OpenRequest): string | undefined {
  const reading = readFrame(bytes)
  const message = reading.shape === 'message' ? reading.messages[0] : undefined
  return message?.params ? textOf(message, message.params) : undefined
}

/** The notification that replaces a held one. */
export function injectedNotification(method: string, value: string): { frame: Buffer } | Refusal {
  const lifted = liftNotification({ method, value })
  return lifted.ok ? { frame: Buffer.from(lifted.frame) } : { code: lifted.code, message: lifted.message }
}

/** The request (one message, with or without its line end) with other params and all else as it came. */
export function editedRequest(bytes: Buffer, input: string): { frame: Buffer } | Refusal {
  const read = readParams(input)
  if (!read.ok) return { code: read.code, message: read.message }
  const spliced = spliceParams(bytes.toString('latin1'), Buffer.from(read.text).toString('latin1'))
  return spliced === null ? { code: 'shape', message: 'This frame is no JSON object, so it has no params to edit.' } : { frame: Buffer.from(spliced, 'latin1') }
}

/** Why an answer to a hold before a request cannot be followed. */
export function refuseBefore(request: OpenRequest, { action, inputText, outputText }: ResumeRequest): Refusal | null {
  if (action === 'inject') return refusalOf(injectedAnswer(request, outputText ?? ''))
  return inputText === undefined ? null : refusalOf(editedRequest(request.bytes, inputText))
}

/** The same at a held answer. `canRetry`: is the side that was asked still there? */
export function refuseAnswer(request: OpenRequest, { action, inputText, outputText }: ResumeRequest, canRetry: boolean): Refusal | null {
  if (action === 'inject') return refusalOf(injectedAnswer(request, outputText ?? ''))
  if (action === 'retry' && !canRetry) return { code: 'unsupported', message: `There is nobody left to send ${request.method} to again: the ${request.dir === 'c2s' ? 'server' : 'client'} is gone.` }
  if (inputText === undefined) return null
  return action === 'retry' ? refusalOf(editedRequest(request.bytes, inputText))
    : { code: 'unsupported', message: 'The call was made already; to make it with other params, use retry.' }
}

export function refuseNotification(method: string, { action, inputText, outputText }: ResumeRequest): Refusal | null {
  if (action === 'inject') return refusalOf(injectedNotification(method, outputText ?? ''))
  return inputText === undefined ? null : { code: 'unsupported', message: 'A notification is changed with inject.' }
}

function refusalOf(made: { frame: Buffer } | Refusal): Refusal | null {
  return 'frame' in made ? null : made
}

/** A token that was read from bytes, as text. */
function utf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8')
}
