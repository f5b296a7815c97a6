// The list of runs, newest first. A run that is held is marked wherever it stands.
import { VList } from 'virtua/solid'
import { createMemo, createSignal, Show } from 'solid-js'
import type { RunInfo } from '../../src/wire/index.ts'
import { age, count, duration, plural } from '../format/format.ts'
import { deleteRun, holds, now, runs, runsKnown } from '../state/session.ts'
import { go, route } from '../state/route.ts'
import { Dot, Icon } from '../widgets/icon.tsx'

export function Rail() {
  const [filter, setFilter] = createSignal('')
  const shown = createMemo(() => {
    const words = filter().toLowerCase().split(/\s+/).filter(Boolean)
    return words.length === 0 ? runs() : runs().filter((run) => words.every((word) => searchable(run).includes(word)))
  })
  return (
    <nav class="rail" aria-label="runs">
      <label class="find"><Icon name="find" /><span class="sr">Filter runs</span>
        <input id="filter-runs" placeholder="Filter runs" value={filter()} onInput={(event) => setFilter(event.currentTarget.value)}
          onKeyDown={(event) => { if (event.key === 'Escape') { setFilter(''); event.currentTarget.blur() } }} /><kbd>/</kbd></label>
      <Show when={shown().length > 0} fallback={<div class="grp">{!runsKnown() ? 'Loading…' : filter() ? 'No run fits the filter' : 'No runs yet'}</div>}>
        <div class="runs"><VList data={shown()} style={{ height: '100%' }}>{(run) => <Row run={run} />}</VList></div>
      </Show>
    </nav>
  )
}

function searchable(run: RunInfo): string {
  return `${run.app} ${run.status} ${run.source} ${run.label ?? ''} ${heldIn(run) > 0 ? 'held' : ''} ${run.id}`.toLowerCase()
}

/** Calls held in a run; of the shown one we know at once. */
function heldIn(run: RunInfo): number {
  return run.id === route().runId ? holds().length : run.held ?? 0
}

function Row(props: { run: RunInfo }) {
  const held = () => heldIn(props.run)
  const second = () => [
    held() > 0 ? '' : props.run.status === 'running' ? 'running' : props.run.status === 'abandoned' ? 'stopped answering' : '',
    `${count(props.run.eventCount)} ev`,
    props.run.errorCount > 0 ? plural(props.run.errorCount, 'error') : '',
    props.run.durationMs === null ? '' : duration(props.run.durationMs),
    props.run.source === 'live' ? '' : props.run.source === 'import' ? 'imported' : props.run.source,
    props.run.label ?? '',
    props.run.notStored ? 'not stored, disk full' : '',
  ].filter(Boolean).join(' · ')
  const remove = (event: KeyboardEvent) => {
    if (event.key === 'Delete' && !props.run.live && confirm(`Delete the run of ${props.run.app}? This cannot be undone.`)) deleteRun(props.run.id)
  }
  return (
    <button class="run" classList={{ sel: route().runId === props.run.id }} aria-current={route().runId === props.run.id} data-run={props.run.id} title={props.run.app}
      onClick={() => go(props.run.id)} onKeyDown={remove}>
      <Dot status={held() > 0 ? 'held' : props.run.status} />
      <b class="cut">{props.run.app}</b><span class="t">{age(props.run.startedAt, now())}</span>
      <span class="m cut"><Show when={held() > 0}><span class="amber">{held() === 1 ? 'held' : `${held()} held`}</span> · </Show>{second()}</span>
    </button>
  )
}
