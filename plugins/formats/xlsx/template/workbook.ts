/**
 * Opens a workbook: finds its sheets and what belongs to each, moves tagged strings into their cells, and tells the
 * compiler how the pieces of every part change. A workbook without tags stays as it is, byte for byte.
 */

import { hasStructure, hasTag } from '../../../../shared/office/markup.ts'
import { type Arranged, openPackage } from '../../../../shared/office/package.ts'
import type { SheetModel } from '../../../../shared/office/sheet/layout.ts'
import { nameInFormula, prepareSheetNames } from '../../../../shared/office/sheet/names.ts'
import type { OpenContext } from '../../../../shared/plugin/contract.ts'
import type { TemplatePackage, TemplatePart } from '../../../../shared/template/package.ts'
import type { Piece } from '../../../../shared/template/scan/pieces.ts'
import { decodeEntities } from '../../../../shared/template/scan/xml.ts'
import { addressesOf, numberCells } from './addresses.ts'
import {
  prepareChart,
  prepareComments,
  prepareDrawing,
  prepareFormulas,
  prepareLegacyDrawing,
  preparePivotSource,
  prepareTable,
} from './others.ts'
import { relationshipsOf } from './relationships.ts'
import { xlsxRules } from './rules.ts'
import { attributeOf, inlineSheet, readSharedStrings } from './shared-strings.ts'
import { prepareSheet } from './sheet.ts'

const without = /^xl\/(?:styles\.xml|theme\/|calcChain\.xml|persons\/|externalLinks\/)|^customXml\//

export function openWorkbook(bytes: Uint8Array, context: OpenContext): Promise<TemplatePackage> {
  return openPackage(bytes, context, {
    format: 'xlsx',
    rules: xlsxRules,
    isPart: (name) => /\.(?:xml|rels|vml)$/.test(name) && (!without.test(name) || name.endsWith('.rels')),
    arrange: (parts) => arrange(parts, context.numbers),
  })
}

type Prepare = (pieces: readonly Piece[]) => readonly Piece[]

function arrange(parts: readonly TemplatePart[], numbers: readonly string[] | undefined): Arranged {
  const strings = parts.find(({ name }) => /^xl\/sharedStrings\.xml$/i.test(name))
  const others = parts.filter((part) => part !== strings)
  const untouched = { rules: xlsxRules, rewritten: new Map<string, string>(), removed: new Set<string>() }
  const tagged = parts.filter(({ text }) => hasTag(text) || /%7b/i.test(text))
  if (tagged.length === 0) return { ...untouched, parts: [] }
  const workbook = others.find(({ name }) => name === 'xl/workbook.xml')
  // Main elements with a prefix come from programs that write few of the things handled below: values only.
  if (workbook === undefined || !/<workbook\b/.test(workbook.text)) return { ...untouched, parts }

  const texts = new Map(others.map(({ name, text }) => [name, text]))
  const shared = strings === undefined ? undefined : readSharedStrings(strings.text)
  const found = findSheets(workbook.text, texts, shared?.tagged ?? new Map())
  const sheets = new Map<string, SheetModel>()
  for (const { model } of found) sheets.set(model.name.toLowerCase(), model)

  const rewritten = new Map<string, string>()
  if (strings !== undefined && shared !== undefined && shared.tagged.size > 0)
    rewritten.set(strings.name, shared.rest)
  const removed = new Set<string>(['xl/calcChain.xml'])
  const keep = (name: string, text: string | undefined) => {
    if (text === undefined || text === texts.get(name)) return
    texts.set(name, text)
    rewritten.set(name, text)
  }
  keep('xl/workbook.xml', recalculated(workbook.text))
  keep(
    'xl/_rels/workbook.xml.rels',
    texts.get('xl/_rels/workbook.xml.rels')?.replace(/<Relationship\b[^<>]*calcChain[^<>]*\/>/g, ''),
  )
  keep(
    '[Content_Types].xml',
    texts.get('[Content_Types].xml')?.replace(/<Override\b[^<>]*calcChain[^<>]*\/>/g, ''),
  )

  const formattedAsText = [...texts.values(), ...(shared?.tagged.values() ?? [])].some(asText)
  const prepares = new Map<string, Prepare>()
  for (const { part, text, model } of found) {
    if (text !== texts.get(part)) {
      texts.set(part, text)
      // A sheet with formulas but without tags is not written by a render.
      if (!hasTag(text)) rewritten.set(part, text)
    }
    const numeric = numberCells(numbers, model.name)
    prepares.set(part, (pieces) =>
      prepareSheet(pieces, { model, sheets, formattedAsText, ...(numeric && { numeric }) }),
    )
    for (const [kind, target] of relationshipsOf(texts, part)) {
      if (kind === 'table') prepares.set(target, (pieces) => prepareTable(pieces, model))
      else if (kind === 'comments' || kind === 'threadedComment')
        prepares.set(target, (pieces) => prepareComments(pieces, model))
      else if (kind === 'drawing') prepares.set(target, (pieces) => prepareDrawing(pieces, model))
      else if (kind === 'vmlDrawing') prepares.set(target, (pieces) => prepareLegacyDrawing(pieces, model))
    }
  }
  const names = found.map(({ model }) => model.name)
  prepares.set('xl/workbook.xml', (pieces) =>
    prepareSheetNames(prepareFormulas(pieces, ['definedName'], sheets), {
      element: 'sheet',
      attribute: 'name',
      given: names,
    }),
  )
  const prepare = (part: string, pieces: readonly Piece[]): readonly Piece[] => {
    const own = prepares.get(part)
    const prepared = own !== undefined ? own(pieces) : byKind(part, pieces)
    return quotedNames(prepared)
  }
  const byKind = (part: string, pieces: readonly Piece[]): readonly Piece[] => {
    if (/^xl\/charts\/[^/]*\.xml$/.test(part)) return prepareChart(pieces, sheets)
    if (/^xl\/pivotCache\/[^/]*Definition[^/]*\.xml$/.test(part)) return preparePivotSource(pieces, sheets)
    return pieces
  }
  return {
    rules: { ...xlsxRules, prepare },
    parts: others.map((part) => ({ ...part, text: texts.get(part.name) ?? part.text })),
    rewritten,
    removed,
    addresses: addressesOf(found),
  }
}

interface FoundSheet {
  readonly part: string
  readonly text: string
  readonly model: SheetModel
}

function findSheets(
  workbook: string,
  texts: ReadonlyMap<string, string>,
  strings: ReadonlyMap<number, string>,
): FoundSheet[] {
  const targets = new Map<string, string>()
  for (const [, target, id] of relationshipsOf(texts, 'xl/workbook.xml')) targets.set(id, target)
  const found: FoundSheet[] = []
  for (const [element] of workbook.matchAll(/<sheet\b[^<>]*>/g)) {
    const part = targets.get(/\s[\w]+:id\s*=\s*["']([^"']*)["']/.exec(element)?.[1] ?? '')
    const sheet = part === undefined ? undefined : texts.get(part)
    if (part === undefined || sheet === undefined || !/<worksheet\b/.test(sheet)) continue
    const text = inlineSheet(sheet, strings)
    const name = decodeEntities(attributeOf(element, 'name') ?? '')
    const model: SheetModel = { name, moves: moves(text), lines: [], cells: new Map() }
    found.push({ part, text, model })
  }
  return found
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
function recalculated(workbook: string): string {
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
function quotedNames(pieces: readonly Piece[]): readonly Piece[] {
  if (!pieces.some(({ kind }) => kind === 'tag')) return pieces
  const formulas = new Set(['f', 'definedName', 'c:f', 'formula', 'formula1', 'formula2', 'xm:f'])
  let inside = false
  let before = ''
  return pieces.map((piece) => {
    if (piece.kind === 'open') {
      inside = formulas.has(piece.name)
      before = ''
    } else if (piece.kind === 'text' && piece.markup === undefined) before = piece.raw
    else if (piece.kind === 'tag' && inside && /'[^'!]*$/.test(before))
      return { ...piece, output: nameInFormula }
    return piece
  })
}
