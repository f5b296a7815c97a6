// Keeps a list in the order of seq. New events nearly always go to the end; a late one is put
// where it belongs.

/** Inserts in place; equal seqs keep the order of arrival. */
export function insertBySeq<T extends { seq: number }>(list: T[], item: T): void {
  const last = list.at(-1)
  if (last === undefined || last.seq <= item.seq) {
    list.push(item)
    return
  }
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle] as T).seq <= item.seq) low = middle + 1
    else high = middle
  }
  list.splice(low, 0, item)
}
