// The drawer: every frame that went over the pipe, the server's log, and what is wrong.
import { VList, type VListHandle } from 'virtua/solid'
import { createEffect, createMemo, createSignal, For, Show } from 'solid-js'
import { register } from '../commands/registry.ts'
import { clock, duration, size } from '../format/format.ts'
import { aboutFrame } from '../model/mcp.ts'
import type { FrameRow } from '../model/run-model.ts'
import { frameNumber, needFrame, run, setFrameNumber, setInstanceId } from '../state/session.ts'
import { drawerHeight, drawerOpen, drawerTab, setDrawerHeight, setDrawerOpen, setDrawerTab } from '../state/prefs.ts'
import { go, route } from '../state/route.ts'
import { Dot, Icon } from '../widgets/icon.tsx'
import { Grip } from '../widgets/grip.tsx'

export function Drawer() {
  const [filter, setFilter] = createSignal('')
  const tabs = (): [string, string, number][] => [['frames', 'Frames', run().frames.length], ['log', 'Server log', run().log.length], ['findings', 'Findings', run().findings.length + run().gaps.length]]
  const pick = (id: string) => {
    if (drawerTab() === id || !drawerOpen()) setDrawerOpen((open) => !open || drawerTab() !== id)
    setDrawerTab(id)
  }
  register({ id: 'drawer.frames', title: 'Frames', key: 'Shift+M', run: () => pick('frames') })
  return (
    <section class="drawer" aria-label="drawer">
      <Grip side="top" size={drawerHeight} set={setDrawerHeight} least={96} />
      <div class="tabs"><div class="tablist" role="tablist">
        <For each={tabs()}>{([id, title, n]) => (
          <button role="tab" aria-selected={drawerTab() === id && drawerOpen()} classList={{ on: drawerTab() === id && drawerOpen() }} onClick={() => pick(id)}>
            {title}<Show when={n > 0}><span class="badge" classList={{ err: id === 'findings' && run().findings.some(({ level }) => level !== 'info') }}>{n.toLocaleString('en')}</span></Show>
          </button>
        )}</For></div>
        <span class="grow" />
        <Show when={drawerOpen()}><label class="find small"><Icon name="find" /><span class="sr">Filter</span><input placeholder="Filter" value={filter()} onInput={(event) => setFilter(event.currentTarget.value)} /></label></Show>
      </div>
      <Show when={drawerOpen()}>
        <Show when={drawerTab() === 'frames'}><Frames filter={filter()} /></Show>
        <Show when={drawerTab() === 'log'}><Log filter={filter()} /></Show>
        <Show when={drawerTab() === 'findings'}><Findings filter={filter()} /></Show>
      </Show>
    </section>
  )
}

function fits(text: string, filter: string): boolean {
  return filter === '' || text.toLowerCase().includes(filter.toLowerCase())
}

/** Chosen here is chosen everywhere: the node, the execution, the frame. */
function choose(nodeId: string, instanceId: string | undefined, frame: number | null): void {
  const { runId } = route()
  if (runId !== null) go(runId, nodeId)
  setInstanceId(instanceId ?? null)
  setFrameNumber(frame)
}

function Frames(props: { filter: string }) {
  const rows = createMemo(() => props.filter === '' ? run().frames.slice() : run().frames.filter(({ text }) => fits(text ?? '', props.filter)))
  const [list, setList] = createSignal<VListHandle>()
  let atEnd = true
  createEffect(() => {
    const n = rows().length
    if (atEnd && n > 0) list()?.scrollToIndex(n - 1, { align: 'end' })
  })
  return (
    <Show when={rows().length > 0} fallback={<div class="blank">{props.filter ? 'No frame fits the filter.' : 'No frames: this run did not come over MCP, or nothing was sent yet.'}</div>}>
      <div class="frow head"><span>Time</span><span /><span>Method</span><span class="r">Id</span><span>About</span><span class="r">Size</span><span class="r">After</span></div>
      <VList class="list" ref={setList} data={rows()} itemSize={22} onScroll={(offset) => { const handle = list(); if (handle) atEnd = offset + handle.viewportSize >= handle.scrollSize - 30 }}>
        {(row) => <Frame row={row} />}
      </VList>
    </Show>
  )
}

function Frame(props: { row: FrameRow }) {
  const told = createMemo(() => {
    if (props.row.dropped) {
      run() // told again when its text is back
      needFrame(props.row)
    }
    return aboutFrame(props.row.text ?? '')
  })
  const request = () => run().instances.get(props.row.instanceId ?? '')
  const held = () => [...run().holds.values()].some((hold) => hold.instanceId !== undefined && hold.instanceId === props.row.instanceId && (hold.point === 'before') === (props.row.role === 'start'))
  const method = () => told().method || aboutFrame(request()?.frames.find(({ role }) => role === 'start')?.text ?? '').method || (props.row.text === undefined ? 'hidden' : 'not a frame')
  const after = () => { const it = request(); return props.row.role === 'end' && it ? duration(Math.max(0, props.row.ts - it.startedAt)) : '' }
  return (
    <button class="frow" classList={{ on: frameNumber() === props.row.n, held: held() }} onClick={() => choose(props.row.nodeId, props.row.instanceId, props.row.n)}>
      <span class="mono faint">{clock(props.row.ts)}</span>
      <span class={held() ? 'amber' : props.row.dir === 'c2s' ? 'k-llm' : 'k-tool'} role="img" aria-label={props.row.dir === 'c2s' ? 'to the server' : 'to the client'}>{props.row.dir === 'c2s' ? '→' : '←'}</span>
      <span class="mono cut">{method()}</span><span class="r mono dim cut">{told().id}</span>
      <span class="cut" classList={{ amber: held(), err: !held() && /^(isError|error)/.test(told().about), dim: true }}>{[told().about, held() ? 'held, not yet sent' : '', props.row.ours ? 'written by graphmind' : ''].filter(Boolean).join(' · ')}</span>
      <span class="r dim">{props.row.bytes === undefined ? '' : size(props.row.bytes)}</span><span class="r dim">{after()}</span>
    </button>
  )
}

function Log(props: { filter: string }) {
  const lines = createMemo(() => run().log.filter(({ text }) => fits(text, props.filter)))
  const [list, setList] = createSignal<VListHandle>()
  createEffect(() => {
    const n = lines().length
    if (n > 0) list()?.scrollToIndex(n - 1, { align: 'end' })
  })
  return (
    <Show when={lines().length > 0} fallback={<div class="blank">{props.filter ? 'No line fits the filter.' : 'The server has written nothing to stderr.'}</div>}>
      <VList class="list" ref={setList} data={lines()}>{(line) => <div class="lrow"><span class="faint">{clock(line.ts)}</span><span>{line.text || ' '}</span></div>}</VList>
    </Show>
  )
}

function Findings(props: { filter: string }) {
  const found = createMemo(() => run().findings.filter(({ message, code }) => fits(`${code} ${message}`, props.filter)))
  return (
    <Show when={found().length + run().gaps.length > 0} fallback={<div class="blank">Nothing is wrong, as far as graphmind can tell.</div>}>
      <div class="list" tabindex="0" role="region" aria-label="findings">
        <For each={run().gaps}>{(gap) => <div class="finding"><Dot status="warning" /><span>{gap.message}</span></div>}</For>
        <For each={found()}>{(finding) => (
          <button class="finding" onClick={() => choose(finding.nodeId, finding.instanceId, finding.frames[0] ?? null)}>
            <Dot status={finding.level === 'info' ? 'off' : finding.level} /><span>{finding.message}</span>
            <span class="faint">{finding.frames.length > 0 ? `frame ${finding.frames.join(', ')}` : ''}</span>
            <span /><span class="faint mono">{finding.code}</span>
          </button>
        )}</For>
      </div>
    </Show>
  )
}
