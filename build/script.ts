// Bundles the command into one CommonJS script, dist/graphmind.cjs: the same one runs from npx and
// inside the single executable, where `require` takes Node's own modules and nothing else.
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild'
import type { PackedPage } from '../src/cli/built-in.ts'
import { guardText } from './guard.ts'
import { ROOT, type Manifest } from './paths.ts'

/** What both bundles (the command and the library) have in common. */
export const COMMON = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  target: 'node22.13',
  minifySyntax: true,
  minifyWhitespace: true, // names stay, so that a stack trace can be read
  legalComments: 'none', // the notices carry them
  metafile: true,
  logLevel: 'warning',
  charset: 'ascii', // one byte a character: V8 reads it in half the time
  define: {
    // ws may load two native add-ons if somebody installed them; ours is one script, whatever lies around it
    'process.env.WS_NO_BUFFER_UTIL': '"1"',
    'process.env.WS_NO_UTF_8_VALIDATE': '"1"',
  },
} as const satisfies BuildOptions

/** Writes the script and the bin in front of it into the folder. */
export async function buildScript(dist: string, page: PackedPage, { version, engines }: Manifest): Promise<Metafile> {
  const { metafile } = await build({
    ...COMMON,
    entryPoints: ['src/cli/main.ts'],
    outfile: join(dist, 'graphmind.cjs'),
    format: 'cjs',
    // a script with a code cache has no import(): require() is the same for Node's own modules
    supported: { 'dynamic-import': false },
    plugins: [builtIn(version, page)],
  })
  const bin = join(dist, 'bin.cjs')
  writeFileSync(bin, guardText(version, engines.node))
  chmodSync(bin, 0o755)
  return metafile
}

/** Puts the version and the page in the place of src/cli/built-in.ts. */
function builtIn(version: string, page: PackedPage): Plugin {
  const contents = [
    `export function version() { return ${JSON.stringify(version)} }`,
    `export function packedPage() { return ${JSON.stringify(page)} }`,
    'export function builtPage() { return null }',
  ].join('\n')
  return {
    name: 'built-in',
    setup(build) {
      build.onLoad({ filter: /[\\/]src[\\/]cli[\\/]built-in\.ts$/ }, () => ({ contents, loader: 'js' }))
    },
  }
}
