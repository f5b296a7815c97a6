// Older Node versions warn that node:sqlite is experimental. That one warning is for us, not for
// the person who runs graphmind; every other one passes.

/** To be called before node:sqlite is loaded. */
export function quietSqliteWarning(): void {
  const emit = process.emitWarning.bind(process) as (...args: unknown[]) => void
  process.emitWarning = (...args: unknown[]) => {
    const [warning, type] = args
    const name = typeof type === 'object' && type !== null && 'type' in type ? type.type : type
    if (name === 'ExperimentalWarning' && /sqlite/i.test(String(warning))) return
    emit(...args)
  }
}
