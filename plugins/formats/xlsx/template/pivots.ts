/**
 * Pivot tables over rows that a render fills. A workbook stores a copy of the source in a cache, and the labels of
 * the pivot table in cells. Both contain the tags of the template and are stale once there are values, so they are
 * emptied, and `refreshOnLoad` makes the application read the source when it opens the file. Source: ECMA-376-1,
 * 18.10.
 */

import { type CellRange, parseCorner, parseRange } from '../../../../shared/office/sheet/reference.ts'
import {
  attributeOf,
  elementIn,
  elementsIn,
  replaceElements,
  withAttributes,
  withoutAttribute,
} from '../../../../shared/xml/elements.ts'
import { hasTagAnywhere } from '../../../../shared/xml/markup.ts'
import { decodeEntities } from '../../../../shared/xml/scan.ts'
import { relationshipsOf } from './relationships.ts'

/** The cells that a pivot table may read. */
export interface PivotSources {
  /** The part of each sheet, by its name in lower case. */
  readonly sheets: ReadonlyMap<string, string>
  /** Indexes of the shared strings that contain tags. */
  readonly tagged: { has(index: number): boolean }
}

const cachePart = /^xl\/pivotCache\/[^/]*Definition[^/]*\.xml$/

/** Empties the caches over rows with tags, and what depends on them, in `texts`. Returns the parts that changed. */
export function emptyPivots(texts: Map<string, string>, sources: PivotSources): Map<string, string> {
  const changed = new Map<string, string>()
  const change = (part: string, text: string) => {
    if (text === texts.get(part)) return
    texts.set(part, text)
    changed.set(part, text)
  }
  const emptied = new Set<string>()
  for (const [part, text] of [...texts]) {
    if (!cachePart.test(part)) continue
    const source = sourceOf(text, texts, sources.sheets)
    if (
      !hasTagAnywhere(text) &&
      (source === undefined || !holdsTags(texts.get(source) ?? '', sources.tagged))
    )
      continue
    emptied.add(part)
    change(part, emptyCache(text))
    for (const [kind, target] of relationshipsOf(texts, part)) {
      const records = texts.get(target)
      if (kind === 'pivotCacheRecords' && records !== undefined) change(target, emptyRecords(records))
    }
  }
  if (emptied.size === 0) return changed
  for (const part of sources.sheets.values()) {
    for (const [kind, table] of relationshipsOf(texts, part)) {
      const text = texts.get(table)
      const reads = relationshipsOf(texts, table).some(([, target]) => emptied.has(target))
      if (kind !== 'pivotTable' || text === undefined || !reads) continue
      change(table, emptyTable(text))
      const location = elementIn(text, 'location')
      const area = parseRange(attributeOf(location?.attributes ?? '', 'ref') ?? '')
      if (area !== undefined) change(part, withoutLabels(texts.get(part) ?? '', area, sources.tagged))
    }
  }
  return changed
}

/**
 * The part of the sheet that a cache reads. The cache refers to it by its name, by a table, or by a defined name of
 * the workbook.
 */
function sourceOf(
  cache: string,
  texts: ReadonlyMap<string, string>,
  sheets: ReadonlyMap<string, string>,
): string | undefined {
  const source = elementIn(cache, 'worksheetSource')?.attributes
  // A source with a relationship is another workbook.
  if (source === undefined || attributeOf(source, 'r:id') !== undefined) return undefined
  const sheet = attributeOf(source, 'sheet')
  if (sheet !== undefined) return sheets.get(decodeEntities(sheet).toLowerCase())
  const name = decodeEntities(attributeOf(source, 'name') ?? '').toLowerCase()
  for (const part of sheets.values()) {
    for (const [kind, target] of relationshipsOf(texts, part)) {
      const table = elementIn(texts.get(target) ?? '', 'table')?.attributes ?? ''
      if (kind === 'table' && attributeOf(table, 'displayName')?.toLowerCase() === name) return part
    }
  }
  for (const defined of elementsIn(texts.get('xl/workbook.xml') ?? '', 'definedName')) {
    if (attributeOf(defined.attributes, 'name')?.toLowerCase() !== name) continue
    const formula = decodeEntities(defined.content ?? '').toLowerCase()
    for (const [sheetName, part] of sheets)
      if (formula.includes(`${sheetName}!`) || formula.includes(`'${sheetName.replaceAll("'", "''")}'!`))
        return part
  }
  return undefined
}

function holdsTags(sheet: string, tagged: PivotSources['tagged']): boolean {
  if (hasTagAnywhere(sheet)) return true
  for (const { content = '' } of elementsIn(sheet, 'v'))
    if (content !== '' && tagged.has(Number(content))) return true
  return false
}

function emptyCache(text: string): string {
  const emptied = replaceElements(text, 'sharedItems', () => '<sharedItems/>')
  return replaceElements(emptied, 'pivotCacheDefinition', (attributes, _, cache) => {
    const rest = ['refreshOnLoad', 'recordCount', 'saveData', 'invalid'].reduce(withoutAttribute, attributes)
    return withAttributes(cache, `${rest} refreshOnLoad="1" recordCount="0"`)
  })
}

const emptyRecords = (text: string): string =>
  replaceElements(
    text,
    'pivotCacheRecords',
    (attributes) => `<pivotCacheRecords${withoutAttribute(attributes, 'count')} count="0"/>`,
  )

/** A pivot table whose fields have no items of the cache, without any reference to such items. */
function emptyTable(text: string): string {
  const fields = replaceElements(text, 'items', (_, content = '') => {
    // Items with a type are subtotals (18.18.43); the others point into the cache.
    const remaining = [...elementsIn(content, 'item')]
      .filter(({ attributes }) => attributeOf(attributes, 't') !== undefined)
      .map(({ start, end }) => content.slice(start, end))
    return remaining.length === 0 ? '' : `<items count="${remaining.length}">${remaining.join('')}</items>`
  })
  let out = fields
  for (const name of ['rowItems', 'colItems']) out = replaceElements(out, name, () => '')
  out = replaceElements(out, 'pageField', (attributes, _, field) =>
    withAttributes(field, withoutAttribute(attributes, 'item')),
  )
  for (const [list, element] of [
    ['formats', 'format'],
    ['conditionalFormats', 'conditionalFormat'],
    ['chartFormats', 'chartFormat'],
  ] as const) {
    out = replaceElements(out, list, (attributes, content = '') => {
      let count = 0
      const remaining = replaceElements(content, element, (_, inside = '') => {
        if (namesItems(inside)) return ''
        count += 1
        return undefined
      })
      return count === 0
        ? ''
        : `<${list}${withoutAttribute(attributes, 'count')} count="${count}">${remaining}</${list}>`
    })
  }
  return out
}

/** The field of a reference that stands for the values of the pivot table: -2, written without a sign. */
const valuesField = '4294967294'

/** Whether an area of a pivot table is selected by items of a field, which the emptied cache no longer contains. */
const namesItems = (markup: string): boolean =>
  [...elementsIn(markup, 'reference')].some(
    ({ attributes, content = '' }) =>
      attributeOf(attributes, 'field') !== valuesField && elementIn(content, 'x') !== undefined,
  )

/** The sheet without the labels that the pivot table took from tags: the compiler would read them as tags of the sheet. */
function withoutLabels(
  sheet: string,
  { from, to = from }: CellRange,
  tagged: PivotSources['tagged'],
): string {
  return replaceElements(sheet, 'c', (attributes, content) => {
    const { row = 0, column = 0 } = parseCorner(attributeOf(attributes, 'r') ?? '') ?? {}
    const isInside =
      row >= (from.row ?? 1) &&
      row <= (to.row ?? row) &&
      column >= (from.column ?? 1) &&
      column <= (to.column ?? column)
    if (content === undefined || !isInside) return undefined
    const index = attributeOf(attributes, 't') === 's' ? elementIn(content, 'v')?.content?.trim() : undefined
    const isTagged = hasTagAnywhere(content) || (index !== undefined && tagged.has(Number(index)))
    return isTagged ? `<c${withoutAttribute(attributes, 't')}/>` : undefined
  })
}
