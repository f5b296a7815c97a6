// What is held, and the ways out. The loudest thing on the screen: somebody's time is running.
import { createMemo, createSignal, For, Show } from 'solid-js'
import { compactJson } from '../../src/wire/index.ts'
import { register } from '../commands/registry.ts'
import { duration } from '../format/format.ts'
import { editable, isSafeToRepeat, requestOf, toolInfo } from '../model/mcp.ts'
import { nodeTitle } from '../model/read.ts'
import type { Hold } from '../model/run-model.ts'
import { activeHold, changeMode, editing, holds, mute, now, resume, run, runInfo, runs, setEditing, setInstanceId, setSelectedHold } from '../state/session.ts'
import { go, route } from '../state/route.ts'
import { Dot, Icon } from '../widgets/icon.tsx'

const MOST_ROWS = 3
const [sure, setSure] = createSignal<string | null>(null)

const act = {
  continue: (hold: Hold) => void resume(hold, { action: 'continue' }),
  step: (hold: Hold) => {
    changeMode('step')
    resume(hold, { action: 'continue' })
  },
  retry: (hold: Hold) => {
    if (!mayRepeat(hold) && sure() !== hold.pauseId) return setSure(hold.pauseId)
    setSure(null)
    resume(hold, { action: hold.point === 'before' ? 'continue' : 'retry' })
  },
  edit: (hold: Hold) => setEditing({ hold, kind: hold.point === 'before' ? 'edit' : 'retry' }),
  inject: (hold: Hold) => setEditing({ hold, kind: 'inject' }),
  abort: (hold: Hold) => void resume(hold, { action: 'abort' }),
}

for (const [id, title, key] of [['continue', 'Continue', 'C'], ['step', 'Step', 'S'], ['retry', 'Retry', 'R'], ['edit', 'Edit and run', 'E'], ['inject', 'Inject a result', 'I']] as const) {
  register({
    id: `hold.${id}`, title, key,
    enabled: () => activeHold() !== undefined && editing() === null,
    run() {
      const hold = activeHold()
      if (hold) act[id](hold)
    },
  })
}

export function HoldBar() {
  const elsewhere = createMemo(() => runs().find(({ id, held }) => (held ?? 0) > 0 && id !== route().runId))
  const first = createMemo(() => holds().slice(0, MOST_ROWS))
  return (
    <section class="holds" aria-label="held calls" hidden={holds().length === 0 && !elsewhere()}>
      <For each={first()}>{(hold) => <Row hold={hold} />}</For>
      <Show when={holds().length > 1}>
        <div class="more">
          <Show when={holds().length > MOST_ROWS}><span>{`and ${holds().length - MOST_ROWS} more`}</span></Show>
          <span class="grow" /><button class="btn" onClick={() => { for (const hold of holds()) act.continue(hold) }}>{`Continue all ${holds().length}`}</button>
        </div>
      </Show>
      <Show when={elsewhere()}>{(other) => (
        <button class="elsewhere" onClick={() => go(other().id)}><Dot status="held" /><b>{other().app}</b><span class="amber">is held in another run</span><span class="link">show it</span></button>
      )}</Show>
    </section>
  )
}

function Row(props: { hold: Hold }) {
  const node = () => run().nodes.get(props.hold.nodeId)
  const instance = () => run().instances.get(props.hold.instanceId ?? '')
  const title = () => { const known = node(); return known ? nodeTitle(run(), known) : props.hold.nodeId }
  const args = createMemo(() => { const known = instance(); return known ? compactJson(editable(known, requestOf(known))).slice(0, 90) : '' })
  const gone = () => runInfo()?.live === false
  const pick = () => {
    setSelectedHold(props.hold.pauseId)
    const { runId } = route()
    if (runId !== null) go(runId, props.hold.nodeId)
    setInstanceId(props.hold.instanceId ?? null)
  }
  return (<>
    <div class="hold" classList={{ sel: activeHold()?.pauseId === props.hold.pauseId }} data-hold={props.hold.pauseId}>
      <div class="what">
        <Dot status="held" />
        <button onClick={pick} title="Show it"><b>{title()}</b></button>
        <span class="where"><span class="dim">{WHERE[props.hold.point]}</span> {runInfo()?.app} <span class="faint">·</span></span>
        <span class="amber since">{gone() ? 'the app went away' : `held ${duration(Math.max(0, now() - props.hold.since))}, the caller is waiting`}</span>
        <span class="args cut">{args()}</span>
      </div>
      <button class="btn warm" disabled={gone()} onClick={() => act.continue(props.hold)}>Continue <kbd>C</kbd></button>
      <button class="btn line" disabled={gone()} onClick={() => act.step(props.hold)} title="Continue, and stop at the next call">Step <kbd>S</kbd></button>
      <Show when={props.hold.point !== 'before'}>
        <button class="btn line" disabled={gone()} onClick={() => act.retry(props.hold)} title={mayRepeat(props.hold) ? 'Make the same call again' : 'The tool does not say that it is safe to call twice'}>{sure() === props.hold.pauseId ? 'Really retry?' : 'Retry'} <kbd>R</kbd></button>
      </Show>
      <Show when={props.hold.editable || props.hold.point !== 'before'}>
        <button class="btn line" disabled={gone()} onClick={() => act.edit(props.hold)} title={props.hold.point === 'before' ? 'Run it with other arguments' : 'Call again with other arguments'}>Edit… <kbd>E</kbd></button>
      </Show>
      <button class="btn line" disabled={gone()} onClick={() => act.inject(props.hold)} title="Answer in its place">Inject… <kbd>I</kbd></button>
      <button class="btn err" disabled={gone()} onClick={() => act.abort(props.hold)} title="End the call with an error">Abort</button>
      <button class="btn" onClick={() => { mute(props.hold.nodeId, true); act.continue(props.hold) }} title={`Don't stop at ${title()} again in this run`} aria-label="don't stop here again"><Icon name="never" /></button>
    </div>
    <Show when={props.hold.refusal}>{(refusal) => <div class="refusal" role="alert">Not taken: {refusal().message}</div>}</Show>
  </>)
}

const WHERE = { before: 'is about to run in', after: 'has answered in', error: 'failed in' } as const

/** Only a tool that says so is called twice without asking. */
function mayRepeat(hold: Hold): boolean {
  const node = run().nodes.get(hold.nodeId)
  return hold.point === 'before' || node?.kind !== 'tool' || isSafeToRepeat(toolInfo(run(), node.name))
}
