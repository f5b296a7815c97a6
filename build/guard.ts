// The text of dist/bin.cjs, the first thing that npx runs: it must be readable by any Node there
// ever was, and must say in one line when that Node is too old. It answers --version by itself.

/** `engines` is the range of package.json, `>=major.minor`. */
export function guardText(version: string, engines: string): string {
  const wanted = /^>=(\d+)\.(\d+)$/.exec(engines)
  if (!wanted) throw new Error(`package.json: engines.node is "${engines}", the guard reads only ">=major.minor"`)
  const [, major, minor] = wanted
  return `#!/usr/bin/env node
'use strict'
var has = process.versions.node.split('.').map(Number)
var asked = process.argv[2]
if (has[0] < ${major} || (has[0] === ${major} && has[1] < ${minor})) {
  process.stderr.write('graphmind: this is Node ' + process.versions.node + '; graphmind needs Node ${major}.${minor} or newer.\\n')
  process.exitCode = 1
} else if (process.argv.length === 3 && (asked === '--version' || asked === '-v')) {
  require('fs').writeSync(1, '${version}\\n')
} else {
  var cache = require('module').enableCompileCache // what was compiled once starts several ms sooner
  if (cache) cache()
  require('./graphmind.cjs')
}
`
}
