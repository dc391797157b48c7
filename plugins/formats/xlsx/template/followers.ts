/**
 * The blocks around the cells of a worksheet that name cells: each follows the rows in its own way. Source:
 * ECMA-376-1, 18.3.1.
 */

import { escapeText } from '../../../../shared/office/markup.ts'
import { a1 } from '../../../../shared/office/sheet/formula.ts'
import {
  follow,
  followArea,
  layoutOf,
  parseAreas,
  refersToMoving,
  type SheetModel,
  type Sheets,
  type Spread,
  writeFormula,
} from '../../../../shared/office/sheet/layout.ts'
import { formatCorner, maxRows, parseRange, type Range } from '../../../../shared/office/sheet/reference.ts'
import { decodeEntities } from '../../../../shared/template/scan/xml.ts'
import type { RenderScope } from '../../../../shared/template/scope.ts'
import { attributeOf } from './shared-strings.ts'

type Compute = (scope: RenderScope) => string

/** Longer lists of areas are drawn together: readers go through them for every cell. */
const maxAreas = 2_000

export interface Following {
  readonly model: SheetModel
  readonly sheets: Sheets
  readonly scope: RenderScope
}

type Follower = (raw: string, following: Following) => string

const followers: Readonly<Record<string, Follower>> = {
  dimension: (raw, { model, scope }) => {
    const area = parseRange(attributeOf(raw, 'ref') ?? '')
    const now = area === undefined ? undefined : followArea(area, model, scope, 'whole')[0]
    return setAttribute(raw, 'ref', now === undefined ? 'A1' : format(now))
  },
  sheetViews: (raw, following) =>
    raw.replace(/<selection\b[^>]*>/g, (selection) => {
      const sqref = areas(attributeOf(selection, 'sqref') ?? 'A1', following, 'whole')
      const cell = areas(attributeOf(selection, 'activeCell') ?? 'A1', following, 'whole').split(/[ :]/)[0]
      const moved = setAttribute(selection, 'sqref', sqref || 'A1')
      return setAttribute(
        moved,
        'activeCell',
        sqref === '' || cell === undefined || cell === '' ? 'A1' : cell,
      )
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
    const sqref = attributeOf(raw.slice(0, raw.indexOf('>')), 'sqref') ?? ''
    const now = areas(sqref, following, 'runs')
    if (now === '') return ''
    const moved = setAttribute(raw, 'sqref', now)
    const limits = formulas(moved, /(<cfvo\b[^<>]*\sval=")([^"<>]*)(")/g, sqref, following)
    return formulas(limits, /(<formula(?:\s[^>]*)?>)([^<]*)(<)/g, sqref, following)
  },
  dataValidations: (raw, following) =>
    list(raw, 'dataValidations', 'dataValidation', 'sqref', 'runs', following),
  rowBreaks: (raw, { model, scope }) => {
    const brk = raw.replace(/<brk\b[^>]*>/g, (each) => {
      const row = Number(attributeOf(each, 'id'))
      if (!Number.isInteger(row) || row < 1 || row > maxRows) return each
      const cell: Range = {
        from: { column: undefined, row, fixedColumn: false, fixedRow: false },
        to: undefined,
      }
      return followArea(cell, model, scope, 'copies')
        .map(({ from, to }) => setAttribute(each, 'id', String(to?.row ?? from.row)))
        .join('')
    })
    const count = String(brk.split('<brk').length - 1)
    return count === '0' ? '' : setAttribute(setAttribute(brk, 'count', count), 'manualBreakCount', count)
  },
  extLst: (all, following) => {
    const raw = followSparklines(all, following)
    const moved = raw.replace(/(<xm:sqref>)([^<]*)(<)/g, (_, open: string, sqref: string, close: string) => {
      return open + (areas(sqref, following, 'runs') || `A${maxRows}`) + close
    })
    const followed = formulas(moved, /(<xm:f>)([^<]*)(<)/g, undefined, following)
    return followed.replaceAll('<done:', '<xm:').replaceAll('</done:', '</xm:')
  },
}

/**
 * A sparkline stands in one cell: each copy of its row has one of its own, over the cells of that copy. Those that are
 * done are called `done:` until the rest of the block is. Source: [MS-XLSX] 2.6.100.
 */
function followSparklines(raw: string, { model, sheets, scope }: Following): string {
  if (!raw.includes('<x14:sparkline>')) return raw
  const rows = layoutOf(model, scope)?.rows
  const each = raw.replace(/<x14:sparkline>([\s\S]*?)<\/x14:sparkline>/g, (whole, inside: string) => {
    const cell = parseRange(/<xm:sqref>([^<]*)</.exec(inside)?.[1] ?? '')
    const formulaTokens = a1.parse(decodeEntities(/<xm:f>([^<]*)</.exec(inside)?.[1] ?? ''))
    if (cell?.from.row === undefined || formulaTokens.length === 0) return whole
    const events = rows === undefined ? [undefined] : rows.eventsOf(cell.from.row)
    return events
      .flatMap((event) => {
        const place = { model, event }
        const now = follow(cell, model, place, scope, false)
        if (now === undefined) return []
        const values = escapeText(writeFormula(formulaTokens, a1, place, sheets, scope))
        return `<x14:sparkline><done:f>${values}</done:f><done:sqref>${format(now)}</done:sqref></x14:sparkline>`
      })
      .join('')
  })
  const filled = each.replace(
    /<x14:sparklineGroup\b(?:(?!<\/x14:sparklineGroup>)[\s\S])*<x14:sparklines\s*><\/x14:sparklines>\s*<\/x14:sparklineGroup>/g,
    '',
  )
  return filled.replace(
    /<ext\b[^<>]*>\s*<x14:sparklineGroups\b[^<>]*>\s*<\/x14:sparklineGroups>\s*<\/ext>/g,
    '',
  )
}

export const followedBlocks: ReadonlySet<string> = new Set(Object.keys(followers))

/** How a block is written, or undefined when it stays as it is. */
export function followBlock(
  name: string,
  raw: string,
  model: SheetModel,
  sheets: Sheets,
): Compute | undefined {
  if (!model.moves && !looksElsewhere(raw, model, sheets)) return undefined
  return (scope) => followNow(name, raw, { model, sheets, scope })
}

/** A block as it reads once the rows are where they go. */
export const followNow = (name: string, raw: string, following: Following): string =>
  followers[name]!(raw, following)

function looksElsewhere(raw: string, model: SheetModel, sheets: Sheets): boolean {
  for (const [, text = ''] of raw.matchAll(
    /(?:<(?:formula[12]?|xm:f)(?:\s[^>]*)?>|\slocation=")([^<"]*)[<"]/g,
  )) {
    if (refersToMoving(a1.parse(decodeEntities(text)), model, sheets)) return true
  }
  return false
}

export const format = ({ from, to }: Range): string =>
  formatCorner(from) + (to === undefined ? '' : `:${formatCorner(to)}`)

/** Only where the attribute stands; the first one. */
export function setAttribute(raw: string, name: string, value: string): string {
  return raw.replace(
    new RegExp(`(\\s${name}\\s*=\\s*)(?:"[^"]*"|'[^']*')`),
    (_, head: string) => `${head}"${value}"`,
  )
}

/** A list of areas as it reads now; '' when nothing is left. */
export function areas(listed: string, { model, scope }: Following, spread: Spread, outward = 0): string {
  const parsed = parseAreas(listed)
  let now = parsed.flatMap((area) => followArea(area, model, scope, spread, outward))
  if (now.length > maxAreas) now = parsed.flatMap((area) => followArea(area, model, scope, 'whole'))
  return now.map(format).join(' ')
}

function everyArea(raw: string, attribute: string, following: Following, spread: Spread): string {
  return raw.replace(
    new RegExp(`(\\s${attribute}=")([^"]*)(")`, 'g'),
    (_, head: string, was: string, tail: string) => {
      return head + (areas(was, following, spread) || was) + tail
    },
  )
}

/** Elements of a list, once for each area where an element names one area; an empty list is left out. */
function list(
  raw: string,
  holder: string,
  element: string,
  attribute: string,
  spread: Spread,
  following: Following,
): string {
  const each = new RegExp(`<${element}\\b(?:[^>"']|"[^"]*"|'[^']*')*?(?:/>|>[\\s\\S]*?</${element}>)`, 'g')
  let kept = 0
  const out = raw.replace(each, (whole) => {
    const was = attributeOf(whole.slice(0, whole.indexOf('>')), attribute) ?? ''
    const outward = element === 'mergeCell' ? following.model.merged?.get(was) : undefined
    const now = areas(was, following, spread, outward)
    if (now === '') return ''
    const single = attribute !== 'sqref'
    // A cell merged with itself is a mistake to readers.
    const places = single ? now.split(' ').filter((area) => element !== 'mergeCell' || isWide(area)) : [now]
    return places
      .map((area) => {
        kept += 1
        const moved = linked(setAttribute(whole, attribute, area), following)
        return formulas(moved, /(<formula[12]?(?:\s[^>]*)?>)([^<]*)(<)/g, was, following)
      })
      .join('')
  })
  return kept === 0
    ? ''
    : out.replace(new RegExp(`(<${holder}\\b[^>]*?)\\scount="\\d*"`), `$1 count="${kept}"`)
}

const isWide = (area: string): boolean => {
  const [from, to = from] = area.split(':')
  return from !== to
}

/** A hyperlink to a place in the workbook. */
function linked(raw: string, following: Following): string {
  return raw.replace(/(\slocation=")([^"]*)(")/, (_, head: string, was: string, tail: string) => {
    return head + moveFormula(was, undefined, following).replaceAll('"', '&quot;') + tail
  })
}

/** Formulas are written for the first cell of their areas. */
function formulas(raw: string, pattern: RegExp, sqref: string | undefined, following: Following): string {
  return raw.replace(
    pattern,
    (_, open: string, text: string, close: string) => open + moveFormula(text, sqref, following) + close,
  )
}

function moveFormula(text: string, sqref: string | undefined, { model, sheets, scope }: Following): string {
  const formulaTokens = a1.parse(decodeEntities(text))
  if (!refersToMoving(formulaTokens, model, sheets)) return text
  const top = sqref === undefined ? undefined : parseAreas(sqref)[0]?.from.row
  const event = top === undefined ? undefined : layoutOf(model, scope)?.rows.firstEvent(top)
  return escapeText(writeFormula(formulaTokens, a1, { model, event }, sheets, scope))
}

/** Widths go with the columns. */
function followColumns(raw: string, { model, scope }: Following): string {
  const axis = layoutOf(model, scope)?.columnsOf(1, maxRows)?.axis
  if (axis === undefined) return raw
  const found: { from: number; markup: string }[] = []
  for (const [whole] of raw.matchAll(/<col\b[^>]*\/>|<col\b[^>]*>\s*<\/col>/g)) {
    const min = Number(attributeOf(whole, 'min'))
    const max = Number(attributeOf(whole, 'max'))
    if (!(min >= 1 && max >= min)) continue
    for (const { from, to } of axis.runs(min, max)) {
      found.push({ from, markup: setAttribute(setAttribute(whole, 'min', String(from)), 'max', String(to)) })
    }
  }
  found.sort((a, b) => a.from - b.from)
  const inside = found.map(({ markup }) => markup).join('')
  return inside === '' ? '' : raw.slice(0, raw.indexOf('>') + 1) + inside + raw.slice(raw.lastIndexOf('</'))
}
