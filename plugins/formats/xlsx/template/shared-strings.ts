/**
 * Shared strings with tags become inline strings of their cells, so that each copy of a row has its own text. Strings
 * without tags stay shared. Source: ECMA-376-1, 18.4 and 18.3.1.4.
 */

import { a1 } from '../../../../shared/office/sheet/formula.ts'
import { type Corner, maxColumns, maxRows, parseCorner } from '../../../../shared/office/sheet/reference.ts'
import {
  attributeOf,
  elementIn,
  replaceElements,
  withAttributes,
  withoutAttribute,
} from '../../../../shared/xml/elements.ts'
import { escapeText, hasTag } from '../../../../shared/xml/markup.ts'
import { decodeEntities } from '../../../../shared/xml/scan.ts'

/** The shared strings of a workbook, separated into those with and without tags. */
export interface SharedStrings {
  /** The content of the inline string for each index. Strings without tags are missing. */
  readonly tagged: ReadonlyMap<number, string>
  /** The part, in which moved strings are empty. They are kept because cells refer to strings by index. */
  readonly rest: string
}

/** Reads `xl/sharedStrings.xml` (ECMA-376-1, 18.4). */
export function readSharedStrings(part: string): SharedStrings {
  const tagged = new Map<number, string>()
  let index = 0
  const rest = replaceElements(part, 'si', (_, content) => {
    const at = index++
    if (content === undefined || !hasTag(content)) return undefined
    tagged.set(at, inline(content))
    return '<si><t/></si>'
  })
  // The number of references from cells has changed; the attribute is optional.
  const counted = replaceElements(rest, 'sst', (attributes, _, sst) =>
    withAttributes(sst, withoutAttribute(attributes, 'count')),
  )
  return { tagged, rest: counted }
}

/** The content of a string for a cell. Phonetic readings are removed, because they are not known for the values. */
function inline(content: string): string {
  const spoken = replaceElements(
    replaceElements(content, 'rPh', () => ''),
    'phoneticPr',
    () => '',
  )
  return replaceElements(spoken, 't', (_, text, element) =>
    withAttributes({ ...element, content: text }, ' xml:space="preserve"'),
  )
}

/**
 * A sheet ready to be scanned. Tagged strings are inline; shared formulas are expanded, because rows between their
 * cells may move; and the results of formulas are removed, because they were computed from the template.
 */
export function inlineSheet(sheet: string, strings: ReadonlyMap<number, string>): string {
  const masters = new Map<string, { readonly at: Corner; readonly text: string }>()
  return replaceElements(sheet, 'c', (attributes, content) => {
    if (content === undefined) return undefined
    if (attributeOf(attributes, 't') === 's') {
      const index = elementIn(content, 'v')?.content?.trim() ?? ''
      const text = index === '' ? undefined : strings.get(Number(index))
      return text === undefined
        ? undefined
        : `<c${withoutAttribute(attributes, 't')} t="inlineStr"><is>${text}</is></c>`
    }
    if (!content.includes('<f')) return undefined
    const written = replaceElements(content, 'f', (formulaAttributes, text = '') =>
      writtenOut(formulaAttributes, text, attributeOf(attributes, 'r') ?? '', masters),
    )
    return `<c${withoutAttribute(attributes, 't')}>${replaceElements(written, 'v', () => '')}</c>`
  })
}

/**
 * Expands a formula element of a group that shares one formula (18.3.1.40). The first cell of the group contains the
 * text; the others refer to the group by `si`. Undefined leaves the element unchanged.
 */
function writtenOut(
  attributes: string,
  text: string,
  reference: string,
  masters: Map<string, { readonly at: Corner; readonly text: string }>,
): string | undefined {
  if (attributeOf(attributes, 't') !== 'shared') return undefined
  const group = attributeOf(attributes, 'si') ?? ''
  const at = parseCorner(reference)
  if (text !== '') {
    if (at !== undefined) masters.set(group, { at, text })
    return `<f>${text}</f>`
  }
  const master = masters.get(group)
  if (master === undefined || at === undefined) return undefined
  return `<f>${shifted(master.text, at.row! - master.at.row!, at.column! - master.at.column!)}</f>`
}

/** A formula as it reads some rows and columns away from its cell. */
function shifted(text: string, rows: number, columns: number): string {
  let out = ''
  for (const token of a1.parse(decodeEntities(text))) {
    if (typeof token === 'string') {
      out += token
      continue
    }
    const { from, to } = token.range
    const start = move(from, rows, columns)
    const end = to === undefined ? undefined : move(to, rows, columns)
    const lost = start === undefined || (to !== undefined && end === undefined)
    out += lost ? '#REF!' : a1.write(token, { from: start, to: end })
  }
  return escapeText(out)
}

/** Undefined for a corner outside the sheet. Absolute parts, with a dollar sign, stay. */
function move(corner: Corner, rows: number, columns: number): Corner | undefined {
  const row = corner.row === undefined || corner.fixedRow ? corner.row : corner.row + rows
  const column = corner.column === undefined || corner.fixedColumn ? corner.column : corner.column + columns
  const inside = (at: number | undefined, max: number) => at === undefined || (at >= 1 && at <= max)
  return inside(row, maxRows) && inside(column, maxColumns) ? { ...corner, row, column } : undefined
}
