// The front door of the wire: the contract between an app, the server and the viewer. Pure: no
// I/O, usable in a browser. It is also the package's main export.
export * from './envelope.ts'
export type * from './messages.ts'
export type * from './viewer-messages.ts'
export { parseEnvelope, checkPayload, type Parsed, type ParsedEnvelope } from './parse.ts'
export { wireSchema } from './contract.ts'
export { encodePayload } from './encode.ts'
export { shrinkPayload, shortenJson, utf8Length } from './shrink.ts'
export { parseMatcher, matches, sameMatcher, NODE_KINDS, GATE_POINTS, type FullMatcher, type ParsedMatcher } from './matcher.ts'
export { scanObject, scanArray, rawMember, compactJson, stringEnd, skipValue, skipSpace, type Member, type Span } from './scan.ts'
export { liftResult, liftNotification, readParams, spliceParams, errorFrame, ABORT_CODE, type Lifted, type LiftRequest, type Refusal } from './lift.ts'
export { runHash } from './link.ts'
export { MAX_PAYLOAD_BYTES, MAX_FRAME_BYTES, REDACTED, TRUNCATED, CUT_MARK, UNREADABLE } from './limits.ts'
