import type { Schema, SchemaIssue } from '../../../shared/plugin/values.ts'

export interface InstantSettings {
  /** The number of parsed font faces kept in memory. */
  readonly fontCacheSize: number
  /** The maximum number of pixels of a picture of a page. It takes about ten bytes for each while it is made. */
  readonly maxPagePixels: number
  /** The maximum number of steps of a conversion, for hosts whose clock stands still while they compute. */
  readonly maxSteps?: number
}

/**
 * Enough for a few documents of four styles in several families; a face that is not cached is parsed again.
 */
const defaultFaces = 24
/** An A4 page at 500 dots an inch has 24 million pixels. */
const defaultPixels = 32_000_000
const largestPixels = 100_000_000

export const settingsSchema: Schema<InstantSettings> = {
  json: {
    type: 'object',
    properties: {
      fontCacheSize: { type: 'integer', minimum: 1, maximum: 1000, default: defaultFaces },
      maxPagePixels: { type: 'integer', minimum: 1, maximum: largestPixels, default: defaultPixels },
      maxSteps: { type: 'integer', minimum: 1 },
    },
    additionalProperties: true,
  },
  parse(input) {
    const values = (input ?? {}) as Partial<Record<keyof InstantSettings, unknown>>
    const { fontCacheSize = defaultFaces, maxPagePixels = defaultPixels, maxSteps } = values
    const issues: SchemaIssue[] = []
    if (!isWithin(fontCacheSize, 1000))
      issues.push({ path: 'fontCacheSize', rule: 'must be a whole number between 1 and 1000' })
    if (!isWithin(maxPagePixels, largestPixels))
      issues.push({ path: 'maxPagePixels', rule: `must be a whole number between 1 and ${largestPixels}` })
    const isLimited = maxSteps !== undefined
    if (isLimited && !isWithin(maxSteps, Number.MAX_SAFE_INTEGER))
      issues.push({ path: 'maxSteps', rule: 'must be a whole number from 1' })
    if (!isWithin(fontCacheSize, 1000) || !isWithin(maxPagePixels, largestPixels))
      return { ok: false, issues }
    if (!isLimited) return { ok: true, value: { fontCacheSize, maxPagePixels } }
    if (!isWithin(maxSteps, Number.MAX_SAFE_INTEGER)) return { ok: false, issues }
    return { ok: true, value: { fontCacheSize, maxPagePixels, maxSteps } }
  },
}

const isWithin = (value: unknown, max: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max
