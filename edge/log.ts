import type { Log } from '../shared/plugin/contract.ts'

const levels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof levels)[number]

/** One line of JSON an event, as the platform's log search wants it. Details never hold callers' data. */
export function createLog(least: LogLevel): Log {
  const at = (level: LogLevel) =>
    levels.indexOf(level) < levels.indexOf(least)
      ? () => {}
      : (event: string, details: Readonly<Record<string, unknown>> = {}) =>
          console[level](JSON.stringify({ level, event, ...details }, plainErrors))
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

export function isLogLevel(text: string | undefined): text is LogLevel {
  return levels.includes(text as LogLevel)
}

/** JSON.stringify makes `{}` of an error. */
function plainErrors(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value
  const { name, message, stack, cause } = value
  return { name, message, stack, ...(cause === undefined ? {} : { cause }) }
}
