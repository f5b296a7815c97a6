// The bar on top: the shown run, what is armed, run or step, the way to stop everything.
import { createMemo, For, Show } from 'solid-js'
import { sameMatcher, type Matcher, type ScopedMatcher } from '../../src/wire/index.ts'
import { count, duration, plural } from '../format/format.ts'
import { breakpoints, changeMode, holds, linkState, mode, now, resume, run, runInfo, setBreakpoint } from '../state/session.ts'
import { setTheme, theme } from '../state/prefs.ts'
import { Icon } from '../widgets/icon.tsx'

const MOST_CHIPS = 3
const EVERYTHING: Matcher = { point: 'before' }

export function Bar() {
  const status = () => holds().length > 0 ? 'held' : runInfo()?.status ?? ''
  const elapsed = () => {
    const info = runInfo()
    if (!info) return ''
    return duration(info.durationMs ?? Math.max(0, (info.live ? now() : run().lastAt ?? info.startedAt) - info.startedAt))
  }
  return (
    <header class="bar">
      <div class="logo"><Logo /><span class="wide">GraphMind</span></div>
      <Show when={runInfo()}>{(info) => (<>
        <h1 class="title cut">{info().app}</h1>
        <span class={status() === 'held' ? 'amber' : status() === 'error' ? 'err' : 'dim'}>{status()}</span>
        <Show when={info().source !== 'live'}><span class="badge">{info().source === 'demo' ? 'demo' : 'imported'}</span></Show>
        <span class="sep wide" />
        <span class="dim figure wide">{elapsed()}</span>
        <Show when={run().frames.length > 0}><span class="dim wide">{plural(run().frames.length, 'frame')}</span></Show>
        <Show when={run().inputTokens + run().outputTokens > 0}><span class="dim wide">{`${count(run().inputTokens)} in, ${count(run().outputTokens)} out`}</span></Show>
        <Show when={run().errors > 0}><span class="dim wide">{plural(run().errors, 'error')}</span></Show>
      </>)}</Show>
      <span class="grow" />
      <Chips />
      <span class="sep wide" />
      <Controls />
      <button class="btn" onClick={() => setTheme(theme() === 'dark' ? 'light' : 'dark')} aria-label={`switch to the ${theme() === 'dark' ? 'light' : 'dark'} theme`} title="Theme (D)"><Icon name={theme() === 'dark' ? 'moon' : 'sun'} /></button>
      <Connection />
    </header>
  )
}

function Chips() {
  const shown = createMemo(() => breakpoints().filter((matcher) => !isPauseAll(matcher)))
  return (<>
    <For each={shown().slice(0, MOST_CHIPS)}>{(matcher) => (
      <button class="chip wide" title="Remove this breakpoint" onClick={() => setBreakpoint(bare(matcher), false, matcher.scope)}>
        <span class="dot error" style={matcher.point === 'error' ? {} : { 'border-radius': '50%' }} />{words(matcher)}<span class="faint" aria-hidden="true">✕</span>
      </button>
    )}</For>
    <Show when={shown().length > MOST_CHIPS}><span class="chip wide" title={shown().slice(MOST_CHIPS).map(words).join('\n')}>{`+${shown().length - MOST_CHIPS}`}</span></Show>
  </>)
}

function Controls() {
  const scope = () => { const info = runInfo(); return info ? { runId: info.id } : undefined }
  const paused = () => breakpoints().some(isPauseAll)
  const live = () => runInfo()?.live === true
  const pauseAll = () => {
    setBreakpoint(EVERYTHING, !paused(), scope())
    if (paused()) for (const hold of holds()) resume(hold, { action: 'continue' })
  }
  return (<>
    <div class="seg wide" role="group" aria-label="run or step">
      <button class="btn" classList={{ on: mode() === 'run' }} aria-pressed={mode() === 'run'} onClick={() => changeMode('run')}><Icon name="play" />Run</button>
      <button class="btn" classList={{ on: mode() === 'step' }} aria-pressed={mode() === 'step'} title="Stop before every call and on every error" onClick={() => changeMode('step')}>Step</button>
    </div>
    <button class="btn line" disabled={!live()} aria-pressed={paused()} onClick={pauseAll}
      title={paused() ? 'Go on, and continue what is held' : 'Stop before every call of this run'}><Icon name={paused() ? 'play' : 'pause'} />{paused() ? 'Go on' : 'Pause all'}</button>
  </>)
}

function Connection() {
  const words_ = () => ({ open: location.host, connecting: 'connecting…', lost: 'connection lost, trying again', refused: `no graphmind at ${location.host}` })[linkState()]
  return <span class="chip" role="status"><span class={`dot ${linkState() === 'open' ? 'running' : 'off'}`} /><span classList={{ lost: linkState() === 'lost' || linkState() === 'refused' }}>{words_()}</span></span>
}

function Logo() {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="3.5" cy="8" r="2.2" fill="var(--fg)" /><circle cx="12.5" cy="3.8" r="2.2" fill="var(--fg)" opacity=".55" />
      <circle cx="12.5" cy="12.2" r="2.2" fill="var(--held)" /><path d="M5.6 7.1l4.8-2.4M5.6 8.9l4.8 2.4" stroke="var(--fg3)" stroke-width="1.2" />
    </svg>
  )
}

function isPauseAll(matcher: ScopedMatcher): boolean {
  return sameMatcher(matcher, EVERYTHING) && (matcher.scope === undefined || matcher.scope.runId === runInfo()?.id)
}

function bare({ kind, name, point }: ScopedMatcher): Matcher {
  return { kind, name, point }
}

/** A breakpoint as a person says it: `on error, any node`, `before search_tasks`. */
export function words({ kind, name, point }: Matcher): string {
  const where = name ?? (kind ? `any ${kind}` : 'any node')
  return point === 'error' ? `on error, ${where}` : `${point ?? 'before'} ${where}`
}
