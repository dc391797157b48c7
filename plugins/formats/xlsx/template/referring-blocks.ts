/**
 * The elements before and after the cells of a worksheet that refer to cells: filters, merged cells, conditional
 * formats, validations, links, breaks. Each kind is adjusted to the moved rows in its own way. Source: ECMA-376-1,
 * 18.3.1.
 */

import { entryOf } from '../../../../shared/entry-of.ts'
import { a1 } from '../../../../shared/office/sheet/formula.ts'
import {
  follow,
  followArea,
  layoutOf,
  parseAreas,
  type RangeGrowth,
  refersToMoving,
  type SheetModel,
  type Sheets,
  writeFormula,
} from '../../../../shared/office/sheet/layout.ts'
import {
  type CellRange,
  formatCorner,
  maxRows,
  parseRange,
} from '../../../../shared/office/sheet/reference.ts'
import type { RenderScope } from '../../../../shared/template/scope.ts'
import {
  attributeOf,
  elementIn,
  elementsIn,
  type LocatedElement,
  replaceAttribute,
  replaceContents,
  replaceElements,
  replaceTags,
  withAttributes,
  withContent,
} from '../../../../shared/xml/elements.ts'
import { escapeText } from '../../../../shared/xml/markup.ts'
import { decodeEntities } from '../../../../shared/xml/scan.ts'

type Compute = (scope: RenderScope) => string

/**
 * A longer list of areas is replaced by the one area that encloses them, since readers search the list for every
 * cell.
 */
const maxAreas = 2_000

/** The context for adjusting a block to the moved rows. */
export interface Following {
  readonly model: SheetModel // of the sheet that contains the block
  readonly sheets: Sheets // the sheets that its formulas may refer to
  readonly scope: RenderScope
}

/** The markup of a block as it reads in a render; '' removes the block. */
type Follower = (raw: string, following: Following) => string

/**
 * How blocks are adjusted to the moved rows, by name. A single object becomes one area around all copies ('whole'),
 * an object of a row one area for each copy ('copies'), and a property of cells one list of contiguous areas
 * ('runs').
 */
const followers: Readonly<Record<string, Follower>> = {
  dimension: (raw, { model, scope }) => {
    const area = parseRange(attributeOf(raw, 'ref') ?? '')
    const now = area === undefined ? undefined : followArea(area, model, scope, 'whole')[0]
    return replaceAttribute(raw, 'ref', now === undefined ? 'A1' : format(now))
  },
  // The selected cell may no longer exist, so the first cell is selected.
  sheetViews: (raw, following) =>
    replaceElements(raw, 'selection', (attributes, _, selection) => {
      const sqref = areas(attributeOf(attributes, 'sqref') ?? 'A1', following, 'whole')
      const cell = areas(attributeOf(attributes, 'activeCell') ?? 'A1', following, 'whole').split(/[ :]/)[0]
      const active = sqref === '' || cell === undefined || cell === '' ? 'A1' : cell
      const moved = replaceAttribute(attributes, 'sqref', sqref || 'A1')
      return withAttributes(selection, replaceAttribute(moved, 'activeCell', active))
    }),
  cols: followColumns,
  autoFilter: (raw, following) => everyArea(raw, 'ref', following, 'whole'),
  sortState: (raw, following) => everyArea(raw, 'ref', following, 'whole'),
  protectedRanges: (raw, following) => everyArea(raw, 'sqref', following, 'runs'),
  ignoredErrors: (raw, following) => list(raw, 'ignoredErrors', 'ignoredError', 'sqref', 'runs', following),
  cellWatches: (raw, following) => list(raw, 'cellWatches', 'cellWatch', 'r', 'copies', following),
  mergeCells: (raw, following) => list(raw, 'mergeCells', 'mergeCell', 'ref', 'copies', following),
  hyperlinks: (raw, following) => list(raw, 'hyperlinks', 'hyperlink', 'ref', 'runs', following),
  conditionalFormatting: (raw, following) => {
    const sqref = attributeOf(elementIn(raw, 'conditionalFormatting')?.attributes ?? '', 'sqref') ?? ''
    const now = areas(sqref, following, 'runs')
    if (now === '') return ''
    const moved = replaceTags(raw, (tag, name) => {
      if (name === 'conditionalFormatting') return replaceAttribute(tag, 'sqref', now)
      return name === 'cfvo' ? followAttribute(tag, 'val', sqref, following) : tag
    })
    return replaceContents(moved, 'formula', (text) => moveFormula(text, sqref, following))
  },
  dataValidations: (raw, following) =>
    list(raw, 'dataValidations', 'dataValidation', 'sqref', 'runs', following),
  rowBreaks: (raw, { model, scope }) => {
    let count = 0
    const moved = replaceElements(raw, 'brk', (attributes, _, brk) => {
      count += 1
      const row = Number(attributeOf(attributes, 'id'))
      if (!Number.isInteger(row) || row < 1 || row > maxRows) return undefined
      const cell: CellRange = {
        from: { column: undefined, row, fixedColumn: false, fixedRow: false },
        to: undefined,
      }
      const rows = followArea(cell, model, scope, 'copies').map(({ from, to }) => to?.row ?? from.row)
      count += rows.length - 1
      return rows.map((now) => withAttributes(brk, replaceAttribute(attributes, 'id', String(now)))).join('')
    })
    return count === 0 ? '' : withCount(moved, 'rowBreaks', count)
  },
  extLst: (raw, following) =>
    replaceElements(raw, 'ext', (_, content, ext) => {
      const groups = content === undefined ? undefined : elementIn(content, 'x14:sparklineGroups')
      if (content === undefined) return undefined
      if (groups === undefined) return withContent(ext, followExtension(content, following))
      const now = followSparklines(groups.content ?? '', following)
      return now.trim() === '' ? '' : withContent(ext, withContent(groups, now))
    }),
}

/** Conditional formats and validations of later versions store areas and formulas as the text of elements. */
function followExtension(markup: string, following: Following): string {
  // An application would repair a conditional format or validation without cells, so one whose rows are gone is moved
  // to the last row.
  const sqref = (text: string) => areas(text, following, 'runs') || `A${maxRows}`
  return replaceContents(replaceContents(markup, 'xm:sqref', sqref), 'xm:f', (text) =>
    moveFormula(text, undefined, following),
  )
}

/**
 * The groups of `x14:sparklineGroups` (ECMA-376 extension, [MS-XLSX] 2.6.100). A sparkline is drawn in one cell: each copy of
 * its row has one of its own, over the cells of that copy. A group without sparklines is removed.
 */
function followSparklines(groups: string, following: Following): string {
  return replaceElements(groups, 'x14:sparklineGroup', (_, content = '', group) => {
    let isEmpty = false
    const now = replaceElements(content, ['xm:f', 'x14:sparklines'], (_attributes, inside = '', element) => {
      // This formula of the group refers to the dates of its axis.
      if (element.name === 'xm:f') return withContent(element, moveFormula(inside, undefined, following))
      const sparklines = replaceElements(inside, 'x14:sparkline', (_none, _inside, sparkline) =>
        copiesOfSparkline(sparkline, following),
      )
      isEmpty = sparklines.trim() === ''
      return withContent(element, sparklines)
    })
    return isEmpty ? '' : withContent(group, now)
  })
}

function copiesOfSparkline(sparkline: LocatedElement, following: Following): string {
  const { content = '' } = sparkline
  const { model, sheets, scope } = following
  const cell = parseRange(elementIn(content, 'xm:sqref')?.content ?? '')
  const formulaTokens = a1.parse(decodeEntities(elementIn(content, 'xm:f')?.content ?? ''))
  if (cell?.from.row === undefined || formulaTokens.length === 0)
    return withContent(sparkline, followExtension(content, following))
  const rows = layoutOf(model, scope)?.rows
  const events = rows === undefined ? [undefined] : rows.eventsOf(cell.from.row)
  return events
    .flatMap((event) => {
      const position = { model, event }
      const now = follow(cell, model, position, scope, false)
      if (now === undefined) return []
      const values = escapeText(writeFormula(formulaTokens, a1, position, sheets, scope))
      const copy = replaceElements(content, ['xm:f', 'xm:sqref'], (_, _text, element) =>
        withContent(element, element.name === 'xm:f' ? values : format(now)),
      )
      return withContent(sparkline, copy)
    })
    .join('')
}

/** Names of the blocks of a sheet that name cells, and so follow them. */
export const followedBlocks: ReadonlySet<string> = new Set(Object.keys(followers))

/** Returns how a block is written; undefined when it is the same in every render. */
export function followBlock(
  name: string,
  raw: string,
  model: SheetModel,
  sheets: Sheets,
): Compute | undefined {
  if (!model.moves && !refersToMovingSheet(raw, model, sheets)) return undefined
  return (scope) => followNow(name, raw, { model, sheets, scope })
}

/** A block as it reads in a render, once the rows have been measured. */
export const followNow = (name: string, raw: string, following: Following): string =>
  entryOf(followers, name)!(raw, following)

/** Whether a block of a sheet whose rows stay refers to cells of a sheet whose rows move. */
function refersToMovingSheet(raw: string, model: SheetModel, sheets: Sheets): boolean {
  const isMoving = (text: string) => refersToMoving(a1.parse(decodeEntities(text)), model, sheets)
  for (const { content = '' } of elementsIn(raw, 'formula', 'formula1', 'formula2', 'xm:f'))
    if (isMoving(content)) return true
  for (const { attributes } of elementsIn(raw, 'hyperlink'))
    if (isMoving(attributeOf(attributes, 'location') ?? '')) return true
  return false
}

/** A range as an address: 'B2' or 'B2:C9'. */
export const format = ({ from, to }: CellRange): string =>
  formatCorner(from) + (to === undefined ? '' : `:${formatCorner(to)}`)

/** The current addresses of a list of areas that is separated by spaces; '' when none of them is left. */
function areas(listed: string, { model, scope }: Following, spread: RangeGrowth, outward = 0): string {
  const parsed = parseAreas(listed)
  let now = parsed.flatMap((area) => followArea(area, model, scope, spread, outward))
  if (now.length > maxAreas) now = parsed.flatMap((area) => followArea(area, model, scope, 'whole'))
  return now.map(format).join(' ')
}

/**
 * Adjusts areas in an attribute of the block or of any element inside it. An area without cells keeps its address.
 */
const everyArea = (raw: string, attribute: string, following: Following, spread: RangeGrowth): string =>
  replaceTags(raw, (tag) => {
    const was = attributeOf(tag, attribute)
    return was === undefined ? tag : replaceAttribute(tag, attribute, areas(was, following, spread) || was)
  })

/**
 * Adjusts the elements of a list. An element with a list of areas stays one element; an element with a single area is
 * written once for each area that results from it. A list without elements is removed, because the schema does not
 * allow it.
 */
function list(
  raw: string,
  holder: string,
  element: string,
  attribute: string,
  spread: RangeGrowth,
  following: Following,
): string {
  let count = 0
  const out = replaceElements(raw, element, (attributes, content, declaration) => {
    const was = attributeOf(attributes, attribute) ?? ''
    const outward = element === 'mergeCell' ? following.model.merged?.get(was) : undefined
    const now = areas(was, following, spread, outward)
    if (now === '') return ''
    const single = attribute !== 'sqref'
    // Readers report a merged area of a single cell as damage.
    const written = single ? now.split(' ').filter((area) => element !== 'mergeCell' || isWide(area)) : [now]
    count += written.length
    const linked = followAttribute(attributes, 'location', undefined, following)
    const inside =
      content &&
      replaceContents(content, ['formula', 'formula1', 'formula2'], (text) =>
        moveFormula(text, was, following),
      )
    return written
      .map((area) =>
        withAttributes({ ...declaration, content: inside }, replaceAttribute(linked, attribute, area)),
      )
      .join('')
  })
  return count === 0 ? '' : withCount(out, holder, count)
}

/** Writes the number of elements in a block into the attributes that declare it. */
function withCount(block: string, holder: string, count: number): string {
  const element = elementIn(block, holder)
  if (element === undefined) return block
  const attributes = ['count', 'manualBreakCount'].reduce(
    (tag, name) => replaceAttribute(tag, name, String(count)),
    element.attributes,
  )
  return block.slice(0, element.start) + withAttributes(element, attributes) + block.slice(element.end)
}

/** Whether an area is more than one cell. */
const isWide = (area: string): boolean => {
  const [from, to = from] = area.split(':')
  return from !== to
}

/**
 * Adjusts an attribute that contains a formula or an address in the workbook. Relative addresses refer to the first
 * of the areas in `sqref`.
 */
function followAttribute(tag: string, name: string, sqref: string | undefined, following: Following): string {
  const was = attributeOf(tag, name)
  const now = was === undefined ? undefined : moveFormula(was, sqref, following)
  return now === undefined || now === was ? tag : replaceAttribute(tag, name, now.replaceAll('"', '&quot;'))
}

/**
 * Returns the adjusted formula, escaped as text. With `sqref`, relative addresses refer to the first cell of these
 * areas.
 */
function moveFormula(text: string, sqref: string | undefined, { model, sheets, scope }: Following): string {
  const formulaTokens = a1.parse(decodeEntities(text))
  if (!refersToMoving(formulaTokens, model, sheets)) return text
  const top = sqref === undefined ? undefined : parseAreas(sqref)[0]?.from.row
  const event = top === undefined ? undefined : layoutOf(model, scope)?.rows.firstEvent(top)
  return escapeText(writeFormula(formulaTokens, a1, { model, event }, sheets, scope))
}

/**
 * The widths of columns that repeat or vanish. Where the cells of several rows do, the widest row determines the
 * columns.
 */
function followColumns(raw: string, { model, scope }: Following): string {
  const axis = layoutOf(model, scope)?.columnsOf(1, maxRows)?.axis
  if (axis === undefined) return raw
  const columns: { from: number; markup: string }[] = []
  for (const column of elementsIn(raw, 'col')) {
    const min = Number(attributeOf(column.attributes, 'min'))
    const max = Number(attributeOf(column.attributes, 'max'))
    if (!(min >= 1 && max >= min)) continue
    for (const { from, to } of axis.runs(min, max)) {
      const moved = replaceAttribute(
        replaceAttribute(column.attributes, 'min', String(from)),
        'max',
        String(to),
      )
      columns.push({ from, markup: withAttributes(column, moved) })
    }
  }
  columns.sort((a, b) => a.from - b.from)
  const inside = columns.map(({ markup }) => markup).join('')
  return inside === '' ? '' : raw.slice(0, raw.indexOf('>') + 1) + inside + raw.slice(raw.lastIndexOf('</'))
}
