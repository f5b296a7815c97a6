// What is said when the command cannot be started, and the exit code for it: those of a shell, 127
// for a command that is not there and 126 for one that cannot be executed.
import { isFile } from './find-executable.ts'

export interface StartFault { exitCode: 126 | 127; line: string }

/** One line for people, without newline. */
export function startFault(error: NodeJS.ErrnoException, command: string, cwd: string, env: NodeJS.ProcessEnv, found: string | null): StartFault {
  const name = JSON.stringify(command)
  if (error.code === 'ENOENT') return { exitCode: 127, line: `graphmind: ${notFound(name, command, cwd, env, found)}` }
  if (error.code === 'EACCES' || error.code === 'EPERM') {
    const what = found !== null && !isFile(found) ? 'is a folder' : 'is not executable'
    return { exitCode: 126, line: `graphmind: ${name} ${what}${found === null ? '' : ` (${found})`}; name a program, or make it executable with chmod +x` }
  }
  return { exitCode: 126, line: `graphmind: ${name} could not be started: ${error.message}` }
}

function notFound(name: string, command: string, cwd: string, env: NodeJS.ProcessEnv, found: string | null): string {
  if (found !== null && isFile(found)) return `${name} was found (${found}), but not the interpreter that its first line names, or the working directory ${cwd} is gone`
  if (/\s/.test(command) && !/[\\/]/.test(command)) return `command not found: ${name}; the command and each argument must be words of their own, not one string`
  if (/[\\/]/.test(command)) return `command not found: there is no file ${name} in ${cwd}`
  const path = env.PATH ?? env.Path
  return path ? `command not found: ${name} is in none of the folders of PATH, which is ${path}` : `command not found: ${name}; PATH is empty, so give its full path`
}
