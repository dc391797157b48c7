/**
 * Opens a workbook: finds its sheets and what belongs to each, moves tagged strings into their cells, and says
 * how the tokens of every part change. A workbook without tags stays as it is, byte for byte.
 */

import { escapeText, hasStructure, hasTagAnywhere } from '../../../../shared/office/markup.ts'
import { additionsTo } from '../../../../shared/office/opc/additions.ts'
import { findObjects } from '../../../../shared/office/opc/objects.ts'
import { type Arranged, decodeXml, openPackage, type ReadFile } from '../../../../shared/office/package.ts'
import { type SheetModel, type Sheets, sheetKeys } from '../../../../shared/office/sheet/layout.ts'
import { nameInFormula, prepareSheetNames } from '../../../../shared/office/sheet/names.ts'
import type { OpenContext } from '../../../../shared/plugin/contract.ts'
import { findBoundColors } from '../../../../shared/template/media/bound-colors.ts'
import type { TemplatePackage, TemplatePart } from '../../../../shared/template/package.ts'
import type { FormatRules } from '../../../../shared/template/rules.ts'
import type { Token } from '../../../../shared/template/scan/tokens.ts'
import { decodeEntities } from '../../../../shared/template/scan/xml.ts'
import { addressesOf, numberCells } from './addresses.ts'
import { Anchors } from './anchored.ts'
import { bindCellColors, CellStyles } from './colors.ts'
import { bindSheetLinks, hasTaggedLink, moveLinks } from './links.ts'
import {
  prepareChart,
  prepareComments,
  prepareDrawing,
  prepareFormulas,
  prepareLegacyDrawing,
  preparePivotSource,
  prepareTable,
} from './others.ts'
import { bindPageHeaders } from './page-headers.ts'
import { bindSheetPictures } from './pictures.ts'
import { emptyPivots } from './pivots.ts'
import { relationshipsOf } from './relationships.ts'
import {
  entriesOf,
  nameNow,
  type RepeatedSheets,
  repeatedEntries,
  repeatSheets,
  type SheetEntry,
  spareSheet,
  tableNames,
} from './repeated.ts'
import { xlsxRules } from './rules.ts'
import { attributeOf, inlineSheet, readSharedStrings } from './shared-strings.ts'
import { prepareSheet, type SheetOptions } from './sheet.ts'
import { WrappedStyles } from './wrapped.ts'

const without = /^xl\/(?:styles\.xml|theme\/|calcChain\.xml|persons\/|externalLinks\/)|^customXml\//

export function openWorkbook(bytes: Uint8Array, context: OpenContext): Promise<TemplatePackage> {
  const names = new Set<string>()
  return openPackage(bytes, context, {
    format: 'xlsx',
    rules: xlsxRules,
    isPart: (name) => /\.(?:xml|rels|vml)$/.test(name) && (!without.test(name) || name.endsWith('.rels')),
    inspect: ({ name }) => void names.add(name),
    arrange: (parts, read) => arrange(parts, names, context, read),
  })
}

type Prepare = (tokens: readonly Token[]) => readonly Token[]

async function arrange(
  parts: readonly TemplatePart[],
  names: ReadonlySet<string>,
  context: OpenContext,
  read: ReadFile,
): Promise<Arranged> {
  const strings = parts.find(({ name }) => /^xl\/sharedStrings\.xml$/i.test(name))
  const others = parts.filter((part) => part !== strings)
  const untouched = { rules: xlsxRules, rewritten: new Map<string, string>(), removed: new Set<string>() }
  const tagged = parts.filter(({ text }) => hasTagAnywhere(text) || /%7b/i.test(text) || hasTaggedLink(text))
  const embeds = [...names].some((name) => name.startsWith('xl/embeddings/')) && context.inner !== undefined
  if (tagged.length === 0 && !embeds) return { ...untouched, parts: [] }
  const workbook = others.find(({ name }) => name === 'xl/workbook.xml')
  // Programs that write main elements with a prefix write little of what is handled below, so only values are replaced.
  if (workbook === undefined || !/<workbook\b/.test(workbook.text)) return { ...untouched, parts }

  const texts = new Map(others.map(({ name, text }) => [name, text]))
  const relinked = moveLinks(
    texts,
    others.flatMap(({ name }) => (name.startsWith('xl/worksheets/') ? [name] : [])),
  )
  const shared = strings === undefined ? undefined : readSharedStrings(strings.text)
  const taggedStrings = shared?.tagged ?? new Map<number, string>()
  const pivoted = emptyPivots(texts, { sheets: sheetParts(workbook.text, texts), tagged: taggedStrings })
  const { found, entries, repeated } = nameSheets(
    workbook.text,
    texts,
    findSheets(workbook.text, texts, taggedStrings),
  )
  const sheets = new Map<string, SheetModel>()
  for (const { model } of found) sheets.set(model.name.toLowerCase(), model)

  const rewritten = new Map([...relinked, ...pivoted])
  if (strings !== undefined && shared !== undefined && shared.tagged.size > 0)
    rewritten.set(strings.name, shared.rest)
  for (const [name, text] of toRecalculate(texts, repeated.size > 0)) {
    texts.set(name, text)
    rewritten.set(name, text)
  }
  const removed = new Set<string>(['xl/calcChain.xml'])

  const formattedAsText = [...texts.values(), ...(shared?.tagged.values() ?? [])].some(asText)
  const prepares = new Map<string, Prepare>()
  const source = sourceOf(texts, names)
  const additions = additionsTo({ ...source, mediaFolder: 'xl/media' })
  const withFiles = embeds ? others.filter(({ name }) => name.startsWith('xl/worksheets/')) : []
  const files = await findObjects(withFiles, { ...source, context, read, additions, filesOnly: true })
  if (tagged.length === 0 && !files.any) return { ...untouched, parts: [] }
  const stylesPart = read('xl/styles.xml')
  const wrapped = new WrappedStyles(stylesPart === undefined ? '' : decodeXml(stylesPart, 'xl/styles.xml'))
  const wrapping = found.map((sheet) => ({ ...sheet, text: wrapped.apply(sheet.text) }))
  if (wrapped.changed) rewritten.set('xl/styles.xml', wrapped.part)
  const styles = new CellStyles(wrapped.part)
  const bindings = findBoundColors([...texts.values(), ...(shared?.tagged.values() ?? [])])
  for (const { part, text, model } of wrapping) {
    if (text !== texts.get(part)) {
      texts.set(part, text)
      // A sheet with formulas but without tags is not written by a render.
      if (!hasTagAnywhere(text)) rewritten.set(part, text)
    }
    const numeric = numberCells(context.numbers, model.name)
    const tables = model.nameNow === undefined ? undefined : tableNames(texts, part)
    const anchors = new Anchors(model, () => rules)
    const options: SheetOptions = {
      model,
      sheets,
      anchors,
      formattedAsText,
      ...(numeric && { numeric }),
      ...(tables && { tables }),
    }
    prepares.set(part, (tokens) => {
      const colored = bindCellColors(tokens, styles, (all) => prepareSheet(all, options))
      return bindSheetLinks(part, colored, model, additions)
    })
    for (const [target, prepare] of preparesOfRelated(part, model, anchors, texts))
      prepares.set(target, prepare)
  }
  const copied = repeated.size === 0 ? undefined : repeatSheets({ entries, repeated, texts, names, sheets })
  const given = entries.flatMap(({ name }, at) => (repeated.has(at) ? [] : [decodeEntities(name)]))
  prepares.set('xl/workbook.xml', (tokens) => {
    const listed = copied?.prepareWorkbook(tokens, rules) ?? tokens
    const formulas = prepareFormulas(listed, ['definedName'], sheets)
    return prepareSheetNames(formulas, { element: 'sheet', attribute: 'name', given })
  })
  const prepare = (part: string, given: readonly Token[]): readonly Token[] => {
    const tokens = bindings?.bind(given) ?? given
    const own = prepares.get(part)
    const prepared = own !== undefined ? own(tokens) : prepareOther(part, tokens, sheets, copied)
    const pictured = part.startsWith('xl/drawings/')
      ? bindSheetPictures(part.replace(/#$/, ''), prepared, additions)
      : prepared
    const headed = /^xl\/(?:work|chart)sheets\//.test(part) ? bindPageHeaders(pictured) : pictured
    return quotedNames(files.bind(part, headed))
  }

  const rules: FormatRules = {
    ...xlsxRules,
    prepare,
    ...(copied && { filled: { sheets: { skip: [], instead: spareSheet } } }),
    finish(scope, writer) {
      copied?.finish(scope, writer)
      files.finish(scope)
      additions.finish(scope, writer)
      const colored = styles.written(scope)
      const written = bindings?.written(colored ?? wrapped.part, scope) ?? colored
      if (written !== undefined && written !== '')
        writer.add('xl/styles.xml', new TextEncoder().encode(written))
    },
  }
  const once = others.filter(({ name }) => copied?.inside.has(name) !== true)
  const ordered = inWritingOrder(once, workbook.name, copied !== undefined)
  return {
    rules,
    parts: ordered.map((part) => ({ ...part, text: texts.get(part.name) ?? part.text })),
    rewritten,
    removed,
    addresses: addressesOf(found),
  }
}

/** Prepares a part that belongs to no single sheet: a chart, relationships of a sheet that repeats, the source of a pivot table. */
function prepareOther(
  part: string,
  tokens: readonly Token[],
  sheets: Sheets,
  copied: RepeatedSheets | undefined,
): readonly Token[] {
  if (/^xl\/charts\/[^/]*\.xml$/.test(part)) return prepareChart(tokens, sheets)
  if (copied?.inside.has(part) === true && part.endsWith('.rels'))
    return copied.prepareRelationships(part, tokens)
  if (/^xl\/pivotCache\/[^/]*Definition[^/]*\.xml$/.test(part)) return preparePivotSource(tokens, sheets)
  return tokens
}

/**
 * The parts that change so that programs calculate the workbook anew: the workbook asks for it, and the chain that lists the
 * order of the last calculation is no longer referred to.
 */
function toRecalculate(texts: ReadonlyMap<string, string>, repeats: boolean): Map<string, string> {
  const changed = new Map<string, string>()
  const keep = (name: string, change: (text: string) => string) => {
    const before = texts.get(name)
    const after = before === undefined ? undefined : change(before)
    if (after !== undefined && after !== before) changed.set(name, after)
  }
  keep('xl/workbook.xml', (text) => recalculated(text, repeats))
  keep('xl/_rels/workbook.xml.rels', (text) => text.replace(/<Relationship\b[^<>]*calcChain[^<>]*\/>/g, ''))
  keep('[Content_Types].xml', (text) => text.replace(/<Override\b[^<>]*calcChain[^<>]*\/>/g, ''))
  return changed
}

/** How the parts that belong to a sheet are prepared: its tables, comments and drawings. */
function preparesOfRelated(
  part: string,
  model: SheetModel,
  anchors: Anchors,
  texts: ReadonlyMap<string, string>,
): Map<string, Prepare> {
  const prepares = new Map<string, Prepare>()
  const related = relationshipsOf(texts, part)
  // Threads of comments refer to each other, so they stay with the first copy of their row.
  const threads = related.some(([kind]) => kind === 'threadedComment')
  for (const [kind, target] of related) {
    const follows = kind === 'drawing' || (!threads && (kind === 'comments' || kind === 'vmlDrawing'))
    if (model.moves && follows) anchors.find(target, texts.get(target) ?? '')
    if (kind === 'table') prepares.set(target, (tokens) => prepareTable(tokens, model))
    else if (kind === 'comments' || kind === 'threadedComment')
      prepares.set(target, (tokens) => prepareComments(anchors.rest(target, tokens), model))
    else if (kind === 'drawing')
      prepares.set(target, (tokens) => prepareDrawing(anchors.rest(target, tokens), model))
    else if (kind === 'vmlDrawing')
      prepares.set(target, (tokens) => prepareLegacyDrawing(anchors.rest(target, tokens), model))
  }
  return prepares
}

/**
 * The workbook, then its sheets, then all other parts: rows are written before what is anchored in them. When sheets repeat, the
 * workbook comes before all of them, because it writes them and gives them their names.
 */
function inWritingOrder(parts: readonly TemplatePart[], workbook: string, repeats: boolean): TemplatePart[] {
  const rank = ({ name }: TemplatePart) => {
    if (name === workbook) return repeats ? 0 : 1
    return name.startsWith('xl/worksheets/') ? 1 : 2
  }
  return [...parts].sort((a, b) => rank(a) - rank(b))
}

function sourceOf(texts: ReadonlyMap<string, string>, names: ReadonlySet<string>) {
  const relations = new Map<string, string>()
  for (const [name, text] of texts)
    if (name.endsWith('.rels')) relations.set(name.replace(/_rels\/([^/]*)\.rels$/, '$1'), text)
  const contentTypes = texts.get('[Content_Types].xml') ?? ''
  return { names, contentTypes, relations }
}

interface FoundSheet {
  readonly part: string
  readonly text: string
  readonly model: SheetModel
}

function* listedSheets(
  workbook: string,
  texts: ReadonlyMap<string, string>,
): Iterable<{ readonly name: string; readonly part: string }> {
  const targets = new Map<string, string>()
  for (const [, target, id] of relationshipsOf(texts, 'xl/workbook.xml')) targets.set(id, target)
  for (const [element] of workbook.matchAll(/<sheet\b[^<>]*>/g)) {
    const part = targets.get(/\s[\w]+:id\s*=\s*["']([^"']*)["']/.exec(element)?.[1] ?? '')
    if (part !== undefined) yield { name: decodeEntities(attributeOf(element, 'name') ?? ''), part }
  }
}

const sheetParts = (workbook: string, texts: ReadonlyMap<string, string>): Map<string, string> =>
  new Map([...listedSheets(workbook, texts)].map(({ name, part }) => [name.toLowerCase(), part]))

function findSheets(
  workbook: string,
  texts: ReadonlyMap<string, string>,
  strings: ReadonlyMap<number, string>,
): FoundSheet[] {
  const found: FoundSheet[] = []
  for (const { name, part } of listedSheets(workbook, texts)) {
    const sheet = texts.get(part)
    if (sheet === undefined || !/<worksheet\b/.test(sheet)) continue
    const text = inlineSheet(sheet, strings)
    const model: SheetModel = {
      name,
      moves: moves(text),
      lines: [],
      cells: new Map(),
      merged: new Map(),
      keys: sheetKeys(name),
    }
    found.push({ part, text, model })
  }
  return found
}

/**
 * Sheets that repeat get a name of their own while the template is read, so that formulas tell which they mean; `texts`
 * follow.
 */
function nameSheets(
  workbook: string,
  texts: Map<string, string>,
  found: readonly FoundSheet[],
): { found: FoundSheet[]; entries: SheetEntry[]; repeated: ReadonlySet<number> } {
  const entries = entriesOf(workbook, texts, new Map(found.map(({ part, model }) => [part, model])))
  const inlined = new Map([...texts, ...found.map(({ part, text }) => [part, text] as const)])
  const repeated = repeatedEntries(entries, inlined, workbook)
  if (repeated.size === 0) return { found: [...found], entries, repeated }
  const sheets = [...found]
  for (const at of repeated) {
    const { name, model } = entries[at]!
    const placeholder = name.includes('{') ? `\uE000${at}\uE001` : decodeEntities(name)
    const own: SheetModel = {
      ...model!,
      name: placeholder,
      nameNow: (scope) => nameNow(own, at, scope),
    }
    entries[at] = { ...entries[at]!, model: own }
    const index = sheets.findIndex((sheet) => sheet.model === model)
    sheets[index] = {
      ...sheets[index]!,
      model: own,
      text: sheets[index]!.text.replace(/\stabSelected="[^"]*"/g, ''),
    }
    if (placeholder === decodeEntities(name)) continue
    const quoted = new Set(
      [name, escapeText(decodeEntities(name))].flatMap((text) => [`'${text}'!`, `&apos;${text}&apos;!`]),
    )
    const renamed = (text: string) => {
      let out = text
      for (const each of quoted) out = out.replaceAll(each, `'${placeholder}'!`)
      return out
    }
    for (const [part, text] of texts) texts.set(part, renamed(text))
    sheets.forEach((sheet, n) => {
      sheets[n] = { ...sheet, text: renamed(sheet.text) }
    })
  }
  return { found: sheets, entries, repeated }
}

/** Whether the cells hold tags that may repeat or remove some of them. */
function moves(sheet: string): boolean {
  const start = sheet.indexOf('<sheetData')
  const end = sheet.indexOf('</sheetData>')
  if (start < 0 || end < 0) return false
  return hasStructure(sheet.slice(start, end))
}

const asText = (text: string): boolean =>
  text.includes('exportFormatted') &&
  /\{\s*o\s*\.\s*exportFormattedValuesAsText\s*=\s*true\s*\}/.test(text.replace(/<[^<>]*>/g, ''))

/** Results of formulas are left out: the application is told to work them all out. */
function recalculated(given: string, repeats: boolean): string {
  // Which sheet was in front says nothing about one that sheets were added to.
  const workbook = repeats
    ? given.replace(/(<workbookView\b[^<>]*)/g, (view) =>
        view.replace(/\s(?:activeTab|firstSheet)="[^"]*"/g, ''),
      )
    : given
  const calculation = /<calcPr\b([^<>]*?)\/?>/
  if (calculation.test(workbook)) {
    return workbook.replace(/<calcPr\b([^<>]*?)(\/?>)/, (_, attributes: string, end: string) => {
      return `<calcPr${attributes.replace(/\sfullCalcOnLoad="[^"]*"/, '')} fullCalcOnLoad="1"${end}`
    })
  }
  const next =
    /<(?:oleSize|customWorkbookViews|pivotCaches|smartTagPr|smartTagTypes|webPublishing|fileRecoveryPr|webPublishObjects|extLst)\b|<\/workbook>/
  return workbook.replace(next, (following) => `<calcPr fullCalcOnLoad="1"/>${following}`)
}

/** Sheet names with tags inside formulas: `'{d.name}'!A1`. */
function quotedNames(tokens: readonly Token[]): readonly Token[] {
  if (!tokens.some(({ kind }) => kind === 'tag')) return tokens
  const formulas = new Set(['f', 'definedName', 'c:f', 'formula', 'formula1', 'formula2', 'xm:f'])
  let inside = false
  let before = ''
  return tokens.map((token) => {
    if (token.kind === 'open') {
      inside = formulas.has(token.name)
      before = ''
    } else if (token.kind === 'text' && token.markup === undefined) before = token.raw
    else if (token.kind === 'tag' && inside && /'[^'!]*$/.test(before))
      return { ...token, output: nameInFormula }
    return token
  })
}
