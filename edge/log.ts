import type { Log } from '../shared/plugin/contract.ts'
import { type LogLevel, logLevels } from '../shared/setting-rules.ts'

/** One line of JSON an event, as the platform's log search wants it. Details never hold callers' data. */
export function createLog(least: LogLevel): Log {
  const at = (level: Exclude<LogLevel, 'silent'>) =>
    logLevels.indexOf(level) < logLevels.indexOf(least)
      ? () => {}
      : (event: string, details: Readonly<Record<string, unknown>> = {}) =>
          console[level](JSON.stringify({ level, event, ...details }, plainErrors))
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** JSON.stringify makes `{}` of an error. */
function plainErrors(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value
  const { name, message, stack, cause } = value
  return { name, message, stack, ...(cause === undefined ? {} : { cause }) }
}
