import type { SheetArea } from '../../../document/chart.ts'
import { a1, sheetArea } from '../../sheet/formula.ts'
import { maxPoints, numberOf, type OoxmlChartSource } from './parts.ts'

/** Cached values of the workbook behind a chart (c:numCache, c:strCache, c:multiLvlStrCache; 21.2.2). */

interface PointCache {
  readonly count: number
  readonly format: string | undefined
  readonly formula: string
  /** The cells of the workbook that hold the points, where none are cached. */
  readonly area: SheetArea | undefined
}

/** The cells that a formula consists of (c:f, 21.2.2.65); undefined for any other formula. */
export function areaOf(formula: string): SheetArea | undefined {
  const [token, ...others] = a1.parse(formula.trim().replace(/^=?\(?|\)$/g, ''))
  return others.length > 0 || typeof token === 'string' ? undefined : sheetArea(token)
}

/**
 * Reads the points of a cache and passes each to `take` with its index. Level 0 is the innermost level of
 * categories.
 */
function readPoints(
  source: OoxmlChartSource,
  take: (index: number, text: string, level: number) => void,
): PointCache & { readonly numeric: boolean } {
  const { cursor } = source
  let count = 0
  let format: string | undefined
  let level = 0
  let numeric = false
  let pointCount = 0
  let formula = ''
  const visit = (name: string): void => {
    if (name === 'c:numRef' || name === 'c:numLit') numeric = true
    if (name === 'c:ptCount') count = Math.min(maxPoints, Math.max(count, numberOf(source) ?? 0))
    else if (name === 'c:formatCode') format = cursor.text()
    else if (name === 'c:pt') {
      const index = Number(cursor.attribute('idx') ?? -1)
      cursor.each((child) => {
        if (child !== 'c:v' || !(index >= 0 && index < maxPoints)) return
        source.left -= 1
        if (source.left < 0) return
        pointCount += 1
        take(index, cursor.text(), level)
      })
    } else if (name === 'c:lvl') {
      cursor.each(visit)
      level += 1
    } else if (name === 'c:f') formula = cursor.text()
    else cursor.each(visit)
  }
  cursor.each(visit)
  // Missing points occupy memory as well, and a file can declare many of them in a few characters, so they
  // count against the limit.
  const empty = Math.max(0, Math.min(count - pointCount, source.left))
  source.left -= empty
  return {
    count: Math.min(count, pointCount + empty),
    format,
    numeric,
    formula,
    area: pointCount === 0 ? areaOf(formula) : undefined,
  }
}

/** Categories of a series: innermost texts, outer levels, and dates as serial day numbers. */
export interface Categories {
  readonly categories: string[]
  readonly levels?: (string | undefined)[][]
  readonly days?: (number | undefined)[]
  readonly dayFormat?: string
  readonly area?: SheetArea
}

/** Reads c:cat or c:xVal. Numbers with a format other than General are also returned as dates. */
export function readCategories(source: OoxmlChartSource): Categories {
  const levels: string[][] = []
  const { count, format, numeric, area } = readPoints(source, (index, text, level) => {
    if (level > 8) return
    levels[level] ??= []
    levels[level][index] = text
  })
  const inner = levels[0] ?? []
  const size = Math.max(count, inner.length)
  const padded = (names: readonly string[]): (string | undefined)[] =>
    Array.from({ length: size }, (_, n) => names[n])
  const categories = padded(inner).map((name) => name ?? '')
  const days = padded(inner).map((name) =>
    name === undefined || name.trim() === '' || !Number.isFinite(Number(name)) ? undefined : Number(name),
  )
  return {
    categories,
    ...(area !== undefined && { area }),
    ...(levels.length > 1 && { levels: Array.from(levels.slice(1), (names) => padded(names ?? [])) }),
    ...(numeric && format !== undefined && !/^general$/i.test(format) && { days, dayFormat: format }),
  }
}

/** Reads c:val, c:yVal and the like; points that are missing or no numbers are undefined. */
export function readNumbers(source: OoxmlChartSource): {
  values: (number | undefined)[]
  format: string | undefined
  area: SheetArea | undefined
  formula: string
} {
  const values: (number | undefined)[] = []
  const { count, format, area, formula } = readPoints(source, (index, text) => {
    const value = Number(text)
    if (text.trim() !== '' && Number.isFinite(value)) values[index] = value
  })
  return {
    values: Array.from({ length: Math.max(count, values.length) }, (_, n) => values[n]),
    format,
    area,
    formula,
  }
}
