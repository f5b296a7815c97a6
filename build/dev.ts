// `npm run dev`: the server from the sources, started again when they change, with a viewer that is
// rebuilt when it changes (reload the page).
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build } from 'vite'
import { ROOT } from './paths.ts'

const watcher = await build({ root: join(ROOT, 'viewer'), configFile: join(ROOT, 'viewer/vite.config.ts'), build: { watch: {} }, logLevel: 'warn' })
if (!('on' in watcher)) throw new Error('vite does not watch')
await new Promise<void>((resolve) => watcher.on('event', ({ code }) => { if (code === 'END' || code === 'ERROR') resolve() }))
const server = spawn(process.execPath, ['--watch', join(ROOT, 'src/cli/main.ts'), 'serve', ...process.argv.slice(2)], {
  stdio: 'inherit', env: { ...process.env, GRAPHMIND_VIEWER_DIST: join(ROOT, 'viewer/dist') },
})
process.once('SIGINT', () => {}) // the terminal tells the server as well; we end with it
server.once('exit', (code) => process.exit(code ?? 0))
