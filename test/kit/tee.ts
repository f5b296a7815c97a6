// Stands between two processes on a pipe and writes down every byte of both directions:
// `node tee.ts <prefix> <command> [args…]` writes <prefix>.c2s and <prefix>.s2c.
import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'

const [prefix, command, ...args] = process.argv.slice(2)
if (!prefix || !command) throw new Error('tee.ts <prefix> <command> [args…]')
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
const [c2s, s2c] = [createWriteStream(`${prefix}.c2s`), createWriteStream(`${prefix}.s2c`)]
process.stdin.on('data', (chunk: Buffer) => {
  c2s.write(chunk)
  child.stdin.write(chunk)
})
process.stdin.on('end', () => child.stdin.end())
child.stdin.on('error', () => {}) // the server went first; its exit is what counts
child.stdout.on('data', (chunk: Buffer) => {
  s2c.write(chunk)
  process.stdout.write(chunk)
})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('close', (code) => {
  s2c.end()
  c2s.end(() => { process.exitCode = code ?? 1 })
  process.stdin.unref()
})
