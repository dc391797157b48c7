import type { Log } from '../shared/plugin/values.ts'
import { type LogLevel, logLevels } from '../shared/setting-rules.ts'

/**
 * Writes one line of JSON per event, which the log search of the platform understands. Details never contain
 * user data.
 */
export function createLog(minLevel: LogLevel): Log {
  const at = (level: Exclude<LogLevel, 'silent'>) =>
    logLevels.indexOf(level) < logLevels.indexOf(minLevel)
      ? () => {}
      : (event: string, details: Readonly<Record<string, unknown>> = {}) =>
          console[level](JSON.stringify({ level, event, ...details }, serializableErrors))
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** A replacer for JSON.stringify, which would serialize an error as `{}`. */
function serializableErrors(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value
  const { name, message, stack, cause } = value
  return { name, message, stack, ...(cause === undefined ? {} : { cause }) }
}
