// The server's own errors for people.
import { Fault } from '../store/index.ts'

/** The port could not be bound. */
export function listenFault(error: NodeJS.ErrnoException, port: number): Fault {
  if (error.code === 'EADDRINUSE') return new Fault('GM_PORT_TAKEN', `Port ${port} is taken by another program.`, 'Choose another one with --port, or stop that program.')
  if (error.code === 'EACCES') return new Fault('GM_PORT_DENIED', `Port ${port} may not be used by this user.`, 'Choose one above 1023 with --port.')
  return new Fault('GM_LISTEN_FAILED', `Cannot listen on 127.0.0.1:${port}: ${error.message}.`, 'Choose another port with --port.')
}
