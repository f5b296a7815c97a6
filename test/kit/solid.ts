// Preloaded by the runner (`node --import ./test/kit/solid.ts file`): in plain Node solid-js
// resolves to its server build, which tracks nothing. Only solid-js: with the browser condition
// for everything, ws would resolve to a stub that throws.
import { registerHooks } from 'node:module'

registerHooks({
  resolve(specifier, context, nextResolve) {
    const wanted = specifier === 'solid-js' || specifier.startsWith('solid-js/')
    return nextResolve(specifier, wanted ? { ...context, conditions: ['browser', ...context.conditions] } : context)
  },
})
