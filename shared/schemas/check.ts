import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { entryOf } from '../entry-of.ts'

/**
 * The schemas are JSON Schema, written with TypeBox. They are interpreted and never compiled, since a Worker
 * does not allow eval. `x-rule` of a property is the rest of its error message after the name of the
 * property.
 */
export interface Ruled {
  readonly 'x-rule'?: string
}

/**
 * Finds the first property whose value violates its schema, with a message '"name" must be ...'. All are
 * optional.
 */
export function firstIssue(
  properties: Readonly<Record<string, TSchema>>,
  input: Readonly<Record<string, unknown>>,
): { readonly field: string; readonly issue: string } | undefined {
  for (const [field, schema] of Object.entries(properties)) {
    const value = entryOf(input, field)
    if (value === undefined || Value.Check(schema, value)) continue
    return { field, issue: `"${field}" ${(schema as Ruled)['x-rule'] ?? 'is not valid'}` }
  }
  return undefined
}
