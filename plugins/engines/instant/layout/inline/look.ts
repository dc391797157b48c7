import type { Face } from '../../fonts/face.ts'
import { readFontName } from '../../fonts/font-name.ts'
import { borderRoom } from '../../style/border-width.ts'
import type { ComputedRun } from '../../style/computed.ts'
import type { TextStyle } from '../../text/shape.ts'
import type { LayoutContext } from '../context.ts'
import type { Colour, Pt } from '../frame.ts'

/**
 * The text style of a run resolved to one face: what shaping, measuring and drawing need. One object for
 * equal styles, so compare by identity.
 */
export interface Look {
  readonly run: ComputedRun
  /** The requested face; fallback faces do not make a line taller. */
  readonly face: Face
  readonly style: TextStyle
  /** The drawn size: smaller for small capitals, superscript and subscript. */
  readonly size: Pt
  /** Includes the line gap when the document settings ask for it. */
  readonly ascent: Pt
  readonly descent: Pt
  /** How far the baseline is raised; negative for subscript. */
  readonly rise: Pt
  readonly colour: Colour
  readonly kind: LookKind
}
/**
 * Which font of the run applies: the one for Latin text, small capitals, East Asian, complex scripts, or
 * other characters.
 */
export type LookKind = 'plain' | 'small' | 'east-asian' | 'complex' | 'other'

/** The size of small capitals as a fraction of the font size, observed in LibreOffice. */
const smallCapitals = 0.8
/**
 * The size of automatic superscript and subscript as a fraction of the font size, observed in LibreOffice.
 */
const scriptSize = 0.58

/** The text style of a run for one kind of characters, from the cache of the layout. */
export function lookOf(context: LayoutContext, run: ComputedRun, kind: LookKind): Look {
  let cached = context.looks.get(run)
  if (cached === undefined) context.looks.set(run, (cached = []))
  const found = cached.find((look) => look.kind === kind)
  if (found !== undefined) return found
  const look = makeLook(context, run, kind)
  cached.push(look)
  return look
}

function makeLook(context: LayoutContext, run: ComputedRun, kind: LookKind): Look {
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
  const name = oneOf(context, family)
  const face = context.fonts.face(name, bold, italic)
  const { features } = readFontName(name)
  const full = complex ? run.complexSize : run.size
  const isScript = run.script !== 'baseline' || run.scriptOffset !== undefined
  const scale = run.scriptScale ?? (isScript ? scriptSize : 1)
  const size =
    full * scale * (kind === 'small' ? (context.document.settings.smallCapitals ?? smallCapitals) : 1)
  const space = (of: Pt): Space => lineSpace(face, of, context.document.settings.externalLeading)
  const whole = space(full)
  const rise =
    run.raise +
    (run.scriptOffset === undefined
      ? scriptRise(run, face, full, full * scale)
      : ((whole.ascent + whole.descent) * run.scriptOffset) / 100)
  // A raised run makes its line taller; automatic superscript and subscript stay within the line of their
  // full size.
  const line =
    run.scriptOffset === undefined ? whole : raisedSpace(whole, space(full * scale), rise - run.raise)
  return {
    run,
    face,
    style: {
      face,
      size,
      letterSpacing: run.letterSpacing === 0 ? undefined : run.letterSpacing,
      kerning: run.kerning,
      ligatures: run.letterSpacing === 0,
      scaleX: run.scale === 1 ? undefined : run.scale,
      language: run.language,
      features: features.length > 0 ? features : undefined,
    },
    size,
    ascent:
      borderRoom(run) +
      emphasisHeight(run, face, full, false) +
      line.ascent +
      Math.max(0, isScript ? 0 : run.raise),
    descent:
      borderRoom(run) +
      emphasisHeight(run, face, full, true) +
      line.descent +
      Math.max(0, isScript ? 0 : -run.raise),
    rise,
    colour: colourOf(run.color, run.shading ?? run.highlight),
    kind,
  }
}

/**
 * The height of emphasis marks. Observed in LibreOffice: they make the line taller by a quarter on their
 * side.
 */
const emphasisHeight = ({ emphasis }: ComputedRun, face: Face, size: Pt, below: boolean): Pt =>
  emphasis?.below === below ? snap(0.25 * (face.ascent + face.descent) * size) : 0

interface Space {
  readonly ascent: Pt
  readonly descent: Pt
}

/** Steps per twentieth of a point in which LibreOffice measures faces. */
const stepsPerTwentieth = 6

/**
 * The height of a face in a line, in points. Observed in LibreOffice with five families and sixteen sizes:
 * ascent, descent and line gap are rounded to steps. Then ascent and descent together, and the gap
 * separately, are rounded to twentieths of a point; the gap is above the text.
 */
function lineSpace(face: Face, size: Pt, withGap: boolean): Space {
  const inSteps = (ratio: number): number => Math.round(ratio * size * 20 * stepsPerTwentieth)
  const ascent = inSteps(face.ascent)
  const above = Math.round(ascent / stepsPerTwentieth)
  const height = Math.round((ascent + inSteps(face.descent)) / stepsPerTwentieth)
  const gap = withGap ? Math.round(inSteps(face.lineGap) / stepsPerTwentieth) : 0
  return { ascent: (above + gap) / 20, descent: (height - above) / 20 }
}

/** Some producers write a list of families separated by semicolons; the first available one is used. */
function oneOf(context: LayoutContext, family: string): string {
  if (!family.includes(';')) return family
  const names = family.split(';').map((name) => name.trim())
  return names.find((name) => context.fonts.has(name)) ?? names[0] ?? family
}

/**
 * Observed in LibreOffice: small text moved by a fraction of the line can extend the line, but never shrinks
 * it.
 */
const raisedSpace = (whole: Space, small: Space, rise: Pt): Space => ({
  ascent: Math.max(whole.ascent, small.ascent + rise),
  descent: Math.max(whole.descent, small.descent - rise),
})

/**
 * The rise of automatic scripts: superscript aligns the tops of small and full size, subscript the bottoms.
 */
function scriptRise(run: ComputedRun, face: Face, full: Pt, small: Pt): Pt {
  if (run.script === 'super') return face.ascent * (full - small)
  if (run.script === 'sub') return -face.descent * (full - small)
  return 0
}

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
