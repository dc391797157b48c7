import type { Block, Inline, Paragraph } from '../../../../../shared/document/content.ts'
import type { Document } from '../../../../../shared/document/document.ts'
import type { Drawing } from '../../../../../shared/document/drawing.ts'
import type { ListPosition } from '../../../../../shared/document/properties.ts'
import type { Table } from '../../../../../shared/document/table.ts'
import { entryOf } from '../../../../../shared/entry-of.ts'
import type { Ownership } from '../../layout/ownership.ts'

/** A structure element. Its content is added in the order it is painted. */
export interface StructureElement {
  readonly role: string
  readonly parent: StructureElement | undefined
  readonly children: (
    | StructureElement
    | { readonly page: number; readonly markedContent: number }
    | { readonly page: number; readonly annotation: number }
  )[]
  alternative?: string | undefined
  /** A name for readers, which is not drawn. */
  title?: string
  label?: StructureElement // of a list item
  /** For cells: the number of columns and rows that they cover. */
  columns?: number
  rows?: number
  /** For header cells: the direction of the cells that they describe, by default those below. */
  scope?: 'Row' | 'Column'
  /** For lists: the numbering of their items. */
  numbering?: ListNumbering
  /** For illustrations: their bounding box, in the coordinates of the page where they begin. */
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

/** The inputs of a structure tree. Paragraphs and drawings are identified by these objects. */
export interface StructureTree<Text extends object, Picture extends object> {
  readonly root: StructureElement
  readonly paragraphs: Map<Text, StructureElement>
  /** The paragraphs of headers and footers, which are not part of the structure. */
  readonly artifacts: ReadonlySet<Text>
  /** The drawings of the body and the elements that they are anchored in. */
  readonly drawings: ReadonlyMap<Picture, StructureElement>
  /** The description of a drawing for a reader; undefined if it is decoration or its text has a structure of its own. */
  readonly illustrationOf: (drawing: Picture) => Illustration | undefined
  /** The list item that a paragraph begins. */
  readonly items: ReadonlyMap<StructureElement, StructureElement>
}

export interface Illustration {
  readonly role: 'Figure' | 'Formula'
  readonly alternative: string | undefined
}

export function element(role: string, parent: StructureElement | undefined): StructureElement {
  return { role, parent, children: [] }
}

/** The state that the functions below share while they walk a document. */
export interface Build extends StructureTree<readonly Inline[], Drawing> {
  readonly document: Document
  readonly styles: Ownership['styles']
  readonly artifacts: Set<readonly Inline[]>
  readonly drawings: Map<Drawing, StructureElement>
  readonly items: Map<StructureElement, StructureElement>
  /** The levels of the headings that the next paragraph is below, outermost first. */
  readonly headings: number[]
  /** Paragraphs that are headings of the first level, whatever their style says. */
  readonly titles: Set<readonly Inline[]>
}

/** An empty structure for the paragraphs and drawings of a document. */
export const startBuild = (document: Document, styles: Ownership['styles']): Build => ({
  document,
  styles,
  root: element('Document', undefined),
  paragraphs: new Map(),
  artifacts: new Set(),
  drawings: new Map(),
  illustrationOf,
  items: new Map(),
  headings: [],
  titles: new Set(),
})

/**
 * Builds the structure elements of a document in its order. Roles that depend on styles use the computed ones
 * of layout.
 */
export function buildStructure(
  document: Document,
  { styles }: Ownership,
): StructureTree<readonly Inline[], Drawing> {
  const build = startBuild(document, styles)
  for (const { headers, footers, blocks } of document.sections) {
    for (const variants of [headers, footers])
      for (const variant of [variants.default, variants.first, variants.even])
        if (variant !== undefined) markArtifacts(build, variant)
    visitBlocks(build, blocks, build.root)
  }
  return build
}

/** Adds an empty element to its parent. */
export function add(role: string, parent: StructureElement): StructureElement {
  const child = element(role, parent)
  parent.children.push(child)
  return child
}

/**
 * The role of a heading. Levels begin at 1 and must not be skipped on the way down (ISO 14289-1, 7.4.2), so a heading is one
 * level below the enclosing one. `open` are the levels of the enclosing headings, outermost first.
 */
export function headingRole(open: number[], level: number): string {
  while ((open.at(-1) ?? 0) >= level) open.pop()
  open.push(level)
  return `H${Math.min(open.length, 6)}`
}

/** The role of a paragraph, which is a heading by its outline level. */
function paragraphRole(build: Build, { inlines }: Paragraph): string {
  const level = build.titles.has(inlines) ? 0 : build.styles.get(inlines)?.outlineLevel
  const hasText = inlines.some((inline) => inline.kind === 'text' && inline.text.trim() !== '')
  if (level === undefined || !hasText) return 'P'
  return headingRole(build.headings, level + 1)
}

/**
 * Adds a paragraph. `sibling` receives its notes and the text of its shapes, which may not be inside a
 * paragraph.
 */
function visitParagraph(
  build: Build,
  paragraph: Paragraph,
  parent: StructureElement,
  sibling: StructureElement,
): StructureElement {
  const added = add(paragraphRole(build, paragraph), parent)
  build.paragraphs.set(paragraph.inlines, added)
  for (const inline of paragraph.inlines) {
    if (inline.kind === 'drawing') visitDrawing(build, inline.drawing, added, sibling)
    else if (inline.kind === 'note') {
      const note = build.document.notes.get(inline.note)
      if (note !== undefined) visitBlocks(build, note.blocks, add('Note', sibling))
    }
  }
  return added
}

/** Adds a drawing that is anchored in an element; `sibling` receives the text of its shapes. */
export function visitDrawing(
  build: Build,
  drawing: Drawing,
  anchor: StructureElement,
  sibling: StructureElement,
): void {
  build.drawings.set(drawing, anchor)
  const { content } = drawing
  if (content.kind === 'shape' && content.text !== undefined) visitBlocks(build, content.text.blocks, sibling)
  if (content.kind === 'group')
    for (const child of content.children) visitDrawing(build, child.drawing, anchor, sibling)
}

export function illustrationOf({ content, description }: Drawing): Illustration | undefined {
  const alternative = description
  if (content.kind === 'math') return { role: 'Formula', alternative }
  if (content.kind === 'ruby') return undefined
  if (content.kind !== 'shape' && content.kind !== 'group') return { role: 'Figure', alternative }
  return description === undefined || description === '' ? undefined : { role: 'Figure', alternative }
}

function visitTable(build: Build, table: Table, parent: StructureElement): void {
  const added = add('Table', parent)
  /** Cells that continue a vertical merge, by their first column. */
  const open = new Map<number, StructureElement>()
  let isHead = true
  for (const row of table.rows) {
    if (row.properties.hidden === true) continue
    isHead &&= row.properties.header === true
    const line = add('TR', added)
    let column = row.properties.gridBefore ?? 0
    for (const cell of row.cells) {
      const { span = 1, merge } = cell.properties
      const above = merge === 'continue' ? open.get(column) : undefined
      if (above !== undefined) above.rows = (above.rows ?? 1) + 1
      else {
        const child = add(isHead ? 'TH' : 'TD', line)
        child.columns = span
        if (merge === 'start') open.set(column, child)
        else open.delete(column)
        visitBlocks(build, cell.blocks, child)
      }
      column += span
    }
  }
}

/** A list that the next paragraph may continue. `body` is that of its last item, where nested lists go. */
interface OpenStructureList {
  readonly level: number
  readonly list: StructureElement
  body: StructureElement
}

function visitBlocks(build: Build, blocks: readonly Block[], parent: StructureElement): void {
  let contents: StructureElement | undefined
  /** The open lists, outermost first. */
  const lists: OpenStructureList[] = []
  for (const block of blocks) {
    if (block.kind === 'table') {
      lists.length = 0
      contents = undefined
      visitTable(build, block, parent)
    } else if (isOfContents(build.document, block)) {
      lists.length = 0
      contents ??= add('TOC', parent)
      const entry = add('TOCI', contents)
      visitParagraph(build, block, entry, entry)
    } else {
      contents = undefined
      const style = build.styles.get(block.inlines)
      const position = style?.outlineLevel === undefined ? style?.list : undefined
      if (position !== undefined && position.list !== '') visitListItem(build, block, position, lists, parent)
      else {
        // An empty paragraph between two items does not end their list.
        if (block.inlines.length > 0) lists.length = 0
        visitParagraph(build, block, parent, parent)
      }
    }
  }
}

function visitListItem(
  build: Build,
  paragraph: Paragraph,
  position: ListPosition,
  lists: OpenStructureList[],
  parent: StructureElement,
): void {
  while ((lists.at(-1)?.level ?? 0) > position.level) lists.pop()
  let list = lists.at(-1)
  if (list !== undefined && list.level === position.level && position.unnumbered === true) {
    visitParagraph(build, paragraph, list.body, list.body)
    return
  }
  if (list === undefined || list.level < position.level) {
    const added = add('L', list?.body ?? parent)
    added.numbering = numberingOf(build.document, position)
    list = { level: position.level, list: added, body: added }
    lists.push(list)
  }
  const item = add('LI', list.list)
  list.body = add('LBody', item)
  build.items.set(visitParagraph(build, paragraph, list.body, list.body), item)
}

/** Marks the text of headers and footers as artifacts. */
function markArtifacts(build: Build, blocks: readonly Block[]): void {
  for (const block of blocks) {
    if (block.kind === 'paragraph') {
      build.artifacts.add(block.inlines)
      for (const inline of block.inlines)
        if (inline.kind === 'drawing') markDrawingArtifacts(build, inline.drawing)
    } else for (const row of block.rows) for (const cell of row.cells) markArtifacts(build, cell.blocks)
  }
}

/** Marks the text of a drawing as artifacts. */
export function markDrawingArtifacts(build: Build, { content }: Drawing): void {
  if (content.kind === 'shape' && content.text !== undefined) markArtifacts(build, content.text.blocks)
  if (content.kind === 'group')
    for (const child of content.children) markDrawingArtifacts(build, child.drawing)
}

/**
 * Whether a paragraph is a line of a table of contents, by the style names that office programs use: 'toc 1',
 * 'contents 1'.
 */
function isOfContents({ styles }: Pick<Document, 'styles'>, { properties }: Paragraph): boolean {
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

function numberingOf({ numbering }: Document, { list, level }: ListPosition): ListNumbering {
  const { format, text = '' } = numbering.get(list)?.levels[level] ?? {}
  if (format !== 'bullet') return entryOf(numberings, format) ?? 'None'
  if (/[o\u25cb\u25e6]/.test(text)) return 'Circle'
  return /[\u25a0\u25aa\uf0a7]/.test(text) ? 'Square' : 'Disc'
}
