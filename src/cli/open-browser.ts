// Opens an address in the user's browser. A missing opener is no failure: the address was printed.
import { spawn } from 'node:child_process'

/** How this system opens an address. */
export function opener(platform: NodeJS.Platform, url: string): [command: string, args: string[]] {
  if (platform === 'darwin') return ['open', [url]]
  if (platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', url]]
  return ['xdg-open', [url]]
}

/** Only in a terminal and not in CI, unless `--open` or `--no-open` says otherwise. */
export function shouldOpen(flag: boolean | undefined, isTerminal: boolean, ci: string | undefined): boolean {
  return flag ?? (isTerminal && (ci === undefined || ci === '' || ci === '0' || ci === 'false'))
}

/** Resolves with false when there is nothing that opens it; waits no longer than `timeoutMs`. */
export function openBrowser(url: string, timeoutMs = 3000): Promise<boolean> {
  return new Promise((resolve) => {
    const [command, args] = opener(process.platform, url)
    const child = spawn(command, args, { detached: true, stdio: 'ignore' })
    const timer = setTimeout(resolve, timeoutMs, true) // it runs and has not complained
    child.once('error', () => settle(false))
    child.once('exit', (code) => settle(code === 0))
    child.unref()
    function settle(opened: boolean): void {
      clearTimeout(timer)
      resolve(opened)
    }
  })
}
