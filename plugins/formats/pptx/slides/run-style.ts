import type { FontNames, Link, RunProperties, Underline } from '../../../../shared/document/properties.ts'
import type { Writable } from '../../../../shared/document/writable.ts'
import { entryOf, setEntry } from '../../../../shared/entry-of.ts'
import { readPaint } from '../../../../shared/office/ooxml/colors.ts'
import { warn } from '../../../../shared/office/ooxml/drawing/part.ts'
import { readGradient } from '../../../../shared/office/ooxml/gradient.ts'
import { type Theme, themeColor } from '../../../../shared/office/ooxml/theme.ts'
import { integer, isOn } from '../../../../shared/office/ooxml/values.ts'
import { readLink } from './links.ts'
import type { SlidePart } from './part.ts'

/** Merges run properties over inherited ones. Fonts are inherited for each script. */
export function mergeRuns(base: RunProperties | undefined, over: RunProperties | undefined): RunProperties {
  if (base === undefined || over === undefined) return over ?? base ?? {}
  const fonts = base.fonts && over.fonts ? { ...base.fonts, ...over.fonts } : (over.fonts ?? base.fonts)
  return { ...base, ...over, ...(fonts !== undefined && { fonts }) }
}

/** Maps theme font names of DrawingML (20.1.4.1.16) to the names in the theme model. */
const themeFonts: Readonly<Record<string, string>> = {
  '+mj-lt': 'majorAscii',
  '+mj-ea': 'majorEastAsia',
  '+mj-cs': 'majorBidi',
  '+mn-lt': 'minorAscii',
  '+mn-ea': 'minorEastAsia',
  '+mn-cs': 'minorBidi',
}

/** The family of a typeface, which may refer to the theme; undefined if it names none. */
export function themeFamily({ fonts }: Theme, typeface: string | undefined): string | undefined {
  if (typeface === undefined || typeface === '') return undefined
  return typeface.startsWith('+') ? fonts.get(entryOf(themeFonts, typeface) ?? '') : typeface
}

/** Maps ST_TextUnderlineType (20.1.10.82) to the document model. */
const underlines: Readonly<Record<string, Underline>> = {
  none: { style: 'none' },
  sng: { style: 'single' },
  words: { style: 'words' },
  dbl: { style: 'double' },
  heavy: { style: 'thick' },
  dotted: { style: 'dotted' },
  dottedHeavy: { style: 'dotted', heavy: true },
  dash: { style: 'dashed' },
  dashHeavy: { style: 'dashed', heavy: true },
  dashLong: { style: 'long-dashed' },
  dashLongHeavy: { style: 'long-dashed', heavy: true },
  dotDash: { style: 'dot-dash' },
  dotDashHeavy: { style: 'dot-dash', heavy: true },
  dotDotDash: { style: 'dot-dot-dash' },
  dotDotDashHeavy: { style: 'dot-dot-dash', heavy: true },
  wavy: { style: 'wave' },
  wavyHeavy: { style: 'wave', heavy: true },
  wavyDbl: { style: 'wave' },
}
const strikes: Readonly<Record<string, RunProperties['strike']>> = {
  noStrike: 'none',
  sngStrike: 'single',
  dblStrike: 'double',
}
const families: Readonly<Record<string, readonly (keyof FontNames)[]>> = {
  'a:latin': ['ascii', 'other'],
  'a:ea': ['eastAsia'],
  'a:cs': ['complex'],
}

/** Run properties and the link of a run. */
export interface ReadRun {
  readonly run: RunProperties
  readonly link?: Link
}

/** Reads a:rPr, a:defRPr or a:endParaRPr (21.1.2.3.9) at the cursor. */
export function readRun(part: SlidePart): ReadRun {
  const { cursor, context } = part
  const run: Writable<RunProperties> = attributesOf(part)
  const fonts: Record<string, string> = {}
  let link: Link | undefined
  cursor.each((name) => {
    switch (name) {
      case 'a:solidFill': {
        const paint = readPaint(cursor, context.theme)
        run.color = paint?.color ?? run.color
        if ((paint?.opacity ?? 1) < 1)
          warn(context, 'read.text-opacity', 'Transparent text is drawn opaque.', part.partName)
        break
      }
      case 'a:ln':
        if (!cursor.markup().includes('noFill') && !cursor.isEmpty)
          warn(context, 'read.text-outline', 'Outlines of text are not drawn.', part.partName)
        break
      case 'a:gradFill':
        // Text is drawn in a single colour, so use that of the first gradient stop.
        run.color = readGradient(cursor, context.theme)?.stops[0]?.color ?? run.color
        break
      case 'a:highlight':
        run.highlight = readPaint(cursor, context.theme)?.color ?? run.highlight
        break
      case 'a:latin':
      case 'a:ea':
      case 'a:cs': {
        const family = themeFamily(context.theme, cursor.attribute('typeface'))
        if (family !== undefined) for (const slot of entryOf(families, name)!) setEntry(fonts, slot, family)
        break
      }
      case 'a:hlinkClick':
        link = readLink(part)
        break
      case 'a:effectLst':
      case 'a:effectDag':
        if (!cursor.isEmpty)
          warn(context, 'read.text-effect', 'Shadows and glows of text are not drawn.', part.partName)
        break
    }
  })
  if (Object.keys(fonts).length > 0) run.fonts = fonts
  if (link === undefined) return { run }
  // A link has the link colour of the theme and is underlined, whatever its run specifies (observed in LibreOffice).
  const color = themeColor(context.theme, 'hlink')
  return { run: { ...run, ...(color !== undefined && { color }), underline: { style: 'single' } }, link }
}

function attributesOf({ cursor }: SlidePart): Writable<RunProperties> {
  const run: Writable<RunProperties> = {}
  const size = integer(cursor.attribute('sz'))
  if (size !== undefined) run.size = run.complexSize = Math.max(1, Math.min(4000, size / 100))
  const bold = cursor.attribute('b')
  if (bold !== undefined) run.bold = run.complexBold = isOn(bold)
  const italic = cursor.attribute('i')
  if (italic !== undefined) run.italic = run.complexItalic = isOn(italic)
  const underline = entryOf(underlines, cursor.attribute('u') ?? '')
  if (underline !== undefined) run.underline = underline
  const strike = entryOf(strikes, cursor.attribute('strike') ?? '')
  if (strike !== undefined) run.strike = strike
  const capitals = cursor.attribute('cap')
  if (capitals !== undefined) [run.caps, run.smallCaps] = [capitals === 'all', capitals === 'small']
  const spacing = integer(cursor.attribute('spc'))
  if (spacing !== undefined) run.letterSpacing = Math.max(-72, Math.min(720, spacing / 100))
  const language = cursor.attribute('lang')
  if (language !== undefined) run.language = language
  const baseline = cursor.attribute('baseline')
  if (baseline !== undefined) Object.assign(run, scriptOf(baseline))
  return run
}

/** The font size ratio of text above or below the baseline (observed in LibreOffice). */
const scriptScale = 0.66

/** The shift from the baseline, in thousandths of a percent of the text size. */
function scriptOf(baseline: string): RunProperties {
  const value = Number.parseFloat(baseline) / (baseline.trim().endsWith('%') ? 1 : 1000)
  if (!Number.isFinite(value) || value === 0) return { script: 'baseline' }
  const scriptOffset = Math.max(-100, Math.min(100, value))
  return { script: value > 0 ? 'super' : 'sub', scriptOffset, scriptScale }
}
