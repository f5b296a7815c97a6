// Builds, unless dist/ is what the sources say already.
import { buildAll } from './build.ts'
import { isFresh } from './stamp.ts'

if (isFresh()) console.log('dist/ is up to date')
else await buildAll()
