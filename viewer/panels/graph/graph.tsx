// The graph: one card a node, left to right. It draws what is in view, keeps still what the
// pointer or the focus is on, and follows what happens until a hand moves it.
import { createComputed, createEffect, createMemo, createSignal, For, on, onMount, Show, untrack } from 'solid-js'
import { register } from '../../commands/registry.ts'
import type { Placed } from '../../layout/tree.ts'
import { go, route } from '../../state/route.ts'
import { replaying } from '../../state/session.ts'
import { Icon } from '../../widgets/icon.tsx'
import { createCamera } from './camera.ts'
import { cardAt, Marks } from './marks.tsx'
import { MiniMap } from './mini-map.tsx'
import { FoldPill, NodeCard } from './node-card.tsx'
import { createPicture } from './picture.ts'
import { boundsOf, meets, regionOf, sameRect } from './rect.ts'
import { anchoredView, fitView, followView, middleCard, neighbour, revealView, type Step } from './views.ts'
import { branchesOf, wiresIn, wireTo } from './wires.ts'
import './graph.css'

/** Below this scale marks stand for cards. */
const FAR = 0.45
/** Fewer cards need no overview. */
const OVERVIEW_CARDS = 6
const STATES_WITH_A_LINE = ['running', 'held'] as const
const ZOOM_STEP = 1.25
const PAN_STEP = 80

export function Graph() {
  let pane!: HTMLDivElement
  let world!: HTMLDivElement
  let ground!: HTMLDivElement
  const [following, setFollowing] = createSignal(true)
  const camera = createCamera(() => setFollowing(false))
  const { view, pane: size, move } = camera
  const picture = createPicture()
  const { shape, placed, cardOf } = picture
  /** Nothing of this run was looked at yet. */
  let fresh = true
  const [pointed, setPointed] = createSignal<string | null>(null)

  const far = createMemo(() => view().k < FAR)
  const region = createMemo(() => regionOf(view(), size()), undefined, { equals: sameRect })
  const visible = createMemo(() => {
    if (far()) return []
    const shown = region()
    const { nodeId } = route()
    const ids: string[] = []
    for (const p of placed().values()) if (meets(p, shown) || p.id === nodeId) ids.push(p.id)
    return ids
  }, [], { equals: (a, b) => a.length === b.length && a.every((id, i) => id === b[i]) })
  const branches = createMemo(() => branchesOf(placed()))
  const wires = createMemo(() => far() ? '' : wiresIn(branches(), region()))
  const marked = (status: string) => {
    picture.states()
    const all = placed()
    return visible().filter((id) => picture.statusOf(id) === status).map((id) => {
      const to = all.get(id) as Placed
      const from = to.parentId === undefined ? undefined : all.get(to.parentId)
      return from ? wireTo(from, to) : ''
    }).join('')
  }

  const fit = () => {
    const bounds = boundsOf(placed())
    if (bounds) move(fitView(bounds, size()))
  }
  const follow = () => {
    const bounds = boundsOf(placed())
    if (bounds && size().width > 0) move(followView(untrack(view), bounds, size(), placed().get(picture.active() ?? ''), fresh))
    if (bounds && !replaying()) fresh = false
  }
  const reveal = (id: string) => {
    const card = placed().get(cardOf(id))
    if (card && size().width > 0) move(revealView(view(), card, size()))
  }
  /** The card that must not move: under the pointer, in focus, chosen, or what is looked at. */
  const anchor = (before: ReadonlyMap<string, Placed>): string | null => {
    const focused = document.activeElement?.closest('[data-node]')?.getAttribute('data-node')
    const candidates = following() ? [pointed(), focused] : [pointed(), focused, route().nodeId, middleCard(before, view(), size())]
    return candidates.find((id) => id && before.has(id) && placed().has(id)) ?? null
  }

  createComputed(on(placed, (now, before) => {
    if (!before || before.size === 0) return
    const id = untrack(() => anchor(before))
    const [from, to] = [before.get(id ?? ''), now.get(id ?? '')]
    if (from && to) move(anchoredView(untrack(view), from, to))
  }))
  createEffect(() => {
    void [placed(), size(), picture.active()]
    if (following() && untrack(pointed) === null) untrack(follow)
  })
  createEffect(on(() => route().runId, () => {
    picture.forget()
    fresh = true
    setFollowing(true)
  }))
  createEffect(on(() => route().nodeId, (nodeId) => { if (nodeId !== null) reveal(nodeId) }, { defer: true }))

  const choose = (id: string) => {
    const { runId } = route()
    if (shape().pills.has(id)) picture.spreadPill(id)
    else if (runId !== null) go(runId, id)
  }
  const walk = (step: Step) => {
    const from = route().nodeId
    const next = neighbour(placed(), from === null ? null : cardOf(from), step)
    if (next === null) return
    if (shape().pills.has(next)) focusCard(next)
    else choose(next)
    reveal(next)
    queueMicrotask(() => focusCard(next))
  }
  const focusCard = (id: string) => {
    const card = pane.querySelector(`[data-node="${CSS.escape(id)}"]`)
    const target = card?.querySelector<HTMLElement>('button.n') ?? (card as HTMLElement | null)
    target?.focus({ preventScroll: true })
  }
  const pickMark = (event: MouseEvent) => {
    if (!far() || (event.target as Element).closest('.tools, .mini')) return
    const { left, top } = pane.getBoundingClientRect()
    const id = cardAt(placed(), view(), event.clientX - left, event.clientY - top)
    if (id !== null) choose(id)
  }
  const pan = (dx: number, dy: number) => {
    setFollowing(false)
    move({ ...view(), x: view().x + dx, y: view().y + dy })
  }
  const toggleFollow = () => setFollowing((on) => !on)
  const inGraph = () => document.activeElement === document.body || document.activeElement === null || pane.contains(document.activeElement)

  onMount(() => {
    camera.attach({ pane, world, ground })
    pane.addEventListener('scroll', () => { pane.scrollLeft = pane.scrollTop = 0 }) // a focused card must not scroll the pane
  })
  register(
    { id: 'graph.follow', title: 'Follow the run', key: 'F', run: toggleFollow },
    { id: 'graph.fit', title: 'Fit the graph', key: 'Shift+F', run: () => { setFollowing(false); fit() } },
    { id: 'graph.rearrange', title: 'Re-arrange the graph', key: 'Shift+A', run: picture.rearrange },
    { id: 'graph.fold', title: 'Fold all branches', key: 'Shift+C', run: picture.toggleAll },
    ...(['Left', 'Right', 'Up', 'Down'] as const).flatMap((side) => [
      { id: `graph.walk.${side}`, title: `Walk the graph: ${WALKS[side]}`, key: `Arrow${side}`, enabled: inGraph, run: () => walk(side.toLowerCase() as Step) },
      { id: `graph.pan.${side}`, title: `Move the view ${side.toLowerCase()}`, key: `Shift+Arrow${side}`, enabled: inGraph, run: () => pan(...PANS[side]) },
    ]),
    { id: 'graph.larger', title: 'Zoom in', key: '+', enabled: inGraph, run: () => camera.zoomBy(ZOOM_STEP) },
    { id: 'graph.smaller', title: 'Zoom out', key: '-', enabled: inGraph, run: () => camera.zoomBy(1 / ZOOM_STEP) },
  )

  const firstCard = createMemo(() => placed().keys().next().value)
  return (
    <div class="graph" ref={pane} tabindex="0" role="application" aria-label="graph of the run; arrow keys walk it" onClick={pickMark}
      onPointerOver={(event) => setPointed(event.target.closest('[data-node]')?.getAttribute('data-node') ?? null)} onPointerLeave={() => setPointed(null)}>
      <div class="ground" ref={ground} />
      <div class="world" ref={world}>
        <svg class="w" aria-hidden="true">
          <path d={wires()} />
          <For each={STATES_WITH_A_LINE}>{(status) => <path class={status} d={marked(status)} />}</For>
        </svg>
        <For each={visible()}>{(id) => (
          <Show when={shape().pills.get(id)} fallback={
            <Show when={placed().get(id)}>{(at) => <NodeCard id={id} at={at()} over={picture.over()} prefix={shape().prefixes.get(id) ?? 0} folded={shape().branches.get(id) ?? null}
              first={firstCard() === id && route().nodeId === null} onPick={() => choose(id)} onFold={() => picture.toggleBranch(id)} />}</Show>
          }>{(pill) => <Show when={placed().get(id)}>{(at) => <FoldPill at={at()} title={pill().title} nodes={pill().nodes} chosen={false} onPick={() => choose(id)} />}</Show>}</Show>
        )}</For>
      </div>
      <Show when={far()}><Marks view={view()} pane={size()} placed={placed()} status={picture.statusOf} version={picture.states()} chosen={route().nodeId} /></Show>
      <Show when={placed().size >= OVERVIEW_CARDS}><MiniMap view={view()} pane={size()} placed={placed()} status={picture.statusOf} version={picture.states()} chosen={null} move={(to) => { setFollowing(false); move(to) }} /></Show>
      <div class="tools">
        <button class="btn" classList={{ on: following() }} aria-pressed={following()} onClick={toggleFollow} title="Follow the run (F)" aria-label="follow the run"><Icon name="follow" /></button>
        <button class="btn" onClick={() => { setFollowing(false); fit() }} title="Fit (Shift+F)" aria-label="fit the graph"><Icon name="fit" /></button>
        <button class="btn" onClick={() => camera.zoomBy(1 / view().k)} title="Actual size">{`${Math.round(view().k * 100)} %`}</button>
      </div>
    </div>
  )
}

const WALKS = { Left: 'to the parent', Right: 'to the first under it', Up: 'up', Down: 'down' } as const
const PANS: Record<'Left' | 'Right' | 'Up' | 'Down', [number, number]> = { Left: [PAN_STEP, 0], Right: [-PAN_STEP, 0], Up: [0, PAN_STEP], Down: [0, -PAN_STEP] }
