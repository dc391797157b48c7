import type { RunProperties } from '../../../../shared/document/properties.ts'
import { word } from '../compat/word.ts'
import type { ComputedRun } from './computed.ts'

/** Turns merged run properties into a computed style. */
export function finishRun(r: RunProperties): ComputedRun {
  const size = r.size ?? word.sizeWithoutStyles
  const complexSize = r.complexSize ?? word.sizeWithoutStyles
  const isComplex = r.complexScript === true || r.rightToLeft === true
  const families = familiesOf(r)
  const colours = coloursOf(r)
  return {
    family: families.latin,
    otherFamily: families.other,
    eastAsiaFamily: families.eastAsia,
    complexFamily: families.complex,
    eastAsiaHint: r.fonts?.hint === 'eastAsia',
    size: isComplex ? complexSize : size,
    complexSize,
    bold: (isComplex ? r.complexBold : r.bold) ?? false,
    italic: (isComplex ? r.complexItalic : r.italic) ?? false,
    complexBold: r.complexBold ?? false,
    complexItalic: r.complexItalic ?? false,
    underline: r.underline?.style ?? 'none',
    underlineHeavy: r.underline?.heavy,
    underlineColor: colours.underline,
    strike: r.strike ?? 'none',
    caps: r.caps ?? false,
    smallCaps: r.smallCaps ?? false,
    letterCase: r.letterCase ?? 'as-is',
    hidden: r.hidden ?? false,
    unprinted: r.unprinted ?? false,
    isFormBox: r.isFormBox ?? false,
    color: r.color ?? 'auto',
    highlight: colours.highlight,
    shading: colours.shading,
    script: r.script ?? 'baseline',
    scriptOffset: r.scriptOffset,
    scriptScale: r.scriptScale,
    raise: r.raise ?? 0,
    lineIgnoresFont: r.lineIgnoresFont ?? false,
    letterSpacing: limitedSpacing(r, size),
    kerning: r.kernFrom !== undefined && r.kernFrom > 0 && size >= r.kernFrom,
    scale: r.scale ?? 1,
    language: r.language,
    eastAsiaLanguage: r.eastAsiaLanguage,
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

/** The font families of the four groups of scripts (ECMA-376-1 17.3.2.26). */
interface Families {
  readonly latin: string
  readonly other: string
  readonly eastAsia: string
  readonly complex: string
}

function familiesOf({ fonts }: RunProperties): Families {
  const latin = fonts?.ascii ?? fonts?.other ?? word.familyWithoutStyles
  return {
    latin,
    other: fonts?.other ?? latin,
    eastAsia: fonts?.eastAsia ?? latin,
    complex: fonts?.complex ?? latin,
  }
}

/** Colours that are drawn; undefined where nothing is, or where the colour of the text applies. */
function coloursOf(
  r: RunProperties,
): Pick<ComputedRun, 'highlight' | 'shading'> & { readonly underline: ComputedRun['underlineColor'] } {
  return {
    underline: r.underline?.color === 'auto' ? undefined : r.underline?.color,
    highlight: r.highlight === 'none' ? undefined : r.highlight,
    shading: r.shading === 'none' || r.shading === 'auto' ? undefined : r.shading,
  }
}

/** The letter spacing in points, limited so that glyphs cannot move arbitrarily far. */
const limitedSpacing = ({ letterSpacing = 0 }: RunProperties, size: number): number =>
  Math.max(-size, Math.min(maxLetterSpacing, letterSpacing))

const maxLetterSpacing = 1000
