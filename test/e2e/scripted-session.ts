// A session of the official 1.x client that uses all of the protocol that a reference server has.
// Its ids and texts are the same each time; what a server makes up (times, temporary names) is
// left out of the results.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema, LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { cleanEnv, until } from '../kit/index.ts'

export type ServerName = 'everything' | 'filesystem' | 'memory'

export interface Script { client: Client; folder: string; note(what: string, value: unknown): void; logged: unknown[] }

/** Runs the script of that server over the command; gives everything the client was answered. */
export async function playSession(server: ServerName, [command = '', ...args]: string[], folder: string, env: Record<string, string> = {}): Promise<string> {
  const notes: unknown[] = []
  const logged: unknown[] = []
  const client = new Client({ name: 'scripted', version: '1.0.0' }, { capabilities: { sampling: {}, elicitation: {}, roots: { listChanged: true } } })
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => ({ role: 'assistant' as const, model: 'scripted', content: { type: 'text' as const, text: `answer to ${params.messages.length} messages` } }))
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept' as const, content: { name: 'Ada', check: true, color: 'red', number: 7, city: 'New York' } }))
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: `file://${folder}`, name: 'root' }] }))
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => { logged.push(params) })
  await client.connect(new StdioClientTransport({ command, args, env: cleanEnv(env) as Record<string, string>, stderr: 'ignore' }))
  const note = (what: string, value: unknown) => notes.push([what, value])
  note('server', client.getServerVersion())
  await SCRIPTS[server]({ client, folder, note, logged })
  await client.close()
  return JSON.stringify(notes, null, 1).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, 'TIME')
}

const SCRIPTS: Record<ServerName, (script: Script) => Promise<void>> = {
  async everything({ client, note, logged }) {
    const call = (name: string, args: Record<string, unknown> = {}) => client.callTool({ name, arguments: args })
    note('ping', await client.ping())
    note('tools', (await client.listTools()).tools.map(({ name }) => name))
    note('echo', await call('echo', { message: 'übergröße \u2028 😀 "quoted" \\ 9007199254740993' }))
    note('sum', await call('get-sum', { a: 0.1, b: 0.2 }))
    note('structured', await call('get-structured-content', { location: 'Chicago' }))
    note('image', await call('get-tiny-image'))
    note('annotated', await call('get-annotated-message', { messageType: 'error', includeImage: true }))
    note('links', await call('get-resource-links', { count: 2 }))
    note('bad arguments', await call('get-sum', { a: 'x' }).catch((error: Error) => error.message))
    note('no such tool', await call('no-such-tool').catch((error: Error) => error.message))
    const progress: number[] = []
    note('long', await client.callTool({ name: 'trigger-long-running-operation', arguments: { duration: 0.4, steps: 4 } }, undefined, { onprogress: (step) => progress.push(step.progress) }))
    note('progress', progress.slice(0, 3)) // the last one may come in the same read as the answer, and the client then drops it
    note('sampling', await call('trigger-sampling-request', { prompt: 'hello', maxTokens: 5 }))
    note('elicitation', await call('trigger-elicitation-request'))
    note('roots', await call('get-roots-list'))
    note('resources', (await client.listResources()).resources.length)
    note('templates', await client.listResourceTemplates())
    note('read', await client.readResource({ uri: 'demo://resource/static/document/features.md' }))
    note('no such resource', await client.readResource({ uri: 'demo://none' }).catch((error: Error) => error.message))
    note('subscribe', await client.subscribeResource({ uri: 'demo://resource/dynamic/text/1' }))
    note('unsubscribe', await client.unsubscribeResource({ uri: 'demo://resource/dynamic/text/1' }))
    note('prompts', await client.listPrompts())
    note('prompt', await client.getPrompt({ name: 'args-prompt', arguments: { city: 'Kyoto', state: 'JP' } }))
    note('completion', await client.complete({ ref: { type: 'ref/prompt', name: 'completable-prompt' }, argument: { name: 'department', value: 'E' } }))
    note('level', await client.setLoggingLevel('debug'))
    await call('toggle-simulated-logging')
    await until(() => logged.length > 0, { what: 'a log message' })
    await call('toggle-simulated-logging')
    const cancel = new AbortController()
    const slow = client.callTool({ name: 'trigger-long-running-operation', arguments: { duration: 3, steps: 10 } }, undefined, { signal: cancel.signal, onprogress: () => cancel.abort('enough') })
    note('cancelled', await slow.catch((error: Error) => error.message))
    note('after', await call('echo', { message: 'still here' }))
  },

  async filesystem({ client, folder, note }) {
    const call = (name: string, args: Record<string, unknown> = {}) => client.callTool({ name, arguments: args })
    note('tools', (await client.listTools()).tools.length)
    note('allowed', await call('list_allowed_directories'))
    note('write', await call('write_file', { path: `${folder}/a.txt`, content: 'one\ntwo\r\nthree \u{1F600}\n' }))
    note('read', await call('read_text_file', { path: `${folder}/a.txt` }))
    note('head', await call('read_text_file', { path: `${folder}/a.txt`, head: 1 }))
    note('edit', await call('edit_file', { path: `${folder}/a.txt`, edits: [{ oldText: 'one', newText: 'ONE' }] }))
    note('make', await call('create_directory', { path: `${folder}/dir` }))
    note('move', await call('move_file', { source: `${folder}/a.txt`, destination: `${folder}/dir/b.txt` }))
    note('tree', await call('directory_tree', { path: folder }))
    note('search', await call('search_files', { path: folder, pattern: '**/*.txt' }))
    note('large', ((await call('write_file', { path: `${folder}/large`, content: 'x'.repeat(1_000_000) })), JSON.stringify(await call('read_text_file', { path: `${folder}/large` })).length))
    note('outside', await call('read_text_file', { path: '/etc/passwd' }))
  },

  async memory({ client, note }) {
    const call = (name: string, args: Record<string, unknown> = {}) => client.callTool({ name, arguments: args })
    note('tools', (await client.listTools()).tools.length)
    note('entities', await call('create_entities', { entities: [{ name: 'Ada', entityType: 'person', observations: ['writes programs'] }, { name: 'Engine', entityType: 'machine', observations: [] }] }))
    note('relations', await call('create_relations', { relations: [{ from: 'Ada', to: 'Engine', relationType: 'programs' }] }))
    note('observe', await call('add_observations', { observations: [{ entityName: 'Engine', contents: ['is analytical'] }] }))
    note('graph', await call('read_graph'))
    note('search', await call('search_nodes', { query: 'program' }))
    note('open', await call('open_nodes', { names: ['Ada'] }))
    note('missing', await call('add_observations', { observations: [{ entityName: 'Nobody', contents: ['x'] }] }))
    note('delete', await call('delete_entities', { entityNames: ['Ada'] }))
    note('after', await call('read_graph'))
  },
}
