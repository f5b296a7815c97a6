// Deep links into the viewer.

/** The viewer's address for a run or one of its nodes: `#/run/<id>[/node/<nodeId>]`, both URI-encoded. */
export function runHash(runId: string, nodeId?: string): string {
  const run = `#/run/${encodeURIComponent(runId.toWellFormed())}`
  return nodeId === undefined ? run : `${run}/node/${encodeURIComponent(nodeId.toWellFormed())}`
}
