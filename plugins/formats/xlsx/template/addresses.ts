/**
 * Charts in documents and slides draw the cells of a workbook that is embedded beside them. After the workbook has
 * been merged, this module answers where the areas that such a chart names have moved.
 */

import { a1, type FormulaReference } from '../../../../shared/office/sheet/formula.ts'
import type { SheetModel } from '../../../../shared/office/sheet/layout.ts'
import { type CellRange, maxRows, parseCorner } from '../../../../shared/office/sheet/reference.ts'
import { spreadArea } from '../../../../shared/office/sheet/spread.ts'
import type { Addresses } from '../../../../shared/template/package.ts'
import { attributeOf, replaceElements } from '../../../../shared/xml/elements.ts'
import { hasTag } from '../../../../shared/xml/markup.ts'

interface ReadSheet {
  readonly text: string // the part, with its tagged strings inline in the cells
  readonly model: SheetModel
}

/** The one area that a chart draws; undefined for a list of areas, a defined name or a formula. */
function readAddress(formula: string): FormulaReference | undefined {
  const [token, ...more] = a1.parse(formula)
  return typeof token === 'object' && more.length === 0 ? token : undefined
}

/** Returns the new addresses of areas of a workbook, for charts that draw its cells. */
export function addressesOf(sheets: readonly ReadSheet[]): Addresses {
  const byName = new Map(
    sheets.map((sheet) => [sheet.model.name.toLowerCase(), { ...sheet, ...contentOf(sheet.text) }]),
  )
  const find = (formula: string) => {
    const address = readAddress(formula)
    const sheet = address?.sheet === undefined ? undefined : byName.get(address.sheet.toLowerCase())
    return address === undefined || sheet === undefined ? undefined : { address, sheet }
  }
  return {
    // Whether the content of an area changes: rows in it move, or one of its cells contains a tag.
    changes(formula) {
      const target = find(formula)
      if (target === undefined) return false
      return (
        target.sheet.model.moves || target.sheet.tagged.some((cell) => isInside(cell, target.address.range))
      )
    },
    follow(formula, scope, split) {
      const target = find(formula)
      if (target === undefined) return undefined
      const { model, lastRow } = target.sheet
      const areas = spreadArea(target.address.range, model, scope, { split, lastRow })
      return areas.map((area) => a1.write(target.address, area))
    },
  }
}

/**
 * Which cells of a sheet charts draw as numbers: a lone tag in such a cell is written as a number, without `:formatN`.
 * Undefined where no chart names the sheet.
 */
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

/** A position in the template, counted from 1. */
interface CellAddress {
  readonly row: number
  readonly column: number
}

/** A missing end is open: an address of whole columns has no rows, one of whole rows no columns. */
function isInside({ row, column }: CellAddress, { from, to = from }: CellRange): boolean {
  const between = (at: number, first: number | undefined, last: number | undefined) =>
    first === undefined || (at >= first && at <= (last ?? first))
  return between(row, from.row, to.row) && between(column, from.column, to.column)
}

/** The cells with tags, and the last row with any content: charts over whole columns end there. */
function contentOf(sheet: string): { tagged: CellAddress[]; lastRow: number } {
  const tagged: CellAddress[] = []
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
