// The floor of every proxy row: a Node process that pipes stdin and stdout to a child and does
// nothing else. Plain JavaScript, so that its start-up is Node's alone.
const { spawn } = require('node:child_process')

const [command, ...args] = process.argv.slice(2)
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
process.stdin.pipe(child.stdin)
child.stdout.pipe(process.stdout)
child.on('exit', (code) => process.exit(code ?? 1))
