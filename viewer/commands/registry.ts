// Every action that a key can start, in one list: keys, the ? sheet and (later) a palette read it.

export interface Command {
  id: string
  /** What it does, as a person would say it. */
  title: string
  /** As in `KeyboardEvent.key`, with `Shift+` or `Mod+` (Cmd or Ctrl) before it. */
  key?: string
  run(): void
  /** Can it be done now? Default: always. */
  enabled?(): boolean
}

const commands: Command[] = []

/** Adds commands; one of the same id is replaced, so a panel may register each time it appears. */
export function register(...added: Command[]): void {
  for (const command of added) {
    const at = commands.findIndex(({ id }) => id === command.id)
    commands.splice(at < 0 ? commands.length : at, at < 0 ? 0 : 1, command)
  }
}

export function allCommands(): readonly Command[] {
  return commands
}

/** The command of a key press, if it has one that can be done now. None while typing. */
export function commandFor(event: KeyboardEvent): Command | undefined {
  if (isTyping(event.target) || event.altKey) return undefined
  const key = keyName(event)
  return commands.find((command) => command.key === key && (command.enabled?.() ?? true))
}

function keyName(event: KeyboardEvent): string {
  const mod = event.metaKey || event.ctrlKey ? 'Mod+' : ''
  const letter = /^[a-z]$/i.test(event.key)
  const shift = event.shiftKey && (letter || event.key.length > 1) ? 'Shift+' : ''
  return mod + shift + (letter ? event.key.toUpperCase() : event.key)
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
