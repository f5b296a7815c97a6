// Copies a text, and says for a moment that it did.
import { createSignal } from 'solid-js'
import { Icon } from './icon.tsx'

export function CopyButton(props: { text: () => string; label: string; words?: boolean }) {
  const [done, setDone] = createSignal(false)
  const copy = async () => {
    await navigator.clipboard.writeText(props.text())
    setDone(true)
    setTimeout(() => setDone(false), 1500)
  }
  return (
    <button class="btn" classList={{ line: props.words }} onClick={() => void copy()} aria-label={props.words ? undefined : props.label} title={props.label}>
      <Icon name="copy" />{props.words || done() ? <span>{done() ? 'Copied' : 'Copy'}</span> : null}
    </button>
  )
}
