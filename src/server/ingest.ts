// What apps send on /ingest. Every message is read by the one parser; what it does not accept,
// and what is not an app's to send, is counted and never answered. Events go into the turn.
import {
  parseEnvelope, scanObject, shrinkPayload, MAX_PAYLOAD_BYTES, PROTOCOL,
  type GapInfo, type HelloAckPayload, type HelloPayload, type ParsedEnvelope,
} from '../wire/index.ts'
import type { Store } from '../store/index.ts'
import type { AppLink } from './app-link.ts'
import type { Armed } from './armed.ts'
import type { Complaints } from './complaints.ts'
import type { LiveRun } from './live-run.ts'
import type { Ownership } from './ownership.ts'
import type { Registry } from './registry.ts'
import type { Turn } from './turn.ts'

/** What this server can do with an app. */
const HUB_CAPABILITIES = ['pause', 'step', 'inject', 'retry', 'abort', 'edit-input']
const NOT_AN_EVENT = new Set(['hello.ack', 'exec.resume', 'breakpoint.set', 'breakpoint.clear', 'mode.set'])
const REFUSED = 'messages to /ingest were refused'
const MOST_ID_CHARS = 1000

export interface IngestParts {
  store: Store
  registry: Registry
  ownership: Ownership
  turn: Turn
  armed: Armed
  complaints: Complaints
  version: string
  log(line: string): void
}

export class Ingest {
  /** Apps that have shaken hands. */
  readonly apps = new Set<AppLink>()
  readonly #parts: IngestParts

  constructor(parts: IngestParts) {
    this.#parts = parts
  }

  message(link: AppLink, text: string): void {
    const parsed = parseEnvelope(text)
    switch (parsed.status) {
      case 'invalid': return this.#refuse(() => parsed.path === '' ? `it ${parsed.message}` : `${parsed.path} ${parsed.message}`)
      case 'version-mismatch': return this.#otherVersion(link, parsed.gm)
      default: this.#accepted(link, parsed)
    }
  }

  /** A binary message is not an envelope. */
  binary(): void {
    this.#refuse(() => 'it is binary')
  }

  lost(link: AppLink): void {
    this.apps.delete(link)
    this.#parts.ownership.lost(link)
  }

  #accepted(link: AppLink, parsed: ParsedEnvelope): void {
    const { type, runId } = parsed.envelope
    if (type === 'hello') return this.#hello(link, parsed.envelope.payload as unknown as HelloPayload)
    if (NOT_AN_EVENT.has(type)) return this.#refuse(() => `${type} is not an app's to send`)
    if (runId === '*') return this.#refuse(() => `${JSON.stringify(type)} needs a run, not "*"`)
    if (runId.length > MOST_ID_CHARS || type.length > MOST_ID_CHARS) return this.#refuse(() => `runId and type have at most ${MOST_ID_CHARS} characters`)
    if (!runId.isWellFormed()) return this.#refuse(() => 'runId is not well-formed Unicode')
    this.#event(link, parsed)
  }

  #event(link: AppLink, { envelope, payloadText, extra }: ParsedEnvelope): void {
    const { runId, seq, ts, type, payload } = envelope
    const { registry, ownership, turn, complaints } = this.#parts
    const run = registry.forEvent(runId, ts)
    if (!ownership.claim(run, link)) {
      return complaints.add('events were refused, since another connection owns their run', () => `run ${JSON.stringify(runId)} of ${run.owner?.name ?? ''}, sent by ${link.name}`)
    }
    const payloadAsStored = type === 'graph.hint' && payload.gap !== undefined ? this.#narrowGap(run, payloadText, payload.gap as GapInfo) : payloadText
    turn.add({
      run, row: run.row, seq, ts, type, body: payload, outcome: 'new',
      payload: shrinkPayload(payloadAsStored),
      extra: extra !== null && extra.length > MAX_PAYLOAD_BYTES ? null : extra,
    })
  }

  /** The sender lost events, but some of them may have come here before it did. */
  #narrowGap(run: LiveRun, payloadText: string, gap: GapInfo): string {
    this.#parts.turn.flush() // what came before it counts as well
    const missing = this.#missing(run, gap)
    const members = scanObject(payloadText) ?? []
    const kept = members.filter(({ key }) => key !== 'gap').map(({ keyStart, end }) => payloadText.slice(keyStart, end))
    const was = members.findLast(({ key }) => key === 'gap')
    if (missing !== null && was) kept.push(missing === gap ? payloadText.slice(was.keyStart, was.end) : `"gap":${JSON.stringify(missing)}`)
    return `{${kept.join(',')}}`
  }

  /** With a file that cannot be read now, the gap is taken as it was told. */
  #missing(run: LiveRun, gap: GapInfo): GapInfo | null {
    try {
      return this.#parts.store.gaps.missing(run.row, gap)
    } catch {
      return gap
    }
  }

  #hello(link: AppLink, hello: HelloPayload): void {
    const { armed, ownership, version } = this.#parts
    link.hello = hello
    link.capabilities = new Set(hello.capabilities.filter((each) => HUB_CAPABILITIES.includes(each)))
    this.apps.add(link)
    const sessionToken = ownership.resume(link, hello.resumeToken)
    const ack: HelloAckPayload = {
      versions: { protocol: PROTOCOL, viewer: version }, capabilities: [...link.capabilities], breakpoints: [...armed.global],
      mode: armed.mode, sessionToken, hubCapabilities: HUB_CAPABILITIES,
    }
    link.tell('hello.ack', ack)
  }

  #otherVersion(link: AppLink, gm: unknown): void {
    if (link.saidVersion) return
    link.saidVersion = true
    this.#parts.log(`${link.name} speaks version ${JSON.stringify(gm)} of the protocol; this server speaks ${PROTOCOL}, so its messages are not kept.`)
  }

  #refuse(why: () => string): void {
    this.#parts.complaints.add(REFUSED, why)
  }
}
