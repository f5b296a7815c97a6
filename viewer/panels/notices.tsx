// Short messages in a corner: what could not be done, and why.
import { For } from 'solid-js'
import { dismiss, notices } from '../state/session.ts'
import { Icon } from '../widgets/icon.tsx'

export function Notices() {
  return (
    <div class="toasts" role="log" aria-label="messages">
      <For each={notices()}>{({ id, text }) => <div class="toast"><span class="err"><Icon name="warn" /></span><span class="grow">{text}</span><button class="btn" aria-label="dismiss" onClick={() => dismiss(id)}><Icon name="close" /></button></div>}</For>
    </div>
  )
}
