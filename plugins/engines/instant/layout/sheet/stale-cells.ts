import type { Cell, CellArea, Sheet, Workbook } from '../../../../../shared/document/sheet.ts'
import { maxOf, minOf } from '../../../../../shared/extremes.ts'
import { a1 } from '../../../../../shared/office/sheet/formula.ts'
import { maxColumns, maxRows } from '../../../../../shared/office/sheet/reference.ts'

/** The functions whose results change with the time. */
const changing = /\b(?:TODAY|NOW)\(/i
/** The limit of steps along formulas that depend on each other; results beyond it stay as they are stored. */
const maxSteps = 50
/** The limit of comparisons of references with cells. */
const maxComparisons = 2_000_000

interface StoredResult {
  readonly cell: Cell
  readonly sheet: string
  readonly row: number
  readonly references: readonly (CellArea & { readonly sheet: string })[]
}

/**
 * The cells whose stored result is no longer true: those with a function of the time and those that depend on one, by their
 * references and by names for areas. References by functions such as OFFSET are not followed.
 */
export function staleCells({ sheets, names }: Workbook, check: () => void): ReadonlySet<Cell> {
  const stale = new Set<Cell>()
  const others: Pick<StoredResult, 'cell' | 'sheet' | 'row'>[] = []
  const places: { readonly sheet: string; readonly row: number; readonly column: number }[] = []
  for (const sheet of sheets)
    for (const { row, cells } of sheet.rows)
      for (const cell of cells) {
        if (cell.formula === undefined || cell.value === undefined) continue
        const address = { sheet: sheet.name.toLowerCase(), row, column: cell.column }
        if (!changing.test(cell.formula.text)) others.push({ cell, ...address })
        else {
          stale.add(cell)
          places.push(address)
        }
      }
  if (stale.size === 0) return stale
  let waiting: StoredResult[] = others.map((each) => ({
    ...each,
    references: referencesOf(each.cell, each, names),
  }))
  let left = maxComparisons
  for (let step = 0, from = 0; step < maxSteps && from < places.length && left > 0; step++) {
    const added = places.slice(from)
    from = places.length
    waiting = waiting.filter(({ cell, sheet, row, references }) => {
      check()
      left -= references.length * added.length
      if (left < 0 || !references.some((area) => added.some((place) => contains(area, place)))) return true
      stale.add(cell)
      places.push({ sheet, row, column: cell.column })
      return false
    })
  }
  return stale
}

const contains = (
  { sheet, top, left, bottom, right }: StoredResult['references'][number],
  place: { readonly sheet: string; readonly row: number; readonly column: number },
): boolean =>
  place.sheet === sheet &&
  place.row >= top &&
  place.row <= bottom &&
  place.column >= left &&
  place.column <= right

/** The areas that a formula refers to, moved from the cell that it is written for to its cell. */
function referencesOf(
  { formula }: Cell,
  { sheet }: { readonly sheet: Sheet['name'] },
  names: Workbook['names'] = new Map(),
): StoredResult['references'] {
  if (formula === undefined) return []
  const { text, down, right: across } = formula
  const definedBy = (part: string): ReturnType<typeof a1.parse> =>
    [...part.matchAll(/[A-Za-z_][\w.]*/g)].flatMap(([name]) => {
      const definition = names.get(name.toUpperCase())
      return definition === undefined ? [] : a1.parse(definition)
    })
  const tokens = a1.parse(text)
  const all = tokens.flatMap((token) => (typeof token === 'string' ? definedBy(token) : [token]))
  return all.flatMap((token) => {
    if (typeof token === 'string') return []
    const { from, to = from } = token.range
    const row = (corner: typeof from, entire: number): number =>
      corner.row === undefined ? entire : corner.row - 1 + (corner.fixedRow ? 0 : down)
    const column = (corner: typeof from, entire: number): number =>
      corner.column === undefined ? entire : corner.column - 1 + (corner.fixedColumn ? 0 : across)
    const rows = [row(from, 0), row(to, maxRows)]
    const columns = [column(from, 0), column(to, maxColumns)]
    return {
      sheet: token.sheet?.toLowerCase() ?? sheet,
      top: minOf(rows),
      bottom: maxOf(rows),
      left: minOf(columns),
      right: maxOf(columns),
    }
  })
}
