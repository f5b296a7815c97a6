// Builds the viewer into one page, viewer/dist/index.html: styles and script inline, and the code
// editor's script inert beside them (see editor/load.ts).
import { fileURLToPath } from 'node:url'
import { build as bundle } from 'esbuild'
import { defineConfig, type Plugin } from 'vite'
import solid from 'vite-plugin-solid'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

async function codeEditor(): Promise<string> {
  const { outputFiles } = await bundle({ entryPoints: [here('editor/code-editor.ts')], bundle: true, minify: true, format: 'iife', target: 'es2022', write: false, legalComments: 'none' })
  return inScript(outputFiles[0]?.text ?? '')
}

/** Text that may stand in a script element. */
function inScript(code: string): string {
  return code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')
}

function onePage(): Plugin {
  return {
    name: 'one-page',
    enforce: 'post',
    async generateBundle(_options, output) {
      const page = output['index.html']
      if (page?.type !== 'asset') throw new Error('vite made no index.html')
      let html = String(page.source).replace(/\s*<script type="module"[^>]*><\/script>|\s*<link rel="(?:stylesheet|modulepreload)"[^>]*>/g, '')
      let scripts = ''
      for (const [name, part] of Object.entries(output)) {
        if (part.type === 'chunk') scripts += `<script type="module">${inScript(part.code.trim())}</script>\n`
        else if (name.endsWith('.css')) html = html.replace('</head>', () => `<style>${String(part.source).trim()}</style>\n</head>`)
        if (name !== 'index.html') delete output[name]
      }
      const editor = `<script type="text/plain" id="code-editor">${await codeEditor()}</script>\n`
      page.source = html.replace('</body>', () => `${scripts}${editor}</body>`)
    },
  }
}

export default defineConfig({
  root: here('.'),
  plugins: [solid(), onePage()],
  build: { outDir: here('dist'), emptyOutDir: true, target: 'es2022', modulePreload: false, assetsInlineLimit: Infinity, cssCodeSplit: false },
})
