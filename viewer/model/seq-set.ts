// The seqs of a run that were applied, as a few ranges: runs are nearly always one.

export class SeqSet {
  /** Rising, apart: [from, to] both inclusive. */
  readonly #ranges: [number, number][] = []

  /** Adds a seq; false: it was there. */
  add(seq: number): boolean {
    const at = this.#after(seq)
    const before = this.#ranges[at - 1]
    if (before && seq <= before[1]) return false
    const next = this.#ranges[at]
    const joinsBefore = before !== undefined && before[1] === seq - 1
    const joinsNext = next !== undefined && next[0] === seq + 1
    if (joinsBefore && joinsNext) {
      before[1] = next[1]
      this.#ranges.splice(at, 1)
    } else if (joinsBefore) before[1] = seq
    else if (joinsNext) next[0] = seq
    else this.#ranges.splice(at, 0, [seq, seq])
    return true
  }

  /** The largest seq; -1: none. */
  get last(): number {
    return this.#ranges.at(-1)?.[1] ?? -1
  }

  /** The end of the unbroken beginning: everything up to it is here. -1: nothing is. */
  get complete(): number {
    return this.#ranges.length === 1 ? this.last : this.#ranges[0]?.[1] ?? -1
  }

  /** Index of the first range that starts after `seq`. */
  #after(seq: number): number {
    let low = 0
    let high = this.#ranges.length
    if (high > 0 && seq >= (this.#ranges[high - 1] as [number, number])[0]) return high // the usual case
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#ranges[middle] as [number, number])[0] <= seq) low = middle + 1
      else high = middle
    }
    return low
  }
}
