/**
 * Opens a workbook as a template: finds its sheets and the parts that belong to each, moves tagged strings into their
 * cells, and returns how the tokens of every part are prepared. A workbook without tags is returned unchanged, byte
 * for byte. Source: ECMA-376-1, 12.3 and 18.
 */

import { type Additions, additionsTo } from '../../../../shared/office/opc/additions.ts'
import { findObjects } from '../../../../shared/office/opc/objects.ts'
import { withoutOverrides, withoutRelationships } from '../../../../shared/office/opc/relationships.ts'
import { type Arranged, decodeXml, openPackage, type ReadFile } from '../../../../shared/office/package.ts'
import { type SheetModel, type Sheets, sheetKeys } from '../../../../shared/office/sheet/layout.ts'
import { nameInFormula, prepareSheetNames } from '../../../../shared/office/sheet/names.ts'
import type { OpenContext } from '../../../../shared/plugin/contract.ts'
import { findBoundColors } from '../../../../shared/template/media/bound-colors.ts'
import type { TemplatePackage } from '../../../../shared/template/package.ts'
import type { FormatRules } from '../../../../shared/template/rules.ts'
import type { Token } from '../../../../shared/template/scan/tokens.ts'
import type { TemplatePart } from '../../../../shared/template/template-part.ts'
import {
  attributeOf,
  elementIn,
  elementsIn,
  replaceElements,
  withAttributes,
  withoutAttribute,
} from '../../../../shared/xml/elements.ts'
import { escapeText, hasStructure, hasTagAnywhere, withoutTags } from '../../../../shared/xml/markup.ts'
import { decodeEntities } from '../../../../shared/xml/scan.ts'
import { addressesOf, numberCells } from './addresses.ts'
import { Anchors } from './anchored.ts'
import { bindCellColors, CellStyles } from './colors.ts'
import { bindSheetLinks, hasTaggedLink, moveLinks } from './links.ts'
import { bindPageHeaders } from './page-headers.ts'
import { bindSheetPictures } from './pictures.ts'
import { emptyPivots } from './pivots.ts'
import {
  prepareChart,
  prepareComments,
  prepareDrawing,
  prepareFormulas,
  prepareLegacyDrawing,
  preparePivotSource,
  prepareTable,
} from './referring-parts.ts'
import { relationshipsOf } from './relationships.ts'
import {
  copiesNow,
  entriesOf,
  nameNow,
  type RepeatedSheets,
  repeatedEntries,
  repeatSheets,
  type SheetEntry,
  spareSheet,
  tableNames,
} from './repeated-sheets.ts'
import { xlsxRules } from './rules.ts'
import { inlineSheet, readSharedStrings } from './shared-strings.ts'
import { prepareSheet, type SheetOptions } from './sheet.ts'
import { WrappedStyles } from './wrapped.ts'

/** The order in which cells were last calculated (18.6). It would refer to cells that have moved. */
const calculationChain: ReadonlySet<string> = new Set(['xl/calcChain.xml'])
/** Parts that contain no text of a template. Styles are read and written separately. */
const without = /^xl\/(?:styles\.xml|theme\/|calcChain\.xml|persons\/|externalLinks\/)|^customXml\//

/** Opens a workbook as a template. Throws AppError 'package.*' as `openPackage` does. */
export function openWorkbook(bytes: Uint8Array, context: OpenContext): Promise<TemplatePackage> {
  const names = new Set<string>()
  return openPackage(bytes, context, {
    format: 'xlsx',
    rules: xlsxRules,
    main: 'xl/workbook.xml',
    isPart: (name) => /\.(?:xml|rels|vml)$/.test(name) && (!without.test(name) || name.endsWith('.rels')),
    inspect: ({ name }) => void names.add(name),
    arrange: (parts, read) => arrange(parts, names, context, read),
  })
}

/** How the tokens of one part change before they are compiled. */
type Prepare = (tokens: readonly Token[]) => readonly Token[]

/**
 * Converts the parts of the package into those of a template. Order matters: links and pivot labels leave the sheets
 * before strings are moved in, and sheets are known before the parts that refer to them.
 */
async function arrange(
  parts: readonly TemplatePart[],
  names: ReadonlySet<string>,
  context: OpenContext,
  read: ReadFile,
): Promise<Arranged> {
  const strings = parts.find(({ name }) => /^xl\/sharedStrings\.xml$/i.test(name))
  const otherParts = parts.filter((part) => part !== strings)
  const untouched = { rules: xlsxRules, rewritten: new Map<string, string>(), removed: new Set<string>() }
  const isTagged = parts.some(({ text }) => hasTagAnywhere(text) || /%7b/i.test(text) || hasTaggedLink(text))
  const embeds = [...names].some((name) => name.startsWith('xl/embeddings/')) && context.inner !== undefined
  if (!isTagged && !embeds) return { ...untouched, parts: [] }
  const workbook = otherParts.find(({ name }) => name === 'xl/workbook.xml')
  if (workbook === undefined || elementIn(workbook.text, 'workbook') === undefined)
    return { ...untouched, parts }

  const texts = new Map(otherParts.map(({ name, text }) => [name, text]))
  const { worksheets, entries, repeated, taggedStrings, rewritten } = moveTexts(workbook.text, strings, texts)
  const sheets = new Map<string, SheetModel>()
  for (const { model } of worksheets) sheets.set(model.name.toLowerCase(), model)
  const taggable = [...texts.values(), ...taggedStrings.values()]

  const source = sourceOf(texts, names)
  const additions = additionsTo({ ...source, mediaFolder: 'xl/media' })
  const withFiles = embeds ? otherParts.filter(({ name }) => name.startsWith('xl/worksheets/')) : []
  const files = await findObjects(withFiles, { ...source, context, read, additions, filesOnly: true })
  if (!isTagged && !files.any) return { ...untouched, parts: [] }

  const stylesPart = read('xl/styles.xml')
  const wrapped = new WrappedStyles(stylesPart === undefined ? '' : decodeXml(stylesPart, 'xl/styles.xml'))
  const wrappedSheets = worksheets.map((sheet) => ({ ...sheet, text: wrapped.apply(sheet.text) }))
  if (wrapped.changed) rewritten.set('xl/styles.xml', wrapped.part)
  const styles = new CellStyles(wrapped.part)
  const boundColors = findBoundColors(taggable)
  for (const { part, text } of wrappedSheets) {
    if (text === texts.get(part)) continue
    texts.set(part, text)
    // A sheet with formulas but without tags is not written by a render.
    if (!hasTagAnywhere(text)) rewritten.set(part, text)
  }
  const prepares = preparesOfSheets(wrappedSheets, {
    texts,
    sheets,
    styles,
    additions,
    numbers: context.numbers,
    formattedAsText: taggable.some(asText),
    rules: () => rules,
  })
  const copied = repeated.size === 0 ? undefined : repeatSheets({ entries, repeated, texts, names, sheets })
  const namesWithoutTags = entries.flatMap(({ name }, at) => (repeated.has(at) ? [] : [decodeEntities(name)]))
  prepares.set('xl/workbook.xml', (tokens) => {
    const listed = copied?.prepareWorkbook(tokens, rules) ?? tokens
    const formulas = prepareFormulas(listed, ['definedName'], sheets)
    return prepareSheetNames(formulas, {
      element: 'sheet',
      attribute: 'name',
      templateNames: namesWithoutTags,
    })
  })
  const prepare = (part: string, scanned: readonly Token[]): readonly Token[] => {
    const tokens = boundColors?.bind(scanned) ?? scanned
    const preparePart = prepares.get(part)
    const prepared = preparePart?.(tokens) ?? prepareOther(part, tokens, sheets, copied)
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
      const written = boundColors?.written(colored ?? wrapped.part, scope) ?? colored
      if (written !== undefined && written !== '')
        writer.add('xl/styles.xml', new TextEncoder().encode(written))
    },
  }
  // The parts that belong to a sheet that repeats are written once for each copy, not as parts of their own.
  const writtenOnce = otherParts.filter(({ name }) => copied?.inside.has(name) !== true)
  const ordered = inWritingOrder(writtenOnce, workbook.name, copied !== undefined)
  return {
    rules,
    parts: ordered.map((part) => ({ ...part, text: texts.get(part.name) ?? part.text })),
    rewritten,
    removed: new Set(calculationChain),
    addresses: addressesOf(worksheets),
  }
}

/** The state of a workbook after its tagged texts have been moved. */
interface MovedTexts {
  readonly worksheets: readonly WorksheetPart[]
  /** The sheets that the workbook lists, and the indexes of those that repeat. */
  readonly entries: readonly SheetEntry[]
  readonly repeated: ReadonlySet<number>
  /** Shared strings with tags, by number. Their text is now in the cells. */
  readonly taggedStrings: ReadonlyMap<number, string>
  /** Parts that change in the same way in every output, by name. */
  readonly rewritten: Map<string, string>
}

/**
 * Moves tagged texts into the parts that a render writes, and makes programs recalculate the workbook. Changes
 * `texts`, the text of each part by name.
 */
function moveTexts(
  workbook: string,
  strings: TemplatePart | undefined,
  texts: Map<string, string>,
): MovedTexts {
  const relinked = moveLinks(
    texts,
    [...texts.keys()].filter((name) => name.startsWith('xl/worksheets/')),
  )
  const shared = strings === undefined ? undefined : readSharedStrings(strings.text)
  const taggedStrings = shared?.tagged ?? new Map<number, string>()
  const pivoted = emptyPivots(texts, { sheets: sheetParts(workbook, texts), tagged: taggedStrings })
  const {
    found: named,
    entries,
    repeated,
  } = nameSheets(workbook, texts, findSheets(workbook, texts, taggedStrings))
  const rewritten = new Map([...relinked, ...pivoted])
  if (strings !== undefined && shared !== undefined && taggedStrings.size > 0)
    rewritten.set(strings.name, shared.rest)
  for (const [name, text] of toRecalculate(texts, repeated.size > 0)) {
    texts.set(name, text)
    rewritten.set(name, text)
  }
  return { worksheets: named, entries, repeated, taggedStrings, rewritten }
}

interface SheetPreparation {
  readonly texts: ReadonlyMap<string, string>
  readonly sheets: Sheets
  readonly styles: CellStyles
  readonly additions: Additions
  readonly numbers: OpenContext['numbers']
  /** Whether `:formatN` writes text instead of numbers with a format. */
  readonly formattedAsText: boolean
  /** The rules of the workbook, which exist only after all parts are prepared. */
  readonly rules: () => FormatRules
}

/** Returns how each worksheet and the parts that belong to it are prepared, by part. */
function preparesOfSheets(
  worksheets: readonly WorksheetPart[],
  { texts, sheets, styles, additions, numbers, formattedAsText, rules }: SheetPreparation,
): Map<string, Prepare> {
  const prepares = new Map<string, Prepare>()
  for (const { part, model } of worksheets) {
    const numeric = numberCells(numbers, model.name)
    const tables = model.nameNow === undefined ? undefined : tableNames(texts, part)
    const anchors = new Anchors(model, rules)
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
  return prepares
}

/**
 * Prepares a part that belongs to no single sheet: a chart, relationships of a sheet that repeats, the source of a pivot
 * table.
 */
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
 * Changes the parts so that programs recalculate the workbook: the workbook requests it, and references to the
 * calculation chain are removed.
 */
function toRecalculate(texts: ReadonlyMap<string, string>, repeats: boolean): Map<string, string> {
  const changed = new Map<string, string>()
  const keep = (name: string, change: (text: string) => string) => {
    const before = texts.get(name)
    const after = before === undefined ? undefined : change(before)
    if (after !== undefined && after !== before) changed.set(name, after)
  }
  keep('xl/workbook.xml', (text) => recalculated(text, repeats))
  keep('xl/_rels/workbook.xml.rels', (text) => withoutRelationships(text, ({ kind }) => kind === 'calcChain'))
  keep('[Content_Types].xml', (text) => withoutOverrides(text, calculationChain))
  return changed
}

/** Returns how the parts that belong to a sheet are prepared: its tables, comments and drawings. */
function preparesOfRelated(
  part: string,
  model: SheetModel,
  anchors: Anchors,
  texts: ReadonlyMap<string, string>,
): Map<string, Prepare> {
  const prepares = new Map<string, Prepare>()
  const related = relationshipsOf(texts, part)
  // Threaded comments refer to each other, so they stay with the first copy of their row.
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
 * Sorts parts into writing order: the workbook, its sheets, all other parts. Rows are written before the objects that
 * are anchored in them. When sheets repeat, the workbook must be first, because it writes them and assigns their
 * names.
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

/** A worksheet with its part, whose text is that of `inlineSheet`. */
interface WorksheetPart {
  readonly part: string
  readonly text: string
  readonly model: SheetModel
}

/** The sheets that the workbook lists, in order, with their parts (18.2.19). */
function* listedSheets(
  workbook: string,
  texts: ReadonlyMap<string, string>,
): Iterable<{ readonly name: string; readonly part: string }> {
  const targets = new Map<string, string>()
  for (const [, target, id] of relationshipsOf(texts, 'xl/workbook.xml')) targets.set(id, target)
  for (const { attributes } of elementsIn(workbook, 'sheet')) {
    const part = targets.get(attributeOf(attributes, 'r:id') ?? '')
    if (part !== undefined) yield { name: decodeEntities(attributeOf(attributes, 'name') ?? ''), part }
  }
}

/** The part of each sheet by its name in lower case, since names are compared without regard to case. */
const sheetParts = (workbook: string, texts: ReadonlyMap<string, string>): Map<string, string> =>
  new Map([...listedSheets(workbook, texts)].map(({ name, part }) => [name.toLowerCase(), part]))

/**
 * Returns the worksheets, each with an empty model that is filled when the sheet is prepared. Sheets of charts and
 * dialogs have no cells.
 */
function findSheets(
  workbook: string,
  texts: ReadonlyMap<string, string>,
  strings: ReadonlyMap<number, string>,
): WorksheetPart[] {
  const worksheets: WorksheetPart[] = []
  for (const { name, part } of listedSheets(workbook, texts)) {
    const sheet = texts.get(part)
    if (sheet === undefined || elementIn(sheet, 'worksheet') === undefined) continue
    const text = inlineSheet(sheet, strings)
    const model: SheetModel = {
      name,
      moves: moves(text),
      lines: [],
      cells: new Map(),
      merged: new Map(),
      keys: sheetKeys(name),
    }
    worksheets.push({ part, text, model })
  }
  return worksheets
}

/**
 * Gives a repeated sheet whose name contains tags a placeholder name while the template is read, so that formulas can
 * refer to it. Changes the formulas in `texts` accordingly.
 */
function nameSheets(
  workbook: string,
  texts: Map<string, string>,
  worksheetParts: readonly WorksheetPart[],
): { found: WorksheetPart[]; entries: SheetEntry[]; repeated: ReadonlySet<number> } {
  const entries = entriesOf(workbook, texts, new Map(worksheetParts.map(({ part, model }) => [part, model])))
  const inlined = new Map([...texts, ...worksheetParts.map(({ part, text }) => [part, text] as const)])
  const repeated = repeatedEntries(entries, inlined, workbook)
  if (repeated.size === 0) return { found: [...worksheetParts], entries, repeated }
  const sheets = [...worksheetParts]
  const placeholders = new Map<string, string>()
  for (const at of repeated) {
    const { name, model } = entries[at]!
    const placeholder = name.includes('{') ? `\uE000${at}\uE001` : decodeEntities(name)
    const repeatedModel: SheetModel = {
      ...model!,
      name: placeholder,
      nameNow: (scope) => nameNow(repeatedModel, at, scope),
      copiesNow: (scope) => copiesNow(at, scope),
    }
    entries[at] = { ...entries[at]!, model: repeatedModel }
    const index = sheets.findIndex((sheet) => sheet.model === model)
    sheets[index] = {
      ...sheets[index]!,
      model: repeatedModel,
      text: replaceElements(sheets[index]!.text, 'sheetView', (attributes, _, view) =>
        withAttributes(view, withoutAttribute(attributes, 'tabSelected')),
      ),
    }
    if (placeholder === decodeEntities(name)) continue
    placeholders.set(name, placeholder)
    placeholders.set(escapeText(decodeEntities(name)), placeholder)
  }
  for (const [part, text] of texts) texts.set(part, renameSheets(text, placeholders))
  sheets.forEach((sheet, n) => {
    sheets[n] = { ...sheet, text: renameSheets(sheet.text, placeholders) }
  })
  return { found: sheets, entries, repeated }
}

/** A name of a sheet before an exclamation mark, or the names of the first and the last sheet of a reference to several. */
const quotedSheets =
  /(?:'|&apos;)((?:[^'<>:{}]|\{[^{}'<>]{0,200}\}){1,200})(?::((?:[^'<>:{}]|\{[^{}'<>]{0,200}\}){1,200}))?(?:'|&apos;)!/g

/** Replaces names of sheets in formulas, as they are written in markup. */
function renameSheets(text: string, names: ReadonlyMap<string, string>): string {
  if (names.size === 0) return text
  return text.replace(quotedSheets, (match, first: string, last: string | undefined) => {
    if (!names.has(first) && (last === undefined || !names.has(last))) return match
    return `'${names.get(first) ?? first}${last === undefined ? '' : `:${names.get(last) ?? last}`}'!`
  })
}

/** Whether the cells contain tags that may repeat or remove some of them. */
function moves(sheet: string): boolean {
  return hasStructure(elementIn(sheet, 'sheetData')?.content ?? '')
}

/** Whether a text contains the option that makes `:formatN` write text. An editor may have split it into runs. */
const asText = (text: string): boolean =>
  text.includes('exportFormatted') &&
  /\{\s*o\s*\.\s*exportFormattedValuesAsText\s*=\s*true\s*\}/.test(withoutTags(text))

/** The elements that follow `calcPr` in a workbook, in the order of the schema (ECMA-376-1, 18.2.27). */
const afterCalculation = [
  'oleSize',
  'customWorkbookViews',
  'pivotCaches',
  'smartTagPr',
  'smartTagTypes',
  'webPublishing',
  'fileRecoveryPr',
  'webPublishObjects',
  'extLst',
]

/**
 * Returns the workbook with `fullCalcOnLoad`: the results of formulas are removed, so the application must compute
 * them.
 */
function recalculated(workbookText: string, repeats: boolean): string {
  // The active sheet is meaningless once sheets are added or removed.
  const workbook = repeats
    ? replaceElements(workbookText, 'workbookView', (attributes, _, element) =>
        withAttributes(element, ['activeTab', 'firstSheet'].reduce(withoutAttribute, attributes)),
      )
    : workbookText
  if (elementIn(workbook, 'calcPr') !== undefined)
    return replaceElements(
      workbook,
      'calcPr',
      (attributes) => `<calcPr${withoutAttribute(attributes, 'fullCalcOnLoad')} fullCalcOnLoad="1"/>`,
    )
  const next = elementIn(workbook, ...afterCalculation)?.start ?? elementIn(workbook, 'workbook')?.contentEnd
  if (next === undefined) return workbook
  return `${workbook.slice(0, next)}<calcPr fullCalcOnLoad="1"/>${workbook.slice(next)}`
}

/** Quotes values of tags in names of sheets inside formulas, `'{d.name}'!A1`, as such names are quoted. */
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
