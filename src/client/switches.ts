// What a person switched off: the whole instrumentation, or values that must never leave the
// app. Pure: the environment comes in as an argument. Code can never undo the environment.
import type { NodeKind } from '../wire/index.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** What is replaced with `"__REDACTED__"` before it is kept anywhere. */
export interface HideSwitches {
  /** Every node's input; streamed tool arguments are emptied. */
  readonly hideInputs: boolean
  /** Every node's output; streamed text is emptied, its length kept. */
  readonly hideOutputs: boolean
  /** Tool nodes' input. */
  readonly hideToolArgs: boolean
  /** Tool nodes' output. */
  readonly hideToolResults: boolean
}

/** Any value but empty, 0, false, off and no counts as on. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && !/^(|0|false|off|no)$/i.test(value.trim())
}

/** GRAPHMIND_DISABLED, then the `enabled` option, then production (off unless GRAPHMIND is on), else on. */
export function readEnabled(option: boolean | undefined, env: Env): boolean {
  if (isOn(env.GRAPHMIND_DISABLED)) return false
  if (option !== undefined) return option
  return env.NODE_ENV !== 'production' || isOn(env.GRAPHMIND)
}

/** A switch is on where the option or the environment says so. */
export function readHideSwitches(options: Partial<HideSwitches>, env: Env): HideSwitches {
  return {
    hideInputs: options.hideInputs === true || isOn(env.GRAPHMIND_HIDE_INPUTS),
    hideOutputs: options.hideOutputs === true || isOn(env.GRAPHMIND_HIDE_OUTPUTS),
    hideToolArgs: options.hideToolArgs === true || isOn(env.GRAPHMIND_HIDE_TOOL_ARGS),
    hideToolResults: options.hideToolResults === true || isOn(env.GRAPHMIND_HIDE_TOOL_RESULTS),
  }
}

export function anyHidden(switches: HideSwitches): boolean {
  return switches.hideInputs || switches.hideOutputs || switches.hideToolArgs || switches.hideToolResults
}

/** Must this side of a node stay in the app? A node of unknown kind may be a tool. */
export function hidden(switches: HideSwitches, kind: NodeKind | undefined, side: 'input' | 'output'): boolean {
  const tool = kind === undefined || kind === 'tool'
  return side === 'input'
    ? switches.hideInputs || (tool && switches.hideToolArgs)
    : switches.hideOutputs || (tool && switches.hideToolResults)
}
