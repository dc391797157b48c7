import type { Block, Paragraph } from '../../../../shared/document/document.ts'
import type {
  Cell,
  CellProperties,
  Row,
  RowProperties,
  Table,
  TableProperties,
} from '../../../../shared/document/table.ts'
import { readChunk, tellMissing } from './chunk.ts'
import { readControl } from './content-control.ts'
import { type InlineState, readInline } from './inline.ts'
import { tellLeftOut } from './left-out.ts'
import { type ReadParagraphProperties, readParagraphProperties } from './paragraph-properties.ts'
import { readSection } from './section.ts'
import { type Story, warn } from './story.ts'
import { readCellProperties, readRowProperties, readTableProperties } from './table-properties.ts'
import { twips } from './values.ts'

/** Properties of paragraphs without w:pPr. */
const noProperties: ReadParagraphProperties = { properties: {}, mark: {} }

/** Maximum nesting of tables; deeper ones are omitted with a warning. */
const maxTableDepth = 24

/** Reads the paragraphs and tables inside the current element and passes each of them to `add` in order. */
export function readBlocks(story: Story, add: (block: Block) => void): void {
  story.cursor.each((name) => readBlock(story, name, add))
}

/** Reads one block-level element: a paragraph, table, content control or embedded document. */
export function readBlock(story: Story, name: string, add: (block: Block) => void): void {
  const { context } = story
  switch (name) {
    case 'w:p':
      if (--context.budget.blocks < 0) {
        warn(
          context,
          'read.too-long',
          'The document has too many paragraphs; the rest is left out.',
          story.part,
        )
      } else add(readParagraph(story))
      break
    case 'w:tbl': {
      if (story.tableDepth >= maxTableDepth || --context.budget.tables < 0) {
        warn(context, 'read.too-deep', 'Tables inside tables inside tables are left out.', story.part)
        break
      }
      story.tableDepth++
      const table = readTable(story)
      story.tableDepth--
      if (table.rows.length > 0) add(table)
      break
    }
    case 'w:sdt':
      readControl(story, (child) => readBlock(story, child, add))
      break
    case 'w:subDoc':
      tellMissing(story)
      break
    case 'w:altChunk':
      readChunk(story, add)
      break
    default:
      // Read the content of unknown elements, so that no text is lost.
      if (!name.endsWith('Pr')) readBlocks(story, add)
  }
}

/** w:p (17.3.1.22). Equal w:pPr markup is parsed only once, and the result is shared. */
function readParagraph(story: Story): Paragraph {
  const { cursor, context } = story
  let read = noProperties
  const state: InlineState = { story, inlines: [], marks: new Map() }
  cursor.each((name) => {
    if (name !== 'w:pPr') {
      readInline(state, name)
      return
    }
    const markup = cursor.markup()
    const known = context.paragraphs.get(markup)
    if (known !== undefined) {
      read = known
      cursor.pass(markup)
      return
    }
    let endsSection = false
    tellLeftOut(context, markup, story.part)
    read = readParagraphProperties(cursor, context.theme, () => {
      endsSection = true
      story.onSection?.(readSection(cursor, context.theme, (code, said) => warn(context, code, said)))
    })
    // Properties with a section break are not cached, since the section must be read each time.
    read = withChange(read, markup)
    if (!endsSection) context.paragraphs.set(markup, read)
  })
  story.fields.flush(state.inlines)
  if (cursor.tooDeep) warn(context, 'read.too-deep', 'Very deeply nested content is left out.', story.part)
  const { inlines, mathAlign } = state
  // Without other text the paragraph is aligned like its display equations.
  const alone = mathAlign !== undefined && inlines.every((inline) => inline.kind !== 'text')
  const properties = alone ? { ...read.properties, align: mathAlign } : read.properties
  const { mark, changed } = read
  return { kind: 'paragraph', properties, mark, inlines, ...(changed !== undefined && { changed }) }
}

/**
 * Adds what tracked changes altered: the formatting of the paragraph, or its paragraph mark (17.13.5.15,
 * 17.13.5.20, 17.13.5.29).
 */
function withChange(read: ReadParagraphProperties, markup: string): ReadParagraphProperties {
  if (markup.includes('<w:pPrChange')) return { ...read, changed: 'whole' }
  return /<w:rPr>\s*<w:(?:ins|del|moveTo|moveFrom)\s/.test(markup) ? { ...read, changed: 'end' } : read
}

/** w:tbl (17.4). Content controls and tracked changes may wrap rows. */
function readTable(story: Story): Table {
  const { cursor, context } = story
  let properties: TableProperties = {}
  const grid: number[] = []
  const rows: Row[] = []
  const visit = (name: string): void => {
    switch (name) {
      case 'w:tblPr':
        tellLeftOut(context, cursor.markup(), story.part)
        properties = readTableProperties(cursor, context.theme)
        break
      case 'w:tblGrid':
        cursor.each((column) => {
          if (column === 'w:gridCol' && grid.length < 1024)
            grid.push(Math.max(0, twips(cursor.attribute('w:w')) ?? 0))
        })
        break
      case 'w:tr': {
        const row = readRow(story)
        if (row.cells.length > 0) rows.push(row)
        break
      }
      case 'w:sdt':
        readControl(story, visit)
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
  return { kind: 'table', properties, grid, rows }
}

/** w:tr (17.4). Content controls may wrap cells. */
function readRow(story: Story): Row {
  const { cursor, context } = story
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
        if (cells.length < 1024) readCell(story, cells)
        break
      case 'w:sdt':
        readControl(story, visit)
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
function readCell(story: Story, cells: Cell[]): void {
  const { cursor, context } = story
  let properties: CellProperties = {}
  let horizontal: string | undefined
  const blocks: Block[] = []
  const readProperties = (): void => {
    const markup = cursor.markup()
    const known = context.cells.get(markup)
    // w:hMerge of older files merges cells of a row without w:gridSpan: a continued cell widens the one
    // before it.
    horizontal = /<w:hMerge\b([^>]*)/.exec(markup)?.[1]
    if (known !== undefined) {
      properties = known
      cursor.pass(markup)
    } else {
      tellLeftOut(context, markup, story.part)
      properties = readCellProperties(cursor, context.theme)
      context.cells.set(markup, properties)
    }
  }
  cursor.each((name) => {
    if (name === 'w:tcPr') readProperties()
    else readBlock(story, name, (block) => blocks.push(block))
  })
  const before = cells.at(-1)
  if (horizontal !== undefined && !horizontal.includes('restart') && before !== undefined) {
    const span = (before.properties.span ?? 1) + (properties.span ?? 1)
    cells[cells.length - 1] = { ...before, properties: { ...before.properties, span } }
    return
  }
  cells.push({ properties, blocks })
}
