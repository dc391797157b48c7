import type { FormatId, Schema, Warning } from './values.ts'

/** Names of options that were given to an engine that has none. */
export interface IgnoredOptions {
  readonly names: readonly string[]
}

/**
 * The schema of an engine without options. It accepts every object; `ignoredWarnings` reports what it
 * contains.
 */
export const ignoredOptions: Schema<IgnoredOptions> = {
  json: { type: 'object' },
  parse(input) {
    if (typeof input !== 'object' || input === null || Array.isArray(input))
      return { ok: false, issues: [{ path: 'formatOptions', rule: 'must be an object' }] }
    const names = Object.entries(input)
      .filter(([name, value]) => name !== 'hardRefresh' && value !== undefined && value !== null)
      .map(([name]) => name)
    return { ok: true, value: { names } }
  },
}

/** One warning for each option that has no effect. `to` is the target format that the message names. */
export function ignoredWarnings({ names }: IgnoredOptions, to: FormatId): readonly Warning[] {
  return names.map((name) => ({
    code: 'convert.option-ignored',
    message: `Option ${name.replace(/[^\w.-]/g, '?').slice(0, 60)} has no effect on output of the type ${to}.`,
  }))
}
