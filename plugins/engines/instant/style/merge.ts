import type { ParagraphProperties, RunProperties, TabStop } from '../../../../shared/document/properties.ts'
import type { Style, StyleSheet } from '../../../../shared/document/styles.ts'
import type { CellProperties, TableProperties } from '../../../../shared/document/table.ts'

/** `over` wins where it says something; fonts are merged slot by slot. */
export function mergeRun(base: RunProperties, over: RunProperties): RunProperties {
  const merged = { ...base, ...over }
  if (base.fonts !== undefined && over.fonts !== undefined) {
    return { ...merged, fonts: { ...base.fonts, ...over.fonts } }
  }
  return merged
}

/** `over` wins; indents and borders are merged side by side, tab stops joined (ECMA-376-1 17.3.1.38). */
export function mergeParagraph(base: ParagraphProperties, over: ParagraphProperties): ParagraphProperties {
  const merged: { -readonly [Key in keyof ParagraphProperties]: ParagraphProperties[Key] } = {
    ...base,
    ...over,
  }
  if (base.indent !== undefined && over.indent !== undefined)
    merged.indent = { ...base.indent, ...over.indent }
  if (base.borders !== undefined && over.borders !== undefined)
    merged.borders = { ...base.borders, ...over.borders }
  if (base.tabs !== undefined && over.tabs !== undefined) merged.tabs = mergeTabs(base.tabs, over.tabs)
  // A plain distance said later ends the automatic one said earlier (observed in LibreOffice).
  if (over.spaceBefore !== undefined && over.spaceBeforeAuto === undefined) merged.spaceBeforeAuto = false
  if (over.spaceAfter !== undefined && over.spaceAfterAuto === undefined) merged.spaceAfterAuto = false
  if (over.list !== undefined && over.list.list === 'inherit' && base.list !== undefined) {
    merged.list = { ...base.list, level: over.list.level }
  }
  return merged
}

function mergeTabs(base: readonly TabStop[], over: readonly TabStop[]): readonly TabStop[] {
  // ODF styles say all their stops anew; those of a list level stay.
  const anew = over.every((stop) => stop.fromIndent === true)
  const stops = anew
    ? base.filter((stop) => stop.fromIndent !== true)
    : base.filter((stop) => !over.some((other) => Math.abs(other.at - stop.at) < 0.5))
  return [...stops, ...over].sort((a, b) => a.at - b.at)
}

export function mergeTable(base: TableProperties, over: TableProperties): TableProperties {
  const merged: { -readonly [Key in keyof TableProperties]: TableProperties[Key] } = { ...base, ...over }
  if (base.borders !== undefined && over.borders !== undefined)
    merged.borders = { ...base.borders, ...over.borders }
  if (base.cellMargins !== undefined && over.cellMargins !== undefined) {
    merged.cellMargins = { ...base.cellMargins, ...over.cellMargins }
  }
  return merged
}

export function mergeCell(base: CellProperties, over: CellProperties): CellProperties {
  const merged: { -readonly [Key in keyof CellProperties]: CellProperties[Key] } = { ...base, ...over }
  if (base.borders !== undefined && over.borders !== undefined)
    merged.borders = { ...base.borders, ...over.borders }
  if (base.margins !== undefined && over.margins !== undefined)
    merged.margins = { ...base.margins, ...over.margins }
  return merged
}

/**
 * A style and what it is based on, the root first. A circle or a missing parent ends the chain; a parent of another
 * kind is not followed.
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
