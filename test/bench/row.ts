// What a row of the table is, and how the table is printed.

/** A row as spec 9 has it; `bar` and `aim` in words. */
export interface RowInfo {
  /** For `--only`. */
  id: string
  title: string
  against: string
  bar: string
  aim: string
  /** Is this measured value within the bar, within the aim? */
  within(value: number): 'aim' | 'bar' | 'over'
}

export interface Measured {
  /** What is compared with the bar. */
  value: number
  /** As it is printed: `1.08 x`. */
  shown: string
  /** The two figures it was made of, and anything worth knowing. */
  detail: string
}

/** Rows that are measured together, because they need the same processes. */
export interface Family {
  rows: readonly RowInfo[]
  /** Only rows in `wanted` need to be measured. A row that cannot be is left out, with the reason in `why`. */
  measure(wanted: ReadonlySet<string>, why: (id: string, reason: string) => void): Promise<Record<string, Measured>>
}

/** A bar and an aim that are upper limits. */
export function atMost(bar: number, aim: number): (value: number) => 'aim' | 'bar' | 'over' {
  return (value) => value <= aim ? 'aim' : value <= bar ? 'bar' : 'over'
}

/** A bar and an aim that are lower limits. */
export function atLeast(bar: number, aim: number): (value: number) => 'aim' | 'bar' | 'over' {
  return (value) => value >= aim ? 'aim' : value >= bar ? 'bar' : 'over'
}

export interface Line { info: RowInfo; measured: Measured | null; reason: string }

const COLUMNS = ['row', 'measured', 'bar', 'aim', '', 'detail'] as const

/** The whole table as text. */
export function table(lines: readonly Line[]): string {
  const cells = lines.map(({ info, measured, reason }) => [
    info.title, measured?.shown ?? '-', info.bar, info.aim, measured ? info.within(measured.value) : 'none', measured?.detail ?? reason,
  ])
  const all = [[...COLUMNS], ...cells]
  const widths = COLUMNS.map((_, at) => Math.max(...all.map((row) => (row[at] ?? '').length)))
  return all.map((row) => row.map((cell, at) => at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)).join('  ').trimEnd()).join('\n')
}
