import type { Log } from '../shared/plugin/contract.ts'
import { type LogLevel, logLevels as levels } from '../shared/setting-rules.ts'

/** One JSON line an event, on standard error: standard output belongs to what a command prints. */
export function createLog(level: string, write = (line: string) => void process.stderr.write(line)): Log {
  const least = Math.max(0, levels.indexOf(level as LogLevel))
  const at =
    (rank: number) =>
    (event: string, details: Readonly<Record<string, unknown>> = {}) => {
      if (rank < least) return
      write(
        `${JSON.stringify({ time: new Date().toISOString(), level: levels[rank], event, ...plain(details) })}\n`,
      )
    }
  return { debug: at(0), info: at(1), warn: at(2), error: at(3) }
}

/** Errors become text with their causes; JSON would show them as `{}`. */
function plain(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [name, value instanceof Error ? errorText(value) : value]),
  )
}

function errorText(error: Error): string {
  const own = error.stack ?? `${error.name}: ${error.message}`
  return error.cause instanceof Error ? `${own}\ncaused by ${errorText(error.cause)}` : own
}
