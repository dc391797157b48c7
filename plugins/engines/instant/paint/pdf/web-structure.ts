/**
 * Builds the structure of a web page from its boxes, in document order. Elements without semantics, and tables that only
 * serve layout, pass their content to the enclosing structure element. Source: ISO 32000-1, 14.8.4; HTML Accessibility API
 * Mappings 1.0.
 */

import { attributeOf } from '../../../../../shared/css/selector.ts'
import { entryOf } from '../../../../../shared/entry-of.ts'
import type { BlockBox, LayoutBox, LinesBox, PictureBox, TableBox } from '../../layout/web/box.ts'
import { gridOf } from '../../layout/web/table-grid.ts'
import {
  add,
  element,
  headingRole,
  type ListNumbering,
  type StructureElement,
  type StructureTree,
} from './structure-tree.ts'

export type WebStructureTree = StructureTree<LinesBox, PictureBox>

interface Build extends WebStructureTree {
  readonly drawings: Map<PictureBox, StructureElement>
  readonly items: Map<StructureElement, StructureElement>
  /** The levels of the headings that precede the next text, outermost first. */
  readonly headings: number[]
}

/** The structure elements that content is added to. */
interface InsertionPoint {
  /** The element that blocks are added to. */
  readonly parent: StructureElement
  /** The element that text is added to directly, such as a heading; absent if lines become paragraphs. */
  readonly text?: StructureElement
}

export function buildWebStructure(page: BlockBox): WebStructureTree {
  const build: Build = {
    root: element('Document', undefined),
    paragraphs: new Map(),
    artifacts: new Set(),
    drawings: new Map(),
    illustrationOf: ({ alternative, isDecoration, control }) =>
      isDecoration === true || (control !== undefined && alternative === '')
        ? undefined
        : { role: 'Figure', alternative: alternative === '' ? undefined : alternative },
    items: new Map(),
    headings: [],
  }
  visit(build, page, { parent: build.root })
  return build
}

function visit(build: Build, box: LayoutBox, insertion: InsertionPoint): void {
  switch (box.kind) {
    case 'lines':
      visitLines(build, box, insertion)
      break
    case 'out-of-flow':
      visit(build, box.box, insertion)
      break
    case 'picture':
      build.drawings.set(box, insertion.text ?? insertion.parent)
      break
    case 'table':
      if (isDataTable(box)) visitTable(build, box, add('Table', inList(insertion.parent)))
      else visitArrangement(build, box, insertion)
      break
    case 'block':
      visitBlock(build, box, insertion)
  }
}

function visitLines(build: Build, box: LinesBox, insertion: InsertionPoint): void {
  const paragraph = insertion.text ?? add('P', inList(insertion.parent))
  build.paragraphs.set(box, paragraph)
  for (const item of box.items) {
    if (item.kind === 'marker') markItem(build, paragraph)
    if (item.kind !== 'atomic' && item.kind !== 'out-of-flow') continue
    const inner = item.kind === 'out-of-flow' ? item.box.box : item.box
    if (inner.kind === 'picture') build.drawings.set(inner, paragraph)
    // A paragraph must not contain paragraphs, so only inline boxes without blocks stay inside it.
    else if (isPlain(inner)) visit(build, inner, { ...insertion, text: paragraph })
    else visit(build, inner, insertion)
  }
}

/** Associates a paragraph that begins with a list marker with its list item. */
function markItem(build: Build, paragraph: StructureElement): void {
  for (
    let structureElement: StructureElement | undefined = paragraph;
    structureElement !== undefined;
    structureElement = structureElement.parent
  )
    if (structureElement.role === 'LI') {
      build.items.set(paragraph, structureElement)
      return
    }
}

const isPlain = (box: LayoutBox): boolean =>
  box.kind === 'lines' || (box.kind === 'block' && roleOf(box) === undefined && box.children.every(isPlain))

/** The role of the block of an element; undefined for elements without semantics. */
function roleOf({ tag = '', heading }: BlockBox): string | undefined {
  if (heading !== undefined) return 'H'
  return entryOf(roles, tag)
}
const roles: Readonly<Record<string, string>> = {
  p: 'P',
  pre: 'P',
  ul: 'L',
  ol: 'L',
  menu: 'L',
  dl: 'L',
  li: 'LI',
  dt: 'Lbl',
  dd: 'LBody',
  blockquote: 'BlockQuote',
  article: 'Art',
  section: 'Sect',
}

function visitBlock(build: Build, box: BlockBox, insertion: InsertionPoint): void {
  const { heading, children } = box
  const inside = (inner: InsertionPoint): void => {
    for (const child of children) visit(build, child, inner)
  }
  const role = roleOf(box)
  const { parent } = insertion
  switch (role) {
    case undefined:
      inside(insertion)
      break
    case 'H': {
      const container = inList(parent)
      inside({ parent: container, text: add(headingRole(build.headings, heading?.level ?? 1), container) })
      break
    }
    case 'P': {
      const container = inList(parent)
      inside({ parent: container, text: add('P', container) })
      break
    }
    case 'L': {
      const list = add('L', inList(parent))
      list.numbering = numberingOf(box)
      inside({ parent: list })
      break
    }
    case 'LI':
      inside({ parent: parent.role === 'L' ? add('LBody', add('LI', parent)) : parent })
      break
    case 'Lbl':
      if (parent.role === 'L') inside({ parent, text: add('Lbl', add('LI', parent)) })
      else inside({ parent })
      break
    case 'LBody':
      inside({ parent: parent.role === 'L' ? add('LBody', lastItem(parent)) : parent })
      break
    default:
      inside({ parent: add(role, inList(parent)) })
  }
}

/** Content of a list that is outside of an item belongs to the previous item. */
function inList(parent: StructureElement): StructureElement {
  if (parent.role !== 'L') return parent
  const item = lastItem(parent)
  const body = item.children.at(-1)
  return body !== undefined && 'role' in body && body.role === 'LBody' ? body : add('LBody', item)
}

function lastItem(list: StructureElement): StructureElement {
  const last = list.children.at(-1)
  return last !== undefined && 'role' in last ? last : add('LI', list)
}

const numberings: Readonly<Record<string, ListNumbering>> = {
  disc: 'Disc',
  circle: 'Circle',
  square: 'Square',
  decimal: 'Decimal',
  'decimal-leading-zero': 'Decimal',
  'upper-roman': 'UpperRoman',
  'lower-roman': 'LowerRoman',
  'upper-alpha': 'UpperAlpha',
  'upper-latin': 'UpperAlpha',
  'lower-alpha': 'LowerAlpha',
  'lower-latin': 'LowerAlpha',
}

const numberingOf = ({ tag, style }: BlockBox): ListNumbering =>
  tag === 'dl' ? 'None' : (entryOf(numberings, style.word('list-style-type') ?? 'disc') ?? 'None')

/**
 * Whether a table contains data. Many pages, above all e-mails, use tables for layout: these have no header cells, contain
 * other tables, or have a single row or column.
 */
function isDataTable(table: TableBox): boolean {
  if (table.role === 'presentation' || table.role === 'none') return false
  const cells = table.rows.flatMap((row) => row.cells)
  const hasHeads = table.captions.length > 0 || cells.some(({ element: { tagName } }) => tagName === 'th')
  if (hasHeads) return true
  const { rows, columns } = gridOf(table)
  return rows > 1 && columns > 1 && !cells.some(({ box }) => holdsTable(box))
}

const holdsTable = (box: LayoutBox): boolean =>
  box.kind === 'table' || (box.kind === 'block' && box.children.some(holdsTable))

function visitArrangement(build: Build, table: TableBox, insertion: InsertionPoint): void {
  for (const row of table.rows) for (const { box } of row.cells) visit(build, box, insertion)
}

function visitTable(build: Build, table: TableBox, added: StructureElement): void {
  for (const caption of table.captions) {
    const text = add('Caption', added)
    visit(build, caption, { parent: text, text })
  }
  const lines = table.rows.map(() => add('TR', added))
  for (const { cell, row, rows, columns } of gridOf(table).cells) {
    const line = lines[row]
    if (line === undefined) continue
    const isHead = cell.element.tagName === 'th'
    const child = add(isHead ? 'TH' : 'TD', line)
    child.columns = columns
    child.rows = rows
    const scope = attributeOf(cell.element, 'scope')?.toLowerCase() ?? ''
    const isBeside = table.rows[row]?.cells.some(({ element: { tagName } }) => tagName === 'td') ?? false
    if (isHead) child.scope = scope.startsWith('row') || (scope === '' && isBeside) ? 'Row' : 'Column'
    for (const inner of cell.box.children) visit(build, inner, { parent: child })
  }
}
