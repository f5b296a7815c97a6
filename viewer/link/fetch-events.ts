// Fetches single events of a run again, for texts that the model has let go of.
import { rawMember, scanArray } from '../../src/wire/index.ts'
import type { FetchedEvent } from '../model/keep.ts'
import { parsePayload } from './read-events.ts'

/** The event with this seq; null: the server does not have it. Rejects when the server cannot be reached. */
export async function fetchEvent(origin: string, token: string | null, runId: string, seq: number): Promise<FetchedEvent | null> {
  const response = await fetch(`${origin}/api/runs/${encodeURIComponent(runId)}/events?afterSeq=${seq - 1}&limit=1`, {
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  })
  if (!response.ok) return null
  const events = rawMember(await response.text(), 'events') ?? '[]'
  const first = scanArray(events)?.[0]
  if (!first) return null
  const envelope = events.slice(first.start, first.end)
  const payloadText = rawMember(envelope, 'payload') ?? '{}'
  return Number(rawMember(envelope, 'seq')) === seq ? { seq, payload: parsePayload(payloadText), payloadText } : null
}
