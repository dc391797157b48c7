import type { CellArea, CellValue } from '../../../../../../shared/document/sheet.ts'
import type { SheetContext } from '../context.ts'
import type { Grid } from '../grid.ts'

/** The values of the areas of a rule, for rules that compare a cell with all other cells. */
export interface AreaValues {
  /** The numbers in ascending order. */
  readonly numbers: readonly number[]
  readonly sum: number
  /** How often each value occurs, by its `keyOf`. */
  readonly counts: ReadonlyMap<string, number>
}

/** Returns the values of areas, collected once for each list of areas. */
export interface AreaValuesOf {
  of(areas: readonly CellArea[]): AreaValues
}

/**
 * A key for comparing values: equal values have equal keys, and text is compared without regard to case. Undefined for empty
 * cells and errors.
 */
export function keyOf(value: CellValue | undefined): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return `${typeof value} ${value}`
  if (typeof value === 'string') return value === '' ? undefined : `text ${value.toLowerCase()}`
  if (value === undefined || value.kind === 'error') return undefined
  return keyOf(value.runs.map(({ text }) => text).join(''))
}

const noValues: AreaValues = { numbers: [], sum: 0, counts: new Map() }

/** `steps` limits the number of cells that are read. When it is used up, areas have no values. */
export function createAreaValues(
  { budget }: SheetContext,
  grid: Grid,
  steps: { left: number },
): AreaValuesOf {
  const cache = new Map<readonly CellArea[], AreaValues>()
  const gather = (areas: readonly CellArea[]): AreaValues => {
    const numbers: number[] = []
    const counts = new Map<string, number>()
    for (const { top, bottom, left, right } of areas)
      for (const { cells } of grid.rowsBetween(top, bottom)) {
        budget.check()
        for (const { column, value } of cells) {
          if (--steps.left < 0) return noValues
          if (column < left || column > right) continue
          if (typeof value === 'number') numbers.push(value)
          const key = keyOf(value)
          if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1)
        }
      }
    numbers.sort((a, b) => a - b)
    return { numbers, sum: numbers.reduce((sum, value) => sum + value, 0), counts }
  }
  return {
    of(areas) {
      let cached = cache.get(areas)
      if (cached === undefined) cache.set(areas, (cached = gather(areas)))
      return cached
    },
  }
}
