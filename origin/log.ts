import type { Log } from '../shared/plugin/values.ts'
import { type LogLevel, logLevels as levels } from '../shared/setting-rules.ts'

/**
 * Writes one line of JSON for each event to standard error, because standard output is for the output of
 * commands.
 */
export function createLog(level: string, write = (line: string) => void process.stderr.write(line)): Log {
  const minRank = Math.max(0, levels.indexOf(level as LogLevel))
  const writerFor =
    (rank: number) =>
    (event: string, details: Readonly<Record<string, unknown>> = {}) => {
      if (rank < minRank) return
      write(
        `${JSON.stringify({ time: new Date().toISOString(), level: levels[rank], event, ...withErrorText(details) })}\n`,
      )
    }
  return { debug: writerFor(0), info: writerFor(1), warn: writerFor(2), error: writerFor(3) }
}

/** Replaces errors with their text and causes, because `JSON.stringify` writes an error as `{}`. */
function withErrorText(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [name, value instanceof Error ? errorText(value) : value]),
  )
}

function errorText(error: Error): string {
  const text = error.stack ?? `${error.name}: ${error.message}`
  return error.cause instanceof Error ? `${text}\ncaused by ${errorText(error.cause)}` : text
}
