// The package's main export: the wire contract between an app, the server and a viewer. Pure, no
// I/O, usable in a browser. The runtime for apps is `graphmind-ai/client`.
export * from './wire/index.ts'
export { shrinkPayload as shrink } from './wire/index.ts'
