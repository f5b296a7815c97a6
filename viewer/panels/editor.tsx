// The editor for inject and edit. It shows as you type what will go over the wire; what is no
// JSON never goes, and what the other side refuses loses nothing that was typed.
import { createEffect, createMemo, createSignal, onCleanup, onMount, Show } from 'solid-js'
import { loadCodeEditor, type CodeEditor } from '../editor/load.ts'
import { editable, injectable, previewEdit, previewInject, requestOf, toolInfo } from '../model/mcp.ts'
import { nodeTitle } from '../model/read.ts'
import { editing, holds, notify, resume, run, setEditing } from '../state/session.ts'
import { Dot, Icon } from '../widgets/icon.tsx'
import { JsonText } from '../widgets/json-text.tsx'
import { prettyJson } from '../widgets/pretty-json.ts'

type Outcome = { ok: true; value: string; frame: string | null } | { ok: false; message: string }

export function Editor() {
  return <Show when={editing()} keyed>{(task) => <Dialog task={task} />}</Show>
}

function Dialog(props: { task: NonNullable<ReturnType<typeof editing>> }) {
  const { hold, kind } = props.task
  const node = run().nodes.get(hold.nodeId)
  const instance = run().instances.get(hold.instanceId ?? '')
  const request = instance ? requestOf(instance) : null
  const title = node ? nodeTitle(run(), node) : hold.nodeId
  const opening = instance ? prettyJson(kind === 'inject' ? injectable(instance, request, hold) : editable(instance, request)) : '{}'
  const [text, setText] = createSignal(opening)
  const [verdict, setVerdict] = createSignal<{ ok: boolean; words: string } | null>(null)
  const gone = () => !holds().some(({ pauseId }) => pauseId === hold.pauseId)
  const refusal = () => holds().find(({ pauseId }) => pauseId === hold.pauseId)?.refusal

  const outcome = createMemo<Outcome>(() => {
    const fault = jsonFault(text())
    if (fault !== null) return { ok: false, message: fault }
    if (!request) return { ok: true, value: text(), frame: null }
    if (kind !== 'inject') {
      const edit = previewEdit(request, text())
      return edit.ok ? { ok: true, value: edit.params, frame: edit.frame } : { ok: false, message: edit.message }
    }
    const lifted = previewInject(request, text())
    return lifted.ok ? { ok: true, value: text(), frame: lifted.frame } : { ok: false, message: lifted.message }
  })

  const send = () => {
    const result = outcome()
    if (!result.ok || gone()) return
    if (kind === 'inject') resume(hold, { action: 'inject', output: result.value })
    else resume(hold, { action: kind === 'edit' ? 'continue' : 'retry', input: result.value })
  }
  // It closes when the hold goes, since that is when the value was taken; a refusal keeps it open.
  createEffect(() => { if (gone()) setEditing(null) })

  let host!: HTMLDivElement
  let code: CodeEditor | null = null
  const schema = node?.kind === 'tool' ? toolInfo(run(), node.name) : null
  onMount(() => {
    let alive = true
    onCleanup(() => {
      alive = false
      code?.destroy()
    })
    loadCodeEditor().then((make) => {
      if (!alive) return
      code = make(host, { doc: text(), label: kind === 'inject' ? 'value to inject' : 'arguments', onChange: setText, onSubmit: send, onCancel: () => setEditing(null) })
      code.focus()
      check(text())
    }).catch((error: unknown) => notify(`The code editor could not start: ${error instanceof Error ? error.message : String(error)}`))
  })
  const check = (value: string) => {
    const rules = kind === 'inject' ? schema?.outputSchema : schema?.inputSchema
    setVerdict(code && rules !== undefined && jsonFault(value) === null ? code.checkSchema(rules, kind === 'inject' ? structuredOf(value) : JSON.parse(value)) : null)
  }
  createEffect(() => check(text()))

  return (
    <div class="edit" role="dialog" aria-modal="false" aria-label={heading(kind, title)} onKeyDown={(event) => { if (event.key === 'Escape') setEditing(null) }}>
      <header>
        <Show when={node}>{(known) => <Icon name={known().kind} kind />}</Show>
        <b class="cut">{heading(kind, title)}</b><span class="faint cut">{EXPLAIN[kind]}</span>
      </header>
      <div class="cols">
        <div><h3>{kind === 'inject' ? 'What the call returns' : request?.method === 'tools/call' ? 'Arguments' : 'Params'}</h3><div class="code" ref={host} /></div>
        <div><h3>What will be sent</h3><div class="code" tabindex="0" role="region" aria-label="what will be sent"><pre><JsonText text={preview(outcome())} /></pre></div></div>
      </div>
      <Show when={refusal()}>{(why) => <div class="refusal" role="alert">Not taken: {why().message}</div>}</Show>
      <footer>
        <Show when={outcome()} keyed>{(result) => result.ok
          ? <Show when={verdict()}>{(fit) => <span class="chip"><Dot status={fit().ok ? 'ok' : 'warning'} />{fit().words}</span>}</Show>
          : <span class="err cut" role="status">{result.message}</span>}</Show>
        <span class="grow" />
        <button class="btn" onClick={() => setEditing(null)}>Cancel <kbd>Esc</kbd></button>
        <button class="btn prime" disabled={!outcome().ok} onClick={send}>Send <kbd>{/Mac/.test(navigator.platform) ? '⌘↵' : 'Ctrl ↵'}</kbd></button>
      </footer>
    </div>
  )
}

const EXPLAIN = {
  inject: 'the caller receives this in place of an answer',
  edit: 'the call runs with these',
  retry: 'the call is made again with these',
} as const

function heading(kind: keyof typeof EXPLAIN, title: string): string {
  return kind === 'inject' ? `Inject a result for ${title}` : kind === 'edit' ? `Edit the call of ${title}` : `Retry ${title} with other arguments`
}

function preview(outcome: Outcome): string {
  if (!outcome.ok) return ''
  return outcome.frame === null ? prettyJson(outcome.value) : prettyJson(outcome.frame)
}

function jsonFault(text: string): string | null {
  if (text.trim() === '') return 'Type a JSON value. A plain text needs quotes.'
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    return `Not JSON yet: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** A typed value in the shape of a tool's result has its structure inside. */
function structuredOf(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null && Array.isArray((value as { content?: unknown }).content)
    ? (value as { structuredContent?: unknown }).structuredContent : value
}
