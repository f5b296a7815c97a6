// JSON text in colour, token by token, as it was spelt. For texts that are read rather than
// searched: previews and frames.
import { For, Show } from 'solid-js'

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b|[^"\d-]+|./g
/** Beyond this many characters colour costs more than it tells. */
const MOST_CHARS = 20_000

interface Token { text: string; css: string }

export function JsonText(props: { text: string }) {
  return (
    <Show when={props.text.length <= MOST_CHARS} fallback={props.text}>
      <span class="json"><For each={tokens(props.text)}>{({ text, css }) => css === '' ? text : <span class={css}>{text}</span>}</For></span>
    </Show>
  )
}

function tokens(text: string): Token[] {
  return [...text.matchAll(TOKEN)].flatMap(([all, string, colon, number, word]): Token[] => {
    if (string !== undefined) return colon === undefined ? [{ text: string, css: 'str' }] : [{ text: string, css: 'key' }, { text: colon, css: '' }]
    return [{ text: all, css: number !== undefined ? 'num' : word !== undefined ? 'kw' : '' }]
  })
}
