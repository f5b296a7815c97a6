// The envelope: what every message between an app and the server is wrapped in
// (wire protocol, version 1). Names are fixed: clients in other languages speak them.

/** The protocol's major version; the value of `gm` in every envelope. */
export const PROTOCOL = 1

/** The runId of messages that belong to no run: handshake, breakpoints, mode. */
export const NO_RUN = '*'

/** One message on the wire. Unknown members are kept, never stripped. */
export interface WireEnvelope<T extends string = string, P = unknown> {
  gm: number
  /** Rising per sender; receivers drop what they already have on (runId, seq). */
  seq: number
  /** The sender's clock, epoch milliseconds. */
  ts: number
  runId: string
  type: T
  payload: P
}

/** Builds an envelope of this protocol version, members in canonical order. */
export function createEnvelope<T extends string, P>(
  type: T,
  payload: P,
  at: { runId: string; seq: number; ts: number },
): WireEnvelope<T, P> {
  return { gm: PROTOCOL, seq: at.seq, ts: at.ts, runId: at.runId, type, payload }
}

/**
 * The text of an envelope around a payload that is JSON text already, in canonical member
 * order. `extra` is the text of further members (`"x":1`), as the parser gives it.
 */
export function envelopeText(
  at: { runId: string; seq: number; ts: number },
  type: string,
  payload: string,
  extra?: string | null,
): string {
  const tail = extra ? `,${extra}}` : '}'
  return `{"gm":1,"seq":${at.seq},"ts":${at.ts},"runId":${JSON.stringify(at.runId)},"type":${JSON.stringify(type)},"payload":${payload}${tail}`
}
