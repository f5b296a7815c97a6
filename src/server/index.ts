// The front door of the server: opens the database, binds 127.0.0.1, and stops in good order.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { NodeKind } from '../wire/index.ts'
import { databaseFault, openStore, type Retention, type Store, type StoreOptions } from '../store/index.ts'
import { listenFault } from './fault.ts'
import { Http } from './http.ts'
import { Hub } from './hub.ts'
import { Sockets } from './sockets.ts'
import type { ViewerPage } from './viewer-page.ts'

export { Fault } from '../store/index.ts'
export { TOKEN_PROTOCOL } from './guard.ts'
export type { ViewerPage } from './viewer-page.ts'

export interface ServerOptions {
  /** 0: any free one. */
  port: number
  dbPath: string
  version: string
  pauseOnError: 'on' | 'off' | NodeKind
  /** How long a lost app may stay away before its run is abandoned. */
  graceMs: number
  /** How long a proxy's hold waits for a viewer; 0: for good. */
  unattendedMs: number
  allowedOrigins: string[]
  /** Asked of everyone, where it is set. */
  token?: string
  viewer?: ViewerPage | null
  /** A folder with another build of the viewer. */
  viewerDist?: string
  retention?: Retention | null
  log(line: string): void
  /** What tests choose about the file. */
  store?: StoreOptions
}

export interface RunningServer {
  readonly port: number
  readonly url: string
  readonly token?: string
  /** Lets go of every hold, says goodbye, stores what is left. Takes less than two seconds. */
  close(): Promise<void>
}

const GOODBYE_MS = 1000
const TERMINATE_MS = 300

/** Starts a server on 127.0.0.1. Throws a Fault: the database, or the port. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { token, allowedOrigins, log } = options
  const http = createServer({ keepAliveTimeout: 5000, requestTimeout: 30_000 })
  await listen(http, options.port) // first the port: a server that runs already has the database as well
  try {
    const store = open(options)
    const hub = new Hub(store, { ...options, retention: options.retention ?? null, log })
    const refused = (why: string) => hub.complaints.add('connections were refused', () => why)
    const sockets = new Sockets(http, {
      allowedOrigins, token, refused,
      accept: { '/ingest': (socket) => hub.acceptApp(socket), '/ws/ui': (socket) => hub.acceptViewer(socket) },
    })
    const pages = new Http({
      store, registry: hub.registry, allowedOrigins, token, version: options.version, viewer: options.viewer ?? null,
      viewerDist: options.viewerDist, flush: () => hub.flush(), refused,
    })
    http.on('request', (request, response) => pages.handle(request, response))
    hub.start()
    const { port } = http.address() as AddressInfo
    let closing: Promise<void> | null = null
    const close = async () => {
      const closed = new Promise((resolve) => http.close(resolve))
      hub.close()
      http.closeIdleConnections()
      await allGone(sockets, GOODBYE_MS)
      sockets.terminate()
      http.closeAllConnections()
      await allGone(sockets, TERMINATE_MS)
      await closed
      hub.settle()
      store.close()
    }
    return { port, url: `http://127.0.0.1:${port}`, token, close: () => closing ??= close() }
  } catch (error) {
    http.close()
    throw error
  }
}

/** The database, with this server's lease on the runs that it will record. */
function open({ dbPath, store: choices }: ServerOptions): Store {
  const store = openStore(dbPath, choices)
  try {
    store.leases.renew(Date.now())
    return store
  } catch (error) {
    store.close()
    throw databaseFault(error, dbPath)
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenFault(error, port)))
    server.listen(port, '127.0.0.1', () => {
      server.removeAllListeners('error')
      resolve()
    })
  })
}

/** Waits for the farewells, but not for ever. */
async function allGone(sockets: Sockets, mostMs: number): Promise<void> {
  const until = Date.now() + mostMs
  while (sockets.size > 0 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 10))
}
