// Where a command is, as the system would find it: for people to read, never to start it with.
import { accessSync, constants, statSync, type Stats } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

/** The full path, or null. A file that is there but not executable is told when nothing better is. */
export function findExecutable(command: string, cwd: string, env: NodeJS.ProcessEnv): string | null {
  const candidates = /[\\/]/.test(command)
    ? withEndings(resolve(cwd, command), env)
    : (env.PATH ?? env.Path ?? '').split(delimiter).flatMap((folder) => withEndings(join(resolve(cwd, folder), command), env))
  return candidates.find((path) => isFile(path) && isExecutable(path)) ?? candidates.find((path) => stat(path) !== undefined) ?? null
}

export function isFile(path: string): boolean {
  return stat(path)?.isFile() ?? false
}

function stat(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined // a part of the path is no folder, or may not be entered
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function withEndings(path: string, env: NodeJS.ProcessEnv): string[] {
  if (process.platform !== 'win32') return [path]
  return [path, ...(env.PATHEXT ?? '.COM;.EXE;.BAT;.CMD').split(';').map((ending) => path + ending.toLowerCase())]
}
