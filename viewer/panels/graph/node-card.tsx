// One card: name, count, last duration, a line of what is going on, its last executions, and its
// breakpoints in the gutter. It watches its own node alone.
import { createMemo, For, Show, untrack } from 'solid-js'
import { sameMatcher, type GatePoint } from '../../../src/wire/index.ts'
import { middle } from '../../format/format.ts'
import type { Placed } from '../../layout/tree.ts'
import type { NodeState } from '../../model/run-model.ts'
import { watchNode } from '../../state/changes.ts'
import { route } from '../../state/route.ts'
import { breakpoints, now, run, setBreakpoint } from '../../state/session.ts'
import { Icon } from '../../widgets/icon.tsx'
import { cardText, splitName, stripOf, type CardText } from './card-text.ts'

const POINTS: { point: GatePoint; css: string; words: string }[] = [
  { point: 'before', css: 'before', words: 'before each call' },
  { point: 'after', css: 'after', words: 'after each call' },
  { point: 'error', css: 'at-error', words: 'when a call fails' },
]

export interface NodeCardProps {
  id: string
  at: Placed
  /** The run has ended. */
  over: boolean
  /** Characters of the name that siblings share. */
  prefix: number
  /** Nodes folded away under it; null: it has no children. */
  folded: number | null
  /** The key Tab stops at it. */
  first: boolean
  onPick(): void
  onFold(): void
}

export function NodeCard(props: NodeCardProps) {
  const changed = watchNode(props.id)
  const node = () => { changed(); return untrack(run).nodes.get(props.id) }
  const text = createMemo(() => {
    const known = node()
    if (!known) return null
    const ticks = !props.over && (known.holds.length > 0 || known.open.length > 0)
    return cardText(untrack(run), known, ticks ? now() : 0, props.over)
  })
  return <Show when={text()}>{(said) => <Card {...props} text={said()} node={node() as NodeState} bars={(changed(), stripOf(node() as NodeState, props.over))} />}</Show>
}

function Card(props: NodeCardProps & { text: CardText; node: NodeState; bars: { height: number; status: string }[] }) {
  const chosen = () => route().nodeId === props.id
  const tone = () => ({ amber: props.text.status === 'held', faint: props.text.status === 'hinted', 'k-llm': props.text.status === 'running' && props.text.kind !== 'server' })
  return (
    <div class={`card ${props.text.status}`} classList={{ sel: chosen() }} data-node={props.id} onClick={() => props.onPick()}
      style={{ left: `${props.at.x}px`, top: `${props.at.y}px`, height: `${props.at.height}px` }}>
      <div class="h">
        <Icon name={props.text.kind} kind />
        <button class="n" tabindex={chosen() || props.first ? 0 : -1} title={props.text.title} aria-current={chosen()} aria-label={`${props.text.kind} ${middle(props.text.title, 200)}, ${props.text.status === 'hinted' ? 'not called yet' : props.text.status}`}>
          <Name title={props.text.title} prefix={props.prefix} />
        </button>
        <Show when={props.text.count > 0 && props.text.kind !== 'server'}><span class="x">{`×${props.text.count.toLocaleString('en')}`}</span></Show>
      </div>
      <div class="m">
        <span class="cut" classList={tone()}>{props.text.line}</span>
        <span class="faint cut">{props.text.aside}</span>
        <Show when={props.bars.length > 0}><span class="strip" aria-hidden="true"><For each={props.bars}>{(bar) => <i class={bar.status} style={{ height: `${bar.height}px` }} />}</For></span></Show>
      </div>
      <Show when={props.at.height > 60 && props.text.preview !== ''}><div class="p" classList={{ err: props.text.bad }}>{props.text.preview}</div></Show>
      <Show when={props.text.kind !== 'server'}><Gutter kind={props.text.kind} name={props.node.name} reachable={chosen()} /></Show>
      <Show when={props.folded !== null}>
        <button class="branch" tabindex={chosen() ? 0 : -1} classList={{ closed: (props.folded ?? 0) > 0 }} aria-expanded={props.folded === 0}
          aria-label={props.folded === 0 ? 'fold what is under it' : `show ${props.folded} nodes under it`} title={props.folded === 0 ? 'Fold what is under it' : `Show the ${props.folded} nodes under it`}
          onClick={(event) => { event.stopPropagation(); props.onFold() }}>{props.folded === 0 ? '−' : `+${props.folded}`}</button>
      </Show>
    </div>
  )
}

/** Too long a name loses its middle; what siblings share is dimmed, and shortened first. */
function Name(props: { title: string; prefix: number }) {
  const parts = () => splitName(props.title, props.prefix)
  return <><Show when={parts().shared}>{(shared) => <span class="shared">{shared()}</span>}</Show><span class="head">{parts().head}</span><span class="tail">{parts().tail}</span></>
}

/** The session itself is not called, so nothing can be armed on it. */
function Gutter(props: { kind: NodeState['kind']; name: string; reachable: boolean }) {
  const matcher = (point: GatePoint) => ({ kind: props.kind, name: props.name, point })
  return (
    <For each={POINTS}>{({ point, css, words }) => {
      const armed = createMemo(() => breakpoints().some((known) => known.scope === undefined && sameMatcher(known, matcher(point))))
      return (
        <button class={`bp ${css}`} classList={{ on: armed() }} tabindex={props.reachable ? 0 : -1} aria-pressed={armed()} title={`${armed() ? 'Do not stop' : 'Stop'} ${words}`}
          aria-label={`stop ${words} of ${middle(props.name, 200)}`} onClick={(event) => { event.stopPropagation(); setBreakpoint(matcher(point), !armed()) }} />
      )
    }}</For>
  )
}

/** A pill stands for many nodes. */
export function FoldPill(props: { at: Placed; title: string; nodes: readonly NodeState[]; chosen: boolean; onPick(): void }) {
  const watches = createMemo(() => props.nodes.map(({ id }) => watchNode(id)))
  const calls = createMemo(() => { for (const watch of watches()) watch(); return props.nodes.reduce((sum, { instances }) => sum + instances.length, 0) })
  return (
    <button class="fold" classList={{ sel: props.chosen }} data-node={props.at.id} style={{ left: `${props.at.x}px`, top: `${props.at.y}px` }} title={props.nodes.slice(0, 20).map(({ name }) => middle(name, 60)).join('\n')} onClick={() => props.onPick()}>
      <Icon name="custom" kind />{props.title}<Show when={calls() > 0}><span class="faint">{`×${calls().toLocaleString('en')}`}</span></Show>
    </button>
  )
}
