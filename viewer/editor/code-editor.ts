// The JSON editor: CodeMirror with folding, bracket match and the line at fault, and the check
// against a tool's schema. Built as a script of its own, see load.ts.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import { bracketMatching, foldGutter, foldKeymap, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { linter } from '@codemirror/lint'
import { EditorState, Prec } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { Validator, type Schema } from '@cfworker/json-schema'
import { tags } from '@lezer/highlight'

export interface CodeEditor {
  focus(): void
  destroy(): void
  /** Does the value fit the schema, in words; null: the schema itself cannot be used. */
  checkSchema(schema: unknown, value: unknown): { ok: boolean; words: string } | null
}
export interface CodeEditorOptions {
  doc: string
  label: string
  onChange(text: string): void
  onSubmit(): void
  onCancel(): void
}
export type MakeCodeEditor = (parent: HTMLElement, options: CodeEditorOptions) => CodeEditor

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--s-key)' },
  { tag: tags.string, color: 'var(--s-str)' },
  { tag: tags.number, color: 'var(--s-num)' },
  { tag: [tags.bool, tags.null], color: 'var(--s-kw)' },
])

const look = EditorView.theme({
  '&': { color: 'var(--fg)', backgroundColor: 'transparent', height: '100%' },
  '&.cm-focused': { outline: 'none' },
  '.cm-content': { fontFamily: 'var(--mono)', fontSize: '12px', lineHeight: '19px', caretColor: 'var(--fg)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '19px' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--fg3)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in oklch, var(--hover) 60%, transparent)' },
  '.cm-cursor': { borderLeftColor: 'var(--fg)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--accent-bg) !important' },
  '.cm-matchingBracket': { backgroundColor: 'var(--press) !important', outline: '1px solid var(--line)' },
  '.cm-tooltip': { backgroundColor: 'var(--panel)', color: 'var(--fg)', border: '1px solid var(--line)' },
})

const make: MakeCodeEditor = (parent, { doc, label, onChange, onSubmit, onCancel }) => {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc,
      selection: { anchor: 0, head: doc.length },
      extensions: [
        Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => (onSubmit(), true) }, { key: 'Escape', run: () => (onCancel(), true) }])),
        lineNumbers(), foldGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(), highlightActiveLine(),
        json(), linter(jsonParseLinter(), { delay: 150 }), syntaxHighlighting(colours), look, EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label }),
        keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap]),
        EditorView.updateListener.of((update) => { if (update.docChanged) onChange(update.state.doc.toString()) }),
      ],
    }),
  })
  return { focus: () => view.focus(), destroy: () => view.destroy(), checkSchema }
}

function checkSchema(schema: unknown, value: unknown): { ok: boolean; words: string } | null {
  try {
    const { valid, errors } = new Validator(schema as Schema, '2020-12', false).validate(value)
    if (valid) return { ok: true, words: 'fits the tool’s schema' }
    const last = errors.at(-1)
    return { ok: false, words: `does not fit the tool’s schema: ${last ? `${last.instanceLocation.replace('#', '') || 'it'} ${last.error}` : ''}`.slice(0, 160) }
  } catch {
    return null // a schema that the validator cannot read says nothing about the value
  }
}

;(globalThis as { graphmindCodeEditor?: MakeCodeEditor }).graphmindCodeEditor = make
