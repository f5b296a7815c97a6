// Where the server is, and the token it may ask for.
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Env } from './switches.ts'

export const DEFAULT_URL = 'ws://127.0.0.1:4747/ingest'

export interface Address {
  readonly url: string
  readonly loopback: boolean
}

/** Null: it is no address of a server. `http://` and a missing path are taken for what was meant. */
export function readAddress(text: string): Address | null {
  try {
    const url = new URL(text.replace(/^http(s?):/i, 'ws$1:'))
    if (url.protocol !== 'ws:' && url.protocol !== 'wss:') return null
    if (url.pathname === '/') url.pathname = '/ingest'
    url.hash = ''
    return { url: url.href, loopback: /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(url.hostname) }
  } catch {
    return null // not a URL at all
  }
}

/** The token of `serve --token`, which it writes anew at each start; undefined: there is none. */
export function readToken(env: Env): string | undefined {
  try {
    const home = env.GRAPHMIND_HOME || join(env.HOME || homedir(), '.graphmind')
    return readFileSync(join(home, 'token'), 'utf8').trim() || undefined
  } catch {
    return undefined // no such file: the server asks for none
  }
}
