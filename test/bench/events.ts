// Events as an agent emits them, made ahead as text. Small ones: a call starts, streams, ends.

const TEXT = 'The quick brown fox jumps over the lazy dog, twice.'

/** `count` envelopes of one run, run.started and run.finished included, `nodes` different nodes in it. */
export function* runTexts(runId: string, count: number, nodes = 20): Generator<string> {
  const at = (seq: number) => `{"gm":1,"seq":${seq},"ts":${1_764_600_000_000 + seq},"runId":"${runId}","type":`
  yield `${at(0)}"run.started","payload":{"app":"bench","sdk":{"name":"bench","version":"1"}}}`
  for (let seq = 1; seq < count - 1; seq++) {
    const call = Math.floor((seq - 1) / 3)
    const node = call % nodes
    const parent = node === 0 ? '' : `"parentId":"tool:${(node - 1) >> 2}",`
    const who = `"nodeId":"tool:${node}","instanceId":"i${call}"`
    if (seq % 3 === 1) yield `${at(seq)}"node.started","payload":{${who},${parent}"kind":"tool","name":"lookup ${node}","input":{"city":"Lisbon","page":${call}}}}`
    else if (seq % 3 === 2) yield `${at(seq)}"node.token","payload":{${who},"deltas":[{"t":"text","v":"${TEXT}"}]}}`
    else yield `${at(seq)}"node.finished","payload":{${who},"output":{"found":${call},"ok":true},"durationMs":12,"status":"ok"}}`
  }
  yield `${at(count - 1)}"run.finished","payload":{"status":"ok"}}`
}
