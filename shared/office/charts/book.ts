/**
 * The cells of a merged workbook, as a chart reads them. A chart stores a copy of the values that it draws, and
 * applications show that copy until a user edits the data. Source: ECMA-376-1, clauses 18.2.19, 18.3.1.4 and 18.4.
 */

import type { OpenContext } from '../../plugin/contract.ts'
import { xmlText } from '../../xml/cursor.ts'
import { attributeOf, elementIn, elementsIn } from '../../xml/elements.ts'
import { decodeEntities } from '../../xml/scan.ts'
import { partsRelatedIn } from '../opc/relationships.ts'
import { type EvaluationBudget, evaluate, NoValue, type ReadCell, type Scalar } from '../sheet/evaluate.ts'
import { a1 } from '../sheet/formula.ts'
import { parseCorner } from '../sheet/reference.ts'
import { openZip } from '../zip.ts'

/** A cell with any content. `number` is present if the cell contains only a number. */
export interface BookCell {
  readonly text: string
  readonly number?: number
}
/** One row of the area for each inner list. An empty cell is undefined. */
export type BookArea = readonly (readonly (BookCell | undefined)[])[]

/** A workbook whose cells can be looked up by address. A sheet is read at the first look-up of one of its cells. */
export interface Book {
  /**
   * Returns the cells of `reference`, in A1 notation with its sheet; undefined when it is not an area of this
   * workbook, or is too large.
   */
  area(reference: string): BookArea | undefined
}

/** Maximum number of cells of one reference of a chart. */
const maxCells = 200_000
/**
 * Maximum number of steps of all formulas of a workbook together, and maximum depth of dependencies between formulas.
 */
const maxSteps = 2_000_000
const maxChain = 500

export function readBook(bytes: Uint8Array, context: OpenContext): Book {
  const archive = openZip(bytes, { ...context, format: 'xlsx' })
  const text = (name: string): string => {
    const entry = archive.entries.find((candidate) => candidate.name === name)
    return entry === undefined ? '' : xmlText(archive.read(entry))
  }
  const list = 'xl/workbook.xml'
  const targets = new Map(
    partsRelatedIn(text('xl/_rels/workbook.xml.rels'), list).map(({ id, target }) => [id, target]),
  )
  const parts = new Map<string, string>()
  for (const { attributes } of elementsIn(text(list), 'sheet'))
    parts.set(attribute(attributes, 'name').toLowerCase(), targets.get(attribute(attributes, 'r:id')) ?? '')
  let strings: readonly string[] | undefined
  const shared = (): readonly string[] => (strings ??= stringsOf(text('xl/sharedStrings.xml')))
  const sheets = new Map<string, Map<string, WrittenCell>>()
  const cellsOf = (sheet: string): Map<string, WrittenCell> | undefined => {
    const part = parts.get(sheet)
    if (part === undefined) return undefined
    let cells = sheets.get(sheet)
    if (cells === undefined) sheets.set(sheet, (cells = readCells(text(part), shared)))
    return cells
  }
  const budget: EvaluationBudget = { left: maxSteps }
  const evaluating = new Set<string>() // Cells whose formula is being evaluated; a formula that depends on itself has no value.
  const cellAt = (sheet: string, position: string): BookCell | undefined => {
    const cells = cellsOf(sheet)
    if (cells === undefined) throw new NoValue()
    const storedCell = cells.get(position)
    if (storedCell?.formula === undefined) return storedCell?.cell
    const key = `${sheet}!${position}`
    if (evaluating.has(key) || evaluating.size >= maxChain) throw new NoValue()
    evaluating.add(key)
    try {
      const read: ReadCell = (name, row, column) => {
        const cell = cellAt(name === undefined ? sheet : name.toLowerCase(), `${row} ${column}`)
        return cell?.number ?? cell?.text
      }
      const cell = cellOfValue(evaluate(storedCell.formula, read, budget))
      cells.set(position, { cell })
      return cell
    } finally {
      evaluating.delete(key)
    }
  }
  const valueAt = (sheet: string, position: string): BookCell | undefined => {
    try {
      return cellAt(sheet, position)
    } catch (error) {
      if (!(error instanceof NoValue)) throw error
      cellsOf(sheet)?.set(position, { cell: undefined })
      return undefined
    }
  }
  return {
    area(reference) {
      const [token, ...others] = a1.parse(reference)
      if (typeof token !== 'object' || others.length > 0 || token.sheet === undefined) return undefined
      const { from, to = from } = token.range
      const sheet = token.sheet.toLowerCase()
      if (cellsOf(sheet) === undefined || from.row === undefined || from.column === undefined)
        return undefined
      const height = (to.row ?? from.row) - from.row + 1
      const width = (to.column ?? from.column) - from.column + 1
      if (height * width > maxCells) return undefined
      const { row, column } = from
      return Array.from({ length: height }, (_, down) =>
        Array.from({ length: width }, (__, right) => valueAt(sheet, `${row + down} ${column + right}`)),
      )
    },
  }
}

/** A cell as it is stored. A cell with a `formula` that has not been evaluated yet has no value. */
interface WrittenCell {
  readonly cell: BookCell | undefined
  readonly formula?: string
}

/** The cells of a sheet by row and column, `3 2` for B3. */
function readCells(sheet: string, shared: () => readonly string[]): Map<string, WrittenCell> {
  const cells = new Map<string, WrittenCell>()
  // Addresses may be omitted when they follow from the preceding rows and cells: 18.3.1.73 and 18.3.1.4.
  let row = 0
  for (const { attributes: rowAttributes, content: inRow = '' } of elementsIn(sheet, 'row')) {
    row = Number(attribute(rowAttributes, 'r')) || row + 1
    let column = 0
    for (const { attributes, content = '' } of elementsIn(inRow, 'c')) {
      column = parseCorner(attribute(attributes, 'r'))?.column ?? column + 1
      const cell = cellOf(attributes, content, shared)
      const formula = cell === undefined ? (elementIn(content, 'f')?.content ?? '') : ''
      if (formula !== '') cells.set(`${row} ${column}`, { cell, formula: decodeEntities(formula) })
      else if (cell !== undefined) cells.set(`${row} ${column}`, { cell })
    }
  }
  return cells
}

const stringsOf = (part: string): string[] =>
  Array.from(elementsIn(part, 'si'), ({ content = '' }) => textOf(content))

function cellOf(attributes: string, content: string, shared: () => readonly string[]): BookCell | undefined {
  const value = elementIn(content, 'v')?.content
  const type = attribute(attributes, 't')
  let cell: BookCell | undefined
  if (type === 's') cell = { text: shared()[Number(value)] ?? '' }
  else if (type === 'inlineStr') cell = { text: textOf(content) }
  else if (value !== undefined) {
    const decoded = decodeEntities(value)
    const number = type === '' || type === 'n' ? Number(decoded) : Number.NaN
    cell = Number.isFinite(number) && decoded.trim() !== '' ? { text: decoded, number } : { text: decoded }
  }
  return cell?.text === '' ? undefined : cell
}

/** The value of a formula as a cell. */
const cellOfValue = (value: Scalar): BookCell | undefined => {
  if (typeof value === 'number') return { text: String(value), number: value }
  const text = typeof value === 'boolean' ? String(value).toUpperCase() : (value ?? '')
  return text === '' ? undefined : { text }
}

const attribute = (attributes: string, name: string): string =>
  decodeEntities(attributeOf(attributes, name) ?? '')

/** The text of a string, without its phonetic hints (`rPh`, 18.4.6). */
const textOf = (markup: string): string =>
  decodeEntities(
    Array.from(elementsIn(markup, 't', 'rPh'), ({ name, content = '' }) =>
      name === 't' ? content : '',
    ).join(''),
  )
