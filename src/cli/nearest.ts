// What was probably meant by a misspelt word.

/** The candidate that is closest to the word, or null when none is close. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  let best: string | null = null
  let bestDistance = Infinity
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate)
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance]
  }
  return best !== null && bestDistance <= Math.max(2, Math.ceil(best.length / 3)) && bestDistance < best.length ? best : null
}

/** Steps to turn one word into the other: insert, delete, replace, or swap two neighbours. */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let last: number[] = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let steps = Math.min(cell(last, j) + 1, cell(row, j - 1) + 1, cell(last, j - 1) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) steps = Math.min(steps, cell(before, j - 2) + 1)
      row.push(steps)
    }
    [before, last] = [last, row]
  }
  return cell(last, b.length)
}

function cell(row: readonly number[], index: number): number {
  return row[index] ?? Infinity
}
