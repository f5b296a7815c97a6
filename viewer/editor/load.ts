// The code editor is large and seldom needed, so its script lies inert in the page
// (`<script type="text/plain" id="code-editor">`) and runs on first use. The page's policy allows
// it by the hash of its text.
import type { MakeCodeEditor } from './code-editor.ts'

export type { CodeEditor } from './code-editor.ts'

let loading: Promise<MakeCodeEditor> | null = null

/** Resolves with the editor's maker; rejects where the page has none. */
export function loadCodeEditor(): Promise<MakeCodeEditor> {
  return loading ??= new Promise((resolve, reject) => {
    const inert = document.getElementById('code-editor')
    if (!inert) return reject(new Error('this page was built without it'))
    const script = document.createElement('script')
    script.textContent = inert.textContent
    document.head.append(script)
    const make = (globalThis as { graphmindCodeEditor?: MakeCodeEditor }).graphmindCodeEditor
    if (make) resolve(make)
    else reject(new Error('its script was blocked'))
  })
}
