/**
 * The cascade: document defaults, table style, paragraph style chain, list level, direct formatting; for runs
 * the run style comes before direct formatting. Results are cached by the identity of their input. Readers
 * share equal properties, so a document of ten thousand paragraphs resolves only a few dozen.
 */

import type { Document, DocumentSettings } from '../../../../shared/document/document.ts'
import type { Level } from '../../../../shared/document/numbering.ts'
import type {
  ListPosition,
  ParagraphProperties,
  RunProperties,
} from '../../../../shared/document/properties.ts'
import { setEntry } from '../../../../shared/entry-of.ts'
import { word } from '../compat/word.ts'
import type { CellTextFormat, ComputedParagraph, ComputedRun } from './computed.ts'
import { finishParagraph } from './finish-paragraph.ts'
import { finishRun } from './finish-run.ts'
import { mergeParagraph, mergeRun, styleChain } from './merge.ts'

/** Computes styles for one document. `table` is the formatting of the table cell around the text. */
export interface Styler {
  paragraph(properties: ParagraphProperties, table: CellTextFormat | undefined): ComputedParagraph
  /** The computed styles of runs in paragraphs of one style. */
  runs(style: string, table: CellTextFormat | undefined): RunStyler
  /** The level that a list paragraph refers to; undefined when there is none. */
  level(position: ListPosition | undefined): Level | undefined
}

/** Computes run styles within one paragraph style. */
export interface RunStyler {
  run(direct: RunProperties): ComputedRun
  /** The style of a list label: that of the paragraph mark, then the character style and the properties of the level. */
  label(mark: RunProperties, level: RunProperties): ComputedRun
}

const noTable: CellTextFormat = { paragraph: {}, run: {} }

/** Creates the styler of a document. Its caches live as long as the styler. */
export function createStyler(document: Document): Styler {
  const { styles: sheet, numbering } = document
  const paragraphs = new Map<CellTextFormat, Map<ParagraphProperties, ComputedParagraph>>()
  const runStylers = new Map<CellTextFormat, Map<string, RunStyler>>()

  const level = (position: ListPosition | undefined): Level | undefined =>
    position === undefined || position.list === ''
      ? undefined
      : numbering.get(position.list)?.levels[position.level]

  const paragraph = (properties: ParagraphProperties, table = noTable): ComputedParagraph => {
    let cached = paragraphs.get(table)
    if (cached === undefined) paragraphs.set(table, (cached = new Map()))
    let computed = cached.get(properties)
    if (computed === undefined) cached.set(properties, (computed = compute(properties, table)))
    return computed
  }

  const compute = (direct: ParagraphProperties, table: CellTextFormat): ComputedParagraph => {
    const id =
      sheet.styles.get(direct.style ?? '')?.kind === 'paragraph' ? direct.style : sheet.defaultParagraph
    const chain = styleChain(sheet, id, 'paragraph')
    const position = listPosition(chain, direct)
    const ofLevel = levelParagraph(level(position), position)
    let merged = mergeParagraph(sheet.defaults.paragraph, table.paragraph)
    for (const style of chain) {
      if (style.paragraph.list !== undefined && position !== undefined) {
        merged = mergeParagraph(merged, ofLevel)
      }
      merged = mergeParagraph(merged, style.paragraph)
    }
    if (direct.list !== undefined && position !== undefined) {
      merged = mergeParagraph(merged, ofLevel)
    }
    const { align } = table.paragraph
    const isLeft = merged.align === 'left' || merged.align === 'start'
    if (isLeft && align !== undefined && yieldsToTable(document, id, table)) merged = { ...merged, align }
    merged = withLevelIndent(document.settings, mergeParagraph(merged, direct), level(position), position)
    const size = merged.autoIndent === true ? runs(id ?? '', table).run({}).size : 0
    const named = chain.findLast(({ automatic }) => automatic !== true)?.id ?? id ?? ''
    const listLevel = level(position)
    const isAligned = listLevel !== undefined && listLevel.addsIndent !== true
    return finishParagraph(
      merged,
      { style: id ?? '', named, list: position, isAligned, size },
      document.settings,
    )
  }

  /** The list and level of a paragraph: the last that a style or the paragraph itself declares. */
  const listPosition = (
    chain: ReturnType<typeof styleChain>,
    direct: ParagraphProperties,
  ): ListPosition | undefined => {
    let position: ListPosition | undefined
    for (const style of chain) {
      const declared = style.paragraph.list
      if (declared === undefined) continue
      position = declared.list === 'inherit' ? position && { ...position, level: declared.level } : declared
      // A level that refers back to the style determines the level of paragraphs in that style.
      const levels = position === undefined ? undefined : numbering.get(position.list)?.levels
      const linked = levels?.findIndex((entry) => entry.paragraphStyle === style.id) ?? -1
      if (position !== undefined && linked >= 0) position = { ...position, level: linked }
    }
    if (direct.list !== undefined) {
      position =
        direct.list.list === 'inherit' ? position && { ...position, level: direct.list.level } : direct.list
    }
    if (position === undefined || position.list === '' || !numbering.has(position.list)) return undefined
    return position
  }

  const runs = (style: string, table = noTable): RunStyler => {
    let cached = runStylers.get(table)
    if (cached === undefined) runStylers.set(table, (cached = new Map()))
    let styler = cached.get(style)
    if (styler === undefined) cached.set(style, (styler = runStyler(document, style, table)))
    return styler
  }

  return { paragraph, runs, level }
}

/** The paragraph properties of a list level. A paragraph without a label has no hanging first line. */
function levelParagraph(level: Level | undefined, position: ListPosition | undefined): ParagraphProperties {
  const ofLevel = level?.paragraph ?? {}
  if (level?.addsIndent === true) {
    const { indent: _added, ...rest } = ofLevel
    return rest
  }
  return position?.unnumbered === true ? { ...ofLevel, indent: { ...ofLevel.indent, first: 0 } } : ofLevel
}

/**
 * Adds the indent of a list level. Levels of older ODF documents move a paragraph further in instead of
 * setting its indent.
 */
function withLevelIndent(
  settings: DocumentSettings,
  merged: ParagraphProperties,
  level: Level | undefined,
  position: ListPosition | undefined,
): ParagraphProperties {
  if (level?.addsIndent !== true) return merged
  const { start = 0, first = 0 } = level.paragraph.indent ?? {}
  const indent = merged.indent ?? {}
  const hangs = position?.unnumbered === true ? 0 : first
  const added = word.indentsHoldBorders(settings) ? 0 : (indent.first ?? 0)
  return {
    ...merged,
    indent: { ...indent, start: (indent.start ?? 0) + start, first: added + hangs },
  }
}

/** Whether the size and the alignment of a paragraph style give way to those of the table. */
const yieldsToTable = (
  { settings, styles }: Document,
  style: string | undefined,
  { isDeclared }: CellTextFormat,
): boolean =>
  isDeclared === true && style === styles.defaultParagraph && word.defaultStyleYieldsToTables(settings)

/** The toggle properties of ECMA-376-1 17.7.3. */
const toggles = [
  'bold',
  'italic',
  'caps',
  'smallCaps',
  'hidden',
  'complexBold',
  'complexItalic',
  'outline',
] as const

const noToggles: readonly (typeof toggles)[number][] = []

/** Computes the runs of one paragraph style. Results are cached by the identity of the direct formatting. */
function runStyler(document: Document, style: string, format: CellTextFormat): RunStyler {
  const sheet = document.styles
  const { defaults } = sheet
  const table = format.run
  let chained: RunProperties = {}
  for (const entry of styleChain(sheet, style, 'paragraph')) chained = mergeRun(chained, entry.run)
  if (chained.size !== undefined && yieldsToTable(document, style, format)) {
    const size = table.size ?? defaults.run.size ?? word.sizeWithoutStyles
    chained = { ...chained, size: word.sizeInTable(chained.size, size) }
  }
  const base = mergeRun(mergeRun(defaults.run, table), chained)
  const computed = new Map<RunProperties, ComputedRun>()
  const labels = new Map<RunProperties, Map<RunProperties, ComputedRun>>()

  const namedRun = (style: string | undefined): RunProperties => {
    let named: RunProperties = {}
    for (const entry of styleChain(sheet, style, 'run')) named = mergeRun(named, entry.run)
    return named
  }

  const resolve = (direct: RunProperties): RunProperties => {
    const named = namedRun(direct.style)
    const merged: Record<string, unknown> = { ...mergeRun(mergeRun(base, named), direct) }
    // Toggles of styles cancel each other, level by level; direct ones are absolute (ECMA-376-1 17.7.3).
    for (const toggle of word.togglesCancel(document.settings) ? toggles : noToggles) {
      if (direct[toggle] !== undefined) continue
      const levels = [table[toggle], chained[toggle], named[toggle]]
      if (levels.every((value) => value === undefined)) continue
      const odd = levels.filter((value) => value === true).length % 2 === 1
      setEntry(merged, toggle, odd || defaults.run[toggle] === true)
    }
    return merged
  }

  const run = (direct: RunProperties): ComputedRun => {
    let cached = computed.get(direct)
    if (cached === undefined) computed.set(direct, (cached = finishRun(resolve(direct))))
    return cached
  }

  const label = (mark: RunProperties, level: RunProperties): ComputedRun => {
    let byMarkFormat = labels.get(mark)
    if (byMarkFormat === undefined) labels.set(mark, (byMarkFormat = new Map()))
    let cached = byMarkFormat.get(level)
    if (cached === undefined) {
      // Underlines and strikes of the text do not apply to its label.
      const { underline: _line, strike: _strike, ...inherited } = resolve(mark)
      const ofLevel = mergeRun(namedRun(level.style), level)
      byMarkFormat.set(level, (cached = finishRun(mergeRun(inherited, ofLevel))))
    }
    return cached
  }
  return { run, label }
}
