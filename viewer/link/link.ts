// The socket to the server: connects, comes back by itself, and tells whoever listens what
// arrived. Events keep their payload's own text, so nothing is lost by parsing.
import { rawMember, scanArray, scanObject, type UiClientMessage, type UiServerMessage, type WireEnvelope } from '../../src/wire/index.ts'

export type LinkState = 'connecting' | 'open' | 'lost' | 'refused'
export interface LinkEvents {
  state(state: LinkState): void
  message(message: Exclude<UiServerMessage, { type: 'event' | 'events' }>): void
  event(runId: string, envelope: WireEnvelope, payloadText: string): void
}

const RETRY_MS = [0, 200, 400, 800, 1500, 3000]

export interface Link {
  send(message: UiClientMessage): boolean
  /** Sends a control; `payload` is JSON text, so typed numbers stay as typed. */
  control(type: string, payload: string, runId?: string): boolean
  close(): void
}

/** `url` is the server's `/ws/ui`; `token` where it asks for one. */
export function createLink(url: string, token: string | null, on: LinkEvents): Link {
  let socket: WebSocket | null = null
  let tries = 0
  let closed = false
  let opened = false

  function connect(): void {
    on.state(opened ? 'lost' : 'connecting')
    const ws = socket = new WebSocket(url, token === null ? [] : [`graphmind.token.${token}`])
    ws.onopen = () => {
      tries = 0
      opened = true
      on.state('open')
    }
    ws.onmessage = ({ data }) => receive(String(data), on)
    ws.onclose = () => {
      if (closed || socket !== ws) return
      on.state(opened ? 'lost' : tries > 2 ? 'refused' : 'connecting')
      setTimeout(connect, RETRY_MS[Math.min(tries++, RETRY_MS.length - 1)])
    }
  }
  connect()

  function sendText(text: string): boolean {
    if (socket?.readyState !== WebSocket.OPEN) return false
    socket.send(text)
    return true
  }

  return {
    send: (message) => sendText(JSON.stringify(message)),
    control: (type, payload, runId = '*') =>
      sendText(`{"type":"control","envelope":{"gm":1,"seq":0,"ts":${Date.now()},"runId":${JSON.stringify(runId)},"type":${JSON.stringify(type)},"payload":${payload}}}`),
    close() {
      closed = true
      socket?.close()
    },
  }
}

function receive(text: string, on: LinkEvents): void {
  const message = JSON.parse(text) as UiServerMessage
  if (message.type !== 'event' && message.type !== 'events') return on.message(message)
  const members = scanObject(text) ?? []
  const key = message.type === 'event' ? 'envelope' : 'envelopes'
  const body = members.find((member) => member.key === key)
  if (!body) return
  if (message.type === 'event') {
    on.event(message.runId, message.envelope, rawMember(text.slice(body.start, body.end), 'payload') ?? '{}')
    return
  }
  const spans = scanArray(text, body.start) ?? []
  message.envelopes.forEach((envelope, i) => {
    const span = spans[i]
    if (span) on.event(message.runId, envelope, rawMember(text.slice(span.start, span.end), 'payload') ?? '{}')
  })
}
