// Who has the port: another graphmind, or something else?

export interface Running { version: string; /** It asks for a token. */ guarded: boolean }

/** Null: whatever listens there does not answer as graphmind within `timeoutMs`. */
export async function findRunning(port: number, timeoutMs = 1500): Promise<Running | null> {
  const base = `http://127.0.0.1:${port}`
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const answer: unknown = await (await fetch(`${base}/health`, { signal })).json()
    if (!isOurs(answer)) return null
    const { status } = await fetch(`${base}/api/runs`, { method: 'HEAD', signal })
    return { version: answer.version, guarded: status === 401 }
  } catch {
    return null // it does not speak HTTP, or is silent: not ours
  }
}

function isOurs(answer: unknown): answer is { version: string } {
  return typeof answer === 'object' && answer !== null && 'name' in answer && answer.name === 'graphmind-ai'
    && 'version' in answer && typeof answer.version === 'string'
}
