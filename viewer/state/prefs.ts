// What a person arranged for themselves: theme, sizes, what is folded. Kept in this browser.
import { createEffect, createRoot, createSignal, type Signal } from 'solid-js'

function kept<T extends string | number | boolean>(key: string, initial: T): Signal<T> {
  const [value, set] = createSignal<T>(read(key, initial))
  createRoot(() => createEffect(() => {
    try {
      localStorage.setItem(`graphmind.${key}`, JSON.stringify(value()))
    } catch {
      // Storage may be forbidden or full; the choice then lasts as long as the page.
    }
  }))
  return [value, set]
}

function read<T>(key: string, initial: T): T {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(`graphmind.${key}`) ?? 'null')
    return typeof stored === typeof initial ? stored as T : initial
  } catch {
    return initial // written by something else
  }
}

export const [theme, setTheme] = kept<string>('theme', matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark')
export const [railOpen, setRailOpen] = kept<boolean>('rail', true)
export const [drawerOpen, setDrawerOpen] = kept<boolean>('drawer', innerHeight >= 800)
export const [drawerHeight, setDrawerHeight] = kept<number>('drawerHeight', 236)
export const [inspectorWidth, setInspectorWidth] = kept<number>('inspectorWidth', 408)
export const [drawerTab, setDrawerTab] = kept<string>('drawerTab', 'frames')
