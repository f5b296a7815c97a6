// Builds what others import: dist/index.js (the wire) and dist/client.js (the runtime for apps), as
// ES modules with their types, and the contract as JSON Schema.
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build, type Metafile } from 'esbuild'
import { wireSchema } from '../src/wire/index.ts'
import { ROOT } from './paths.ts'
import { COMMON } from './script.ts'

// ws is CommonJS: in an ES module it needs a `require` for Node's own modules
const REQUIRE = `import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);`

export async function buildLibrary(dist: string): Promise<Metafile[]> {
  const [wire, client] = await Promise.all([
    build({ ...COMMON, platform: 'neutral', entryPoints: ['src/index.ts'], outfile: join(dist, 'index.js'), format: 'esm' }),
    build({ ...COMMON, entryPoints: ['src/client/index.ts'], outfile: join(dist, 'client.js'), format: 'esm', banner: { js: REQUIRE } }),
    buildTypes(join(dist, 'types')),
  ])
  writeFileSync(join(dist, 'wire.schema.json'), `${JSON.stringify(wireSchema, null, 2)}\n`)
  return [wire.metafile, client.metafile]
}

/** Declarations of the two entries and of what they mention. */
async function buildTypes(types: string): Promise<void> {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  await promisify(execFile)(process.execPath, [tsc, '-p', join(ROOT, 'build/tsconfig.types.json'), '--outDir', types]).catch((error: unknown) => {
    throw new Error(`the declarations could not be made:\n${(error as { stdout?: string }).stdout ?? String(error)}`)
  })
  for (const entry of readdirSync(types, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    // TypeScript leaves `.ts` in the declarations' imports; users' compilers look for `.js`
    writeFileSync(path, readFileSync(path, 'utf8').replace(/((?:from |import\()['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'))
  }
}
