// The page as a whole: which panels stand where, and the keys.
import { createEffect, onCleanup, Show } from 'solid-js'
import { commandFor, register } from '../commands/registry.ts'
import { drawerHeight, drawerOpen, inspectorWidth, railOpen, setInspectorWidth, setRailOpen, setTheme, theme } from '../state/prefs.ts'
import { editing, notify, run, runInfo, runs, setEditing, show } from '../state/session.ts'
import { go, route } from '../state/route.ts'
import { Grip } from '../widgets/grip.tsx'
import { announceHolds } from './attention.ts'
import { Bar } from './bar.tsx'
import { Drawer } from './drawer.tsx'
import { Editor } from './editor.tsx'
import { Empty } from './empty.tsx'
import { Graph } from './graph/graph.tsx'
import { HoldBar } from './hold-bar.tsx'
import { Inspector } from './inspector.tsx'
import { closeKeySheet, KeySheet } from './key-sheet.tsx'
import { Notices } from './notices.tsx'
import { Rail } from './rail.tsx'

export function App() {
  createEffect(() => show(route().runId))
  createEffect(() => { document.documentElement.dataset.theme = theme() })
  announceHolds()
  register(
    { id: 'rail', title: 'Show or hide the runs', key: 'B', run: () => setRailOpen((open) => !open) },
    { id: 'theme', title: 'Dark or light', key: 'D', run: () => setTheme((old) => old === 'dark' ? 'light' : 'dark') },
    { id: 'filter', title: 'Filter the runs', key: '/', run: () => { setRailOpen(true); document.getElementById('filter-runs')?.focus() } },
    { id: 'link', title: 'Copy the link to this place', key: 'Shift+L', run: () => void navigator.clipboard.writeText(location.href).then(() => notify('The link is copied.')) },
    { id: 'escape', title: 'Close what is open', key: 'Escape', run: leave },
  )
  const onKey = (event: KeyboardEvent) => {
    const command = commandFor(event)
    if (!command) return
    event.preventDefault()
    command.run()
  }
  addEventListener('keydown', onKey)
  onCleanup(() => removeEventListener('keydown', onKey))
  const chosen = () => route().nodeId !== null && (run(), run().nodes.has(route().nodeId ?? ''))
  return (
    <div class="app" classList={{ 'no-rail': !railOpen() }}>
      <Bar />
      <Show when={railOpen()}><Rail /></Show>
      <Show when={route().runId !== null || runs().length > 0} fallback={<Empty />}>
        <HoldBar />
        <main class="work" classList={{ folded: !drawerOpen(), 'no-insp': !chosen() }} style={{ '--drawer': drawerOpen() ? `${drawerHeight()}px` : '32px', '--insp': chosen() ? `${inspectorWidth()}px` : '0px' }}>
          <Graph />
          <Remarks />
          <Show when={chosen()}><div style={{ display: 'contents' }}><InspectorPane /></div></Show>
          <Drawer />
          <Editor />
        </main>
      </Show>
      <KeySheet />
      <Notices />
    </div>
  )
}

function InspectorPane() {
  return (<>
    <Inspector />
    <div style={{ 'grid-row': '1/3', 'grid-column': '2', position: 'relative', width: '0' }}><Grip side="left" size={inspectorWidth} set={setInspectorWidth} least={280} /></div>
  </>)
}

/** What a person must know about the run as a whole before they trust what they see. */
function Remarks() {
  const remarks = () => {
    const info = runInfo()
    if (!info) return route().runId !== null && runs().length > 0 ? ['There is no such run. It may have been deleted; choose another one.'] : []
    return [
      info.notStored ? 'Not stored from here on: the disk is full. What is shown live is lost when the server stops.' : '',
      info.status === 'abandoned' ? 'The app went away without a word; this is what it sent until then.' : '',
      info.source === 'import' ? 'An imported trace: nothing here can be held.' : '',
    ].filter(Boolean)
  }
  return <Show when={remarks().length > 0}><div class="note-strip" style={{ 'grid-area': '1/1' }}>{remarks().map((text) => <div class="dim">{text}</div>)}</div></Show>
}

function leave(): void {
  closeKeySheet()
  if (editing()) return void setEditing(null)
  const { runId, nodeId } = route()
  if (nodeId !== null) go(runId, null)
}
