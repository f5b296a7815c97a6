// What is known about the chosen node and one of its executions.
import { VList } from 'virtua/solid'
import { createMemo, createSignal, For, Show } from 'solid-js'
import { clock, count, duration, plural, size } from '../format/format.ts'
import { requestOf, toolInfo } from '../model/mcp.ts'
import { caveat, holdOfInstance, inputOf, nodeTitle, numberOf, outputOf } from '../model/read.ts'
import type { Instance, NodeState } from '../model/run-model.ts'
import { frameNumber, instanceId, now, run, runInfo, setFrameNumber, setInstanceId } from '../state/session.ts'
import { route } from '../state/route.ts'
import { CopyButton } from '../widgets/copy-button.tsx'
import { Dot, Icon } from '../widgets/icon.tsx'
import { JsonText } from '../widgets/json-text.tsx'
import { JsonView } from '../widgets/json-view.tsx'
import { prettyJson } from '../widgets/pretty-json.ts'

type Tab = 'call' | 'frames' | 'schema' | 'server'

export function Inspector() {
  const node = () => { run(); return run().nodes.get(route().nodeId ?? '') }
  return (
    <Show when={node()?.id} keyed fallback={<aside class="insp" aria-label="inspector"><div class="blank">Choose a node to see its calls.</div></aside>}>
      {(id) => <Inspected id={id} />}
    </Show>
  )
}

function Inspected(props: { id: string }) {
  const node = () => { run(); return run().nodes.get(props.id) as NodeState }
  const newestFirst = createMemo(() => node().instances.toReversed())
  const instance = createMemo(() => { run(); return chosenOf(node()) ?? node().instances.at(-1) }, undefined, { equals: false })
  const isServer = () => node().kind === 'server'
  const schema = createMemo(() => node().kind === 'tool' ? toolInfo(run(), node().name) : null)
  const [tab, setTab] = createSignal<Tab>(isServer() ? 'server' : 'call')
  const tabs = (): [Tab, string][] => [
    ...(isServer() ? [['server', 'Server']] as [Tab, string][] : []), ['call', 'Call'],
    ...((instance()?.frames.length ?? 0) > 0 ? [['frames', 'Frames']] as [Tab, string][] : []),
    ...(schema() ? [['schema', 'Schema']] as [Tab, string][] : []),
  ]
  const shown = () => tabs().some(([id]) => id === tab()) ? tab() : tabs()[0]?.[0] ?? 'call'
  return (
    <aside class="insp" aria-label="inspector">
      <header>
        <h2><Icon name={node().kind} kind /><span class="cut" title={nodeTitle(run(), node())}>{nodeTitle(run(), node())}</span><span class="grow" /><CopyButton text={() => location.href} label="Copy the link to this node" /></h2>
        <div class="dim" style={{ 'margin-top': '3px' }}>{summary(node())}</div>
      </header>
      <div class="tabs" role="tablist">
        <For each={tabs()}>{([id, title]) => <button role="tab" aria-selected={shown() === id} classList={{ on: shown() === id }} onClick={() => setTab(id)}>{title}</button>}</For>
      </div>
      <Show when={newestFirst().length > 0 && !isServer()}>
        <div class="exs" role="listbox" aria-label="executions, newest first" style={{ height: `${Math.min(newestFirst().length, 5) * 24 + 12}px` }}>
          <VList data={newestFirst()} itemSize={24} style={{ height: '100%' }}>{(each) => <Execution instance={each} chosen={instance()?.id === each.id} />}</VList>
        </div>
      </Show>
      <div class="body" tabindex="0" role="tabpanel" aria-label={shown()}>
        <Show when={shown() === 'server'}><Server /></Show>
        <Show when={shown() === 'schema'}><Schema name={node().name} /></Show>
        <Show when={instance()} fallback={<Show when={shown() === 'call'}><div class="blank">Not called yet.</div></Show>}>{(known) => (<>
          <Show when={shown() === 'call'}><Call instance={known()} /></Show>
          <Show when={shown() === 'frames'}><Frames instance={known()} /></Show>
        </>)}</Show>
      </div>
    </aside>
  )
}

function chosenOf(node: NodeState): Instance | undefined {
  const chosen = run().instances.get(instanceId() ?? '')
  return chosen?.nodeId === node.id ? chosen : undefined
}

function summary(node: NodeState): string {
  const what = node.kind === 'server' ? 'MCP server' : node.kind === 'custom' ? node.id : `${node.kind}${run().app ? ` of ${run().app}` : ''}`
  return [what, node.kind === 'server' ? '' : plural(node.instances.length, 'call'), node.errors > 0 ? plural(node.errors, 'error') : '', node.findings > 0 ? plural(node.findings, 'finding') : ''].filter(Boolean).join(' · ')
}

function statusWords(instance: Instance): string {
  const hold = holdOfInstance(run(), instance.id)
  if (hold) return hold.point === 'error' ? 'held at error' : `held ${hold.point}`
  return ({ running: 'running', ok: 'ok', error: 'failed', aborted: 'aborted', input_required: 'asked for input', unanswered: 'not answered', unsupported: 'not supported', warning: 'warning' })[instance.status]
}

function Execution(props: { instance: Instance; chosen: boolean }) {
  const held = () => { run(); return holdOfInstance(run(), props.instance.id) }
  return (
    <button class="ex" role="option" aria-selected={props.chosen} classList={{ on: props.chosen }} onClick={() => setInstanceId(props.instance.id)}>
      <Dot status={held() ? 'held' : (run(), props.instance.status)} />
      <span class="mono dim">{`#${numberOf(run(), props.instance)}`}</span>
      <span class="cut" classList={{ amber: held() !== undefined, err: props.instance.status === 'error', dim: props.instance.status === 'ok' }}>{(run(), statusWords(props.instance))}{props.instance.link ? `, ${props.instance.link.why} of an earlier call` : ''}</span>
      <span class="dim">{(run(), props.instance.durationMs === null ? '' : duration(props.instance.durationMs))}</span>
      <span class="faint">{clock(props.instance.startedAt, false)}</span>
    </button>
  )
}

function Call(props: { instance: Instance }) {
  const it = () => { run(); return props.instance }
  const hold = () => holdOfInstance(run(), it().id)
  const input = createMemo(() => inputOf(it()))
  const output = createMemo(() => outputOf(it()))
  const request = createMemo(() => requestOf(it()))
  return (<>
    <Show when={it().error}>{(error) => <div class="note">{error().message}{error().stack ? `\n\n${error().stack}` : ''}</div>}</Show>
    <Show when={it().streamed && it().status === 'running'}><div class="note mild">{it().streamed}</div></Show>
    <Value title={request()?.method === 'tools/call' ? 'Params' : 'Input'} text={input()} caveat={caveat(it().startText, 'input')} />
    <Value title="Output" text={output()} caveat={caveat(it().endText, 'output')} badge={hold() && output() !== undefined ? 'held, not sent yet' : undefined} />
    <dl class="kv">
      <Show when={it().durationMs !== null}><dt>Took</dt><dd>{duration(it().durationMs ?? 0)}</dd></Show>
      <Show when={hold()} fallback={<Show when={it().heldMs}>{(ms) => <><dt>Held for</dt><dd>{duration(ms())}</dd></>}</Show>}>{(held) => <><dt>Held for</dt><dd class="amber">{duration(Math.max(0, now() - held().since))}</dd></>}</Show>
      <dt>Started</dt><dd>{clock(it().startedAt)}</dd>
      <Show when={it().usage}>{(usage) => <><dt>Tokens</dt><dd>{`${count(usage().inputTokens)} in, ${count(usage().outputTokens)} out`}</dd></>}</Show>
      <Show when={request()?.id}>{(id) => <><dt>Request id</dt><dd class="mono">{id()}</dd></>}</Show>
      <Show when={it().link}>{(link) => <><dt>Continues</dt><dd><button class="link" onClick={() => setInstanceId(link().instanceId)}>{`the ${link().why === 'retry' ? 'call that it retries' : link().why === 'edit' ? 'call that was edited' : link().why === 'task' ? 'call that made the task' : 'call that asked for input'}`}</button></dd></>}</Show>
      <dt>Execution</dt><dd class="mono">{it().id}</dd>
    </dl>
  </>)
}

function Value(props: { title: string; text: string | undefined; caveat: string | null; badge?: string }) {
  return (
    <Show when={props.text !== undefined}>
      <div class="sect">
        <h3>{props.title}<Show when={props.badge}><span class="badge amber">{props.badge}</span></Show><Show when={props.caveat}><span class="badge">{props.caveat}</span></Show>
          <span class="grow" />{size(new TextEncoder().encode(props.text).length)}<CopyButton text={() => prettyJson(props.text ?? '')} label={`Copy the ${props.title.toLowerCase()}`} /></h3>
        <JsonView text={props.text ?? ''} label={props.title} />
      </div>
    </Show>
  )
}

function Frames(props: { instance: Instance }) {
  return <For each={(run(), [...props.instance.frames])}>{(frame) => (
    <div class="sect">
      <h3><span class="mono">{`#${frame.n}`}</span><span>{frame.dir === 's2c' ? '← from the server' : frame.dir === 'c2s' ? '→ to the server' : 'in a batch'}</span>
        <Show when={frame.ours}><span class="badge amber">written by graphmind</span></Show><span class="faint">{clock(frame.ts)}</span><span class="grow" />{frame.bytes === undefined ? '' : size(frame.bytes)}
        <Show when={frame.text}>{(text) => <CopyButton text={text} label="Copy the frame" />}</Show></h3>
      <pre class="raw" tabindex="0" role="region" aria-label={`frame ${frame.n}`} classList={{ on: frameNumber() === frame.n }} onClick={() => setFrameNumber(frame.n)}><Show when={frame.text} fallback={frame.b64 ? `not UTF-8, base64: ${frame.b64}` : frame.dropped ? 'fetched again…' : 'hidden by a switch where it was recorded'}>{(text) => <JsonText text={text()} />}</Show></pre>
    </div>
  )}</For>
}

function Schema(props: { name: string }) {
  const tool = createMemo(() => toolInfo(run(), props.name))
  return (<>
    <Show when={tool()?.description}>{(text) => <div class="sect dim" style={{ 'white-space': 'pre-wrap' }}>{text()}</div>}</Show>
    <Value title="Input schema" text={asText(tool()?.inputSchema)} caveat={null} />
    <Value title="Output schema" text={asText(tool()?.outputSchema)} caveat={null} />
    <Value title="Annotations" text={asText(tool()?.annotations)} caveat={null} />
  </>)
}

function Server() {
  const meta = () => run().meta
  const rows = (): [string, string][] => [
    ['Revision', word(meta().revision)], ['Server', identity(meta().serverInfo)], ['Client', identity(meta().clientInfo)],
    ['Command', Array.isArray(meta().command) ? (meta().command as unknown[]).map(String).join(' ') : word(meta().command)],
    ['Executable', word(meta().executable)], ['Folder', word(meta().cwd)], ['Hidden', Array.isArray(meta().hidden) ? (meta().hidden as string[]).join(', ') : ''],
    ['Run', runInfo()?.id ?? ''],
  ]
  return (<>
    <For each={run().findings.toReversed()}>{(finding) => <div class="note" classList={{ mild: finding.level === 'info' }}>{finding.message}</div>}</For>
    <dl class="kv" style={{ 'border-top': 'none', 'margin-top': '0' }}><For each={rows().filter(([, text]) => text !== '')}>{([name, text]) => <><dt>{name}</dt><dd class="mono">{text}</dd></>}</For></dl>
    <Show when={run().log.length > 0}>
      <div class="sect"><h3>Server log, newest lines</h3><pre class="raw" tabindex="0" role="region" aria-label="server log">{run().log.slice(-200).map(({ text }) => text).join('\n')}</pre></div>
    </Show>
  </>)
}

function identity(info: unknown): string {
  if (typeof info !== 'object' || info === null) return ''
  const { name, version } = info as { name?: unknown; version?: unknown }
  return [word(name), word(version)].filter(Boolean).join(' ')
}

function word(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function asText(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value)
}

