// The graph: one card a node, left to right. It draws what is in view, and keeps still what the
// pointer or the focus is on.
import { select } from 'd3-selection'
import { zoom, zoomIdentity, type D3ZoomEvent, type ZoomTransform } from 'd3-zoom'
import { createEffect, createMemo, createSignal, For, onMount, Show } from 'solid-js'
import { layoutTree, type Placed } from '../../layout/tree.ts'
import { register } from '../../commands/registry.ts'
import { now, run, runInfo } from '../../state/session.ts'
import { go, route } from '../../state/route.ts'
import { Icon } from '../../widgets/icon.tsx'
import { cardsOf, type Card } from './cards.ts'
import { Marks, nodeAt } from './marks.tsx'
import { NodeCard } from './node-card.tsx'
import { wirePath } from './wire-path.ts'

const PAD = 40
const OVERSCAN = 300
const SMALLEST = 0.05
/** Below this scale a card's text cannot be read. */
const READABLE = 0.55
const FAR = 0.35

export function Graph() {
  let pane!: HTMLDivElement
  const [view, setView] = createSignal<ZoomTransform>(zoomIdentity)
  const [box, setBox] = createSignal({ width: 800, height: 600 })
  const [unfolded, setUnfolded] = createSignal<ReadonlySet<string>>(new Set())
  const [follow, setFollow] = createSignal(true)

  const ticking = () => runInfo()?.live === true || run().holds.size > 0
  const cards = createMemo(() => cardsOf(run(), unfolded(), ticking() ? now() : 0))
  const shape = createMemo(() => cards().map(({ id, parentId, width, height }) => ({ id, parentId, width, height })), [], { equals: sameShape })
  const placed = createMemo(() => layoutTree(shape()))
  const byId = createMemo(() => new Map(cards().map((card) => [card.id, card])))
  const visible = createMemo(() => {
    const { x, y, k } = view()
    const { width, height } = box()
    const [left, top, right, bottom] = [(-x - OVERSCAN) / k, (-y - OVERSCAN) / k, (width - x + OVERSCAN) / k, (height - y + OVERSCAN) / k]
    return [...placed().values()].filter((p) => p.x < right && p.x + p.width > left && p.y < bottom && p.y + p.height > top).map(({ id }) => id)
  }, [], { equals: (a, b) => a.length === b.length && a.every((id, i) => id === b[i]) })
  /** So far away that marks stand for cards. */
  const far = createMemo(() => view().k < FAR)
  const wires = createMemo(() => {
    const map = placed()
    return visible().flatMap((id) => {
      const to = map.get(id)
      const from = to?.parentId === undefined ? undefined : map.get(to.parentId)
      return to && from ? [{ path: wirePath(from, to), status: byId().get(id)?.status ?? 'ok' }] : []
    })
  })

  const behaviour = zoom<HTMLDivElement, unknown>().scaleExtent([SMALLEST, 2]).clickDistance(4)
    .filter((event: Event) => !(event as MouseEvent).button && !(event.target as Element).closest?.('.tools, .note-strip'))
    .on('zoom', (event: D3ZoomEvent<HTMLDivElement, unknown>) => {
      setView(event.transform)
      if (event.sourceEvent) setFollow(false)
    })

  const move = (transform: ZoomTransform) => behaviour.transform(select(pane), transform)
  /** The whole run, or, where that would be too small to read, the part of it where something happens. */
  const fit = (least: number) => {
    const all = [...placed().values()]
    if (all.length === 0) return
    const [left, top] = [Math.min(...all.map((p) => p.x)), Math.min(...all.map((p) => p.y))]
    const [right, bottom] = [Math.max(...all.map((p) => p.x + p.width)), Math.max(...all.map((p) => p.y + p.height))]
    const { width, height } = box()
    const whole = Math.min((width - 2 * PAD) / (right - left), (height - 2 * PAD) / (bottom - top))
    const k = Math.min(1, Math.max(least, whole))
    const along = (from: number, to: number, room: number, middle: number) =>
      (to - from) * k <= room - 2 * PAD ? (room - (from + to) * k) / 2 : Math.min(PAD - from * k, Math.max(room - PAD - to * k, room / 2 - middle * k))
    const focus = placed().get(busiest(cards())?.id ?? '') ?? (all[0] as Placed)
    move(zoomIdentity.translate(along(left, right, width, focus.x + focus.width / 2), along(top, bottom, height, focus.y + focus.height / 2)).scale(k))
  }
  const center = (id: string) => {
    const p = placed().get(id)
    if (!p) return
    const { width, height } = box()
    const { k } = view()
    move(zoomIdentity.translate(width / 2 - (p.x + p.width / 2) * k, height / 2 - (p.y + p.height / 2) * k).scale(k))
  }

  onMount(() => {
    behaviour(select(pane))
    select(pane).on('dblclick.zoom', null)
    new ResizeObserver(([entry]) => entry && setBox({ width: entry.contentRect.width, height: entry.contentRect.height })).observe(pane)
    setBox({ width: pane.clientWidth, height: pane.clientHeight })
  })
  // While it follows, the whole run stays in view as it grows; a hand on the graph ends that.
  createEffect(() => {
    shape()
    box()
    if (follow()) queueMicrotask(() => fit(READABLE))
  })
  createEffect(() => {
    route().runId
    setFollow(true)
  })

  const walk = (event: KeyboardEvent) => {
    const next = neighbour(placed(), route().nodeId, event.key)
    if (next === null) return
    event.preventDefault()
    select_(next)
    center(next)
  }
  const select_ = (id: string) => {
    const { runId } = route()
    if (runId !== null) go(runId, id)
  }
  const pickMark = (event: MouseEvent) => {
    if (!far() || (event.target as Element).closest('.tools')) return
    const { left, top } = pane.getBoundingClientRect()
    const id = nodeAt(view(), placed(), visible(), event.clientX - left, event.clientY - top)
    const card = id === null ? undefined : byId().get(id)
    if (card) activate(card)
  }
  const activate = (card: Card) => card.fold ? setUnfolded((old) => new Set([...old, card.id])) : select_(card.id)

  register(
    { id: 'graph.follow', title: 'Follow the run', key: 'F', run: () => setFollow(true) },
    { id: 'graph.fit', title: 'Fit the graph', key: 'Shift+F', run: () => fit(SMALLEST) },
  )

  return (
    <div class="graph" ref={pane} tabindex="0" role="application" aria-label="graph of the run; arrow keys walk it" onKeyDown={walk} onClick={pickMark}>
      <div class="world" style={{ transform: `translate(${view().x}px,${view().y}px) scale(${view().k})` }}>
        <Show when={!far()}><svg class="w" aria-hidden="true"><For each={wires()}>{(wire) => <path class={wire.status} d={wire.path} />}</For></svg></Show>
        <For each={far() ? [] : visible()}>{(id) => (
          <Show when={byId().get(id)}>{(card) => <NodeCard card={card()} at={placed().get(id) as Placed} onPick={() => activate(card())} />}</Show>
        )}</For>
      </div>
      <Show when={far()}><Marks view={view()} box={box()} ids={visible()} placed={placed()} cards={byId()} chosen={route().nodeId} /></Show>
      <div class="tools">
        <button class="btn" aria-pressed={follow()} onClick={() => setFollow((on) => !on)} title="Follow the run (F)" aria-label="follow the run"><span class={follow() ? 'k-llm' : ''}><Icon name="follow" /></span></button>
        <button class="btn" onClick={() => fit(SMALLEST)} title="Fit (Shift+F)" aria-label="fit the graph"><Icon name="fit" /></button>
        <button class="btn" onClick={() => move(zoomIdentity.translate(view().x, view().y).scale(1))} title="Actual size">{`${Math.round(view().k * 100)} %`}</button>
      </div>
    </div>
  )
}

/** Where a person would look: what is held, else what runs, else what failed. */
function busiest(cards: readonly Card[]): Card | undefined {
  return cards.find(({ status }) => status === 'held') ?? cards.findLast(({ status, kind }) => status === 'running' && kind !== 'server') ?? cards.findLast(({ status }) => status === 'error')
}

function sameShape(a: { id: string; parentId?: string; height: number; width: number }[], b: typeof a): boolean {
  return a.length === b.length && a.every((x, i) => x.id === b[i]?.id && x.parentId === b[i]?.parentId && x.height === b[i]?.height && x.width === b[i]?.width)
}

/** The card that an arrow key leads to: up and down among those of the column, left to the parent, right to the nearest child. */
function neighbour(placed: Map<string, Placed>, from: string | null, key: string): string | null {
  const all = [...placed.values()]
  const here = from === null ? undefined : placed.get(from)
  if (!/^Arrow/.test(key)) return null
  if (!here) return all[0]?.id ?? null
  const middle = (p: Placed) => p.y + p.height / 2
  const nearest = (list: Placed[]) => list.sort((a, b) => Math.abs(middle(a) - middle(here)) - Math.abs(middle(b) - middle(here)))[0]?.id ?? null
  switch (key) {
    case 'ArrowLeft': return here.parentId ?? null
    case 'ArrowRight': return nearest(all.filter((p) => p.parentId === here.id))
    case 'ArrowUp': return nearest(all.filter((p) => p.x === here.x && p.y < here.y))
    default: return nearest(all.filter((p) => p.x === here.x && p.y > here.y))
  }
}
