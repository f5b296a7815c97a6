// Icons of one family, drawn for this viewer: 16 units, one stroke.

const PATHS = {
  agent: 'M8 2.5v2M4.5 4.5h7a1.5 1.5 0 011.5 1.5v5a1.5 1.5 0 01-1.5 1.5h-7A1.5 1.5 0 013 11V6a1.5 1.5 0 011.5-1.5zM6 8v1M10 8v1',
  llm: 'M8 2l1.4 4.1L13.5 8l-4.1 1.4L8 14l-1.4-4.6L2.5 8l4.1-1.9z',
  tool: 'M10.5 2.6a3.2 3.2 0 00-3.2 4.2L2.8 11.3a1.3 1.3 0 001.9 1.9l4.5-4.5a3.2 3.2 0 004.1-4.1l-1.9 1.9-1.7-.2-.2-1.7z',
  server: 'M3 3h10v4H3zM3 9h10v4H3zM5.2 5h.1M5.2 11h.1',
  resource: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3',
  prompt: 'M3 3.5h10v7H8l-3 2.5v-2.5H3z',
  retriever: 'M7 3a4 4 0 100 8 4 4 0 000-8zM10 10l3.2 3.2',
  chain: 'M6.5 9.5l3-3M7 4.8l1.3-1.3a2.6 2.6 0 013.7 3.7L10.7 8.5M9 11.2l-1.3 1.3A2.6 2.6 0 014 8.8l1.3-1.3',
  custom: 'M6 2.5v3M10 2.5v3M4.5 5.5h7v2a3.5 3.5 0 01-7 0zM8 11v2.5',
  find: 'M7 3a4 4 0 100 8 4 4 0 000-8zM10 10l3.2 3.2',
  fit: 'M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3',
  follow: 'M8 5a3 3 0 100 6 3 3 0 000-6zM8 2v2M8 12v2M2 8h2M12 8h2',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  moon: 'M13 9.5A5.5 5.5 0 116.5 3 4.5 4.5 0 0013 9.5z',
  sun: 'M8 5a3 3 0 100 6 3 3 0 000-6zM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7',
  play: 'M5 3.5l7 4.5-7 4.5z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  warn: 'M8 3l5.5 10h-11zM8 7v3M8 11.6v.1',
  close: 'M4 4l8 8M12 4l-8 8',
  never: 'M8 3a5 5 0 100 10A5 5 0 008 3zM4.6 4.6l6.8 6.8',
  trash: 'M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5',
} as const

export type IconName = keyof typeof PATHS

export function Icon(props: { name: IconName; kind?: boolean }) {
  return <svg class={props.kind ? `i k-${props.name}` : 'i'} viewBox="0 0 16 16" aria-hidden="true"><path d={PATHS[props.name]} /></svg>
}

/** A state as a shape and a colour: held is two bars, error a square, running a disc, ok a ring. */
export function Dot(props: { status: string }) {
  return <span class={`dot ${shape(props.status)}`} role="img" aria-label={props.status} />
}

function shape(status: string): string {
  switch (status) {
    case 'abandoned':
    case 'unanswered': return 'off'
    case 'input_required': return 'ok'
    default: return status
  }
}
