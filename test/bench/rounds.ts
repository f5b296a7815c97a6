// Medians over interleaved rounds: what slows the machine down for a moment meets all sides.

export function median(values: readonly number[]): number {
  return percentile(values, 50)
}

/** The value below which `share` percent of the values lie. */
export function percentile(values: readonly number[], share: number): number {
  const rising = [...values].sort((a, b) => a - b)
  return rising[Math.min(rising.length - 1, Math.ceil(rising.length * share / 100) - 1)] ?? Number.NaN
}

/** Runs every side once per round, each round in another order, after one round that does not count. */
export async function interleaved<K extends string>(
  rounds: number,
  sides: Readonly<Record<K, () => Promise<number>>>,
  { warmUp = true }: { warmUp?: boolean } = {},
): Promise<Record<K, number[]>> {
  const names = Object.keys(sides) as K[]
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>
  for (let round = warmUp ? -1 : 0; round < rounds; round++) {
    const order = round % 2 === 0 ? names : [...names].reverse()
    for (const name of order) {
      const value = await sides[name]()
      if (round >= 0) values[name].push(value)
    }
  }
  return values
}

/** The value of one side in a round over the other's in the same round; the median of these. */
export function ratio(ours: readonly number[], floor: readonly number[]): number {
  return median(ours.map((value, round) => value / (floor[round] ?? Number.NaN)))
}

export function times(value: number): string {
  return `${value.toFixed(2)} x`
}
