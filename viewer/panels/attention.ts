// A held call must be seen wherever the person looks: the tab's title and icon say so too.
import { createEffect } from 'solid-js'
import { holds, runInfo, runs } from '../state/session.ts'
import { route } from '../state/route.ts'

const icon = (fill: string, held: boolean) => `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${held
    ? `<rect x="2" y="2" width="4.5" height="12" rx="1" fill="${fill}"/><rect x="9.5" y="2" width="4.5" height="12" rx="1" fill="${fill}"/>`
    : `<circle cx="3.5" cy="8" r="2.6" fill="${fill}"/><circle cx="12.5" cy="3.8" r="2.6" fill="${fill}"/><circle cx="12.5" cy="12.2" r="2.6" fill="${fill}"/>`}</svg>`)}`

/** Keeps title and icon in step with what is held anywhere. */
export function announceHolds(): void {
  const link = document.head.appendChild(Object.assign(document.createElement('link'), { rel: 'icon' }))
  createEffect(() => {
    const here = holds().length
    const elsewhere = runs().reduce((n, { id, held }) => n + (id === route().runId ? 0 : held ?? 0), 0)
    const name = runInfo()?.app
    document.title = `${here + elsewhere > 0 ? `⏸ ${here + elsewhere} held · ` : ''}${name ? `${name} · ` : ''}GraphMind`
    link.href = icon(here + elsewhere > 0 ? '#e0a52c' : '#8a8f98', here + elsewhere > 0)
  })
}
