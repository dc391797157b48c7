/**
 * The cascade: document defaults, table style, paragraph style chain, list level, direct formatting; for runs
 * the run style comes before direct formatting. Results are cached by the identity of their input. Readers
 * share equal properties, so a document of ten thousand paragraphs resolves only a few dozen.
 */
import type { Document } from '../../../../shared/document/document.ts'
import type { Level } from '../../../../shared/document/numbering.ts'
import type {
  Border,
  ListPlace,
  ParagraphProperties,
  RunProperties,
} from '../../../../shared/document/properties.ts'
import { lineWidth } from './border-width.ts'
import type { CellTextFormat, ComputedParagraph, ComputedRun } from './computed.ts'
import { mergeParagraph, mergeRun, styleChain } from './merge.ts'

/** Computes styles for one document. `table` is the formatting of the table cell around the text. */
export interface Styler {
  paragraph(properties: ParagraphProperties, table: CellTextFormat | undefined): ComputedParagraph
  /** The computed styles of runs in paragraphs of one style. */
  runs(style: string, table: CellTextFormat | undefined): RunStyler
  /** The level that a list paragraph refers to; undefined when there is none. */
  level(place: ListPlace | undefined): Level | undefined
}

/** Computes run styles within one paragraph style. */
export interface RunStyler {
  run(direct: RunProperties): ComputedRun
  /** The style of a list label: that of the paragraph mark, then the properties of the level. */
  label(mark: RunProperties, level: RunProperties): ComputedRun
}

const noTable: CellTextFormat = { paragraph: {}, run: {} }

/**
 * Automatic space before and after a paragraph in points, as between paragraphs of web pages: observed in
 * LibreOffice.
 */
const automaticSpace = 14

/** The font size in points of a document that declares none. */
const sizeWithoutStyles = 10

/** Creates the styler of a document. Its caches live as long as the styler. */
export function createStyler(document: Document): Styler {
  const { styles: sheet, numbering } = document
  const paragraphs = new Map<CellTextFormat, Map<ParagraphProperties, ComputedParagraph>>()
  const runStylers = new Map<CellTextFormat, Map<string, RunStyler>>()

  const level = (place: ListPlace | undefined): Level | undefined =>
    place === undefined || place.list === '' ? undefined : numbering.get(place.list)?.levels[place.level]

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
    const place = listPlace(chain, direct)
    const ofLevel = levelParagraph(level(place), place)
    let merged = mergeParagraph(sheet.defaults.paragraph, table.paragraph)
    for (const style of chain) {
      if (style.paragraph.list !== undefined && place !== undefined) {
        merged = mergeParagraph(merged, ofLevel)
      }
      merged = mergeParagraph(merged, style.paragraph)
    }
    if (direct.list !== undefined && place !== undefined) {
      merged = mergeParagraph(merged, ofLevel)
    }
    merged = withLevelIndent(mergeParagraph(merged, direct), level(place), place)
    const size = merged.autoIndent === true ? runs(id ?? '', table).run({}).size : 0
    const named = chain.findLast(({ automatic }) => automatic !== true)?.id ?? id ?? ''
    return finish(merged, { style: id ?? '', named, place, size }, document)
  }

  const listPlace = (
    chain: ReturnType<typeof styleChain>,
    direct: ParagraphProperties,
  ): ListPlace | undefined => {
    let place: ListPlace | undefined
    for (const style of chain) {
      const own = style.paragraph.list
      if (own === undefined) continue
      place = own.list === 'inherit' ? place && { ...place, level: own.level } : own
      // A level that refers back to the style determines the level of paragraphs in that style.
      const levels = place === undefined ? undefined : numbering.get(place.list)?.levels
      const linked = levels?.findIndex((entry) => entry.paragraphStyle === style.id) ?? -1
      if (place !== undefined && linked >= 0) place = { ...place, level: linked }
    }
    if (direct.list !== undefined) {
      place = direct.list.list === 'inherit' ? place && { ...place, level: direct.list.level } : direct.list
    }
    if (place === undefined || place.list === '' || !numbering.has(place.list)) return undefined
    return place
  }

  const runs = (style: string, table = noTable): RunStyler => {
    let cached = runStylers.get(table)
    if (cached === undefined) runStylers.set(table, (cached = new Map()))
    let styler = cached.get(style)
    if (styler === undefined) cached.set(style, (styler = runStyler(document, style, table.run)))
    return styler
  }

  return { paragraph, runs, level }
}

/** The paragraph properties of a list level. A paragraph without a label has no hanging first line. */
function levelParagraph(level: Level | undefined, place: ListPlace | undefined): ParagraphProperties {
  const own = level?.paragraph ?? {}
  if (level?.addsIndent === true) {
    const { indent: _added, ...rest } = own
    return rest
  }
  return place?.unnumbered === true ? { ...own, indent: { ...own.indent, first: 0 } } : own
}

/**
 * Adds the indent of a list level. Levels of older ODF documents move a paragraph further in instead of
 * setting its indent.
 */
function withLevelIndent(
  merged: ParagraphProperties,
  level: Level | undefined,
  place: ListPlace | undefined,
): ParagraphProperties {
  if (level?.addsIndent !== true) return merged
  const { start = 0, first = 0 } = level.paragraph.indent ?? {}
  const own = merged.indent ?? {}
  const hangs = place?.unnumbered === true ? 0 : first
  return { ...merged, indent: { ...own, start: (own.start ?? 0) + start, first: (own.first ?? 0) + hangs } }
}

/**
 * The width that a border occupies beside text: its lines and its distance. The distance counts without a
 * line, too.
 */
const besideBorder = (border: Border | undefined): number =>
  border === undefined ? 0 : lineWidth(border) + border.space

/** Turns merged properties into a computed style: fills in defaults and resolves directions. */
function finish(
  p: ParagraphProperties,
  {
    style,
    named,
    place,
    size,
  }: {
    readonly style: string
    readonly named: string
    readonly place: ListPlace | undefined
    readonly size: number
  },
  document: Document,
): ComputedParagraph {
  const control = p.widowControl ?? true
  const rightToLeft = p.rightToLeft ?? false
  const align = p.align ?? 'start'
  const padded = document.settings.paddingWithoutBorders === true
  const borders =
    p.borders !== undefined &&
    Object.values(p.borders).some((border) => border.style !== 'none' || (padded && border.space > 0))
      ? p.borders
      : undefined
  const inside = document.settings.bordersInside ? borders : undefined
  const shadow = p.shadow === 'none' ? undefined : p.shadow
  const [beside, before] = [Math.max(0, shadow?.x ?? 0), Math.max(0, -(shadow?.x ?? 0))]
  return {
    style,
    named,
    align:
      align === 'left'
        ? rightToLeft
          ? 'end'
          : 'start'
        : align === 'right'
          ? rightToLeft
            ? 'start'
            : 'end'
          : align,
    indentStart:
      (p.indent?.start ?? 0) +
      besideBorder(rightToLeft ? inside?.right : inside?.left) +
      (rightToLeft ? beside : before),
    indentEnd:
      (p.indent?.end ?? 0) +
      besideBorder(rightToLeft ? inside?.left : inside?.right) +
      (rightToLeft ? before : beside),
    indentFirst: p.autoIndent === true ? 2 * size : (p.indent?.first ?? 0),
    spaceBefore: p.spaceBeforeAuto === true ? automaticSpace : (p.spaceBefore ?? 0),
    spaceAfter: p.spaceAfterAuto === true ? automaticSpace : (p.spaceAfter ?? 0),
    spaceBeforeAuto: p.spaceBeforeAuto ?? false,
    spaceAfterAuto: p.spaceAfterAuto ?? false,
    line: p.line ?? { rule: 'multiple', value: 1 },
    contextualSpacing: p.contextualSpacing ?? false,
    keepNext: p.keepNext ?? false,
    keepLines: p.keepLines ?? false,
    breakBefore: p.pageBreakBefore === true ? 'page' : breakOf(p.breakBefore),
    breakAfter: breakOf(p.breakAfter),
    widows: Math.max(1, p.widows ?? (control ? 2 : 1)),
    // The lines beside a drop cap stay together.
    orphans: Math.max(1, p.orphans ?? (control ? 2 : 1), p.dropCap?.lines ?? 1),
    tabs: (p.tabs ?? []).filter((stop) => stop.align !== 'clear').sort((a, b) => a.at - b.at),
    borders,
    shading: p.shading === 'none' || p.shading === 'auto' ? undefined : p.shading,
    ...(p.backdrop !== undefined && p.backdrop !== 'none' && { backdrop: p.backdrop }),
    list: place,
    outlineLevel: p.outlineLevel !== undefined && p.outlineLevel <= 8 ? p.outlineLevel : undefined,
    rightToLeft,
    frame: p.frame === 'none' ? undefined : p.frame,
    hyphenation:
      document.settings.hyphenate && (p.hyphenate ?? true)
        ? {
            remain: p.hyphenRemain ?? 2,
            push: p.hyphenPush ?? 2,
            ladder: p.hyphenLadder ?? document.settings.hyphenLadder ?? 0,
            capitals: document.settings.hyphenateCapitals ?? true,
          }
        : undefined,
    snapToGrid: p.snapToGrid ?? true,
    uncounted: p.uncounted ?? false,
    defaultTab: p.defaultTab,
    alignLast: p.alignLast ?? 'start',
    justifySingleWord: p.justifySingleWord ?? false,
    textAlign: p.textAlign === 'auto' || p.textAlign === 'baseline' ? undefined : p.textAlign,
    apart: p.apart ?? false,
    dropCap: p.dropCap !== undefined && p.dropCap.lines > 1 ? p.dropCap : undefined,
    shadow,
  }
}

/** A break without the explicit value 'none'. */
const breakOf = (at: ParagraphProperties['breakBefore']): 'page' | 'column' | undefined =>
  at === 'none' ? undefined : at

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
function runStyler(document: Document, style: string, table: RunProperties): RunStyler {
  const sheet = document.styles
  const { defaults } = sheet
  let chained: RunProperties = {}
  for (const entry of styleChain(sheet, style, 'paragraph')) chained = mergeRun(chained, entry.run)
  const base = mergeRun(mergeRun(defaults.run, table), chained)
  const computed = new Map<RunProperties, ComputedRun>()
  const labels = new Map<RunProperties, Map<RunProperties, ComputedRun>>()

  const resolve = (direct: RunProperties): RunProperties => {
    let named: RunProperties = {}
    for (const entry of styleChain(sheet, direct.style, 'run')) named = mergeRun(named, entry.run)
    const merged: Record<string, unknown> = { ...mergeRun(mergeRun(base, named), direct) }
    // Toggles of styles cancel each other, level by level; direct ones are absolute (ECMA-376-1 17.7.3).
    for (const toggle of document.settings.togglesCancel ? toggles : noToggles) {
      if (direct[toggle] !== undefined) continue
      const levels = [table[toggle], chained[toggle], named[toggle]]
      if (levels.every((value) => value === undefined)) continue
      const odd = levels.filter((value) => value === true).length % 2 === 1
      merged[toggle] = odd || defaults.run[toggle] === true
    }
    return merged
  }

  const run = (direct: RunProperties): ComputedRun => {
    let cached = computed.get(direct)
    if (cached === undefined) computed.set(direct, (cached = finishRun(resolve(direct))))
    return cached
  }

  const label = (mark: RunProperties, level: RunProperties): ComputedRun => {
    let byMark = labels.get(mark)
    if (byMark === undefined) labels.set(mark, (byMark = new Map()))
    let cached = byMark.get(level)
    if (cached === undefined) {
      // Underlines and strikes of the text do not apply to its label.
      const { underline: _line, strike: _strike, ...inherited } = resolve(mark)
      byMark.set(level, (cached = finishRun(mergeRun(inherited, level))))
    }
    return cached
  }
  return { run, label }
}

const fallbackFamily = 'Times New Roman'

/**
 * Turns merged run properties into a computed style. Letter spacing is limited, so that glyphs cannot move
 * arbitrarily far.
 */
function finishRun(r: RunProperties): ComputedRun {
  const size = r.size ?? sizeWithoutStyles
  const family = r.fonts?.ascii ?? r.fonts?.other ?? fallbackFamily
  const complex = r.complexScript === true || r.rightToLeft === true
  return {
    family,
    otherFamily: r.fonts?.other ?? family,
    eastAsiaFamily: r.fonts?.eastAsia ?? family,
    complexFamily: r.fonts?.complex ?? family,
    eastAsiaHint: r.fonts?.hint === 'eastAsia',
    size: complex ? (r.complexSize ?? size) : size,
    complexSize: r.complexSize ?? size,
    bold: (complex ? r.complexBold : r.bold) ?? false,
    italic: (complex ? r.complexItalic : r.italic) ?? false,
    complexBold: r.complexBold ?? false,
    complexItalic: r.complexItalic ?? false,
    underline: r.underline?.style ?? 'none',
    underlineHeavy: r.underline?.heavy,
    underlineColor: r.underline?.color === 'auto' ? undefined : r.underline?.color,
    strike: r.strike ?? 'none',
    caps: r.caps ?? false,
    smallCaps: r.smallCaps ?? false,
    letterCase: r.letterCase ?? 'as-is',
    hidden: r.hidden ?? false,
    unprinted: r.unprinted ?? false,
    color: r.color ?? 'auto',
    highlight: r.highlight === 'none' ? undefined : r.highlight,
    shading: r.shading === 'none' || r.shading === 'auto' ? undefined : r.shading,
    script: r.script ?? 'baseline',
    scriptOffset: r.scriptOffset,
    scriptScale: r.scriptScale,
    raise: r.raise ?? 0,
    letterSpacing: Math.max(-size, Math.min(1000, r.letterSpacing ?? 0)),
    kerning: r.kernFrom !== undefined && r.kernFrom > 0 && size >= r.kernFrom,
    scale: r.scale ?? 1,
    language: r.language,
    rightToLeft: r.rightToLeft ?? false,
    border: r.border === undefined || r.border.style === 'none' ? undefined : r.border,
    outline: r.outline ?? false,
    shadow: r.shadow ?? false,
    relief: r.relief ?? 'none',
    emphasis: r.emphasis === 'none' ? undefined : r.emphasis,
    combined: r.combined ?? false,
    changed: r.changed ?? false,
  }
}
