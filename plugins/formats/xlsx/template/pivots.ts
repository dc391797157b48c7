/**
 * Pivot tables over rows that a render fills. A workbook keeps a copy of the source in the cache, and the labels it shows
 * in the cells; both hold the tags of the template and are of no use once there are values. They are emptied, and the
 * application is told to read the source when it opens the file. Source: ECMA-376-1, 18.10.
 */
import { hasTagAnywhere, replaceElements } from '../../../../shared/office/markup.ts'
import { parseCorner, parseRange, type Range } from '../../../../shared/office/sheet/reference.ts'
import { decodeEntities } from '../../../../shared/template/scan/xml.ts'
import { relationshipsOf } from './relationships.ts'
import { attributeOf, without } from './shared-strings.ts'

export interface PivotSources {
  /** The part of each sheet, by its name in lower case. */
  readonly sheets: ReadonlyMap<string, string>
  /** Places of the shared strings that hold tags. */
  readonly tagged: { has(index: number): boolean }
}

const cachePart = /^xl\/pivotCache\/[^/]*Definition[^/]*\.xml$/

/** Changes `texts`; gives the parts that changed. */
export function emptyPivots(texts: Map<string, string>, sources: PivotSources): Map<string, string> {
  const changed = new Map<string, string>()
  const put = (part: string, text: string) => {
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
    put(part, emptyCache(text))
    for (const [kind, target] of relationshipsOf(texts, part)) {
      const records = texts.get(target)
      if (kind === 'pivotCacheRecords' && records !== undefined) put(target, emptyRecords(records))
    }
  }
  if (emptied.size === 0) return changed
  for (const part of sources.sheets.values()) {
    for (const [kind, table] of relationshipsOf(texts, part)) {
      const text = texts.get(table)
      const reads = relationshipsOf(texts, table).some(([, target]) => emptied.has(target))
      if (kind !== 'pivotTable' || text === undefined || !reads) continue
      put(table, emptyTable(text))
      const location = /<location\b[^<>]*>/.exec(text)?.[0] ?? ''
      const area = parseRange(attributeOf(location, 'ref') ?? '')
      if (area !== undefined) put(part, withoutLabels(texts.get(part) ?? '', area, sources.tagged))
    }
  }
  return changed
}

/** The sheet that a cache reads: named, or by a table or a name of the workbook. */
function sourceOf(
  cache: string,
  texts: ReadonlyMap<string, string>,
  sheets: ReadonlyMap<string, string>,
): string | undefined {
  const element = /<worksheetSource\b[^<>]*>/.exec(cache)?.[0]
  if (element === undefined || /\s\w+:id=/.test(element)) return undefined
  const sheet = attributeOf(element, 'sheet')
  if (sheet !== undefined) return sheets.get(decodeEntities(sheet).toLowerCase())
  const name = decodeEntities(attributeOf(element, 'name') ?? '').toLowerCase()
  for (const part of sheets.values()) {
    for (const [kind, target] of relationshipsOf(texts, part)) {
      const table = /<table\b[^<>]*>/.exec(texts.get(target) ?? '')?.[0] ?? ''
      if (kind === 'table' && attributeOf(table, 'displayName')?.toLowerCase() === name) return part
    }
  }
  for (const [, attributes = '', formula = ''] of (texts.get('xl/workbook.xml') ?? '').matchAll(
    /<definedName\b([^<>]*)>([^<]*)</g,
  )) {
    if (attributeOf(attributes, 'name')?.toLowerCase() !== name) continue
    const plain = decodeEntities(formula).toLowerCase()
    for (const [known, part] of sheets)
      if (plain.includes(`${known}!`) || plain.includes(`'${known.replaceAll("'", "''")}'!`)) return part
  }
  return undefined
}

function holdsTags(sheet: string, tagged: PivotSources['tagged']): boolean {
  if (hasTagAnywhere(sheet)) return true
  for (const [, index] of sheet.matchAll(/<v>\s*(\d+)\s*<\/v>/g)) if (tagged.has(Number(index))) return true
  return false
}

function emptyCache(text: string): string {
  return replaceElements(text, 'sharedItems', () => '<sharedItems/>').replace(
    /<pivotCacheDefinition\b([^<>]*)>/,
    (_, attributes: string) => {
      const rest = ['refreshOnLoad', 'recordCount', 'saveData', 'invalid'].reduce(without, attributes)
      return `<pivotCacheDefinition${rest} refreshOnLoad="1" recordCount="0">`
    },
  )
}

const emptyRecords = (text: string): string =>
  text.replace(/<pivotCacheRecords\b([^<>]*?)\/?>[\s\S]*$/, (_, attributes: string) => {
    return `<pivotCacheRecords${without(attributes, 'count')} count="0"/>`
  })

/** Fields without the items of the cache, and nothing that points at such items. */
function emptyTable(text: string): string {
  const fields = replaceElements(text, 'items', (_, content = '') => {
    const kept = content.match(/<item\b[^<>]*\st="[^<>]*>/g) ?? []
    return kept.length === 0 ? '' : `<items count="${kept.length}">${kept.join('')}</items>`
  })
  let out = fields
  for (const name of ['rowItems', 'colItems']) out = replaceElements(out, name, () => '')
  out = out.replace(/<pageField\b[^<>]*>/g, (field) => without(field, 'item'))
  for (const [list, element] of [
    ['formats', 'format'],
    ['conditionalFormats', 'conditionalFormat'],
    ['chartFormats', 'chartFormat'],
  ] as const) {
    out = replaceElements(out, list, (attributes, content = '') => {
      let count = 0
      const kept = replaceElements(content, element, (_, inside = '') => {
        if (namesItems(inside)) return ''
        count += 1
        return undefined
      })
      return count === 0 ? '' : `<${list}${without(attributes, 'count')} count="${count}">${kept}</${list}>`
    })
  }
  return out
}

/** Whether a part of a pivot table is chosen by items of a field; the values are the field 4294967294. */
const namesItems = (markup: string): boolean =>
  [...markup.matchAll(/<reference\b([^<>]*)>\s*<x\b/g)].some(
    ([, attributes = '']) => attributeOf(attributes, 'field') !== '4294967294',
  )

/** The sheet without the labels that the pivot table took from tags: they would be read as tags of the template. */
function withoutLabels(sheet: string, { from, to = from }: Range, tagged: PivotSources['tagged']): string {
  return replaceElements(sheet, 'c', (attributes, content) => {
    const { row = 0, column = 0 } = parseCorner(attributeOf(attributes, 'r') ?? '') ?? {}
    const isInside =
      row >= (from.row ?? 1) &&
      row <= (to.row ?? row) &&
      column >= (from.column ?? 1) &&
      column <= (to.column ?? column)
    if (content === undefined || !isInside) return undefined
    const index = attributeOf(attributes, 't') === 's' ? /<v>\s*(\d+)/.exec(content)?.[1] : undefined
    const isTagged = hasTagAnywhere(content) || (index !== undefined && tagged.has(Number(index)))
    return isTagged ? `<c${without(attributes, 't')}/>` : undefined
  })
}
