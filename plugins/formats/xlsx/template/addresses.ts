/** The addresses of a workbook, for charts outside of it that draw its cells. */
import { hasTag, replaceElements } from '../../../../shared/office/markup.ts'
import { a1, type Reference } from '../../../../shared/office/sheet/formula.ts'
import type { SheetModel } from '../../../../shared/office/sheet/layout.ts'
import { maxRows, parseCorner, type Range } from '../../../../shared/office/sheet/reference.ts'
import { spreadArea } from '../../../../shared/office/sheet/spread.ts'
import type { Addresses } from '../../../../shared/template/package.ts'
import { attributeOf } from './shared-strings.ts'

interface ReadSheet {
  readonly text: string // with its tagged strings in the cells
  readonly model: SheetModel
}

/** The one address a chart reads, undefined when it is something else: a list, a name, a formula. */
function readAddress(formula: string): Reference | undefined {
  const [token, ...more] = a1.parse(formula)
  return typeof token === 'object' && more.length === 0 ? token : undefined
}

export function addressesOf(sheets: readonly ReadSheet[]): Addresses {
  const known = new Map(
    sheets.map((sheet) => [sheet.model.name.toLowerCase(), { ...sheet, ...contentOf(sheet.text) }]),
  )
  const find = (formula: string) => {
    const address = readAddress(formula)
    const sheet = address?.sheet === undefined ? undefined : known.get(address.sheet.toLowerCase())
    return address === undefined || sheet === undefined ? undefined : { address, sheet }
  }
  return {
    changes(formula) {
      const found = find(formula)
      if (found === undefined) return false
      return found.sheet.model.moves || found.sheet.tagged.some((cell) => isInside(cell, found.address.range))
    },
    follow(formula, scope, split) {
      const found = find(formula)
      if (found === undefined) return undefined
      const { model, lastRow } = found.sheet
      const areas = spreadArea(found.address.range, model, scope, { split, lastRow })
      return areas.map((area) => a1.write(found.address, area))
    },
  }
}

/** The cells of areas whose tags are numbers. */
export function numberCells(
  addresses: readonly string[] | undefined,
  sheet: string,
): ((row: number, column: number) => boolean) | undefined {
  const ranges = (addresses ?? []).flatMap((formula) => {
    const address = readAddress(formula)
    return address?.sheet?.toLowerCase() === sheet.toLowerCase() ? [address.range] : []
  })
  return ranges.length === 0
    ? undefined
    : (row, column) => ranges.some((range) => isInside({ row, column }, range))
}

interface Cell {
  readonly row: number
  readonly column: number
}

function isInside({ row, column }: Cell, { from, to = from }: Range): boolean {
  const between = (at: number, first: number | undefined, last: number | undefined) =>
    first === undefined || (at >= first && at <= (last ?? first))
  return between(row, from.row, to.row) && between(column, from.column, to.column)
}

function contentOf(sheet: string): { tagged: Cell[]; lastRow: number } {
  const tagged: Cell[] = []
  let lastRow = 0
  replaceElements(sheet, 'c', (attributes, content = '') => {
    const { row, column } = parseCorner(attributeOf(attributes, 'r') ?? '') ?? {}
    if (row === undefined || column === undefined || content === '') return undefined
    lastRow = Math.max(lastRow, row)
    if (hasTag(content)) tagged.push({ row, column })
    return undefined
  })
  return { tagged, lastRow: lastRow === 0 ? maxRows : lastRow }
}
