/**
 * Builds the structure of a workbook: a section for each sheet, with a table for each printed area and the drawings after them.
 * ISO 32000-1, 14.8.4.3.4.
 */
import type { Inline } from '../../../../../shared/document/content.ts'
import type { Document } from '../../../../../shared/document/document.ts'
import type { Drawing } from '../../../../../shared/document/drawing.ts'
import type { Sheet } from '../../../../../shared/document/sheet.ts'
import type { Item } from '../../layout/frame.ts'
import type { ItemOwners } from '../../layout/ownership.ts'
import type { CellOwners, CellPlace, PrintedTable } from '../../layout/sheet/cell-owners.ts'
import { visitPlaced } from './deck-structure.ts'
import { createStructure, type Structure } from './structure.ts'
import { add, type StructureElement, startBuild } from './structure-tree.ts'

/** A cell, or a paragraph of a drawing. */
type SheetText = CellPlace | readonly Inline[]

/** The structure of the pages in which the cells and drawings of `owners` were drawn. `document`: the context of the drawings. */
export function sheetStructure(owners: CellOwners, document: Document): Structure {
  const build = startBuild(document, owners.drawings.styles)
  const cells = new Map<SheetText, StructureElement>()
  const sections = new Map<Sheet, StructureElement>()
  for (const table of owners.tables) {
    const { sheet } = table
    let section = sections.get(sheet)
    if (section === undefined) {
      sections.set(sheet, (section = add('Sect', build.root)))
      section.title = sheet.name
    }
    addTable(table, section, cells)
  }
  for (const [sheet, section] of sections)
    for (const drawing of owners.drawn.get(sheet) ?? []) visitPlaced(build, drawing, section)
  const { drawings } = owners
  const ownership: ItemOwners<SheetText, Drawing, object> = {
    paragraphs: new Map<Item, SheetText>([...drawings.paragraphs, ...owners.cells, ...owners.links]),
    drawings: drawings.drawings,
    links: new Map<Item, object>([...drawings.links, ...linkTargets(owners)]),
    labels: drawings.labels,
    leaders: drawings.leaders,
  }
  const paragraphs = new Map<SheetText, StructureElement>([...build.paragraphs, ...cells])
  return createStructure({ ...build, paragraphs, artifacts: build.artifacts as Set<SheetText> }, ownership)
}

/** The text of a cell with a link belongs to the link, as its area does. */
function linkTargets({ cells, links }: CellOwners): [Item, CellPlace][] {
  const linked = new Set(links.values())
  return [...links, ...[...cells].filter(([, owner]) => linked.has(owner))]
}

/** Adds the table of a printed area, without rows that have no text. An area with one text is a paragraph. */
function addTable(
  { sheet, cells }: PrintedTable,
  section: StructureElement,
  elements: Map<SheetText, StructureElement>,
): void {
  const rows = [...cells].sort(([a], [b]) => a - b)
  const places = rows.flatMap(([, inRow]) => [...inRow.values()])
  const [only] = places
  if (only === undefined) return
  if (places.length === 1) {
    elements.set(only, add('P', section))
    return
  }
  const table = add('Table', section)
  const heads = headsOf(sheet, rows)
  let [first, last] = [Infinity, 0]
  for (const { column, columns } of places) {
    first = Math.min(first, column)
    last = Math.max(last, column + columns - 1)
  }
  /** Cells that reach into later rows: by column, the number of rows that they still cover. */
  const open = new Map<number, number>()
  for (const [at, [row, inRow]] of rows.entries()) {
    const line = add('TR', table)
    for (let column = first; column <= last; ) {
      const owner = inRow.get(column)
      if (owner === undefined || (open.get(column) ?? 0) > 0) {
        column = fillGap(line, { column, last, inRow, open })
        continue
      }
      const { columns } = owner
      const covered = rows.slice(at, at + owner.rows).filter(([other]) => other < row + owner.rows).length
      const isRowHead = column <= heads.lastColumn
      const cell = add(row <= heads.lastRow || isRowHead ? 'TH' : 'TD', line)
      cell.columns = columns
      cell.rows = covered
      if (row > heads.lastRow && isRowHead) cell.scope = 'Row'
      elements.set(owner, cell)
      for (let next = column; next < column + columns; next++) if (covered > 1) open.set(next, covered)
      column += columns
    }
    for (const [column, left] of open) {
      if (left > 1) open.set(column, left - 1)
      else open.delete(column)
    }
  }
}

interface Gap {
  readonly column: number
  readonly last: number
  readonly inRow: ReadonlyMap<number, CellPlace>
  readonly open: ReadonlyMap<number, number>
}

/** Adds one empty cell for the empty columns from `column` on, so that all rows are equally wide. Returns the column after it. */
function fillGap(line: StructureElement, { column, last, inRow, open }: Gap): number {
  let end = column
  if (open.has(column)) {
    while (end <= last && open.has(end)) end++
    return end
  }
  while (end <= last && !open.has(end) && !inRow.has(end)) end++
  add('TD', line).columns = end - column
  return end
}

/**
 * The last row and column of the headers: the titles that the pages of the sheet repeat, or else a first row of texts above
 * numbers.
 */
function headsOf(
  { page }: Sheet,
  rows: readonly (readonly [row: number, cells: ReadonlyMap<number, CellPlace>])[],
): { readonly lastRow: number; readonly lastColumn: number } {
  const lastColumn = page.repeatColumns?.[1] ?? -1
  if (page.repeatRows !== undefined) return { lastRow: page.repeatRows[1], lastColumn }
  const [head, ...below] = rows
  const isText = ({ value }: CellPlace): boolean =>
    typeof value === 'string' || (typeof value === 'object' && value.kind === 'rich')
  const hasNumbers = below.some(([, cells]) =>
    [...cells.values()].some(({ value }) => typeof value === 'number'),
  )
  const isHead = head !== undefined && head[1].size > 1 && [...head[1].values()].every(isText) && hasNumbers
  return { lastRow: isHead ? head[0] : -1, lastColumn }
}
