// The address is the selection: `#/run/<id>[/node/<nodeId>]`. Back and forward work.
import { createSignal } from 'solid-js'
import { runHash } from '../../src/wire/index.ts'

export interface Route { runId: string | null; nodeId: string | null }

const TOKEN_KEY = 'graphmind.token'

/** Reads an address; anything it does not know is the empty route. */
export function readRoute(hash: string): Route {
  const match = /^#\/run\/([^/]+)(?:\/node\/([^/]+))?$/.exec(hash)
  return { runId: decode(match?.[1]), nodeId: decode(match?.[2]) }
}

function decode(part: string | undefined): string | null {
  try {
    return part === undefined ? null : decodeURIComponent(part)
  } catch {
    return null // a broken percent escape is no id
  }
}

/** The token from the printed link: kept for this tab, and taken out of the address. */
export function takeToken(): string | null {
  const match = /[#&]token=([^&/]+)/.exec(location.hash)
  if (match?.[1]) {
    sessionStorage.setItem(TOKEN_KEY, match[1])
    history.replaceState(null, '', location.pathname + location.search + location.hash.replace(match[0], ''))
  }
  return token()
}

/** The token of this tab; null: the server asked for none so far. */
export function token(): string | null {
  return sessionStorage.getItem(TOKEN_KEY)
}

const [route, setRoute] = createSignal<Route>(readRoute(location.hash), { equals: (a, b) => a.runId === b.runId && a.nodeId === b.nodeId })
addEventListener('hashchange', () => setRoute(readRoute(location.hash)))
export { route }

/** Selects a run, or one of its nodes. `replace`: not a step of its own for Back. */
export function go(runId: string | null, nodeId: string | null = null, replace = false): void {
  const hash = runId === null ? '#/' : runHash(runId, nodeId ?? undefined)
  if (hash !== location.hash) history[replace ? 'replaceState' : 'pushState'](null, '', hash)
  setRoute({ runId, nodeId })
}
