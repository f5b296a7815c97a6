// Waiting for a condition, never for a time. The time-out only says how long a broken test may
// take to say so.

export interface UntilOptions {
  /** After this long the test fails. Default 10,000. */
  timeoutMs?: number
  /** Pause between two looks. Default 10. */
  everyMs?: number
  /** What is waited for, in words, for the failure; a function is asked when it fails. */
  what?: string | (() => string)
}

/** Resolves with the first truthy answer of `condition`; one that throws counts as not yet. */
export async function until<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = 10_000, everyMs = 10, what = 'a condition' }: UntilOptions = {},
): Promise<Exclude<T, false | null | undefined | '' | 0>> {
  const deadline = performance.now() + timeoutMs
  let last: unknown = null
  for (;;) {
    try {
      const answer = await condition()
      if (answer) return answer as Exclude<T, false | null | undefined | '' | 0>
      last = null
    } catch (error) {
      last = error // it may work at the next look; told when time is up
    }
    if (performance.now() > deadline) break
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
  const wanted = typeof what === 'function' ? what() : what
  throw new Error(`waited ${timeoutMs} ms for ${wanted}`, last === null ? undefined : { cause: last })
}
