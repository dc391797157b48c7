/** Composes the blocks of a flow from a structure tree. ISO 32000-2, 14.8.4 (standard structure types). */

import { maxOf, minOf } from '../../../../shared/extremes.ts'
import {
  type FlowAlign,
  type FlowBlock,
  type FlowCell,
  type FlowInline,
  type FlowItem,
  type FlowRow,
  plainText,
} from '../../../../shared/flow/flow.ts'
import { pushAll } from '../../../../shared/push-all.ts'
import { type ColumnEdges, directed, inTableOrder, joinLines, levelOf, unbold } from '../text/blocks.ts'
import { codeAt, codeOf } from '../text/code-lines.ts'
import { endsEarly, frameOf, typographyOf } from '../text/flow.ts'
import { linesOf, type PdfLine, textOfLine } from '../text/lines.ts'
import type { PagePicture, PageText, TextPosition } from '../text/text-positions.ts'
import type { MarkedText } from './assign-marks.ts'
import { ordinalStart, withLists, withoutLabel } from './list-labels.ts'
import { type CellExtents, withRightColumns } from './right-columns.ts'
import { isElement, type MarkedContent, type TaggedElement } from './structure-tree.ts'

export interface TaggedDocument {
  readonly pages: readonly PageText[]
  readonly marked: readonly MarkedText[]
  readonly tree: TaggedElement
}

type Kids = TaggedElement['children']

/** The position of a block: in the text, or inside a cell or list item. */
type Level = 'text' | 'inside'

/** Maximum fraction of rows whose cells are in another order than their tags. */
const maxCrossed = 0.05

/** Undefined if the tags of tables omit cells, so that their order does not match the columns. */
export function composeBlocks(document: TaggedDocument): readonly FlowBlock[] | undefined {
  const composer = new BlockComposer(document)
  const blocks = composer.compose()
  const { all, crossed } = composer.rows
  return crossed > all * maxCrossed ? undefined : withLists(blocks)
}

/** Inline elements. All others are blocks or contain blocks. */
const inlineRoles: ReadonlySet<string> = new Set(
  'Span Quote Reference BibEntry Code Link Annot Ruby RB RT RP Warichu WT WP Sub Em Strong Lbl'.split(' '),
)
const paragraphRoles: ReadonlySet<string> = new Set(['P', 'Caption', 'TOCI', 'Note', 'FENote', 'LBody'])
class BlockComposer {
  readonly #pages: readonly PageText[]
  readonly #marked: readonly MarkedText[]
  readonly #tree: TaggedElement
  readonly #typography: ReturnType<typeof typographyOf>
  readonly #frames: readonly ColumnEdges[]
  /** Whether no element is a heading, so that headings are recognised by their size. */
  readonly #guessesHeadings: boolean
  /** Number of table rows that were read, and of those whose cells are not in the order of their positions. */
  readonly rows = { all: 0, crossed: 0 }
  /** The page of the last block of the text. */
  #page = 0

  constructor({ pages, marked, tree }: TaggedDocument) {
    this.#pages = pages
    this.#marked = marked
    this.#tree = tree
    this.#typography = typographyOf(pages)
    this.#frames = pages.map(({ positions }) => frameOf(linesOf(positions)))
    this.#guessesHeadings = !hasHeading(tree)
  }

  compose(): FlowBlock[] {
    const blocks = this.#blocks(this.#tree.children, 'text', 0)
    return [...blocks, ...this.#advanceTo(this.#pages.length - 1), ...this.#untagged()]
  }

  /** The blocks of the children of an element; adjacent inline children form one paragraph. */
  #blocks(children: Kids, level: Level, section: number): FlowBlock[] {
    const blocks: FlowBlock[] = []
    let inline: (TaggedElement | MarkedContent)[] = []
    const flush = (): void => {
      if (inline.length > 0) pushAll(blocks, this.#paragraph(inline, level, undefined))
      inline = []
    }
    for (const child of children) {
      if (isElement(child) && !isInline(child)) {
        flush()
        pushAll(blocks, this.#block(child, level, section))
      } else inline.push(child)
    }
    flush()
    return blocks
  }

  #block(element: TaggedElement, level: Level, section: number): readonly FlowBlock[] {
    const { role, children } = element
    if (role === 'Artifact') return []
    const heading = headingLevel(role, section)
    if (heading !== undefined && children.every(isInline)) return this.#paragraph([element], level, heading)
    if (paragraphRoles.has(role) && children.every(isInline))
      return this.#paragraph([element], level, undefined)
    switch (role) {
      case 'L':
        return this.#atText(element, level, () => this.#list(element))
      case 'Table':
        return this.#atText(element, level, () => this.#table(element))
      case 'BlockQuote':
        return this.#atText(element, level, () => {
          const blocks = this.#blocks(children, 'inside', section)
          return blocks.length === 0 ? [] : [{ kind: 'quote', blocks }]
        })
      case 'Figure':
      case 'Formula':
        return this.#atText(element, level, () => this.#figure(element))
      default:
        return this.#blocks(children, level, role === 'Sect' || role === 'Art' ? section + 1 : section)
    }
  }

  /** Adds a block to the text, after the content at the top of its page. */
  #atText(element: TaggedElement, level: Level, make: () => readonly FlowBlock[]): readonly FlowBlock[] {
    const page = level === 'text' ? firstPage(element) : undefined
    return page === undefined ? make() : [...this.#advanceTo(page), ...make()]
  }

  /**
   * The content before the first block of a later page: pictures without a tag, and a break after a page that ended
   * early.
   */
  #advanceTo(page: number): FlowBlock[] {
    const blocks: FlowBlock[] = []
    for (; this.#page < page; this.#page++) {
      pushAll(blocks, this.#untagged())
      const before = this.#pages[this.#page]
      if (before !== undefined && before.positions.length > 0 && endsEarly(before))
        blocks.push({ kind: 'page-break' })
    }
    return blocks
  }

  #untagged(): FlowBlock[] {
    return (this.#marked[this.#page]?.unmarkedPictures ?? []).map((picture) => pictureBlock(picture, ''))
  }

  #paragraph(children: Kids, level: Level, heading: number | undefined): readonly FlowBlock[] {
    const parts = children.flatMap((child) => this.#texts(child))
    const pictures = children
      .flatMap((child) => this.#pictures(child))
      .map((picture) => pictureBlock(picture, ''))
    const [first] = parts
    if (first === undefined) return pictures
    const pageStart = level === 'text' ? this.#advanceTo(first.page) : []
    const lines = linesInOrder(parts)
    const text = lines.map(textOfLine).join(' ')
    const [line] = lines
    const guessed =
      this.#guessesHeadings && level === 'text' && line !== undefined
        ? levelOf(line, lines.length, text, this.#typography)
        : undefined
    const foundLevel = heading ?? guessed
    const inlines = joinLines(
      lines.map(({ segments }) => segments.flatMap(({ positions }) => positions)),
      foundLevel === undefined ? this.#typography.size : 0,
    )
    if (plainText(inlines).trim() === '') return [...pageStart, ...pictures]
    const isCode = foundLevel === undefined && level === 'text' && this.#typography.monospaced !== true
    if (isCode && codeAt(lines, 0) === lines.length) return [...pageStart, codeOf(lines), ...pictures]
    const direction = directed(inlines)
    const align = alignOf(children) ?? (level === 'text' ? this.#centred(lines, first.page) : undefined)
    const aligned = { ...direction, ...(align !== undefined && { align }) }
    const block: FlowBlock =
      foundLevel === undefined
        ? { kind: 'paragraph', inlines, ...aligned }
        : { kind: 'heading', level: foundLevel, inlines: inlines.map(unbold), ...aligned }
    return [...pageStart, block, ...pictures]
  }

  /** Whether short lines are centred in the text of their page. */
  #centred(lines: readonly PdfLine[], page: number): FlowAlign | undefined {
    const { left, right } = this.#frames[page] ?? { left: 0, right: 0 }
    const [width, middle] = [right - left, (left + right) / 2]
    const isCentred = lines.every(
      (line) => Math.abs((line.x + line.right) / 2 - middle) < width * 0.02 && line.x - left > width * 0.06,
    )
    return isCentred && width > 0 ? 'center' : undefined
  }

  #figure(element: TaggedElement): readonly FlowBlock[] {
    const { alternative = '', actualText, children } = element
    // An element that groups a picture and its caption.
    if (children.some((child) => isElement(child) && !isInline(child)))
      return this.#blocks(children, 'inside', 0)
    const pictures = this.#pictures(element)
    if (pictures.length > 0)
      return pictures.map((picture) => pictureBlock(picture, alternative.replace(/\s+/g, ' ').trim()))
    if (actualText === undefined && this.#texts(element).length > 0)
      return this.#paragraph(children, 'inside', undefined)
    const words = actualText ?? (alternative === '' ? '' : `[${alternative}]`)
    return words.trim() === ''
      ? []
      : [{ kind: 'paragraph', inlines: [{ kind: 'text', text: words, style: {} }] }]
  }

  #list(list: TaggedElement): readonly FlowBlock[] {
    const before: FlowBlock[] = []
    const items: { blocks: FlowBlock[] }[] = []
    let start: number | undefined
    let ordered = 0
    for (const child of list.children) {
      const isItem = isElement(child) && child.role === 'LI'
      const read = isItem ? this.#item(child, list) : undefined
      if (read !== undefined) {
        if (read.number !== undefined) ordered++
        start ??= read.number
        items.push({ blocks: [...read.blocks] })
        continue
      }
      const blocks = this.#blocks([child], 'inside', 0)
      const last = items.at(-1)
      if (last === undefined) pushAll(before, blocks)
      else pushAll(last.blocks, blocks)
    }
    const filled: FlowItem[] = items.filter(({ blocks }) => blocks.length > 0)
    if (filled.length === 0) return before
    const isOrdered = ordered * 2 > items.length
    return [
      ...before,
      { kind: 'list', ordered: isOrdered, start: isOrdered ? (start ?? 1) : 1, items: filled },
    ]
  }

  /** A list item without its label; `number` is the number of its label. */
  #item(
    item: TaggedElement,
    list: TaggedElement,
  ): { readonly blocks: readonly FlowBlock[]; readonly number?: number } {
    const isLabel = (child: TaggedElement | MarkedContent) => isElement(child) && child.role === 'Lbl'
    const labels = item.children.filter(isLabel)
    const label = labels.flatMap((child) => this.#texts(child).map(({ position }) => position.text)).join('')
    const blocks = this.#blocks(
      item.children.filter((child) => !isLabel(child)),
      'inside',
      0,
    )
    const ordinal = ordinalStart.exec(`${label.trim()} `)
    if (labels.length > 0) return ordinal === null ? { blocks } : { blocks, number: Number(ordinal[1]) || 1 }
    return withoutLabel(blocks, list.attributes.get('ListNumbering'))
  }

  #table(table: TaggedElement): readonly FlowBlock[] {
    const before: FlowBlock[] = []
    const rows: FlowRow[] = []
    const extents: CellExtents[] = []
    let headerRows = 0
    const visit = (children: Kids, inHead: boolean): void => {
      for (const child of children) {
        if (!isElement(child)) continue
        if (child.role === 'TR') {
          const row = this.#row(child)
          if (row.cells.length === 0) continue
          if (rows.length === headerRows && (inHead || row.cells.every(({ header }) => header === true)))
            headerRows++
          else extents.push(this.#extentsOf(child))
          rows.push(row)
        } else if (child.role === 'Caption') pushAll(before, this.#blocks([child], 'inside', 0))
        else visit(child.children, inHead || child.role === 'THead')
      }
    }
    visit(table.children, false)
    if (rows.length === 0) return [...before, ...this.#blocks(table.children, 'inside', 0)]
    const [only] = rows.length === 1 ? (rows[0]?.cells ?? []) : []
    if (only !== undefined && rows[0]?.cells.length === 1) return [...before, ...only.blocks]
    const aligned = withRightColumns(rows, extents)
    return [
      ...before,
      inTableOrder({ kind: 'table', rows: aligned, headerRows: Math.min(headerRows, rows.length - 1) }),
    ]
  }

  /** The horizontal extent of the text of each cell. */
  #extentsOf({ children }: TaggedElement): CellExtents {
    const cells = children.filter((child) => isElement(child) && (child.role === 'TD' || child.role === 'TH'))
    return cells.map((cell) => {
      const positions = this.#texts(cell).map(({ position }) => position)
      if (positions.length === 0) return undefined
      const rights = positions.map(({ x, width }) => x + width)
      return { x: minOf(positions.map(({ x }) => x)), right: maxOf(rights) }
    })
  }

  #row({ children }: TaggedElement): FlowRow {
    this.rows.all++
    if (!isMonotonous(children.flatMap((child) => this.#texts(child)[0]?.position.x ?? [])))
      this.rows.crossed++
    const cells = children.flatMap((child): FlowCell[] => {
      if (!isElement(child) || (child.role !== 'TD' && child.role !== 'TH')) return []
      const span = (name: string) =>
        Math.min(Math.max(Math.round(Number(child.attributes.get(name) ?? 1)) || 1, 1), 100)
      const isHeader = child.role === 'TH'
      const blocks = this.#blocks(child.children, 'inside', 0).map((block) =>
        isHeader && block.kind === 'paragraph' ? { ...block, inlines: block.inlines.map(unbold) } : block,
      )
      return [{ blocks, columns: span('ColSpan'), rows: span('RowSpan'), ...(isHeader && { header: true }) }]
    })
    return { cells }
  }

  /** The texts of content or of an element, in the order of the tree. */
  #texts(child: TaggedElement | MarkedContent): readonly PageTextPosition[] {
    if (!isElement(child)) {
      const positions = this.#marked[child.page]?.texts.get(child.mark) ?? []
      return positions.map((position) => ({ page: child.page, position }))
    }
    const parts = child.children.flatMap((inner) => this.#texts(inner))
    const [first] = parts
    const { actualText } = child
    // If a mark ends inside a word, its position contains the complete word; this filters the parts that contain the
    // text.
    const visible = parts.map(({ position }) => position.text).join('')
    if (actualText === undefined || first === undefined || visible.includes(actualText)) return parts
    const style = first.position.inlines.find((inline) => inline.kind === 'text')
    const inlines: FlowInline[] = [{ kind: 'text', style: {}, ...style, text: actualText }]
    const { words: _, ...position } = first.position
    return [{ page: first.page, position: { ...position, text: actualText, inlines } }]
  }

  #pictures(child: TaggedElement | MarkedContent): readonly PagePicture[] {
    if (!isElement(child)) return this.#marked[child.page]?.pictures.get(child.mark) ?? []
    return child.children.flatMap((inner) => this.#pictures(inner))
  }
}

/** Whether numbers only increase or only decrease, within a tolerance for rounding. */
function isMonotonous(numbers: readonly number[]): boolean {
  const steps = numbers.slice(1).map((number, at) => number - (numbers[at] ?? 0))
  return steps.every((step) => step > -2) || steps.every((step) => step < 2)
}

interface PageTextPosition {
  readonly page: number
  readonly position: TextPosition
}

/** Elements without a meaning of their own (14.8.4.3.3) are inline if they contain content directly. */
const neutralRoles: ReadonlySet<string> = new Set(['NonStruct', 'Private'])

function isInline(child: TaggedElement | MarkedContent): boolean {
  if (!isElement(child)) return true
  const { role, children } = child
  const isOne =
    inlineRoles.has(role) || (neutralRoles.has(role) && children.some((inner) => !isElement(inner)))
  return isOne && children.every(isInline)
}

function hasHeading({ role, children }: TaggedElement): boolean {
  return /^(?:H[1-6]?|Title)$/.test(role) || children.some((child) => isElement(child) && hasHeading(child))
}

/** The level of a heading; the level of H is the depth of its sections (14.8.4.3.2). */
function headingLevel(role: string, section: number): number | undefined {
  if (role === 'Title') return 1
  if (role === 'H') return Math.min(Math.max(section, 1), 6)
  return /^H[1-6]$/.test(role) ? Number(role[1]) : undefined
}

function firstPage(child: TaggedElement | MarkedContent): number | undefined {
  if (!isElement(child)) return child.page
  for (const inner of child.children) {
    const page = firstPage(inner)
    if (page !== undefined) return page
  }
  return undefined
}

/** The lines of a text in tag order: on each page and in each column from the top. */
function linesInOrder(parts: readonly PageTextPosition[]): readonly PdfLine[] {
  const groups: { page: number; lowest: number; positions: TextPosition[] }[] = []
  for (const { page, position } of parts) {
    const last = groups.at(-1)
    // An upward jump of more than a line starts the next column.
    const goesOn =
      last !== undefined && last.page === page && position.y > last.lowest - position.height * 1.2
    if (goesOn) {
      last.positions.push(position)
      last.lowest = Math.max(last.lowest, position.y)
    } else groups.push({ page, lowest: position.y, positions: [position] })
  }
  return groups.flatMap(({ positions }) => linesOf(positions))
}

/** The alignment that the attributes of an element declare. */
function alignOf(children: Kids): FlowAlign | undefined {
  const [child] = children
  const declared = child !== undefined && isElement(child) ? child.attributes.get('TextAlign') : undefined
  if (declared === 'Center') return 'center'
  return declared === 'End' ? 'right' : declared === 'Justify' ? 'justify' : undefined
}

function pictureBlock({ name, width, height }: PagePicture, text: string): FlowBlock {
  return { kind: 'paragraph', inlines: [{ kind: 'picture', picture: name, text, width, height }] }
}
