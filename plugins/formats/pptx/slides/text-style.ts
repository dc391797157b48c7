/** Text formatting by level: list styles, and paragraph properties with their run properties (21.1.2). */
import type { Alignment, TabStop } from '../../../../shared/document/properties.ts'
import type { Writable } from '../../../../shared/document/writable.ts'
import { entryOf } from '../../../../shared/entry-of.ts'
import { readPaint } from '../../../../shared/office/ooxml/colors.ts'
import { mediaOf } from '../../../../shared/office/ooxml/drawing/part.ts'
import { emu, integer, isOn, percent } from '../../../../shared/office/ooxml/values.ts'
import type { XmlCursor } from '../../../../shared/xml/cursor.ts'
import type { ListStyle, ParagraphStyle, Spacing } from './list-style.ts'
import type { SlidePart } from './part.ts'
import { mergeRuns, readRun, themeFamily } from './run-style.ts'

/** Merges one level of the cascade over another. */
export const mergeStyles = (base: ParagraphStyle, over: ParagraphStyle): ParagraphStyle => ({
  ...base,
  ...over,
  ...((base.run ?? over.run) !== undefined && { run: mergeRuns(base.run, over.run) }),
})

/** The resolved formatting of a level, from list styles of which later ones take precedence. */
export function levelStyle(styles: readonly ListStyle[], level: number): ParagraphStyle {
  let merged: ParagraphStyle = {}
  for (const style of styles)
    for (const paragraphStyle of [style.get(-1), style.get(level)])
      if (paragraphStyle !== undefined) merged = mergeStyles(merged, paragraphStyle)
  return merged
}

/** Reads a:lstStyle or another list of levels (21.1.2.4.12) at the cursor. */
export function readListStyle(part: SlidePart): ListStyle {
  const levels = new Map<number, ParagraphStyle>()
  part.cursor.each((name) => {
    const level = name === 'a:defPPr' ? '0' : /^a:lvl([1-9])pPr$/.exec(name)?.[1]
    if (level !== undefined) levels.set(Number(level) - 1, readParagraphStyle(part))
  })
  return levels
}

/** ST_TextAlignType (20.1.10.59). */
const alignments: Readonly<Record<string, Alignment>> = {
  l: 'left',
  ctr: 'center',
  r: 'right',
  just: 'justify',
  dist: 'justify',
  justLow: 'justify',
  thaiDist: 'justify',
}

/** Reads a:pPr or a level of a list style (21.1.2.2.7) at the cursor. */
export function readParagraphStyle(part: SlidePart): ParagraphStyle {
  const { cursor } = part
  const style: Writable<ParagraphStyle> = {}
  const align = entryOf(alignments, cursor.attribute('algn') ?? '')
  if (align !== undefined) style.align = align
  setLength(cursor, style, 'start', 'marL')
  setLength(cursor, style, 'end', 'marR')
  setLength(cursor, style, 'first', 'indent')
  setLength(cursor, style, 'defaultTab', 'defTabSz')
  const direction = cursor.attribute('rtl')
  if (direction !== undefined) style.rightToLeft = isOn(direction)
  cursor.each((name) => readParagraphPart(part, name, style))
  return style
}

function setLength(
  cursor: XmlCursor,
  style: Writable<ParagraphStyle>,
  key: 'start' | 'end' | 'first' | 'defaultTab',
  attribute: string,
): void {
  const length = emu(cursor.attribute(attribute))
  if (length !== undefined) style[key] = length
}

function readParagraphPart(part: SlidePart, name: string, style: Writable<ParagraphStyle>): void {
  const { cursor, context } = part
  switch (name) {
    case 'a:lnSpc':
      style.line = readSpacing(cursor) ?? style.line
      break
    case 'a:spcBef':
      style.before = readSpacing(cursor) ?? style.before
      break
    case 'a:spcAft':
      style.after = readSpacing(cursor) ?? style.after
      break
    case 'a:tabLst':
      style.tabs = readTabs(cursor)
      break
    case 'a:buNone':
      style.bullet = { kind: 'none' }
      break
    case 'a:buChar':
      style.bullet = { kind: 'character', text: cursor.attribute('char') ?? '' }
      break
    case 'a:buAutoNum': {
      const start = Math.max(0, integer(cursor.attribute('startAt')) ?? 1)
      style.bullet = { kind: 'number', scheme: cursor.attribute('type') ?? 'arabicPeriod', start }
      break
    }
    case 'a:buBlip':
      cursor.each((child) => {
        if (child === 'a:blip')
          style.bullet = { kind: 'picture', media: mediaOf(part, cursor.attribute('r:embed')) }
      })
      break
    case 'a:buClrTx':
      style.bulletColor = 'text'
      break
    case 'a:buClr':
      style.bulletColor = readPaint(cursor, context.theme)?.color ?? style.bulletColor
      break
    case 'a:buSzTx':
      style.bulletSize = 'text'
      break
    case 'a:buSzPct':
      style.bulletSize = { share: percent(cursor.attribute('val')) ?? 1 }
      break
    case 'a:buSzPts':
      style.bulletSize = { points: (integer(cursor.attribute('val')) ?? 1800) / 100 }
      break
    case 'a:buFontTx':
      style.bulletFont = 'text'
      break
    case 'a:buFont':
      style.bulletFont = themeFamily(context.theme, cursor.attribute('typeface')) ?? style.bulletFont
      break
    case 'a:defRPr':
      style.run = readRun(part).run
      break
  }
}

/** a:spcPct or a:spcPts in the current element (21.1.2.2.9). */
function readSpacing(cursor: XmlCursor): Spacing | undefined {
  let spacing: Spacing | undefined
  cursor.each((name) => {
    const value = cursor.attribute('val')
    if (name === 'a:spcPct') spacing = { share: percent(value) ?? 1 }
    else if (name === 'a:spcPts')
      spacing = { points: Math.max(0, Math.min(1584, (integer(value) ?? 0) / 100)) }
  })
  return spacing
}

const tabAlignments: Readonly<Record<string, TabStop['align']>> = {
  ctr: 'center',
  r: 'right',
  dec: 'decimal',
}
const maxTabs = 64

/** a:tabLst (21.1.2.2.14). */
function readTabs(cursor: XmlCursor): TabStop[] {
  const tabs: TabStop[] = []
  cursor.each((name) => {
    const at = emu(cursor.attribute('pos'))
    if (name !== 'a:tab' || at === undefined || tabs.length >= maxTabs) return
    tabs.push({ at, align: entryOf(tabAlignments, cursor.attribute('algn') ?? '') ?? 'left', leader: 'none' })
  })
  return tabs
}
