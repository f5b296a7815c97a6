// The token of `serve --token`: one file that only its owner can read. Our own commands and
// adapters read it from there.
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The token that is there already, unless others could have read it. */
export function readToken(home: string): string | null {
  try {
    const path = tokenPath(home)
    const text = readFileSync(path, 'utf8').trim()
    const isPrivate = process.platform === 'win32' || (statSync(path).mode & 0o077) === 0
    return isPrivate && /^[\w-]{32,}$/.test(text) ? text : null
  } catch {
    return null // none yet
  }
}

/** The token to ask for: the one that is there, or a new one, written to the file. */
export function keepToken(home: string): string {
  const present = readToken(home)
  if (present !== null) return present
  const token = randomBytes(32).toString('base64url')
  mkdirSync(home, { recursive: true, mode: 0o700 })
  writeFileSync(tokenPath(home), `${token}\n`, { mode: 0o600 })
  chmodSync(tokenPath(home), 0o600) // an older file keeps its mode when it is written over
  return token
}

function tokenPath(home: string): string {
  return join(home, 'token')
}
