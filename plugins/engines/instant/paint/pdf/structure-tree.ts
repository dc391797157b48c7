import type { Block, Document, Inline, Paragraph } from '../../../../../shared/document/document.ts'
import type { Drawing } from '../../../../../shared/document/drawing.ts'
import type { ListPlace } from '../../../../../shared/document/properties.ts'
import type { Table } from '../../../../../shared/document/table.ts'
import type { Ownership } from '../../layout/ownership.ts'

/** An element of the structure; its content comes in the order it is painted. */
export interface Element {
  readonly role: string
  readonly parent: Element | undefined
  readonly kids: (
    | Element
    | { readonly page: number; readonly mark: number }
    | { readonly page: number; readonly annotation: number }
  )[]
  alternative?: string | undefined
  label?: Element // of a list item
  /** Cells: how many columns and rows they cover. */
  columns?: number
  rows?: number
  /** Lists: how their items are counted. */
  numbering?: ListNumbering
  /** Illustrations: the box around them, in the space of the page where they begin. */
  box?: { readonly page: number; readonly edges: Edges }
  held?: boolean
}

/** Left, bottom, right, top. */
export type Edges = readonly [number, number, number, number]

/** ISO 32000-1, table 347. */
export type ListNumbering =
  | 'None'
  | 'Disc'
  | 'Circle'
  | 'Square'
  | 'Decimal'
  | 'UpperRoman'
  | 'LowerRoman'
  | 'UpperAlpha'
  | 'LowerAlpha'

export interface StructureTree {
  readonly root: Element
  readonly paragraphs: Map<readonly Inline[], Element>
  /** Paragraphs of headers and footers. */
  readonly artifacts: ReadonlySet<readonly Inline[]>
  /** Drawings of the text and the element they are anchored in. */
  readonly drawings: ReadonlyMap<Drawing, Element>
  /** The list item a paragraph opens. */
  readonly items: ReadonlyMap<Element, Element>
}

export function element(role: string, parent: Element | undefined): Element {
  return { role, parent, kids: [] }
}

/** Elements of a document in its order; where styles say what a paragraph is, layout has computed them. */
export function buildStructure(document: Document, { styles }: Ownership): StructureTree {
  const root = element('Document', undefined)
  const paragraphs = new Map<readonly Inline[], Element>()
  const artifacts = new Set<readonly Inline[]>()
  const drawings = new Map<Drawing, Element>()
  const items = new Map<Element, Element>()
  let lastLevel = 0

  const add = (role: string, parent: Element): Element => {
    const made = element(role, parent)
    parent.kids.push(made)
    return made
  }

  /** Levels begin at 1 and skip none on the way down. ISO 14289-1, 7.4.2. */
  const roleOf = ({ inlines }: Paragraph): string => {
    const level = styles.get(inlines)?.outlineLevel
    if (level === undefined || !inlines.some((inline) => inline.kind === 'text' && inline.text.trim() !== ''))
      return 'P'
    lastLevel = Math.min(level + 1, lastLevel + 1, 6)
    return `H${lastLevel}`
  }

  const visitParagraph = (paragraph: Paragraph, parent: Element, beside: Element): Element => {
    const made = add(roleOf(paragraph), parent)
    paragraphs.set(paragraph.inlines, made)
    for (const inline of paragraph.inlines) {
      if (inline.kind === 'drawing') visitDrawing(inline.drawing, made, beside)
      else if (inline.kind === 'note') {
        const note = document.notes.get(inline.note)
        if (note !== undefined) visitBlocks(note.blocks, add('Note', beside))
      }
    }
    return made
  }

  const visitDrawing = (drawing: Drawing, anchor: Element, beside: Element): void => {
    drawings.set(drawing, anchor)
    const { content } = drawing
    if (content.kind === 'shape' && content.text !== undefined) visitBlocks(content.text.blocks, beside)
    if (content.kind === 'group')
      for (const child of content.children) visitDrawing(child.drawing, anchor, beside)
  }

  const visitTable = (table: Table, parent: Element): void => {
    const made = add('Table', parent)
    const open = new Map<number, Element>() // merged cells by column
    let head = true
    for (const row of table.rows) {
      if (row.properties.hidden === true) continue
      head &&= row.properties.header === true
      const line = add('TR', made)
      let column = row.properties.gridBefore ?? 0
      for (const cell of row.cells) {
        const { span = 1, merge } = cell.properties
        const above = merge === 'continue' ? open.get(column) : undefined
        if (above !== undefined) above.rows = (above.rows ?? 1) + 1
        else {
          const one = add(head ? 'TH' : 'TD', line)
          one.columns = span
          if (merge === 'start') open.set(column, one)
          else open.delete(column)
          visitBlocks(cell.blocks, one)
        }
        column += span
      }
    }
  }

  const visitBlocks = (blocks: readonly Block[], parent: Element): void => {
    let contents: Element | undefined
    const lists: { readonly level: number; readonly list: Element; body: Element }[] = []
    for (const block of blocks) {
      if (block.kind === 'table') {
        lists.length = 0
        contents = undefined
        visitTable(block, parent)
        continue
      }
      if (isOfContents(document, block)) {
        lists.length = 0
        contents ??= add('TOC', parent)
        const entry = add('TOCI', contents)
        visitParagraph(block, entry, entry)
        continue
      }
      contents = undefined
      const style = styles.get(block.inlines)
      const place = style?.outlineLevel === undefined ? style?.list : undefined
      if (place === undefined || place.list === '') {
        // An empty paragraph between items does not end a list that goes on.
        if (block.inlines.length > 0) lists.length = 0
        visitParagraph(block, parent, parent)
        continue
      }
      while (lists.length > 0 && lists.at(-1)!.level > place.level) lists.pop()
      let list = lists.at(-1)
      if (list !== undefined && list.level === place.level && place.unnumbered === true) {
        visitParagraph(block, list.body, list.body)
        continue
      }
      if (list === undefined || list.level < place.level) {
        const made = add('L', list?.body ?? parent)
        made.numbering = numberingOf(document, place)
        list = { level: place.level, list: made, body: made }
        lists.push(list)
      }
      const item = add('LI', list.list)
      list.body = add('LBody', item)
      items.set(visitParagraph(block, list.body, list.body), item)
    }
  }

  const visitBand = (blocks: readonly Block[]): void => {
    for (const block of blocks) {
      if (block.kind === 'paragraph') {
        artifacts.add(block.inlines)
        for (const inline of block.inlines) if (inline.kind === 'drawing') visitBandDrawing(inline.drawing)
      } else for (const row of block.rows) for (const cell of row.cells) visitBand(cell.blocks)
    }
  }
  const visitBandDrawing = ({ content }: Drawing): void => {
    if (content.kind === 'shape' && content.text !== undefined) visitBand(content.text.blocks)
    if (content.kind === 'group') for (const child of content.children) visitBandDrawing(child.drawing)
  }

  for (const section of document.sections) {
    for (const { default: usual, first, even } of [section.headers, section.footers])
      for (const band of [usual, first, even]) if (band !== undefined) visitBand(band)
    visitBlocks(section.blocks, root)
  }
  return { root, paragraphs, artifacts, drawings, items }
}

/** Lines of a table of contents go by the style that programs give them: 'toc 1', 'contents 1'. */
function isOfContents({ styles }: Document, { properties }: Paragraph): boolean {
  let style = properties.style === undefined ? undefined : styles.styles.get(properties.style)
  if (style?.automatic === true && style.basedOn !== undefined) style = styles.styles.get(style.basedOn)
  return style !== undefined && /^(?:(?:toc|contents) \d+|table of figures)$/.test(style.name)
}

const numberings: Readonly<Record<string, ListNumbering>> = {
  decimal: 'Decimal',
  decimalZero: 'Decimal',
  upperRoman: 'UpperRoman',
  lowerRoman: 'LowerRoman',
  upperLetter: 'UpperAlpha',
  lowerLetter: 'LowerAlpha',
}

function numberingOf({ numbering }: Document, { list, level }: ListPlace): ListNumbering {
  const { format, text = '' } = numbering.get(list)?.levels[level] ?? {}
  if (format !== 'bullet') return numberings[format ?? ''] ?? 'None'
  if (/[o\u25cb\u25e6]/.test(text)) return 'Circle'
  return /[\u25a0\u25aa\uf0a7]/.test(text) ? 'Square' : 'Disc'
}
