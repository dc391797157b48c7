import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'

/**
 * Schemas are JSON Schema (made with TypeBox) and are read, never compiled: a Worker allows no eval. Each property has
 * an `x-rule`: what its error message says after the property's name.
 */
export interface Ruled {
  readonly 'x-rule'?: string
}

/** The first property whose value breaks its rule, as '"name" must be ...'. Absent properties are fine. */
export function firstIssue(
  properties: Readonly<Record<string, TSchema>>,
  input: Readonly<Record<string, unknown>>,
): { readonly field: string; readonly issue: string } | undefined {
  for (const [field, schema] of Object.entries(properties)) {
    const value = input[field]
    if (value === undefined || Value.Check(schema, value)) continue
    return { field, issue: `"${field}" ${(schema as Ruled)['x-rule'] ?? 'is not valid'}` }
  }
  return undefined
}
