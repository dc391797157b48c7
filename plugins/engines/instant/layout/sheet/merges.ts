import type { CellArea, Sheet } from '../../../../../shared/document/sheet.ts'
import type { LayoutBudget } from '../context.ts'

/** The merged areas of a sheet, indexed by the cells that they cover. Of overlapping areas the first one applies. */
export interface Merges {
  /** The areas that touch a rectangle of cells. */
  touching(cells: CellArea): readonly CellArea[]
  /** The area that a cell belongs to. */
  at(row: number, column: number): CellArea | undefined
}

/** Cells are grouped into buckets of this many rows and columns, so that few areas have to be tested for each cell. */
const [bucketRows, bucketColumns] = [64, 16]
const bucketsAcross = 1024
/** Areas that cover more buckets are kept in a separate list. It is short, since areas do not overlap. */
const maxBuckets = 256
const maxLarge = 1_000

const bucketOf = (row: number, column: number): number =>
  Math.floor(row / bucketRows) * bucketsAcross + Math.floor(column / bucketColumns)

/** The buckets of a rectangle of cells. */
function* bucketsOf({ top, left, bottom, right }: CellArea): Generator<number> {
  for (let row = top - (top % bucketRows); row <= bottom; row += bucketRows)
    for (let column = left - (left % bucketColumns); column <= right; column += bucketColumns)
      yield bucketOf(row, column)
}

function bucketCount({ top, left, bottom, right }: CellArea): number {
  const count = (first: number, last: number, size: number) =>
    Math.floor(last / size) - Math.floor(first / size) + 1
  return count(top, bottom, bucketRows) * count(left, right, bucketColumns)
}

const overlap = (a: CellArea, b: CellArea): boolean =>
  a.top <= b.bottom && b.top <= a.bottom && a.left <= b.right && b.left <= a.right

/** Indexes the merged areas of a sheet. Throws what `budget.check` throws. */
export function createMerges({ merges }: Pick<Sheet, 'merges'>, budget: LayoutBudget): Merges {
  const buckets = new Map<number, CellArea[]>()
  const large: CellArea[] = []
  const areas: CellArea[] = []
  const isFree = (area: CellArea, isLarge: boolean): boolean => {
    budget.check(large.length + 1)
    if (large.some((other) => overlap(area, other))) return false
    if (isLarge) return !areas.some((other) => overlap(area, other))
    for (const bucket of bucketsOf(area)) {
      const others = buckets.get(bucket) ?? []
      budget.check(others.length + 1)
      if (others.some((other) => overlap(area, other))) return false
    }
    return true
  }
  for (const area of merges) {
    if (area.top === area.bottom && area.left === area.right) continue
    const isLarge = bucketCount(area) > maxBuckets
    if (isLarge && large.length >= maxLarge) continue
    if (!isFree(area, isLarge)) continue
    areas.push(area)
    if (isLarge) large.push(area)
    else
      for (const bucket of bucketsOf(area)) {
        const bucketAreas = buckets.get(bucket)
        if (bucketAreas === undefined) buckets.set(bucket, [area])
        else bucketAreas.push(area)
      }
  }
  return {
    touching(cells) {
      if (bucketCount(cells) > areas.length) {
        budget.check(areas.length)
        return areas.filter((area) => overlap(area, cells))
      }
      const touching = new Set(large.filter((area) => overlap(area, cells)))
      for (const bucket of bucketsOf(cells)) {
        budget.check()
        for (const area of buckets.get(bucket) ?? []) if (overlap(area, cells)) touching.add(area)
      }
      return [...touching]
    },
    at: (row, column) =>
      areas.length === 0
        ? undefined
        : (areaWith(buckets.get(bucketOf(row, column)), row, column) ?? areaWith(large, row, column)),
  }
}

const areaWith = (
  areas: readonly CellArea[] | undefined,
  row: number,
  column: number,
): CellArea | undefined =>
  areas?.find(
    ({ top, bottom, left, right }) => top <= row && row <= bottom && left <= column && column <= right,
  )
