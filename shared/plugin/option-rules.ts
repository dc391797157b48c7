import { entryOf, setEntry } from '../entry-of.ts'
import type { Schema, SchemaIssue } from './values.ts'

/** One option that callers may set: its JSON Schema (2020-12) and the check of a value. */
export interface OptionRule<T> {
  readonly json: Readonly<Record<string, unknown>>
  /**
   * Returns what is wrong with the value, as the rest of a sentence 'Option X ...', or undefined when it is
   * valid.
   */
  objection(value: unknown): string | undefined
  /** The value as engines are handed it, where callers may write it in another type: a page range of one page as a number. */
  read?(value: unknown): unknown
  /** Carries the type of the value for `OptionsOf`. Never set. */
  readonly of?: T
}

export type OptionRules = Readonly<Record<string, OptionRule<unknown>>>
export type OptionsOf<R extends OptionRules> = {
  readonly [Name in keyof R]?: R[Name] extends OptionRule<infer T> ? T : never
}

/** A caller's options after the check. */
export interface CheckedOptions<R extends OptionRules> {
  readonly given: OptionsOf<R>
  /**
   * Names without a rule. They are reported as a warning only, since the same options may serve several
   * outputs.
   */
  readonly unknown: readonly string[]
}

export function optionFlag(defaultValue?: boolean): OptionRule<boolean> {
  return {
    json: { type: 'boolean', ...(defaultValue !== undefined && { default: defaultValue }) },
    objection: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  }
}

export function optionInteger(min: number, max: number, defaultValue?: number): OptionRule<number> {
  return {
    json: {
      type: 'integer',
      minimum: min,
      maximum: max,
      ...(defaultValue !== undefined && { default: defaultValue }),
    },
    objection: (value) =>
      Number.isInteger(value) && (value as number) >= min && (value as number) <= max
        ? undefined
        : `must be an integer from ${min} to ${max}`,
  }
}

export function optionNumber(min: number, max: number, defaultValue?: number): OptionRule<number> {
  return {
    json: {
      type: 'number',
      minimum: min,
      maximum: max,
      ...(defaultValue !== undefined && { default: defaultValue }),
    },
    objection: (value) =>
      typeof value === 'number' && value >= min && value <= max
        ? undefined
        : `must be a number from ${min} to ${max}`,
  }
}

export function optionChoice(of: readonly number[], defaultValue: number): OptionRule<number> {
  return {
    json: { type: 'integer', enum: of, default: defaultValue },
    objection: (value) => (of.includes(value as number) ? undefined : `must be one of ${of.join(', ')}`),
  }
}

/**
 * A string of at most `max` characters. When `form.accepts` rejects it, the message is 'must be <form.says>'. A number is
 * its text, followed by `form.unit`.
 */
export function optionText(
  max: number,
  form?: {
    readonly accepts: (text: string) => boolean
    readonly says: string
    readonly unit?: string
  },
  defaultValue?: string,
): OptionRule<string> {
  return {
    json: { type: 'string', maxLength: max, ...(defaultValue !== undefined && { default: defaultValue }) },
    read: (value) => numberAsText(value, form?.unit),
    objection: (value) => {
      if (typeof value !== 'string') return 'must be a string'
      if (value.length > max) return `must be at most ${max} characters long`
      return form === undefined || form.accepts(value) ? undefined : `must be ${form.says}`
    },
  }
}

/** Numbers as text with a unit; other values as they are. */
export const numberAsText = (value: unknown, unit = ''): unknown =>
  typeof value === 'number' ? `${value}${unit}` : value

/** The schema of an engine that has no settings of the operator. It accepts everything and ignores it. */
export const noSettings: Schema<undefined> = {
  json: { type: 'object' },
  parse: () => ({ ok: true, value: undefined }),
}

/** Creates the schema of an object with these options. A value of null counts as absent. */
export function optionsSchema<R extends OptionRules>(rules: R): Schema<CheckedOptions<R>> {
  return {
    json: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(rules).map(([name, { json }]) => [name, json])),
    },
    parse(input) {
      if (typeof input !== 'object' || input === null || Array.isArray(input))
        return { ok: false, issues: [{ path: 'formatOptions', rule: 'must be an object' }] }
      const issues: SchemaIssue[] = []
      const validOptions: Record<string, unknown> = {}
      const unknown: string[] = []
      for (const [name, written] of Object.entries(input)) {
        if (written === undefined || written === null) continue
        const rule = entryOf(rules, name)
        const value = rule?.read === undefined ? written : rule.read(written)
        const objection = rule?.objection(value)
        if (rule === undefined) unknown.push(name)
        else if (objection !== undefined) issues.push({ path: name, rule: objection })
        else setEntry(validOptions, name, value)
      }
      if (issues.length > 0) return { ok: false, issues }
      return { ok: true, value: { given: validOptions as OptionsOf<R>, unknown } }
    },
  }
}
