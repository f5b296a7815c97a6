// The socket to the server: connects, comes back by itself, and tells whoever listens what
// arrived. Events keep their payload's own text, so nothing is lost by parsing.
import type { UiClientMessage } from '../../src/wire/index.ts'
import { readMessage, type Reader } from './read-events.ts'

/** lost: it was open; refused: it never was, and not for want of trying. */
export type LinkState = 'connecting' | 'open' | 'lost' | 'refused'
export interface LinkEvents extends Reader {
  state(state: LinkState): void
}

const RETRY_MS = [0, 200, 400, 800, 1500, 3000]
const TRIES_BEFORE_REFUSED = 2

export interface Link {
  /** False: not sent, since there is no connection. */
  send(message: UiClientMessage): boolean
  /** Sends a control; `payload` is JSON text, so typed numbers stay as typed. False: not sent. */
  control(type: string, payload: string, runId?: string): boolean
  close(): void
}

/** `url` is the server's `/ws/ui`; `token` where it asks for one. */
export function createLink(url: string, token: string | null, on: LinkEvents): Link {
  let socket: WebSocket | null = null
  let retry: ReturnType<typeof setTimeout> | undefined
  let tries = 0
  let closed = false
  let opened = false

  function connect(): void {
    const ws = socket = new WebSocket(url, token === null ? [] : [`graphmind.token.${token}`])
    ws.onopen = () => {
      tries = 0
      opened = true
      on.state('open')
    }
    ws.onmessage = ({ data }) => {
      if (socket === ws) readMessage(String(data), on)
    }
    ws.onclose = () => {
      if (closed || socket !== ws) return
      on.state(opened ? 'lost' : tries > TRIES_BEFORE_REFUSED ? 'refused' : 'connecting')
      retry = setTimeout(connect, RETRY_MS[Math.min(tries++, RETRY_MS.length - 1)])
    }
  }
  on.state('connecting')
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
      clearTimeout(retry)
      socket?.close()
    },
  }
}
