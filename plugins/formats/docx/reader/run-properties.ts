import type { Color } from '../../../../shared/document/paint.ts'
import type {
  Border,
  BorderStyle,
  Emphasis,
  FontNames,
  RunProperties,
  Underline,
  UnderlineStyle,
} from '../../../../shared/document/properties.ts'
import type { Writable } from '../../../../shared/document/writable.ts'
import { entryOf } from '../../../../shared/entry-of.ts'
import { type Theme, themeColor, tinted } from '../../../../shared/office/ooxml/theme.ts'
import {
  color,
  compact,
  highlights,
  integer,
  isOn,
  length,
  onOff,
  twips,
  val,
} from '../../../../shared/office/ooxml/values.ts'
import type { XmlCursor } from '../../../../shared/xml/cursor.ts'

/** ST_Underline (17.18.99) to line styles; names that end in "Heavy" also set `heavy`. */
const underlines: Readonly<Record<string, UnderlineStyle>> = {
  none: 'none',
  single: 'single',
  words: 'words',
  double: 'double',
  thick: 'thick',
  dotted: 'dotted',
  dottedHeavy: 'dotted',
  dash: 'dashed',
  dashedHeavy: 'dashed',
  dashLong: 'long-dashed',
  dashLongHeavy: 'long-dashed',
  dotDash: 'dot-dash',
  dashDotHeavy: 'dot-dash',
  dotDotDash: 'dot-dot-dash',
  dashDotDotHeavy: 'dot-dot-dash',
  wave: 'wave',
  wavyHeavy: 'wave',
  wavyDouble: 'wave',
}

type Switch =
  | 'bold'
  | 'italic'
  | 'complexBold'
  | 'complexItalic'
  | 'caps'
  | 'smallCaps'
  | 'hidden'
  | 'rightToLeft'
  | 'complexScript'
  | 'outline'
  | 'shadow'
/** Properties that are on or off (17.17.4). */
const switches: ReadonlyMap<string, Switch> = new Map([
  ['w:b', 'bold'],
  ['w:i', 'italic'],
  ['w:bCs', 'complexBold'],
  ['w:iCs', 'complexItalic'],
  ['w:caps', 'caps'],
  ['w:smallCaps', 'smallCaps'],
  ['w:vanish', 'hidden'],
  ['w:rtl', 'rightToLeft'],
  ['w:cs', 'complexScript'],
  ['w:outline', 'outline'],
  ['w:shadow', 'shadow'],
] as const)

/**
 * Reads the children of w:rPr (ECMA-376-1 17.3.2). The cursor stands on the element. Absent properties stay
 * absent, so that styles can supply them.
 */
export function readRunProperties(cursor: XmlCursor, theme: Theme): RunProperties {
  const run: Writable<RunProperties> = {}
  cursor.each((name) => {
    const toggled = switches.get(name)
    if (toggled !== undefined) run[toggled] = onOff(cursor)
    else readProperty(cursor, theme, name, run)
  })
  return compact(run)
}

/** Reads one child of w:rPr that is not merely on or off. */
function readProperty(cursor: XmlCursor, theme: Theme, name: string, run: Writable<RunProperties>): void {
  switch (name) {
    case 'w:rStyle':
      run.style = val(cursor)
      break
    case 'w:rFonts':
      run.fonts = { ...run.fonts, ...readFonts(cursor, theme) }
      break
    case 'w:sz':
      run.size = fontSize(cursor)
      break
    case 'w:szCs':
      run.complexSize = fontSize(cursor)
      break
    case 'w:u':
      run.underline = readUnderline(cursor, theme)
      break
    case 'w:strike':
      run.strike = onOff(cursor) ? 'single' : 'none'
      break
    case 'w:dstrike':
      run.strike = onOff(cursor) ? 'double' : 'none'
      break
    case 'w:color':
      run.color = readColor(cursor, theme, 'w:val', 'w:theme')
      break
    case 'w:highlight':
      run.highlight = entryOf(highlights, val(cursor) ?? 'none')
      break
    case 'w:shd':
      run.shading = readShading(cursor, theme)
      break
    case 'w:vertAlign':
      run.script = entryOf(scripts, val(cursor))
      break
    case 'w:position':
      run.raise = length(val(cursor), 0.5)
      break
    case 'w:spacing':
      run.letterSpacing = twips(val(cursor))
      break
    case 'w:kern':
      run.kernFrom = length(val(cursor), 0.5)
      break
    case 'w:w':
      run.scale = Math.max(1, Math.min(600, integer(val(cursor)) ?? 100)) / 100
      break
    case 'w:lang':
      run.language = val(cursor)
      run.eastAsiaLanguage = cursor.attribute('w:eastAsia')
      break
    case 'w:bdr':
      run.border = readBorder(cursor, theme)
      break
    case 'w:emboss':
      run.relief = onOff(cursor) ? 'embossed' : 'none'
      break
    case 'w:em':
      run.emphasis = entryOf(emphases, val(cursor)) ?? 'none'
      break
    case 'w:eastAsianLayout':
      run.combined = cursor.attribute('w:combine') !== undefined && isOn(cursor.attribute('w:combine'))
      break
    case 'w:imprint':
      run.relief = onOff(cursor) ? 'engraved' : 'none'
      break
  }
}

/** ST_Em (17.18.24). */
const emphases: Readonly<Record<string, Emphasis>> = {
  dot: { mark: 'dot', below: false },
  comma: { mark: 'comma', below: false },
  circle: { mark: 'circle', below: false },
  underDot: { mark: 'dot', below: true },
}

/** ST_VerticalAlignRun (22.9.2.17). */
const scripts: Readonly<Record<string, 'baseline' | 'super' | 'sub'>> = {
  baseline: 'baseline',
  superscript: 'super',
  subscript: 'sub',
}

/** w:sz in half-points; Word's largest font size is 1638 pt. */
function fontSize(cursor: XmlCursor): number | undefined {
  const size = length(val(cursor), 0.5)
  return size === undefined || size <= 0 ? undefined : Math.min(size, 1638)
}

/** w:rFonts (17.3.2.26): a theme font takes precedence over a named one. */
function readFonts(cursor: XmlCursor, theme: Theme): FontNames {
  const pick = (named: string, themed: string): string | undefined => {
    const slot = cursor.attribute(themed)
    return (slot === undefined ? undefined : theme.fonts.get(slot)) ?? cursor.attribute(named)
  }
  return compact<FontNames>({
    ascii: pick('w:ascii', 'w:asciiTheme'),
    other: pick('w:hAnsi', 'w:hAnsiTheme'),
    eastAsia: pick('w:eastAsia', 'w:eastAsiaTheme'),
    complex: pick('w:cs', 'w:cstheme'),
    hint: cursor.attribute('w:hint') === 'eastAsia' ? 'eastAsia' : undefined,
  })
}

/** w:u (17.3.2.40). */
function readUnderline(cursor: XmlCursor, theme: Theme): Underline {
  return compact<Underline>({
    style: entryOf(underlines, val(cursor) ?? 'single') ?? 'single',
    heavy: val(cursor)?.endsWith('Heavy') || undefined,
    color: readColor(cursor, theme, 'w:color', 'w:themeColor'),
  })
}

/**
 * Reads a colour given as RRGGBB in the attribute `attribute` or through the theme, which takes precedence
 * (17.3.2.6). `base` selects the attributes: fills of shadings have names of their own ('w:themeFill').
 */
function readColor(
  cursor: XmlCursor,
  theme: Theme,
  attribute: string,
  base: 'w:theme' | 'w:themeColor' | 'w:themeFill',
): Color | undefined {
  const fill = base === 'w:themeFill'
  const name = cursor.attribute(fill ? 'w:themeFill' : 'w:themeColor')
  const themed = name === undefined ? undefined : themeColor(theme, name)
  if (themed !== undefined) {
    const tint = cursor.attribute(fill ? 'w:themeFillTint' : 'w:themeTint')
    const shade = cursor.attribute(fill ? 'w:themeFillShade' : 'w:themeShade')
    return tinted(themed, fraction(tint), fraction(shade))
  }
  return color(cursor.attribute(attribute))
}

/** A two-digit hexadecimal number as a share of 255. */
const fraction = (hex: string | undefined): number | undefined => {
  const value = hex === undefined ? Number.NaN : Number.parseInt(hex, 16)
  return Number.isNaN(value) ? undefined : Math.min(255, value) / 255
}

/**
 * w:shd (17.3.2.32): returns the fill, mixed with the pattern colour in the proportion that the pattern
 * covers (17.18.78).
 */
export function readShading(cursor: XmlCursor, theme: Theme): Color | 'none' | undefined {
  const pattern = val(cursor) ?? 'clear'
  const fill = readColor(cursor, theme, 'w:fill', 'w:themeFill') ?? 'auto'
  if (pattern === 'nil') return 'none'
  const amount = patternFraction(pattern)
  if (amount === 0) return fill === 'auto' ? 'none' : fill
  const front = readColor(cursor, theme, 'w:color', 'w:themeColor') ?? 'auto'
  return mix(fill === 'auto' ? 'FFFFFF' : fill, front === 'auto' ? '000000' : front, amount)
}

/**
 * Share of the area that a shading pattern covers, 0 to 1. Stripes are taken as a half, thin ones as a
 * quarter.
 */
function patternFraction(pattern: string): number {
  if (pattern === 'solid') return 1
  const percent = /^pct(\d+)$/.exec(pattern)
  if (percent !== null) return Math.min(100, Number(percent[1])) / 100
  if (/Stripe|Cross/.test(pattern)) return pattern.startsWith('thin') ? 0.25 : 0.5
  return 0
}

/** Mixes two RRGGBB colours; `amount` is the share of `front`. */
function mix(back: string, front: string, amount: number): Color {
  const b = Number.parseInt(back, 16)
  const f = Number.parseInt(front, 16)
  let mixed = 0
  for (const shift of [16, 8, 0]) {
    const channel = ((b >> shift) & 255) * (1 - amount) + ((f >> shift) & 255) * amount
    mixed = mixed * 256 + Math.round(channel)
  }
  return mixed.toString(16).padStart(6, '0').toUpperCase()
}

/** ST_Border (17.18.2) to line styles; the thin-thick kinds are recognised by name in `readBorder`. */
const borderStyles: Readonly<Record<string, BorderStyle>> = {
  nil: 'none',
  none: 'none',
  single: 'single',
  thick: 'thick',
  double: 'double',
  dotted: 'dotted',
  dashed: 'dashed',
  dotDash: 'dot-dash',
  dotDotDash: 'dot-dot-dash',
  triple: 'triple',
  wave: 'wave',
  doubleWave: 'double',
  dashSmallGap: 'fine-dashed',
  dashDotStroked: 'dot-dash',
  inset: 'inset',
  outset: 'outset',
  threeDEmboss: 'embossed',
  threeDEngrave: 'engraved',
}

/**
 * Styles with lines of different width, for which the gap matters. Observed in LibreOffice: borders of three
 * lines with a thick one are drawn as one thick and one thin line.
 */
const gapped: ReadonlySet<BorderStyle> = new Set(['thin-thick', 'thick-thin', 'inset', 'outset'])

/** Whether a border kind is an art border, a row of pictures (17.18.2); it is drawn as a line. */
export const isArt = (kind: string): boolean =>
  entryOf(borderStyles, kind) === undefined && !/^(thinThick|thickThin)/.test(kind)

/** The width of a border without `w:sz`, or with a width of 0, in eighths of a point (measured in LibreOffice). */
const defaultBorderSize = 6

/**
 * Reads any border element (17.3.4): w:sz is in eighths of a point, w:space in points. Undefined without
 * w:val. Widths are limited to 12 pt and spaces to 31 pt, as in Word.
 */
export function readBorder(cursor: XmlCursor, theme: Theme): Border | undefined {
  const kind = val(cursor)
  if (kind === undefined) return undefined
  const declared = Number.parseFloat(cursor.attribute('w:sz') ?? '') || defaultBorderSize
  const size = Math.max(0, Math.min(96, declared)) / 8
  const style: BorderStyle =
    entryOf(borderStyles, kind) ??
    (/^thinThick(?!Thin)/.test(kind) ? 'thin-thick' : /^th[a-z]+T/.test(kind) ? 'thick-thin' : 'single')
  const gap = kind.endsWith('LargeGap') ? 'large' : kind.endsWith('MediumGap') ? 'medium' : 'small'
  return {
    style,
    width: style === 'none' ? 0 : Math.max(size, 0.25) * (style === 'thick' ? 2 : 1),
    ...(gapped.has(style) && { gap }),
    color: readColor(cursor, theme, 'w:color', 'w:themeColor') ?? 'auto',
    space:
      style === 'none'
        ? 0
        : Math.max(0, Math.min(31, Number.parseFloat(cursor.attribute('w:space') ?? '0') || 0)),
    ...(isOn(cursor.attribute('w:shadow')) && { shadow: true }),
  }
}
