/** The cells of a written workbook, as a chart reads them. Source: ECMA-376-1, clauses 18.2.19, 18.3.1.4 and 18.4. */
import type { OpenContext } from '../../plugin/contract.ts'
import { decodeEntities } from '../../template/scan/xml.ts'
import { replaceElements } from '../markup.ts'
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
  const shared = (): readonly string[] =>
    (strings ??= elementsOf(text('xl/sharedStrings.xml'), 'sst', 'si').map(([, content]) => textOf(content)))
  const sheets = new Map<string, ReadonlyMap<string, BookCell>>()
  const cellsOf = (sheet: string): ReadonlyMap<string, BookCell> | undefined => {
    const part = parts.get(sheet)
    if (part === undefined) return undefined
    let cells = sheets.get(sheet)
    if (cells === undefined) sheets.set(sheet, (cells = readCells(text(part), shared)))
    return cells
  }
  return {
    area(reference) {
      const [token, ...more] = a1.parse(reference)
      if (typeof token !== 'object' || more.length > 0 || token.sheet === undefined) return undefined
      const { from, to = from } = token.range
      const cells = cellsOf(token.sheet.toLowerCase())
      if (cells === undefined || from.row === undefined || from.column === undefined) return undefined
      const height = (to.row ?? from.row) - from.row + 1
      const width = (to.column ?? from.column) - from.column + 1
      if (height * width > cellsAtMost) return undefined
      const { row, column } = from
      return Array.from({ length: height }, (_, down) =>
        Array.from({ length: width }, (__, right) => cells.get(`${row + down} ${column + right}`)),
      )
    },
  }
}

function readCells(sheet: string, shared: () => readonly string[]): ReadonlyMap<string, BookCell> {
  const cells = new Map<string, BookCell>()
  for (const [attributes, content] of elementsOf(sheet, 'worksheet', 'c')) {
    const { row, column } = parseCorner(attribute(attributes, 'r')) ?? {}
    if (row === undefined || column === undefined) continue
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
    if (cell !== undefined && cell.text !== '') cells.set(`${row} ${column}`, cell)
  }
  return cells
}

/** Attributes and content of the elements of a name, whose prefix is that of the root. */
function elementsOf(text: string, root: string, name: string): (readonly [string, string])[] {
  const prefix = new RegExp(`<(\\w+:)?${root}[\\s>]`).exec(text)?.[1] ?? ''
  const found: (readonly [string, string])[] = []
  replaceElements(text, prefix + name, (attributes, content = '') => {
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
