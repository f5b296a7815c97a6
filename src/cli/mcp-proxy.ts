// `graphmind mcp-proxy`: checks what it was asked for and hands over to the proxy. stdout belongs to
// the protocol: every word of ours goes to stderr.
import { isUrl, recipeText, runProxy, urlRefusal } from '../proxy/index.ts'
import type { CommandLine } from './command-line.ts'
import type { World } from './commands.ts'
import { readHide, readIngestUrl, readMaxFrameBytes, readPauseOnError } from './settings.ts'

export async function mcpProxy({ values, switches, rest }: CommandLine, world: World): Promise<number> {
  const { env, cwd, stdin, stdout, stderr, version, self } = world
  readPauseOnError(values, {}) // no effect here, but a mistake in it is still a mistake
  const { url, viewerUrl, ignored } = readIngestUrl(values, env)
  const hide = readHide(values)
  const maxFrameBytes = readMaxFrameBytes(values)
  const [command, ...args] = rest
  if (command === undefined) {
    stderr.write(recipeText({ version, self, platform: process.platform }))
    return 2
  }
  if (isUrl(command)) {
    stderr.write(urlRefusal(command))
    return 2
  }
  if (ignored !== null) stderr.write(`graphmind: GRAPHMIND_URL is "${ignored}", which is no ws:// address; using ${url}.\n`)
  return runProxy({
    command, args, url, viewerUrl, env, cwd, stdin, stdout, stderr, version, self, hide, maxFrameBytes,
    trace: switches.trace === true,
    waitForAttach: switches['wait-for-attach'] === true,
    inheritStderr: switches['inherit-stderr'] === true,
  })
}
