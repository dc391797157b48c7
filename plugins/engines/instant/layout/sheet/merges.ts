import type { CellArea, Sheet } from '../../../../../shared/document/sheet.ts'

/** The merged areas of a sheet, found by the rows that they touch. */
export interface Merges {
  /** The areas that touch rows of a range, in the order of the sheet. */
  touching(first: number, last: number): readonly CellArea[]
  /** The area that a cell belongs to. */
  at(row: number, column: number): CellArea | undefined
}

/** Rows are grouped by this many, so that few areas are looked at for each. */
const rowsPerGroup = 64
/** An area in more groups than this is looked at for every row. */
const maxGroups = 64

export function createMerges({ merges }: Sheet): Merges {
  const groups = new Map<number, CellArea[]>()
  const tall: CellArea[] = []
  for (const area of merges) {
    if (area.top === area.bottom && area.left === area.right) continue
    const [first, last] = [Math.floor(area.top / rowsPerGroup), Math.floor(area.bottom / rowsPerGroup)]
    if (last - first > maxGroups) tall.push(area)
    else
      for (let group = first; group <= last; group++) {
        const own = groups.get(group)
        if (own === undefined) groups.set(group, [area])
        else own.push(area)
      }
  }
  return {
    touching(first, last) {
      const found = new Set(tall.filter(({ top, bottom }) => top <= last && bottom >= first))
      for (let group = Math.floor(first / rowsPerGroup); group <= Math.floor(last / rowsPerGroup); group++)
        for (const area of groups.get(group) ?? [])
          if (area.top <= last && area.bottom >= first) found.add(area)
      return [...found]
    },
    at(row, column) {
      const isIn = ({ top, bottom, left, right }: CellArea): boolean =>
        top <= row && row <= bottom && left <= column && column <= right
      return (groups.get(Math.floor(row / rowsPerGroup)) ?? []).find(isIn) ?? tall.find(isIn)
    },
  }
}
