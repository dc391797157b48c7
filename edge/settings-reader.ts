import { AppError } from '../shared/errors/app-error.ts'
import { nearestName } from '../shared/nearest-name.ts'
import { readSize, type SettingRule } from '../shared/setting-rules.ts'

export type Variables = Readonly<Record<`SERVICE_${string}`, string | undefined>>

/**
 * Reads settings of the Worker, by their name without `SERVICE_`. An unusable value counts as absent and leaves a
 * warning.
 */
export interface SettingsReader {
  /** One line for the log about each unusable value so far. */
  readonly warnings: string[]
  text(name: string, fallback: string): string
  flag(name: string, fallback: boolean): boolean
  /** Reads a security setting, whose misspelling must not switch it off. Throws 'auth.keys'. */
  strictFlag(name: string, fallback: boolean): boolean
  integer(name: string, fallback: number, min?: number): number
  /** Reads a size such as '20MB', in bytes. */
  bytes(name: string, fallback: number, min?: number): number
  /** Reads values that are separated by commas. */
  list(name: string): readonly string[]
  /**
   * Checks a value that was read already. `fallback` replaces an unusable one. Where a setting restricts access, it must
   * be the strictest value.
   */
  ruled<T>(name: string, value: T, rule: SettingRule, fallback: T): T
  warnUnusable(name: string, wants: string): void
  /** Adds a warning for each variable that nothing has read. To be called after all settings were read. */
  warnUnknown(): void
}

export function createSettingsReader(env: Variables): SettingsReader {
  const warnings: string[] = []
  /** The names that were read, with which unknown ones are compared. */
  const readNames = new Set<string>()
  const text = (name: string, fallback: string) => {
    readNames.add(`SERVICE_${name}`)
    return env[`SERVICE_${name}`]?.trim() || fallback
  }
  const warnUnusable = (name: string, wants: string) => {
    warnings.push(`SERVICE_${name} is not a usable value: it takes ${wants}.`)
  }
  const number = (name: string, fallback: number, min: number, read: (value: string) => number) => {
    const value = text(name, '')
    if (value === '') return fallback
    const parsed = read(value)
    if (parsed >= min) return parsed
    warnUnusable(name, `a whole number from ${min}`)
    return fallback
  }
  return {
    warnings,
    text,
    flag(name, fallback) {
      const value = readFlag(text(name, String(fallback)))
      if (value === undefined) warnUnusable(name, 'true or false')
      return value ?? fallback
    },
    strictFlag(name, fallback) {
      const value = readFlag(text(name, String(fallback)))
      if (value !== undefined) return value
      throw new AppError('auth.keys', { because: `SERVICE_${name} is neither on nor off` })
    },
    integer: (name, fallback, min = 0) =>
      number(name, fallback, min, (value) => (/^\d{1,12}$/.test(value) ? Number(value) : Number.NaN)),
    bytes: (name, fallback, min = 0) => number(name, fallback, min, readSize),
    list: (name) =>
      text(name, '')
        .split(',')
        .flatMap((item) => item.trim() || []),
    ruled(name, value, rule, fallback) {
      if (rule.fits(value)) return value
      warnUnusable(name, rule.wants)
      return fallback
    },
    warnUnusable,
    warnUnknown() {
      for (const name of Object.keys(env)) {
        if (!name.startsWith('SERVICE_') || readNames.has(name)) continue
        const suggestion = nearestName(name, [...readNames])
        warnings.push(
          `${name} is not known at the edge${suggestion === undefined ? '' : `; did you mean ${suggestion}`}.`,
        )
      }
    },
  }
}

/** Reads a yes or a no. Returns undefined for anything else. */
function readFlag(value: string): boolean | undefined {
  if (/^(true|1|yes|on)$/i.test(value)) return true
  if (/^(false|0|no|off)$/i.test(value)) return false
  return undefined
}
