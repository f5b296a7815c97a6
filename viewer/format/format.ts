// The one place that turns durations, sizes, counts and times into words.

/** `7 ms`, `1.42 s`, `2m 08s`, `3h 05m`. */
export function duration(ms: number): string {
  if (ms < 1) return '<1 ms'
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`
  if (ms < 60_000) return `${Math.round(ms / 1000)} s`
  const seconds = Math.floor(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${pad(seconds % 60)}s`
  return `${Math.floor(seconds / 3600)}h ${pad(Math.floor(seconds / 60) % 60)}m`
}

/** `640 B`, `2.1 KB`, `5.0 MB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 999_500) return `${(bytes / 1000).toFixed(bytes < 9950 ? 1 : 0)} KB`
  return `${(bytes / 1e6).toFixed(1)} MB`
}

/** `940`, `4.1k`, `2.3M`. */
export function count(n: number): string {
  if (n < 1000) return String(n)
  if (n < 999_500) return `${(n / 1000).toFixed(n < 9950 ? 1 : 0)}k`
  return `${(n / 1e6).toFixed(1)}M`
}

/** `1 error`, `3 errors`. */
export function plural(n: number, noun: string): string {
  return `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`
}

/** `14:02:31.022`, in the viewer's own time zone. */
export function clock(ts: number, millis = true): string {
  const at = new Date(ts)
  const text = `${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`
  return millis ? `${text}.${String(at.getMilliseconds()).padStart(3, '0')}` : text
}

/** `now`, `4m`, `2h`, then the time of day, then the date. */
export function age(ts: number, now: number): string {
  const minutes = Math.floor((now - ts) / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes}m`
  const then = new Date(ts)
  if (then.toDateString() === new Date(now).toDateString()) return `${Math.floor(minutes / 60)}h`
  if (minutes < 48 * 60) return `${pad(then.getHours())}:${pad(then.getMinutes())}`
  return then.toISOString().slice(0, 10)
}

/** A long name, shortened in the middle; of a very long one only its ends are looked at. */
export function middle(text: string, most: number): string {
  const ends = text.length > 8 * most ? `${text.slice(0, 3 * most)}${text.slice(-3 * most)}` : text
  const chars = [...ends.toWellFormed()]
  if (chars.length <= most) return ends.toWellFormed()
  const head = Math.ceil((most - 1) * 0.6)
  return `${chars.slice(0, head).join('')}…${chars.slice(chars.length - (most - 1 - head)).join('')}`
}

function pad(n: number): string {
  return String(n).padStart(2, '0')
}
