import { entryOf, setEntry } from '../entry-of.ts'
import type { Schema, SchemaIssue } from './values.ts'

/** The values that an integer setting of an engine accepts. `description` explains the setting to operators. */
export interface IntegerRange {
  readonly min: number
  readonly max: number
  readonly default: number
  readonly description: string
}

/** The settings of an engine that runs a program, by name. */
export interface ProgramSettingNames {
  readonly integers: Readonly<Record<string, IntegerRange>>
  /** An empty path counts as absent. */
  readonly paths: readonly string[]
}

/** The schema of such settings. Integers that are absent have their defaults; settings with other names are ignored. */
export function programSettings<Settings>({ integers, paths }: ProgramSettingNames): Schema<Settings> {
  return {
    json: {
      type: 'object',
      properties: {
        ...Object.fromEntries(paths.map((name) => [name, { type: 'string' }])),
        ...Object.fromEntries(
          Object.entries(integers).map(([name, { min, max, default: start, description }]) => [
            name,
            { type: 'integer', minimum: min, maximum: max, default: start, description },
          ]),
        ),
      },
    },
    parse(input) {
      const settings = (input ?? {}) as Readonly<Record<string, unknown>>
      const issues: SchemaIssue[] = []
      const value: Record<string, unknown> = {}
      for (const [name, { min, max, default: start }] of Object.entries(integers)) {
        const setting = entryOf(settings, name) ?? start
        if (Number.isInteger(setting) && (setting as number) >= min && (setting as number) <= max)
          setEntry(value, name, setting)
        else issues.push({ path: name, rule: `must be an integer from ${min} to ${max}` })
      }
      for (const name of paths) {
        const setting = entryOf(settings, name)
        if (setting === undefined || setting === '') continue
        if (typeof setting === 'string') setEntry(value, name, setting)
        else issues.push({ path: name, rule: 'must be a path' })
      }
      if (issues.length > 0) return { ok: false, issues }
      return { ok: true, value: value as Settings }
    },
  }
}
