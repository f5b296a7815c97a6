// Keeps a list in the order of seq. New events nearly always go to the end; a late one is put
// where it belongs.

/** Inserts in place; equal seqs keep the order of arrival. */
export function insertBySeq<T extends { seq: number }>(list: T[], item: T): void {
  const last = list.at(-1)
  if (last === undefined || last.seq <= item.seq) list.push(item)
  else list.splice(indexAfter(list, item.seq), 0, item)
}

/** Takes an item out of its list; nothing happens when it is not there. */
export function removeBySeq<T extends { seq: number }>(list: T[], item: T): void {
  const at = indexBySeq(list, item)
  if (at >= 0) list.splice(at, 1)
}

/** Where the item stands; -1: it is not there. Logarithmic. */
export function indexBySeq<T extends { seq: number }>(list: readonly T[], item: T): number {
  for (let at = indexAfter(list, item.seq) - 1; at >= 0 && list[at]?.seq === item.seq; at--) if (list[at] === item) return at
  return -1
}

/** The index after the last item with at most this seq. */
function indexAfter(list: readonly { seq: number }[], seq: number): number {
  let low = 0
  let high = list.length
  if (high > 0 && (list[high - 1] as { seq: number }).seq <= seq) return high // the usual case
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle] as { seq: number }).seq <= seq) low = middle + 1
    else high = middle
  }
  return low
}
