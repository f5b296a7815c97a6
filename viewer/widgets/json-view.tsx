// A JSON value as a tree that unfolds: quick at megabytes, since only rows in view are drawn.
import { createMemo, createSignal, For, Show } from 'solid-js'
import { jsonRows, type JsonRow } from './json-rows.ts'

const MOST_ROWS = 400
const LONG_STRING = 600

/** `text` is JSON text; it is never parsed as a whole. */
export function JsonView(props: { text: string; label: string }) {
  const [toggled, setToggled] = createSignal<ReadonlySet<string>>(new Set())
  const [shown, setShown] = createSignal(MOST_ROWS)
  const rows = createMemo(() => {
    const flipped = toggled()
    const small = props.text.length < 4000
    return jsonRows(props.text, (path, depth) => (depth < 2 || (small && depth < 8)) !== flipped.has(path))
  })
  const toggle = (path: string) => setToggled((old) => {
    const next = new Set(old)
    if (!next.delete(path)) next.add(path)
    return next
  })
  return (
    <div class="json" role="tree" aria-label={props.label}>
      <For each={rows().slice(0, shown())}>{(row) => <Row row={row} toggle={toggle} />}</For>
      <Show when={rows().length > shown()}>
        <button class="link" onClick={() => setShown((n) => n * 4)}>{`show more, ${(rows().length - shown()).toLocaleString('en')} rows are left`}</button>
      </Show>
    </div>
  )
}

function Row(props: { row: JsonRow; toggle: (path: string) => void }) {
  const [whole, setWhole] = createSignal(false)
  const container = () => props.row.kind === 'object' || props.row.kind === 'array'
  const long = () => props.row.kind === 'string' && props.row.text.length > LONG_STRING && !whole()
  return (
    <div class="row" role="treeitem" aria-level={props.row.depth + 1} aria-expanded={container() ? props.row.open : undefined} style={{ 'padding-left': `${props.row.depth * 14}px` }}>
      <Show when={container()} fallback={<span class="tw" />}>
        <button class="tw" aria-label={props.row.open ? 'fold' : 'unfold'} onClick={() => props.toggle(props.row.path)}>{props.row.open ? '▾' : '▸'}</button>
      </Show>
      <span class="v">
        <Show when={props.row.key !== null}><span class="key">{props.row.key}</span><span class="faint">: </span></Show>
        <Show when={!container()} fallback={<span class="faint">{summary(props.row)}</span>}>
          <span class={CLASSES[props.row.kind]}>{long() ? `${props.row.text.slice(0, LONG_STRING)}…` : readable(props.row)}</span>
        </Show>
        <Show when={long()}> <button class="link" onClick={() => setWhole(true)}>{`all ${props.row.text.length.toLocaleString('en')} characters`}</button></Show>
      </span>
    </div>
  )
}

const CLASSES = { string: 'str', number: 'num', keyword: 'kw', object: '', array: '' } as const

function summary(row: JsonRow): string {
  const [open, close] = row.kind === 'object' ? ['{', '}'] : ['[', ']']
  if (row.size === 0) return `${open}${close}`
  if (!row.open) return `${open}…${close}`
  return row.kind === 'array' ? `${row.size} ${row.size === 1 ? 'item' : 'items'}` : `${row.size} ${row.size === 1 ? 'key' : 'keys'}`
}

/** Line breaks in a string are shown as line breaks; everything else as it was spelt. */
function readable(row: JsonRow): string {
  return row.kind === 'string' ? row.text.replace(/(^|[^\\])((?:\\\\)*)\\n/g, '$1$2\n').replace(/(^|[^\\])((?:\\\\)*)\\n/g, '$1$2\n') : row.text
}
