// Sees to it that the server never outlives the proxy, even one that is killed with SIGKILL: a small
// shell waits on a pipe that only the proxy holds open. When that closes without a word, it ends the
// server's process group (on Windows: its process tree). It shares no group with either of them.
import { spawn, type ChildProcess } from 'node:child_process'

const SCRIPT = `read -r _ && exit
kill -TERM "-$1" || exit
n=0
while [ $n -lt 2 ] && kill -0 "-$1"; do sleep 1; n=$((n+1)); done
kill -KILL "-$1"`

export interface Watchdog {
  /** The server has ended: nothing is to be killed any more. */
  dismiss(): void
}

/** Watches the group (on Windows the tree) of this process. A system without a shell goes without. */
export function startWatchdog(pid: number, env: NodeJS.ProcessEnv): Watchdog {
  const child = process.platform === 'win32' ? onWindows(pid) : onPosix(pid, env)
  child.on('error', () => {}) // no shell to be had: the server still sees the end of its stdin
  child.stdin?.on('error', () => {}) // it is gone already
  child.unref()
  return {
    dismiss() {
      if (process.platform === 'win32') child.kill()
      else child.stdin?.end('done\n')
    },
  }
}

function onPosix(pid: number, env: NodeJS.ProcessEnv): ChildProcess {
  return spawn('/bin/sh', ['-c', SCRIPT, 'graphmind-watchdog', String(pid)], {
    detached: true, cwd: '/', env: { PATH: env.PATH ?? '/usr/bin:/bin' }, stdio: ['pipe', 'ignore', 'ignore'],
  })
}

/** `set /p` waits for a line or the end of the pipe; nobody ever writes the line. */
function onWindows(pid: number): ChildProcess {
  const command = `set /p _= & taskkill /T /F /PID ${pid}`
  return spawn('cmd.exe', ['/d', '/s', '/c', `"${command}"`], {
    detached: true, windowsHide: true, windowsVerbatimArguments: true, stdio: ['pipe', 'ignore', 'ignore'],
  })
}
