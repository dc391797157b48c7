/** The cells of a written workbook, as a chart reads them. Source: ECMA-376-1, clauses 18.2.19, 18.3.1.4 and 18.4. */
import type { OpenContext } from '../../plugin/contract.ts'
import { decodeEntities } from '../../template/scan/xml.ts'
import { replaceElements } from '../markup.ts'
import { type EvaluationBudget, evaluate, NoValue, type ReadCell, type Scalar } from '../sheet/evaluate.ts'
import { a1 } from '../sheet/formula.ts'
import { parseCorner } from '../sheet/reference.ts'
import { openZip } from '../zip.ts'

export interface BookCell {
  readonly text: string
  readonly number?: number
}
/** One row of the area for each inner list. A cell that holds nothing is undefined. */
export type Area = readonly (readonly (BookCell | undefined)[])[]

export interface Book {
  /** undefined when it is no address of this workbook. */
  area(reference: string): Area | undefined
}

/** Points of one chart. */
const cellsAtMost = 200_000
/** What its formulas may cost, and how many may wait for each other. */
const stepsAtMost = 2_000_000
const chainAtMost = 500

export function readBook(bytes: Uint8Array, context: OpenContext): Book {
  const archive = openZip(bytes, { ...context, format: 'xlsx' })
  const text = (name: string): string => {
    const entry = archive.entries.find((each) => each.name === name)
    return entry === undefined ? '' : new TextDecoder().decode(archive.read(entry))
  }
  const targets = new Map<string, string>()
  for (const [element] of text('xl/_rels/workbook.xml.rels').matchAll(/<(?:\w+:)?Relationship\b[^<>]*>/g)) {
    const target = attribute(element, 'Target')
    targets.set(attribute(element, 'Id'), target.startsWith('/') ? target.slice(1) : `xl/${target}`)
  }
  const parts = new Map<string, string>()
  for (const [element] of text('xl/workbook.xml').matchAll(/<(?:\w+:)?sheet\b[^<>]*>/g)) {
    const id = /\s\w+:id\s*=\s*["']([^"']*)["']/.exec(element)?.[1] ?? ''
    parts.set(decodeEntities(attribute(element, 'name')).toLowerCase(), targets.get(id) ?? '')
  }
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
  const budget: EvaluationBudget = { left: stepsAtMost }
  const open = new Set<string>() // formulas being worked out: one that waits for itself has no value
  const cellAt = (sheet: string, at: string): BookCell | undefined => {
    const cells = cellsOf(sheet)
    if (cells === undefined) throw new NoValue()
    const found = cells.get(at)
    if (found?.formula === undefined) return found?.cell
    const key = `${sheet}!${at}`
    if (open.has(key) || open.size >= chainAtMost) throw new NoValue()
    open.add(key)
    try {
      const read: ReadCell = (name, row, column) => {
        const cell = cellAt(name === undefined ? sheet : name.toLowerCase(), `${row} ${column}`)
        return cell?.number ?? cell?.text
      }
      const cell = written(evaluate(found.formula, read, budget))
      cells.set(at, { cell })
      return cell
    } finally {
      open.delete(key)
    }
  }
  const shownAt = (sheet: string, at: string): BookCell | undefined => {
    try {
      return cellAt(sheet, at)
    } catch (error) {
      if (!(error instanceof NoValue)) throw error
      cellsOf(sheet)?.set(at, { cell: undefined })
      return undefined
    }
  }
  return {
    area(reference) {
      const [token, ...more] = a1.parse(reference)
      if (typeof token !== 'object' || more.length > 0 || token.sheet === undefined) return undefined
      const { from, to = from } = token.range
      const sheet = token.sheet.toLowerCase()
      if (cellsOf(sheet) === undefined || from.row === undefined || from.column === undefined)
        return undefined
      const height = (to.row ?? from.row) - from.row + 1
      const width = (to.column ?? from.column) - from.column + 1
      if (height * width > cellsAtMost) return undefined
      const { row, column } = from
      return Array.from({ length: height }, (_, down) =>
        Array.from({ length: width }, (__, right) => shownAt(sheet, `${row + down} ${column + right}`)),
      )
    },
  }
}

/** A cell as it is written: a formula that nobody has worked out yet has no value. */
interface WrittenCell {
  readonly cell: BookCell | undefined
  readonly formula?: string
}

function readCells(sheet: string, shared: () => readonly string[]): Map<string, WrittenCell> {
  const cells = new Map<string, WrittenCell>()
  const prefix = prefixOf(sheet, 'worksheet')
  // Addresses may be left out where they follow from what stands before: 18.3.1.73 and 18.3.1.4.
  let row = 0
  for (const [rowAttributes, inside] of elementsOf(sheet, `${prefix}row`)) {
    row = Number(attribute(rowAttributes, 'r')) || row + 1
    let column = 0
    for (const [attributes, content] of elementsOf(inside, `${prefix}c`)) {
      column = parseCorner(attribute(attributes, 'r'))?.column ?? column + 1
      const cell = cellOf(attributes, content, shared)
      const formula = cell === undefined ? /<(?:\w+:)?f\b[^<>]*>([^<]+)</.exec(content)?.[1] : undefined
      if (formula !== undefined) cells.set(`${row} ${column}`, { cell, formula: decodeEntities(formula) })
      else if (cell !== undefined) cells.set(`${row} ${column}`, { cell })
    }
  }
  return cells
}

const stringsOf = (part: string): string[] =>
  elementsOf(part, `${prefixOf(part, 'sst')}si`).map(([, content]) => textOf(content))

function cellOf(attributes: string, content: string, shared: () => readonly string[]): BookCell | undefined {
  const value = /<(?:\w+:)?v\b[^<>]*>([^<]*)</.exec(content)?.[1]
  const type = attribute(attributes, 't')
  let cell: BookCell | undefined
  if (type === 's') cell = { text: shared()[Number(value)] ?? '' }
  else if (type === 'inlineStr') cell = { text: textOf(content) }
  else if (value !== undefined) {
    const plain = decodeEntities(value)
    const number = type === '' || type === 'n' ? Number(plain) : Number.NaN
    cell = Number.isFinite(number) && plain.trim() !== '' ? { text: plain, number } : { text: plain }
  }
  return cell?.text === '' ? undefined : cell
}

const written = (value: Scalar): BookCell | undefined => {
  if (typeof value === 'number') return { text: String(value), number: value }
  const text = typeof value === 'boolean' ? String(value).toUpperCase() : (value ?? '')
  return text === '' ? undefined : { text }
}

const prefixOf = (text: string, root: string): string =>
  new RegExp(`<(\\w+:)?${root}[\\s>]`).exec(text)?.[1] ?? ''

/** Attributes and content of the elements of a name. */
function elementsOf(text: string, name: string): (readonly [string, string])[] {
  const found: (readonly [string, string])[] = []
  replaceElements(text, name, (attributes, content = '') => {
    found.push([attributes, content])
    return undefined
  })
  return found
}

function attribute(element: string, name: string): string {
  return new RegExp(`(?:^|\\s)${name}\\s*=\\s*["']([^"']*)["']`).exec(element)?.[1] ?? ''
}

const textOf = (markup: string): string =>
  decodeEntities([...markup.matchAll(/<(?:\w+:)?t(?:\s[^<>]*)?>([^<]*)</g)].map(([, text]) => text).join(''))
