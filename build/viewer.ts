// Builds the viewer into one page and packs it: brotli, its tag, the hashes of its scripts.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'vite'
import type { PackedPage } from '../src/cli/built-in.ts'
import { pageEtag, scriptHashes } from '../src/cli/page-policy.ts'
import { ROOT } from './paths.ts'

/** Writes index.html into the folder and gives its text. */
export async function buildViewer(outDir: string): Promise<string> {
  await build({
    root: join(ROOT, 'viewer'), configFile: join(ROOT, 'viewer/vite.config.ts'), logLevel: 'warn', mode: 'production',
    build: { outDir, emptyOutDir: true },
  })
  const html = readFileSync(join(outDir, 'index.html'), 'utf8')
  const outside = /<(?:script|img|iframe)\b[^>]*\ssrc=|<link\b[^>]*rel="?(?:stylesheet|modulepreload)/i.exec(withoutScriptText(html))
  if (outside) throw new Error(`the viewer's index.html is not one file: it refers to others (${outside[0]}…)`)
  return html
}

export function packPage(html: string): PackedPage {
  const brotli = brotliCompressSync(html, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(html),
    },
  })
  return { brotli: brotli.toString('base64'), etag: pageEtag(html), csp: scriptHashes(html) }
}

function withoutScriptText(html: string): string {
  return html.replace(/(<script\b[^>]*>)[\s\S]*?(<\/script>)/gi, '$1$2')
}
