import type { CellArea } from '../../../../shared/document/sheet.ts'
import { parseOpenAddress } from '../../../../shared/office/sheet/formula.ts'
import { maxColumns, maxRows } from '../../../../shared/office/sheet/reference.ts'

/** Addresses between spaces; names of sheets may hold spaces in quotes. */
export function areasOf(list: string | undefined): CellArea[] {
  const texts = list?.slice(0, 100_000).match(/(?:'(?:[^']|'')*'|[^\s'])+/g) ?? []
  return texts.slice(0, 10_000).flatMap((text) => {
    const range = parseOpenAddress(text)?.range
    if (range === undefined) return []
    const to = range.to ?? range.from
    const [top = 1, bottom = maxRows] = [range.from.row, to.row]
    const [left = 1, right = maxColumns] = [range.from.column, to.column]
    return { top: top - 1, bottom: bottom - 1, left: left - 1, right: right - 1 }
  })
}
