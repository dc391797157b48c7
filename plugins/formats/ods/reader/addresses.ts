import type { CellArea } from '../../../../shared/document/sheet.ts'
import { a1, openFormula, parseOpenAddress } from '../../../../shared/office/sheet/formula.ts'
import { maxColumns, maxRows } from '../../../../shared/office/sheet/reference.ts'

/**
 * Converts an OpenFormula (ODF 1.3 part 4), whose references are in brackets and whose arguments are separated by semicolons,
 * to A1 notation.
 */
export function a1Formula(text: string): string {
  const parts = openFormula.parse(text).map((token) => {
    if (typeof token === 'string')
      return token.replace(/"(?:[^"]|"")*"|;/g, (found) => (found === ';' ? ',' : found))
    const prefix = token.sheet === undefined ? '' : `'${token.sheet.replaceAll("'", "''")}'!`
    return a1.write({ ...token, prefix }, token.range)
  })
  return parts.join('').replace(/^of:=?/, '')
}

/** Parses a list of addresses separated by spaces. Quoted sheet names may contain spaces. */
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
