/** One option of the caller: its type, its range, what it is when absent. */
export type Rule =
  | { readonly kind: 'boolean'; readonly default?: boolean }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number; readonly default?: number }
  | { readonly kind: 'choice'; readonly of: readonly number[]; readonly default?: number }
  | {
      readonly kind: 'string'
      readonly max: number // characters
      readonly pattern?: RegExp
      readonly says?: string // what the pattern wants, in words
      readonly default?: string
    }
  | { readonly kind: 'list'; readonly max: number }

export type Rules = Readonly<Record<string, Rule>>
export type Value = boolean | number | string | readonly unknown[]

/** What is wrong with a value, or undefined. */
export function objection(rule: Rule, value: unknown): string | undefined {
  switch (rule.kind) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false'
    case 'integer':
      return Number.isInteger(value) && (value as number) >= rule.min && (value as number) <= rule.max
        ? undefined
        : `must be an integer from ${rule.min} to ${rule.max}`
    case 'choice':
      return rule.of.includes(value as number) ? undefined : `must be one of ${rule.of.join(', ')}`
    case 'string':
      if (typeof value !== 'string') return 'must be a string'
      if (value.length > rule.max) return `must be at most ${rule.max} characters long`
      return rule.pattern === undefined || rule.pattern.test(value) ? undefined : `must be ${rule.says}`
    case 'list':
      return Array.isArray(value) && value.length <= rule.max
        ? undefined
        : `must be a list of at most ${rule.max} entries`
    default:
      return rule satisfies never
  }
}

/** The rule as JSON Schema (2020-12). */
export function jsonOf(rule: Rule): Readonly<Record<string, unknown>> {
  const start = 'default' in rule && rule.default !== undefined ? { default: rule.default } : {}
  switch (rule.kind) {
    case 'boolean':
      return { type: 'boolean', ...start }
    case 'integer':
      return { type: 'integer', minimum: rule.min, maximum: rule.max, ...start }
    case 'choice':
      return { type: 'integer', enum: rule.of, ...start }
    case 'string':
      return {
        type: 'string',
        maxLength: rule.max,
        ...(rule.pattern && { pattern: rule.pattern.source }),
        ...start,
      }
    case 'list':
      return { type: 'array', maxItems: rule.max }
    default:
      return rule satisfies never
  }
}
