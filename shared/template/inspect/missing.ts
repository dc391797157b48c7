/**
 * Compares data with what a template reads. A missing value prints nothing, so the warning names it.
 */
import { entryOf } from '../../entry-of.ts'
import type { Warning } from '../../plugin/values.ts'
import type { InferredData } from './infer.ts'
import { isEmpty, isMap } from './schema.ts'
import type { DataShape } from './shape.ts'

const maxWarnings = 50
/** The number of items of an array that are compared, since items of one array are mostly alike. */
const maxItems = 3
const maxDepth = 64

/** Returns warnings that name properties but never quote values. */
export function missingData(inferred: InferredData, data: unknown, complement: unknown): Warning[] {
  const warnings: Warning[] = []
  const warn = (where: string, message: string) => {
    if (warnings.length < maxWarnings && !warnings.some((warning) => warning.where === where))
      warnings.push({ code: 'template.data.missing', message, where })
  }
  for (const [root, shape, value] of [
    ['d', inferred.d, data],
    ['c', inferred.c, complement],
  ] as const) {
    if (value !== undefined && !isEmpty(shape)) compare(shape, value, root, 0, warn)
  }
  return warnings
}

type Warn = (where: string, message: string) => void

function compare(shape: DataShape, value: unknown, path: string, depth: number, warn: Warn): void {
  if (depth > maxDepth || value === null) return
  if (shape.items !== undefined) {
    if (typeof value !== 'object') {
      warn(path, `The template repeats over ${path}, which is not an array.`)
      return
    }
    const item = shape.items
    if (isMap(shape) && !Array.isArray(value)) return
    for (const itemValue of Object.values(value).slice(0, maxItems))
      compare(item, itemValue, `${path}[]`, depth + 1, warn)
    return
  }
  if (shape.properties.size === 0) return
  if (typeof value !== 'object') {
    warn(path, `The template reads properties of ${path}, which is not an object.`)
    return
  }
  for (const [name, child] of shape.properties) {
    const childPath = `${path}.${name}`
    if (Object.hasOwn(value, name))
      compare(child, entryOf(value as Record<string, unknown>, name), childPath, depth + 1, warn)
    else if (!child.optional) warn(childPath, `${childPath} is not in the data: its tags print nothing.`)
  }
}
