// The ? sheet: every key, from the one list of commands.
import { createSignal, For, Show } from 'solid-js'
import { allCommands, register } from '../commands/registry.ts'

const [open, setOpen] = createSignal(false)
register({ id: 'keys', title: 'Show the keys', key: '?', run: () => setOpen((on) => !on) })

export function KeySheet() {
  return (
    <Show when={open()}>
      <div class="sheet" role="dialog" aria-label="keys" onClick={() => setOpen(false)} onKeyDown={(event) => { if (event.key === 'Escape') setOpen(false) }}>
        <div><b>Keys</b>
          <dl><For each={allCommands().filter(({ key }) => key)}>{(command) => <><dt><kbd>{command.key?.replace('Mod+', /Mac/.test(navigator.platform) ? '⌘' : 'Ctrl ')}</kbd></dt><dd>{command.title}</dd></>}</For></dl>
        </div>
      </div>
    </Show>
  )
}

export function closeKeySheet(): void {
  setOpen(false)
}
