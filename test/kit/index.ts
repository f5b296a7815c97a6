// The makers that tests arrange themselves with. Heavy ones (a browser) have their own file.
export { until, type UntilOptions } from './until.ts'
export { tempDir } from './temp.ts'
export { freePort } from './port.ts'
export { start, run, graphmind, cleanEnv, ROOT, CLI, type Started, type Ran, type Exit, type StartOptions } from './spawn.ts'
export { startServerProcess, type ServerProcess, type ServerProcessOptions } from './server-process.ts'
export { openSocket, Refused, type Socket } from './socket.ts'
export { connectApp, type RawApp, type RawEnvelope } from './raw-app.ts'
export { connectViewer, type RawViewer } from './raw-viewer.ts'
