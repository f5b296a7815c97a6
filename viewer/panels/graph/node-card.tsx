// One card: name, count, last duration, a line of what is going on, its last executions, and its
// breakpoints in the gutter.
import { createMemo, For, Show } from 'solid-js'
import { sameMatcher, type GatePoint } from '../../../src/wire/index.ts'
import { middle } from '../../format/format.ts'
import type { Placed } from '../../layout/tree.ts'
import { breakpoints, run, setBreakpoint } from '../../state/session.ts'
import { route } from '../../state/route.ts'
import { Icon } from '../../widgets/icon.tsx'
import { stripOf, type Card } from './cards.ts'

const POINTS: { point: GatePoint; css: string; words: string }[] = [
  { point: 'before', css: 'before', words: 'before each call' },
  { point: 'after', css: 'after', words: 'after each call' },
  { point: 'error', css: 'at-error', words: 'when a call fails' },
]

export function NodeCard(props: { card: Card; at: Placed; onPick(): void }) {
  const place = () => ({ left: `${props.at.x}px`, top: `${props.at.y}px` })
  return (
    <Show when={!props.card.fold} fallback={
      <button class="fold" style={place()} onClick={() => props.onPick()} title="Show them">
        <Icon name="custom" kind />{props.card.title}<Show when={props.card.count > 0}><span class="faint">×{props.card.count}</span></Show>
      </button>
    }>
      <div class={`card ${props.card.status}`} classList={{ sel: route().nodeId === props.card.id }} style={place()} data-node={props.card.id} onClick={() => props.onPick()}>
        <Gutter card={props.card} />
        <div class="h">
          <Icon name={props.card.kind} kind />
          <button class="n cut" title={props.card.title} aria-label={`${props.card.kind} ${props.card.title}, ${props.card.status}`}>{middle(props.card.title, 26)}</button>
          <Show when={props.card.count > 1 || (props.card.count === 1 && props.card.kind !== 'server')}><span class="x">×{props.card.count}</span></Show>
        </div>
        <div class="m">
          <span classList={{ amber: props.card.status === 'held', faint: props.card.status === 'hinted', 'k-llm': props.card.status === 'running' && props.card.kind !== 'server' }}>{props.card.line}</span>
          <span class="faint cut">{props.card.aside}</span>
          <Strip nodeId={props.card.id} />
        </div>
        <Show when={props.card.preview !== ''}><div class="p" classList={{ err: props.card.bad }}>{props.card.preview}</div></Show>
      </div>
    </Show>
  )
}

function Strip(props: { nodeId: string }) {
  const bars = createMemo(() => stripOf(run(), props.nodeId))
  return <Show when={bars().length > 0}><span class="strip" aria-hidden="true"><For each={bars()}>{(bar) => <i class={bar.status} style={{ height: `${bar.height}px` }} />}</For></span></Show>
}

/** The session itself is not called, so nothing can be armed on it. */
function Gutter(props: { card: Card }) {
  const matcher = (point: GatePoint) => ({ kind: props.card.kind, name: props.card.title, point })
  const armed = (point: GatePoint) => breakpoints().some((known) => sameMatcher(known, matcher(point)))
  return (
    <Show when={props.card.kind !== 'server'}>
      <For each={POINTS}>{({ point, css, words }) => (
        <button class={`bp ${css}`} classList={{ on: armed(point) }} aria-pressed={armed(point)} title={`${armed(point) ? 'Do not stop' : 'Stop'} ${words}`}
          aria-label={`stop ${words} of ${props.card.title}`} onClick={(event) => { event.stopPropagation(); setBreakpoint(matcher(point), !armed(point)) }} />
      )}</For>
    </Show>
  )
}
