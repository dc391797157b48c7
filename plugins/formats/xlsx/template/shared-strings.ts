/**
 * Shared strings with tags become inline strings of their cells, so that rows can be copied and each copy has a text
 * of its own. Strings without tags stay shared. Source: ECMA-376-1, 18.4 and 18.3.1.4.
 */

import { escapeText, hasTag, replaceElements } from '../../../../shared/office/markup.ts'
import { a1 } from '../../../../shared/office/sheet/formula.ts'
import { type Corner, maxColumns, maxRows, parseCorner } from '../../../../shared/office/sheet/reference.ts'
import { decodeEntities } from '../../../../shared/template/scan/xml.ts'

export interface SharedStrings {
  /** By index: the content of an inline string, undefined for those without tags. */
  readonly tagged: ReadonlyMap<number, string>
  /** The part with the strings that moved away left empty. */
  readonly rest: string
}

export function readSharedStrings(part: string): SharedStrings {
  const tagged = new Map<number, string>()
  let index = 0
  const rest = replaceElements(part, 'si', (_, content) => {
    const at = index++
    if (content === undefined || !hasTag(content)) return undefined
    tagged.set(at, inline(content))
    return '<si><t/></si>'
  })
  return { tagged, rest: rest.replace(/(<sst\b[^<>]*?)\s+count="\d*"/, '$1') }
}

/** The content of a string for a cell. Phonetic readings go, because they belong to the words that the tag stands for. */
function inline(content: string): string {
  const spoken = replaceElements(
    replaceElements(content, 'rPh', () => ''),
    'phoneticPr',
    () => '',
  )
  return spoken.replace(/<t(?:\s[^<>]*)?>/g, '<t xml:space="preserve">')
}

/** A sheet ready to be scanned: tagged strings are inline, shared formulas written out, and results of formulas removed. */
export function inlineSheet(sheet: string, strings: ReadonlyMap<number, string>): string {
  const masters = new Map<string, { readonly at: Corner; readonly text: string }>()
  return replaceElements(sheet, 'c', (attributes, content) => {
    if (content === undefined) return undefined
    if (attributeOf(attributes, 't') === 's') {
      const index = /<v>\s*(\d+)/.exec(content)?.[1]
      const text = index === undefined ? undefined : strings.get(Number(index))
      return text === undefined
        ? undefined
        : `<c${without(attributes, 't')} t="inlineStr"><is>${text}</is></c>`
    }
    if (!content.includes('<f')) return undefined
    const written = replaceElements(content, 'f', (own, text = '') =>
      writtenOut(own, text, attributeOf(attributes, 'r') ?? '', masters),
    )
    return `<c${without(attributes, 't')}>${replaceElements(written, 'v', () => '')}</c>`
  })
}

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

/** A formula as it reads in a cell some rows and columns away. */
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

function move(corner: Corner, rows: number, columns: number): Corner | undefined {
  const row = corner.row === undefined || corner.fixedRow ? corner.row : corner.row + rows
  const column = corner.column === undefined || corner.fixedColumn ? corner.column : corner.column + columns
  const inside = (at: number | undefined, most: number) => at === undefined || (at >= 1 && at <= most)
  return inside(row, maxRows) && inside(column, maxColumns) ? { ...corner, row, column } : undefined
}

export function attributeOf(attributes: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes)
  return found === null ? undefined : (found[1] ?? found[2])
}

export function without(attributes: string, name: string): string {
  return attributes.replace(new RegExp(`\\s${name}\\s*=\\s*(?:"[^"]*"|'[^']*')`), '')
}
