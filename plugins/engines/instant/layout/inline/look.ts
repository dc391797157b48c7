import type { Face } from '../../fonts/face.ts'
import { readFontName } from '../../fonts/font-name.ts'
import { borderRoom } from '../../style/border-width.ts'
import type { ComputedRun } from '../../style/computed.ts'
import type { TextStyle } from '../../text/shape.ts'
import type { LayoutContext } from '../context.ts'
import type { Colour, Pt } from '../frame.ts'

/** A run's look in one face: what shaping, measuring and drawing need. Interned: compare by identity. */
export interface Look {
  readonly run: ComputedRun
  readonly face: Face // of the request; fallback faces measure lines no taller
  readonly style: TextStyle
  readonly size: Pt // as set: small capitals and scripts are smaller
  readonly ascent: Pt // line gap included when the document says so
  readonly descent: Pt
  readonly rise: Pt // of the baseline, up
  readonly colour: Colour
  readonly kind: LookKind
}
export type LookKind = 'plain' | 'small' | 'east-asian' | 'complex' | 'other'

/** Small capitals are drawn at this share of the size: observed in LibreOffice. */
const smallCapitals = 0.8
/** Automatic super- and subscript: share of the size, observed in LibreOffice. */
const scriptSize = 0.58

export function lookOf(context: LayoutContext, run: ComputedRun, kind: LookKind): Look {
  let known = context.looks.get(run)
  if (known === undefined) context.looks.set(run, (known = []))
  const found = known.find((look) => look.kind === kind)
  if (found !== undefined) return found
  const look = makeLook(context, run, kind)
  known.push(look)
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
  // A raised run makes the line taller; automatic scripts stay inside the line of their full size.
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
      markRoom(run, face, full, false) +
      line.ascent +
      Math.max(0, isScript ? 0 : run.raise),
    descent:
      borderRoom(run) +
      markRoom(run, face, full, true) +
      line.descent +
      Math.max(0, isScript ? 0 : -run.raise),
    rise,
    colour: colourOf(run.color, run.shading ?? run.highlight),
    kind,
  }
}

/** Observed in LibreOffice: marks at letters make the line taller by a quarter, on their side. */
const markRoom = ({ emphasis }: ComputedRun, face: Face, size: Pt, below: boolean): Pt =>
  emphasis?.below === below ? snap(0.25 * (face.ascent + face.descent) * size) : 0

interface Space {
  readonly ascent: Pt
  readonly descent: Pt
}

/** Units of a twentieth of a point that LibreOffice measures faces in. */
const steps = 6

/**
 * Room a face takes in a line. Observed in LibreOffice over five families and sixteen sizes: ascent, descent and gap are
 * whole steps; the first two together and the gap become whole twentieths of a point, and the gap stands above.
 */
function lineSpace(face: Face, size: Pt, withGap: boolean): Space {
  const inSteps = (share: number): number => Math.round(share * size * 20 * steps)
  const ascent = inSteps(face.ascent)
  const above = Math.round(ascent / steps)
  const height = Math.round((ascent + inSteps(face.descent)) / steps)
  const gap = withGap ? Math.round(inSteps(face.lineGap) / steps) : 0
  return { ascent: (above + gap) / 20, descent: (height - above) / 20 }
}

/** Some producers name a list of families; the first that is at hand is taken. */
function oneOf(context: LayoutContext, family: string): string {
  if (!family.includes(';')) return family
  const names = family.split(';').map((name) => name.trim())
  return names.find((name) => context.fonts.has(name)) ?? names[0] ?? family
}

/** Observed in LibreOffice: small letters moved by a share of the line reach beyond it, never inside it. */
const raisedSpace = (whole: Space, small: Space, rise: Pt): Space => ({
  ascent: Math.max(whole.ascent, small.ascent + rise),
  descent: Math.max(whole.descent, small.descent - rise),
})

/** Superscript aligns the tops, subscript the bottoms of small and full size. */
function scriptRise(run: ComputedRun, face: Face, full: Pt, small: Pt): Pt {
  if (run.script === 'super') return face.ascent * (full - small)
  if (run.script === 'sub') return -face.descent * (full - small)
  return 0
}

/** Lengths lie on a grid of twentieths of a point. */
export const snap = (value: Pt): Pt => Math.round(value * 20) / 20

/** 'auto' is black, or white on a dark ground. */
export function colourOf(color: string, ground?: string): Colour {
  if (color !== 'auto') return Number.parseInt(color, 16) || 0
  if (ground === undefined || ground === 'auto') return 0
  return luminance(Number.parseInt(ground, 16) || 0) < 60 ? 0xffffff : 0
}

const luminance = (colour: Colour): number =>
  0.299 * ((colour >> 16) & 255) + 0.587 * ((colour >> 8) & 255) + 0.114 * (colour & 255)
