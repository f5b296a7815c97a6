// Short messages for the person: what could not be done, and why.
import { createSignal } from 'solid-js'

const SHOWN_MS = 8000
const MOST_SHOWN = 4

export interface Notice { id: number; text: string }

export const [notices, setNotices] = createSignal<readonly Notice[]>([])
let count = 0

/** Says something in a corner for a while. What is being said already is not said twice. */
export function notify(text: string): void {
  if (notices().some((notice) => notice.text === text)) return
  const id = ++count
  setNotices((list) => [...list.slice(1 - MOST_SHOWN), { id, text }])
  setTimeout(() => dismiss(id), SHOWN_MS)
}

export function dismiss(id: number): void {
  setNotices((list) => list.filter((notice) => notice.id !== id))
}
