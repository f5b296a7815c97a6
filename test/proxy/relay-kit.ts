// Makers for tests of the relay: a proxied server as a process, and the bytes that have gone wrong
// in other people's proxies.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnv, freePort, graphmind, ROOT, start, tempDir, type Started, type StartOptions } from '../kit/index.ts'

/** Node and the path of a fixture. */
export function server(name: string, ...args: (string | number)[]): string[] {
  return [process.execPath, join(ROOT, 'test/fixtures/servers', `${name}.ts`), ...args.map(String)]
}

export interface ProxiedOptions extends StartOptions {
  /** Where the debugger is; default: a port that nobody listens on. */
  port?: number
  flags?: string[]
}

/** `graphmind mcp-proxy` in front of a command. */
export async function proxied(command: readonly string[], { port, flags = [], env, ...rest }: ProxiedOptions = {}): Promise<Started> {
  const home = tempDir()
  const at = port ?? await freePort()
  return start(...graphmind('mcp-proxy', '--port', String(at), ...flags, '--', ...command), { env: cleanEnv({ HOME: home, GRAPHMIND_HOME: home, ...env }), ...rest })
}

export function sha(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Is there such a process, other than as a zombie that nobody has collected? */
export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const stat = `/proc/${pid}/stat`
  return !existsSync(stat) || !/\) [ZX] /.test(readFileSync(stat, 'utf8'))
}

/** The most memory that a process ever had, in bytes; null where the system does not tell. */
export function peakMemory(pid: number): number | null {
  const match = existsSync(`/proc/${pid}/status`) ? /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) : null
  return match ? Number(match[1]) * 1024 : null
}

/** Lines that a proxy which decodes, parses or writes again gets wrong. */
export const NASTY: readonly Buffer[] = [
  text('{"a":"\u2028\u2029\u0085"}\n'), text('{"lone":"cr\rinside"}\n'), text('{"jsonrpc":"2.0","method":"crlf"}\r\n'),
  text('\n'), text('\r\n'), text('   \n'), text('\ufeff{"bom":true}\n'), text('{"nul":"\0"}\0\n'),
  Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from([0x22, 0xed, 0xa0, 0xbd, 0x22, 0x0a]), Buffer.from([0xf0, 0x9f, 0x0a]),
  text('{"emoji":"😀 and 👩‍👩‍👧"}\n'),
  text('{"jsonrpc":"2.0","id":1,"result":{"n":9007199254740993,"f":1.0,"z":-0,"big":1E400,"a":1,"a":2,"s":"\\/","2":0,"1":0}}\n'),
  text('{"jsonrpc":"2.0","id":"1","method":"tools/call","params":{"name":"x","arguments":{"n":9007199254740993}}}\n'),
  text('{"jsonrpc":"2.0","id":1e0,"error":{"code":-32603,"message":"no"}}\n'),
  text('{"jsonrpc":"2.0","id":2,"result":{"isError":true,"content":[]}}\n'),
  text('[{"jsonrpc":"2.0","id":7,"method":"ping"},{"jsonrpc":"2.0","method":"x"}]\n'),
  text('[]\n'), text('{}\n'), text('null\n'), text('{"a":\n'), text('}{\n'), text('Server listening on stdio\n'),
  text('Content-Length: 2\r\n\r\n{}\n'), text('{"id":1,"id":2,"method":null}\n'), text('{"__proto__":{"x":1},"constructor":1}\n'),
  text(`{"deep":${'['.repeat(2000)}${']'.repeat(2000)}}\n`),
]

/** A line of exactly so many bytes, its newline included. */
export function lineOf(bytes: number): Buffer {
  const line = Buffer.alloc(bytes, 'z')
  line.write('{"jsonrpc":"2.0","method":"pad","params":["')
  line.write('"]}\n', bytes - 4)
  return line
}

function text(value: string): Buffer {
  return Buffer.from(value, 'utf8')
}
