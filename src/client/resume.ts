// Reads what a viewer answers a hold with, and refuses what cannot be done with it. Values keep
// the JSON text in which they came: 2^53 + 1 must reach the code, or the pipe, as it was typed.
import { CUT_MARK, rawMember, REDACTED, TRUNCATED, type Capability, type ParsedEnvelope, type RefusalCode, type Resume, type ResumeAction } from '../wire/index.ts'

/** A resume, with its values as JSON text and parsed. */
export interface ResumeRequest {
  action: ResumeAction
  outputText?: string
  inputText?: string
  output?: unknown
  input?: unknown
  requestId?: string
}

export interface Refusal { code: RefusalCode; message: string }

/** Only members that were sent are present. An `output` counts for inject alone, an `input` for everything else but abort. */
export function readResume({ envelope, payloadText }: ParsedEnvelope): ResumeRequest {
  const { action, output, input, requestId } = envelope.payload as unknown as Resume
  const request: ResumeRequest = { action }
  if (requestId !== undefined) request.requestId = requestId
  if (action === 'inject' && output !== undefined) Object.assign(request, { output, outputText: rawMember(payloadText, 'output') })
  if ((action === 'continue' || action === 'retry') && input !== undefined) Object.assign(request, { input, inputText: rawMember(payloadText, 'input') })
  return request
}

/** Why the request cannot be followed, whatever the gate; null: it can. `editable`: as the gate was opened with. */
export function refuseResume(request: ResumeRequest, capabilities: ReadonlySet<Capability>, editable: boolean | undefined): Refusal | null {
  const { action, inputText, outputText } = request
  if (action !== 'continue' && !capabilities.has(action)) return { code: 'unsupported', message: `This app cannot ${action} a held call.` }
  if (action === 'inject' && outputText === undefined) return { code: 'shape', message: 'To inject, a value is needed.' }
  if (inputText !== undefined && (editable === false || !capabilities.has('edit-input'))) {
    return { code: 'unsupported', message: 'The input of this call cannot be edited here.' }
  }
  return refuseValue(outputText) ?? refuseValue(inputText)
}

/** A value that stands for something else must not reach the code. */
function refuseValue(text: string | undefined): Refusal | null {
  if (text === undefined) return null
  if (text.includes(`"${REDACTED}"`)) return { code: 'placeholder', message: `The value holds "${REDACTED}", which stands for something hidden. Put the real value there.` }
  if (text.includes(`"${TRUNCATED}"`) || CUT_MARK.test(text)) return { code: 'truncated', message: 'The value was shortened for display. Put the whole value there.' }
  return null
}
