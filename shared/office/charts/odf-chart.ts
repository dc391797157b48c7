/**
 * The markup of an OpenDocument chart before and after a render. A chart stores its values in a table of its own. The
 * cells are labelled with their position before the render, so that the new addresses of the series can be read from
 * the rendered table. `{bindChart(3) = d.t[i].min}` is written in a cell of text and refers to the cell that contains
 * the number 3, since the office program accepts only numbers in columns of values. Source: template language 22.3;
 * ODF 1.3 part 3, clauses 11 and 9.2.
 */

import { AppError } from '../../errors/app-error.ts'
import { pushAll } from '../../push-all.ts'
import { closeOf, isValueTag } from '../../template/media/tokens.ts'
import type { FormatRules } from '../../template/rules.ts'
import type { ElementToken, TagToken, Token } from '../../template/scan/tokens.ts'
import { attributeOf, withoutAttributes } from '../../xml/elements.ts'
import { escapeAttribute, hasTag, withoutControls } from '../../xml/markup.ts'
import { decodeEntities } from '../../xml/scan.ts'
import {
  childrenOf,
  cloneElement,
  descendants,
  editTree,
  element,
  firstChild,
  replaceChildren,
  writeElement,
  type XmlElement,
  type XmlNode,
} from '../../xml/tree.ts'
import { odfRules } from '../odf-rules.ts'
import { parseOpenAddress } from '../sheet/formula.ts'
import { type CellRange, columnName } from '../sheet/reference.ts'
import { isNothing, numberOf, typedTag } from '../sheet/typed.ts'

const binding = /\{\s*bindChart\s*\(\s*([^(){}]*?)\s*\)\s*=\s*([^{}]*)\}/

/** Attributes without a namespace that cells and rows have while they are rendered. */
const rowPrefix = 'r' // the row of the template, counted from 1
const columnPrefix = 'c' // the column of the template, counted from 1
const numberPrefix = 'n' // the cell was bound by its number

const tableIn = (content: XmlElement): XmlElement | undefined =>
  descendants(content, 'table:table').next().value ?? undefined

// ---------------------------------------------------------------------------------------------------------- before

/** The content as the compiler receives it. Throws AppError 'template.chart.binding'. */
export function beforeOdfRender(content: string, part: string): string {
  return editTree(content, (root) => {
    const table = tableIn(root)
    if (table === undefined || !hasTag(writeElement(table))) return false
    const bindings = new Map<number, string>()
    let row = 0
    for (const rowElement of descendants(table, 'table:table-row')) {
      row += 1
      labelRow(rowElement, row)
      for (const cell of childrenOf(rowElement, 'table:table-cell')) collectBindings(cell, bindings, part)
    }
    bindCells(table, bindings, part)
    return true
  })
}

/** A cell with a higher repetition count fills the sheet up to its edge, and no chart draws it. */
const maxRepeated = 64

/** Labels a row and its cells with their position in the template. Repeated cells are expanded. */
function labelRow(row: XmlElement, number: number): void {
  let column = 0
  replaceChildren(row, (cell) => {
    if (cell.name !== 'table:table-cell') return undefined
    const repeated = Math.trunc(Number(cell.attributes.get('table:number-columns-repeated'))) || 1
    const count = Math.max(1, Math.min(maxRepeated, repeated))
    cell.attributes.delete('table:number-columns-repeated')
    return Array.from({ length: count }, () => {
      column += 1
      const copy = cloneElement(cell)
      copy.attributes.set(columnPrefix, String(column))
      return copy
    })
  })
  row.attributes.set(rowPrefix, String(number))
}

/** Removes the bindings from the paragraphs of a cell and collects them. */
function collectBindings(cell: XmlElement, bindings: Map<number, string>, part: string): void {
  for (const paragraph of descendants(cell, 'text:p', 'text:h')) {
    const children = unformatted(paragraph.children)
    if (!children.some((child) => typeof child === 'string' && child.includes('bindChart'))) continue
    paragraph.children = children.map((child) =>
      typeof child === 'string' ? withoutBindings(child, bindings, part) : child,
    )
  }
}

/** The children of a paragraph with the texts of its runs merged: an editor may have split a tag into several. */
function unformatted(children: readonly XmlNode[]): XmlNode[] {
  const result: XmlNode[] = []
  const add = (node: XmlNode) => {
    const previous = result.at(-1)
    if (typeof node === 'string' && typeof previous === 'string') result[result.length - 1] = previous + node
    else result.push(node)
  }
  for (const child of children) {
    if (typeof child === 'string') add(child)
    else if (child.name === 'text:span') unformatted(child.children).forEach(add)
    else if (child.name === 'text:s' || child.name === 'text:tab') add(' ')
    else add(child)
  }
  return result
}

function withoutBindings(text: string, bindings: Map<number, string>, part: string): string {
  return text.replace(/\s*\{\s*bindChart\b[^{}]*\}/g, (bindTag) => {
    const [, reference = '', path = ''] = binding.exec(bindTag) ?? []
    const number = numberOf(decodeEntities(reference))
    const tag = bindTag.trim().slice(0, 200)
    if (number === undefined || path.trim() === '')
      throw problem(tag, part, 'it must be written like {bindChart(3) = d.list[i].value}')
    if (bindings.has(number)) throw problem(tag, part, `the number ${number} is bound twice`)
    bindings.set(number, path.trim())
    return ''
  })
}

/** Replaces the cells with the bound numbers by the tags that were bound to them. */
function bindCells(table: XmlElement, bindings: ReadonlyMap<number, string>, part: string): void {
  if (bindings.size === 0) return
  const bound = new Map<number, number>() // number -> cells that have it
  for (const cell of descendants(table, 'table:table-cell')) {
    const number = numberOf(cell.attributes.get('office:value'))
    const path = number === undefined ? undefined : bindings.get(number)
    if (number === undefined || path === undefined) continue
    bound.set(number, (bound.get(number) ?? 0) + 1)
    const column = cell.attributes.get(columnPrefix)
    cell.attributes.clear()
    if (column !== undefined) cell.attributes.set(columnPrefix, column)
    cell.attributes.set(numberPrefix, '1')
    cell.children = [element('text:p', {}, `{${path}}`)]
  }
  for (const number of bindings.keys()) {
    const cells = bound.get(number) ?? 0
    if (cells !== 1) {
      const because =
        cells === 0 ? 'no cell of the chart has this number' : 'several cells of the chart have this number'
      throw problem(`{bindChart(${number})}`, part, because)
    }
  }
}

const problem = (tag: string, part: string, because: string): AppError =>
  new AppError(
    'template.chart.binding',
    { tag, because },
    {
      problems: [
        {
          code: 'template.chart.binding',
          message: `${tag} cannot be bound to a cell of the chart: ${because}.`,
          place: { part, tag },
        },
      ],
    },
  )

// ---------------------------------------------------------------------------------------------------------- tokens

/** The rules of OpenDocument texts, with cells of values that are typed. Nothing in a chart needs a unique name. */
export const odfChartRules: FormatRules = {
  ...odfRules,
  unique: [],
  grid: { row: 'table:table-row', cell: 'table:table-cell', holder: '', column: '' },
  prepare: (_part, tokens) => typedCells(tokens),
}

/** A lone tag in a column of values is a number. */
function typedCells(tokens: readonly Token[]): readonly Token[] {
  const result: Token[] = []
  let headers = 0
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index]
    if (token === undefined) break
    if ('name' in token && token.name === 'table:table-header-rows' && token.kind !== 'void')
      headers += token.kind === 'open' ? 1 : -1
    const tag =
      token.kind === 'open' && token.name === 'table:table-cell'
        ? numberIn(tokens, index, headers > 0)
        : undefined
    if (tag === undefined) {
      result.push(token)
      continue
    }
    const { raw, name, offset } = token as ElementToken
    result.push(
      { kind: 'open', name, raw: untyped(raw), offset },
      { ...tag, output: typedCell, absorbs: 'formatN' },
    )
    const close = closeOf(tokens, index)
    result.push(tokens[close]!)
    index = close
  }
  return result
}

/** The tag that is the whole text of a cell of values, at `at`; undefined for other cells. */
function numberIn(tokens: readonly Token[], index: number, inHeader: boolean): TagToken | undefined {
  const { raw } = tokens[index] as ElementToken
  const textElement = /^text:(?:p|span)$/
  // The first column and the header contain the names of categories and series.
  const isLabel = inHeader || attributeOf(raw, columnPrefix) === '1'
  const isValue = attributeOf(raw, numberPrefix) === '1' || !isLabel
  const tag = typedTag(tokens, index + 1, closeOf(tokens, index), textElement, isValue ? /^/ : undefined)
  return tag !== undefined && isValueTag(tag) ? tag : undefined
}

const typing: ReadonlySet<string> = new Set([
  'office:value-type',
  'office:value',
  'office:string-value',
  'calcext:value-type',
  numberPrefix,
])
const untyped = (raw: string): string => withoutAttributes(raw, (name) => typing.has(name)).replace(/>$/, '')

/** The rest of a cell's start tag, and its content. NaN is what LibreOffice writes for a value that is missing. */
function typedCell(value: unknown, textOf: (value: unknown) => string): string {
  const number = numberOf(value)
  if (number !== undefined)
    return ` office:value-type="float" office:value="${number}"><text:p>${number}</text:p>`
  const text = textOf(value)
  if (isNothing(value, text)) return ' office:value-type="float" office:value="NaN"><text:p>NaN</text:p>'
  return ` office:value-type="string"><text:p>${escapeAttribute(withoutControls(text))}</text:p>`
}

// ----------------------------------------------------------------------------------------------------------- after

/** The table of a chart as a render wrote it. */
interface WrittenTable {
  /** For each row of the output: its row in the template, and the column in the template of each of its cells. */
  readonly rows: readonly { readonly row: number; readonly columns: readonly number[] }[]
  readonly name: string // as it is written
}

/** The content as it is stored: addresses are adjusted to the table, and series repeat with their columns. */
export function afterOdfRender(content: string): string {
  return editTree(content, (root) => {
    const table = tableIn(root)
    if (table === undefined) return false
    const written = readTable(table)
    if (written.rows.length === 0) return false
    unmark(table)
    const styles: XmlElement[] = []
    const visit = (parent: XmlElement): void => {
      followIn(parent, ['chart:categories', 'chart:plot-area'], written)
      replaceChildren(parent, (child) => {
        if (child.name === 'chart:series') return copiesOf(child, written, root, styles)
        visit(child)
        return undefined
      })
    }
    visit(root)
    const automatic = firstChild(root, 'office:automatic-styles')
    if (automatic !== undefined) pushAll(automatic.children, styles)
    return true
  })
}

/** Reads the labels of the rows and cells. */
function readTable(table: XmlElement): WrittenTable {
  const rows = Array.from(descendants(table, 'table:table-row')).flatMap((row) => {
    const number = row.attributes.get(rowPrefix)
    if (number === undefined) return []
    const columns = Array.from(childrenOf(row, 'table:table-cell'), ({ attributes }) =>
      Number(attributes.get(columnPrefix)),
    )
    return [{ row: Number(number), columns: columns.filter(Number.isInteger) }]
  })
  return { rows, name: table.attributes.get('table:name') ?? '' }
}

/** Removes the labels and updates the number of columns. */
function unmark(table: XmlElement): void {
  let width = 1
  for (const row of descendants(table, 'table:table-row')) {
    row.attributes.delete(rowPrefix)
    const cells = [...childrenOf(row, 'table:table-cell')]
    width = Math.max(width, cells.length)
    for (const { attributes } of cells) {
      attributes.delete(columnPrefix)
      attributes.delete(numberPrefix)
    }
  }
  // The first column, with the names of the rows, is one of `table:table-header-columns`.
  const columns = firstChild(table, 'table:table-columns')
  const repeated = { 'table:number-columns-repeated': String(Math.max(1, width - 1)) }
  if (columns !== undefined) columns.children = [element('table:table-column', repeated)]
}

/** Attributes that contain one address of the table of the chart. */
const addressed = ['chart:values-cell-range-address', 'chart:label-cell-address', 'table:cell-range-address']

/** Adjusts the addresses of an element with one of these names. */
function followIn(
  { name, attributes }: XmlElement,
  names: readonly string[],
  table: WrittenTable,
  copy?: number,
): void {
  if (!names.includes(name)) return
  for (const attribute of addressed) {
    const address = parseOpenAddress(decodeEntities(attributes.get(attribute) ?? ''))
    if (address === undefined || address.sheet !== decodeEntities(table.name)) continue
    const movedRange = follow(address.range, table, copy)
    if (movedRange !== undefined)
      attributes.set(attribute, escapeAttribute(`${address.prefix}.${movedRange}`))
  }
}

/**
 * Converts an area of the template into an area of the output. `copy` is the index of the copy of a single column;
 * without it, all copies are included.
 */
function follow(
  { from, to = from }: CellRange,
  { rows }: WrittenTable,
  copy: number | undefined,
): string | undefined {
  if (from.row === undefined || from.column === undefined) return undefined
  const first = from.row
  const lastRow = to.row ?? first
  const insideRows = rows.flatMap(({ row }, index) => (row >= first && row <= lastRow ? [index + 1] : []))
  const rowFrom = insideRows[0] ?? first
  const rowTo = insideRows.at(-1) ?? rowFrom
  const columns = columnsOf(rows, insideRows, from.column, to.column ?? from.column)
  const single = copy === undefined ? undefined : columns[copy]
  const columnFrom = single ?? columns[0] ?? from.column
  const columnTo = single ?? columns.at(-1) ?? columnFrom
  const corner = (column: number, row: number) => `$${columnName(column)}$${row}`
  const start = corner(columnFrom, rowFrom)
  return rowFrom === rowTo && columnFrom === columnTo ? start : `${start}:.${corner(columnTo, rowTo)}`
}

/** The positions of columns of the template, in the widest row of an area. */
function columnsOf(
  rows: WrittenTable['rows'],
  insideRows: readonly number[],
  first: number,
  lastRow: number,
): number[] {
  const columnsOfRows = insideRows.map((rowNumber) =>
    rows[rowNumber - 1]!.columns.flatMap((column, index) =>
      column >= first && column <= lastRow ? [index + 1] : [],
    ),
  )
  return columnsOfRows.reduce<number[]>(
    (widest, columns) => (columns.length > widest.length ? columns : widest),
    [],
  )
}

/** The colours that LibreOffice gives to the series of a new chart, in its order. */
const palette = [
  '004586',
  'ff420e',
  'ffd320',
  '579d1c',
  '7e0021',
  '83caff',
  '314004',
  'aecf00',
  '4b1f6f',
  'ff950e',
]
/** Far more series than a chart can show. */
const maxSeries = 500

/** Writes a series whose column repeats once for each copy. */
function copiesOf(
  series: XmlElement,
  table: WrittenTable,
  content: XmlElement,
  styles: XmlElement[],
): XmlElement[] {
  const label = parseOpenAddress(decodeEntities(series.attributes.get('chart:label-cell-address') ?? ''))
  const labelRows = table.rows.flatMap(({ row }, index) => (row === label?.range.from.row ? [index + 1] : []))
  const column = label?.range.from.column
  const isInTable =
    label?.sheet === decodeEntities(table.name) && column !== undefined && labelRows.length > 0
  const columns = isInTable ? columnsOf(table.rows, labelRows, column, column) : undefined
  if (columns === undefined || columns.length === 1) return [followed(series, table)]
  return columns.slice(0, maxSeries).map((_, copyIndex) => {
    const copy = followed(series, table, copyIndex)
    recolor(copy, copyIndex, content, styles)
    return copy
  })
}

/** A copy of a series whose addresses are those of the written table. */
function followed(series: XmlElement, table: WrittenTable, copyIndex?: number): XmlElement {
  const copy = cloneElement(series)
  const points = [...descendants(copy, 'chart:data-point')]
  for (const element of [copy, ...descendants(copy, 'chart:domain')])
    followIn(element, ['chart:series', 'chart:domain'], table, copyIndex)
  const [single] = points
  const values = parseOpenAddress(
    decodeEntities(copy.attributes.get('chart:values-cell-range-address') ?? ''),
  )
  // A single element may format all points and state their number.
  if (points.length === 1 && single?.attributes.has('chart:repeated') === true && values !== undefined) {
    const { from, to = from } = values.range
    single.attributes.set('chart:repeated', String(Math.max(1, (to.row ?? 1) - (from.row ?? 1) + 1)))
  }
  return copy
}

/** A copy of a series looks like the first one, in another colour. */
function recolor(series: XmlElement, copyIndex: number, content: XmlElement, styles: XmlElement[]): void {
  const name = series.attributes.get('chart:style-name')
  if (copyIndex === 0 || name === undefined) return
  const style = Array.from(descendants(content, 'style:style')).find(
    ({ attributes }) => attributes.get('style:name') === name,
  )
  if (style === undefined) return
  const copy = cloneElement(style)
  const colored = Array.from(descendants(copy, 'style:graphic-properties'), ({ attributes }) => attributes)
  const colors = ['draw:fill-color', 'svg:stroke-color']
  const [first = ''] = colors.flatMap((color) => colored.flatMap((attributes) => attributes.get(color) ?? []))
  const paletteIndex =
    (Math.max(0, palette.indexOf(first.slice(1).toLowerCase())) + copyIndex) % palette.length
  for (const attributes of colored)
    for (const color of colors) if (attributes.has(color)) attributes.set(color, `#${palette[paletteIndex]}`)
  const copyName = `${name}_${copyIndex + 1}_${styles.length}`
  copy.attributes.set('style:name', copyName)
  styles.push(copy)
  series.attributes.set('chart:style-name', copyName)
}
