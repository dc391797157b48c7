import type { Block, Inline, Paragraph } from '../../../../shared/document/content.ts'
import type { Cell, Row, Table } from '../../../../shared/document/table.ts'
import type {
  CellProperties,
  Measure,
  RowProperties,
  TableProperties,
} from '../../../../shared/document/table-properties.ts'
import { warn } from '../../../../shared/office/ooxml/drawing/part.ts'
import { twips } from '../../../../shared/office/ooxml/values.ts'
import { attributeOf, elementIn } from '../../../../shared/xml/elements.ts'
import { readChunk, reportMissingDocument } from './chunk.ts'
import { readControl } from './content-control.ts'
import { type DocxInlineState, readInline } from './inline.ts'
import { type ReadParagraphProperties, readParagraphProperties } from './paragraph-properties.ts'
import type { DocxPartContext } from './part-context.ts'
import { readSection } from './section.ts'
import { readCellProperties, readRowProperties, readTableProperties } from './table-properties.ts'
import { reportUnsupported } from './unsupported.ts'

/** Properties of paragraphs without w:pPr. */
const noProperties: ReadParagraphProperties = { properties: {}, mark: {} }

/** Maximum nesting of tables; deeper ones are omitted with a warning. */
const maxTableDepth = 24

/** Reads the paragraphs and tables inside the current element and passes each of them to `add` in order. */
export function readBlocks(part: DocxPartContext, add: (block: Block) => void): void {
  part.cursor.each((name) => readBlock(part, name, add))
}

/** Reads one block-level element: a paragraph, table, content control or embedded document. */
export function readBlock(part: DocxPartContext, name: string, add: (block: Block) => void): void {
  const { context } = part
  switch (name) {
    case 'w:p':
      if (--context.budget.blocks < 0) {
        warn(
          context,
          'read.too-long',
          'The document has too many paragraphs; those after the limit are not drawn.',
          part.partName,
        )
      } else {
        const paragraph = readParagraph(part)
        if (paragraph !== undefined) add(paragraph)
      }
      break
    case 'w:tbl': {
      if (part.tableDepth >= maxTableDepth || --context.budget.tables < 0) {
        warn(
          context,
          'read.too-deep',
          `Tables nested more than ${maxTableDepth} levels deep are not drawn.`,
          part.partName,
        )
        break
      }
      part.tableDepth++
      const table = readTable(part)
      part.tableDepth--
      if (table.rows.length > 0) add(table)
      break
    }
    case 'w:sdt':
      readControl(part, (child) => readBlock(part, child, add))
      break
    case 'w:subDoc':
      reportMissingDocument(part)
      break
    case 'w:altChunk':
      readChunk(part, add)
      break
    default:
      // Read the content of unknown elements, so that no text is lost.
      if (!name.endsWith('Pr')) readBlocks(part, add)
  }
}

/**
 * w:p (17.3.1.22). Equal w:pPr markup is parsed only once, and the result is shared. Undefined for a paragraph that holds nothing but
 * a part of an instruction, for instance of a condition whose texts have several paragraphs: its mark is not part of the text either.
 */
function readParagraph(part: DocxPartContext): Paragraph | undefined {
  const { cursor, context } = part
  let read = noProperties
  let endsSection = false
  const state: DocxInlineState = { part, inlines: [], openBookmarks: new Map() }
  const continued = part.fields.contents
  cursor.each((name) => {
    if (name !== 'w:pPr') {
      readInline(state, name)
      return
    }
    const markup = cursor.markup()
    const cached = context.paragraphs.get(markup)
    if (cached !== undefined) {
      read = cached
      cursor.pass(markup)
      return
    }
    reportUnsupported(context, markup, part.partName)
    read = readParagraphProperties(cursor, context.theme, () => {
      endsSection = true
      part.onSection?.(readSection(cursor, context.theme, (code, message) => warn(context, code, message)))
    })
    // Properties with a section break are not cached, since the section must be read each time.
    read = withChange(read, markup)
    if (!endsSection) context.paragraphs.set(markup, read)
  })
  part.fields.flush(state.inlines)
  if (state.inlines.length === 0 && !endsSection && part.fields.inInstruction) return undefined
  if (cursor.tooDeep)
    warn(context, 'read.too-deep', 'Content that is nested too deeply is not drawn.', part.partName)
  const { inlines, mathAlign } = state
  // Without other text the paragraph is aligned like its display equations.
  const alone = mathAlign !== undefined && inlines.every((inline) => inline.kind !== 'text')
  const properties = alone ? { ...read.properties, align: mathAlign } : read.properties
  const { mark, changed } = read
  const contents = part.fields.takeContents() ?? (inlines.some(isVisible) ? continued : undefined)
  return {
    kind: 'paragraph',
    properties,
    mark,
    inlines,
    ...(changed !== undefined && { changed }),
    ...(contents !== undefined && { contents }),
  }
}

/** Whether an inline is more than a position. A paragraph that only ends a field is not an entry of its table. */
const isVisible = ({ kind }: Inline): boolean => kind !== 'bookmark'

/**
 * Adds what tracked changes altered: the formatting of the paragraph, or its paragraph mark (17.13.5.15,
 * 17.13.5.20, 17.13.5.29).
 */
function withChange(read: ReadParagraphProperties, markup: string): ReadParagraphProperties {
  if (markup.includes('<w:pPrChange')) return { ...read, changed: 'whole' }
  const markProperties = elementIn(markup, 'w:rPr')?.content ?? ''
  const first = elementIn(markProperties)?.name
  return first !== undefined && revisions.has(first) ? { ...read, changed: 'end' } : read
}

/** The elements of a revised paragraph mark; they precede its other properties (17.3.1.29). */
const revisions: ReadonlySet<string> = new Set(['w:ins', 'w:del', 'w:moveTo', 'w:moveFrom'])

/** w:tbl (17.4). Content controls and tracked changes may wrap rows. */
function readTable(part: DocxPartContext): Table {
  const { cursor, context } = part
  let properties: TableProperties = {}
  const grid: number[] = []
  const rows: Row[] = []
  const visit = (name: string): void => {
    switch (name) {
      case 'w:tblPr':
        reportUnsupported(context, cursor.markup(), part.partName)
        properties = readTableProperties(cursor, context.theme)
        break
      case 'w:tblGrid':
        cursor.each((column) => {
          if (column === 'w:gridCol' && grid.length < 1024)
            grid.push(Math.max(0, twips(cursor.attribute('w:w')) ?? 0))
        })
        break
      case 'w:tr': {
        const row = readRow(part)
        if (row.cells.length > 0) rows.push(row)
        break
      }
      case 'w:sdt':
        readControl(part, visit)
        break
      case 'w:sdtContent':
      case 'w:customXml':
      case 'w:ins':
      case 'w:del':
        cursor.each(visit)
        break
    }
  }
  cursor.each(visit)
  return { kind: 'table', properties, grid, rows: rows.map((row) => withoutHiddenCells(row, grid.length)) }
}

/**
 * Leaves out the cells without width that only continue a merged cell, from a row that has more cells than the grid has columns.
 * LibreOffice writes them for merged cells of the binary format.
 */
function withoutHiddenCells(row: Row, columns: number): Row {
  const spans = row.cells.reduce((sum, { properties }) => sum + (properties.span ?? 1), 0)
  if (columns === 0 || spans <= columns) return row
  return {
    ...row,
    cells: row.cells.filter(({ properties: { width, merge } }) => merge !== 'continue' || !isZero(width)),
  }
}

const isZero = (width: Measure | undefined): boolean => width?.kind === 'pt' && width.value === 0

/** w:tr (17.4). Content controls may wrap cells. */
function readRow(part: DocxPartContext): Row {
  const { cursor, context } = part
  let properties: RowProperties = {}
  let exceptions: TableProperties | undefined
  const cells: Cell[] = []
  const visit = (name: string): void => {
    switch (name) {
      case 'w:trPr':
        properties = readRowProperties(cursor)
        break
      case 'w:tblPrEx':
        exceptions = readTableProperties(cursor, context.theme)
        break
      case 'w:tc':
        if (cells.length < 1024) readCell(part, cells)
        break
      case 'w:sdt':
        readControl(part, visit)
        break
      case 'w:sdtContent':
      case 'w:customXml':
        cursor.each(visit)
        break
    }
  }
  cursor.each(visit)
  return { properties: exceptions === undefined ? properties : { ...properties, exceptions }, cells }
}

/** w:tc (17.4). Equal w:tcPr markup is parsed only once. */
function readCell(part: DocxPartContext, cells: Cell[]): void {
  const { cursor, context } = part
  let properties: CellProperties = {}
  let horizontal: string | undefined
  const blocks: Block[] = []
  const readProperties = (): void => {
    const markup = cursor.markup()
    const cached = context.cells.get(markup)
    // w:hMerge of older files merges cells of a row without w:gridSpan: a continued cell widens the one
    // before it.
    const merge = elementIn(markup, 'w:hMerge')
    horizontal = merge && (attributeOf(merge.attributes, 'w:val') ?? 'continue')
    if (cached !== undefined) {
      properties = cached
      cursor.pass(markup)
    } else {
      reportUnsupported(context, markup, part.partName)
      properties = readCellProperties(cursor, context.theme)
      context.cells.set(markup, properties)
    }
  }
  cursor.each((name) => {
    if (name === 'w:tcPr') readProperties()
    else readBlock(part, name, (block) => blocks.push(block))
  })
  const before = cells.at(-1)
  if (horizontal !== undefined && horizontal !== 'restart' && before !== undefined) {
    const span = (before.properties.span ?? 1) + (properties.span ?? 1)
    cells[cells.length - 1] = { ...before, properties: { ...before.properties, span } }
    return
  }
  cells.push({ properties, blocks })
}
