import { libreOffice } from '../../compat/libreoffice.ts'
import { word } from '../../compat/word.ts'
import type { Face } from '../../fonts/face.ts'
import { readFontName } from '../../fonts/font-name.ts'
import { borderInset } from '../../style/border-width.ts'
import type { ComputedRun } from '../../style/computed.ts'
import type { Neighbours } from '../../text/joining.ts'
import type { ShapingStyle } from '../../text/shape.ts'
import type { LayoutContext } from '../context.ts'
import type { Colour, Pt } from '../frame.ts'
import type { TextStyle, TextStyleKind } from './types.ts'

/** The text style of a run for one kind of characters, from the cache of the layout. */
export function textStyleOf(context: LayoutContext, run: ComputedRun, kind: TextStyleKind): TextStyle {
  let cached = context.textStyles.get(run)
  if (cached === undefined) context.textStyles.set(run, (cached = []))
  const match = cached.find((textStyle) => textStyle.kind === kind)
  if (match !== undefined) return match
  const textStyle = makeTextStyle(context, run, kind)
  cached.push(textStyle)
  return textStyle
}

/** The arguments for shaping text of a style in one face and direction, given the letters next to it that join with it. */
export function shapingOf(
  { shaping, face: preferred }: TextStyle,
  face: Face,
  level: number,
  neighbours?: Neighbours,
): ShapingStyle {
  const rtl = (level & 1) === 1
  // Words are cached by the identity of their style, so the style is kept if possible.
  if (face === preferred && !rtl && neighbours === undefined) return shaping
  return { ...shaping, face, ...(rtl && { rtl }), ...(neighbours !== undefined && { neighbours }) }
}

function makeTextStyle(context: LayoutContext, run: ComputedRun, kind: TextStyleKind): TextStyle {
  const complex = kind === 'complex'
  const family = complex
    ? run.complexFamily
    : kind === 'east-asian'
      ? run.eastAsiaFamily
      : kind === 'other'
        ? run.otherFamily
        : run.family
  const bold = complex ? run.complexBold : run.bold
  const italic = complex ? run.complexItalic : run.italic
  const name = availableFamily(context, family)
  const face = context.fonts.face(name, bold, italic)
  const { features } = readFontName(name)
  const { settings } = context.document
  const full = word.textSize(complex ? run.complexSize : run.size, settings)
  const isScript = run.script !== 'baseline' || run.scriptOffset !== undefined
  const scale = run.scriptScale ?? (isScript ? libreOffice.scriptSize : 1)
  const capitals = kind === 'small' ? (settings.smallCapitals ?? libreOffice.smallCapitals) : 1
  const size = scale * capitals === 1 ? full : cut(full * scale * capitals)
  const space = (of: Pt): FontExtent =>
    run.lineIgnoresFont
      ? { ascent: of, descent: of * libreOffice.descentWithoutFont }
      : lineSpace(face, of, word.linesIncludeLineGap(settings))
  const fullExtent = space(full)
  const rise =
    run.raise +
    (run.scriptOffset === undefined
      ? scriptRise(run, fullExtent, space(full * scale))
      : ((fullExtent.ascent + fullExtent.descent) * run.scriptOffset) / 100)
  // A raised run makes its line taller; automatic superscript and subscript stay within the line of their
  // full size.
  const line =
    run.scriptOffset === undefined
      ? fullExtent
      : raisedSpace(fullExtent, space(full * scale), rise - run.raise)
  return {
    run,
    face,
    shaping: {
      face,
      size,
      steps: libreOffice.stepsPerTwentieth * 20,
      letterSpacing: run.letterSpacing === 0 ? undefined : run.letterSpacing,
      kerning: run.kerning,
      ligatures: run.letterSpacing === 0,
      scaleX: run.scale === 1 ? undefined : run.scale,
      language: kind === 'east-asian' ? (run.eastAsiaLanguage ?? run.language) : run.language,
      features: features.length > 0 ? features : undefined,
    },
    size,
    ascent:
      borderInset(run) +
      emphasisHeight(run, face, full, false) +
      line.ascent +
      Math.max(0, isScript ? 0 : run.raise),
    descent:
      borderInset(run) +
      emphasisHeight(run, face, full, true) +
      line.descent +
      Math.max(0, isScript ? 0 : -run.raise),
    rise,
    colour: colourOf(run.color, run.shading ?? run.highlight),
    kind,
  }
}

/** The height of emphasis marks on their side of the line. */
const emphasisHeight = ({ emphasis }: ComputedRun, face: Face, size: Pt, below: boolean): Pt =>
  emphasis?.below === below ? snap(libreOffice.emphasisHeight * (face.ascent + face.descent) * size) : 0

interface FontExtent {
  readonly ascent: Pt
  readonly descent: Pt
}

/**
 * The height of a face in a line, in points: ascent, descent and line gap are rounded to steps. Then ascent and
 * descent together, and the gap separately, are rounded to twentieths of a point; the gap is above the text.
 */
function lineSpace(face: Face, size: Pt, withGap: boolean): FontExtent {
  const { stepsPerTwentieth } = libreOffice
  const inSteps = (ratio: number): number => Math.round(ratio * size * 20 * stepsPerTwentieth)
  const ascent = inSteps(face.ascent)
  const above = Math.round(ascent / stepsPerTwentieth)
  const height = Math.round((ascent + inSteps(face.descent)) / stepsPerTwentieth)
  const gap = withGap ? Math.round(inSteps(face.lineGap) / stepsPerTwentieth) : 0
  return { ascent: (above + gap) / 20, descent: (height - above) / 20 }
}

/** Some producers write a list of families separated by semicolons; the first available one is used. */
function availableFamily(context: LayoutContext, family: string): string {
  if (!family.includes(';')) return family
  const names = family.split(';').map((name) => name.trim())
  return names.find((name) => context.fonts.has(name)) ?? names[0] ?? family
}

/** The height of small text that is moved by a fraction of the line. */
const raisedSpace = (full: FontExtent, small: FontExtent, rise: Pt): FontExtent => ({
  ascent: libreOffice.heightOfRaised(full.ascent, small.ascent + rise),
  descent: libreOffice.heightOfRaised(full.descent, small.descent - rise),
})

/**
 * The rise of automatic scripts: superscript aligns the tops of small and full size, subscript the bottoms.
 */
function scriptRise({ script }: ComputedRun, full: FontExtent, small: FontExtent): Pt {
  if (script === 'super') return full.ascent - small.ascent
  if (script === 'sub') return small.descent - full.descent
  return 0
}

/** Rounds a size down to twentieths of a point. */
const cut = (value: Pt): Pt => Math.floor(value * 20 + 0.001) / 20

/** Rounds a length to twentieths of a point. */
export const snap = (value: Pt): Pt => Math.round(value * 20) / 20

/** Parses RRGGBB. 'auto' is black, or white on a dark background. */
export function colourOf(color: string, background?: string): Colour {
  if (color !== 'auto') return Number.parseInt(color, 16) || 0
  if (background === undefined || background === 'auto') return 0
  return luminance(Number.parseInt(background, 16) || 0) < 60 ? 0xffffff : 0
}

/** ITU-R BT.601 luma, 0 to 255. */
const luminance = (colour: Colour): number =>
  0.299 * ((colour >> 16) & 255) + 0.587 * ((colour >> 8) & 255) + 0.114 * (colour & 255)
