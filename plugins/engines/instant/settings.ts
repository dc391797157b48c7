import type { Schema, SchemaIssue } from '../../../shared/plugin/values.ts'

export interface InstantSettings {
  /** The number of parsed font faces kept in memory. */
  readonly fontCacheSize: number
}

/**
 * Enough for a few documents of four styles in several families; a face that is not cached is parsed again.
 */
const defaultFaces = 24

export const settingsSchema: Schema<InstantSettings> = {
  json: {
    type: 'object',
    properties: { fontCacheSize: { type: 'integer', minimum: 1, maximum: 1000, default: defaultFaces } },
    additionalProperties: true,
  },
  parse(input) {
    const given = (input as { readonly fontCacheSize?: unknown } | undefined)?.fontCacheSize
    if (given === undefined) return { ok: true, value: { fontCacheSize: defaultFaces } }
    if (typeof given !== 'number' || !Number.isInteger(given) || given < 1 || given > 1000) {
      const issues: SchemaIssue[] = [
        { path: 'fontCacheSize', rule: 'must be a whole number between 1 and 1000' },
      ]
      return { ok: false, issues }
    }
    return { ok: true, value: { fontCacheSize: given } }
  },
}
