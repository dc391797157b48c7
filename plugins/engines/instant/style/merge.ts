import type { ParagraphProperties, RunProperties, TabStop } from '../../../../shared/document/properties.ts'
import type { Style, StyleSheet } from '../../../../shared/document/styles.ts'
import type { CellProperties, TableProperties } from '../../../../shared/document/table-properties.ts'
import type { Writable } from '../../../../shared/document/writable.ts'
import { libreOffice } from '../compat/libreoffice.ts'
import { word } from '../compat/word.ts'

/** Merges run properties: `over` wins where it has a value, and fonts are merged by script. */
export function mergeRun(base: RunProperties, over: RunProperties): RunProperties {
  const merged = { ...base, ...over }
  if (base.fonts !== undefined && over.fonts !== undefined) {
    return { ...merged, fonts: { ...base.fonts, ...over.fonts } }
  }
  return merged
}

/**
 * Merges paragraph properties: `over` wins, indents and borders are merged by side, tab stops joined
 * (ECMA-376-1 17.3.1.38).
 */
export function mergeParagraph(base: ParagraphProperties, over: ParagraphProperties): ParagraphProperties {
  const merged: Writable<ParagraphProperties> = {
    ...base,
    ...over,
  }
  const below = over.list?.list === '' && word.unnumberedTextIsNotIndented ? unindented(base) : base.indent
  if (below !== undefined) merged.indent = { ...below, ...over.indent }
  if (base.borders !== undefined && over.borders !== undefined)
    merged.borders = { ...base.borders, ...over.borders }
  if (base.tabs !== undefined && over.tabs !== undefined) merged.tabs = mergeTabs(base.tabs, over.tabs)
  if (libreOffice.explicitSpaceOverridesAutomatic) {
    if (over.spaceBefore !== undefined && over.spaceBeforeAuto === undefined) merged.spaceBeforeAuto = false
    if (over.spaceAfter !== undefined && over.spaceAfterAuto === undefined) merged.spaceAfterAuto = false
  }
  if (over.list !== undefined && over.list.list === 'inherit' && base.list !== undefined) {
    merged.list = { ...base.list, level: over.list.level }
  }
  return merged
}

/** The indents that remain of inherited ones where a paragraph or a style leaves its list. */
const unindented = ({ indent }: ParagraphProperties): ParagraphProperties['indent'] =>
  indent === undefined ? undefined : { ...indent, start: 0, first: 0 }

/** Joins tab stops; in OOXML a stop within half a point replaces the inherited one. */
function mergeTabs(base: readonly TabStop[], over: readonly TabStop[]): readonly TabStop[] {
  // A style of ODF replaces all inherited stops except those of its list level.
  const replacesInherited = over.every((stop) => stop.fromIndent === true)
  const stops = replacesInherited
    ? base.filter((stop) => stop.fromIndent !== true)
    : base.filter((stop) => !over.some((other) => replaces(other, stop)))
  return [...stops, ...over].sort((a, b) => a.at - b.at)
}

function replaces(stop: TabStop, inherited: TabStop): boolean {
  if (!word.clearedTabsLeaveLabels && inherited.align === 'list' && stop.align === 'clear') return false
  return Math.abs(stop.at - inherited.at) < 0.5
}

/** Merges table properties: `over` wins, borders and cell margins are merged by side. */
export function mergeTable(base: TableProperties, over: TableProperties): TableProperties {
  const merged: Writable<TableProperties> = { ...base, ...over }
  if (base.borders !== undefined && over.borders !== undefined)
    merged.borders = { ...base.borders, ...over.borders }
  if (base.cellMargins !== undefined && over.cellMargins !== undefined) {
    merged.cellMargins = { ...base.cellMargins, ...over.cellMargins }
  }
  return merged
}

/** Merges cell properties: `over` wins, borders and margins are merged by side. */
export function mergeCell(base: CellProperties, over: CellProperties): CellProperties {
  const merged: Writable<CellProperties> = { ...base, ...over }
  if (base.borders !== undefined && over.borders !== undefined)
    merged.borders = { ...base.borders, ...over.borders }
  if (base.margins !== undefined && over.margins !== undefined)
    merged.margins = { ...base.margins, ...over.margins }
  return merged
}

/**
 * A style and its ancestors, the root first. The chain ends at a circular or missing reference, at a parent
 * of another kind, and after 256 styles.
 */
export function styleChain(sheet: StyleSheet, id: string | undefined, kind: Style['kind']): readonly Style[] {
  const chain: Style[] = []
  const seen = new Set<string>()
  for (let at = id; at !== undefined && !seen.has(at) && chain.length < 256; ) {
    seen.add(at)
    const style = sheet.styles.get(at)
    if (style === undefined || style.kind !== kind) break
    chain.push(style)
    at = style.basedOn
  }
  return chain.reverse()
}
