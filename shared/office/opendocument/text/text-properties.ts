import type {
  Alignment,
  Border,
  DropCap,
  LineSpacing,
  ParagraphBorders,
  ParagraphProperties,
  RunProperties,
  TabStop,
  TextShadow,
  UnderlineStyle,
} from '../../../document/properties.ts'
import type { Writable } from '../../../document/writable.ts'
import { entryOf } from '../../../entry-of.ts'
import type { XmlCursor } from '../../../xml/cursor.ts'
import {
  type AttributeGetter,
  backgroundColor,
  border,
  color,
  compact,
  exactLength,
  integer,
  isTrue,
  length,
  percent,
} from '../values.ts'

/** Font families by the names of their style:font-face declarations. */
export type FaceNames = ReadonlyMap<string, string>

/** style:text-underline-style to line styles. */
const underlines: Readonly<Record<string, UnderlineStyle>> = {
  none: 'none',
  solid: 'single',
  dotted: 'dotted',
  dash: 'dashed',
  'long-dash': 'long-dashed',
  'dot-dash': 'dot-dash',
  'dot-dot-dash': 'dot-dot-dash',
  wave: 'wave',
}

/** 'de-AT'; undefined for text of no language. */
function languageTag(language: string | undefined, country: string | undefined): string | undefined {
  if (language === undefined || language === 'none') return undefined
  return country === undefined || country === 'none' ? language : `${language}-${country}`
}

/** The language of East Asian text. Its absence means Chinese, so that text of no language has a tag of its own (BCP 47). */
const eastAsianLanguage = (get: AttributeGetter): string | undefined =>
  get('style:language-asian') === 'none'
    ? 'zxx'
    : languageTag(get('style:language-asian'), get('style:country-asian'))

/**
 * Reads style:text-properties (ODF 1.3 part 3, 16.29.29). The cursor stands on the element. Absent properties
 * stay absent, so that parent styles can supply them.
 */
export function readTextProperties(cursor: XmlCursor, faces: FaceNames): RunProperties {
  const get = (name: string): string | undefined => cursor.attribute(name)
  const face = (named: string, familyAttribute: string): string | undefined => {
    const name = get(named)
    const family = get(familyAttribute)?.replace(/^['"]|['"]$/g, '')
    return name === undefined ? family : (faces.get(name) ?? family ?? name)
  }
  const fonts = compact({
    ascii: face('style:font-name', 'fo:font-family'),
    other: face('style:font-name', 'fo:font-family'),
    eastAsia: face('style:font-name-asian', 'style:font-family-asian'),
    complex: face('style:font-name-complex', 'style:font-family-complex'),
  })
  const kerning = get('style:letter-kerning')
  const position = get('style:text-position')?.trim().split(/\s+/)
  const transform = get('fo:text-transform')
  const shadow = get('fo:text-shadow')
  const variant = get('fo:font-variant')
  const display = get('text:display')
  const combine = get('style:text-combine')
  return compact<RunProperties>({
    fonts: Object.keys(fonts).length > 0 ? fonts : undefined,
    size: exactLength(get('fo:font-size')),
    complexSize: exactLength(get('style:font-size-complex')),
    bold: weight(get('fo:font-weight')),
    complexBold: weight(get('style:font-weight-complex')),
    italic: slant(get('fo:font-style')),
    complexItalic: slant(get('style:font-style-complex')),
    underline: underlineOf(get),
    strike: strikeOf(get),
    caps: transform === undefined ? undefined : transform === 'uppercase',
    smallCaps: variant === undefined ? undefined : variant === 'small-caps',
    hidden: display === undefined ? undefined : display === 'none',
    color: get('style:use-window-font-color') === 'true' ? 'auto' : color(get('fo:color')),
    highlight: backgroundColor(get('fo:background-color')),
    ...scripts(position),
    letterSpacing: get('fo:letter-spacing') === 'normal' ? 0 : length(get('fo:letter-spacing')),
    kernFrom: kerning === undefined ? undefined : kerning === 'true' ? 0.5 : 0,
    scale: percent(get('style:text-scale')),
    language: languageTag(get('fo:language'), get('fo:country')),
    eastAsiaLanguage: eastAsianLanguage(get),
    outline: isTrue(get('style:text-outline')),
    shadow: shadow === undefined ? undefined : shadow !== 'none',
    relief: entryOf(reliefs, get('style:font-relief')),
    emphasis: emphasisOf(get('style:text-emphasize')),
    border: textBorder(get),
    combined: combine === undefined ? undefined : combine === 'lines' || combine === 'letters',
    letterCase: transform === undefined ? undefined : (entryOf(cases, transform) ?? 'as-is'),
  })
}

/** The border around letters, where all four sides of it are alike. Others are reported by `reportUndrawn`. */
function textBorder(get: AttributeGetter): Border | undefined {
  const { top, bottom, left, right } = readBorders(get) ?? {}
  const isAlike = [bottom, left, right].every((side) => JSON.stringify(side) === JSON.stringify(top))
  return isAlike ? top : border(get('fo:border'), length(get('fo:padding')) ?? 0)
}

/** The line below the text. Its type, mode and width are attributes of their own, of which the first to apply decides. */
function underlineOf(get: AttributeGetter): RunProperties['underline'] {
  const line = get('style:text-underline-style')
  if (line === undefined) return undefined
  const isThick = /bold|thick/.test(get('style:text-underline-width') ?? '')
  const styleOf = (): UnderlineStyle => {
    if (line === 'none') return 'none'
    if (get('style:text-underline-type') === 'double') return 'double'
    if (line === 'solid' && get('style:text-underline-mode') === 'skip-white-space') return 'words'
    if (line === 'solid' && isThick) return 'thick'
    return entryOf(underlines, line) ?? 'single'
  }
  return compact({
    style: styleOf(),
    heavy: isThick || undefined,
    color: color(get('style:text-underline-color')),
  })
}

function strikeOf(get: AttributeGetter): RunProperties['strike'] {
  const type = get('style:text-line-through-type')
  const line = get('style:text-line-through-style') ?? type
  if (line === undefined || line === 'none') return line
  return type === 'double' ? 'double' : 'single'
}

const cases: Readonly<Record<string, 'lower' | 'title'>> = { lowercase: 'lower', capitalize: 'title' }
const reliefs: Readonly<Record<string, 'none' | 'embossed' | 'engraved'>> = {
  none: 'none',
  embossed: 'embossed',
  engraved: 'engraved',
}

/** Reads style:text-emphasize (20.378), such as 'dot above' or 'accent below'. */
function emphasisOf(text: string | undefined): RunProperties['emphasis'] {
  if (text === undefined) return undefined
  const [kind = 'none', position] = text.trim().split(/\s+/)
  if (kind === 'none') return 'none'
  const symbol = kind === 'circle' ? 'circle' : kind === 'accent' ? 'comma' : 'dot'
  return { mark: symbol, below: position === 'below' }
}

/** fo:font-weight: weights from 600 on are bold. */
const weight = (text: string | undefined): boolean | undefined =>
  text === undefined ? undefined : text === 'bold' || Number(text) >= 600
const slant = (text: string | undefined): boolean | undefined =>
  text === undefined ? undefined : text === 'italic' || text === 'oblique'

/** Reads style:text-position, such as 'super 58%' or '-25% 80%': baseline shift and size. */
function scripts(parts: readonly string[] | undefined): Partial<RunProperties> {
  if (parts === undefined) return {}
  const scale = percent(parts[1])
  if (parts[0] === 'super' || parts[0] === 'sub') return compact({ script: parts[0], scriptScale: scale })
  const offset = percent(parts[0])
  if (offset === undefined || offset === 0) return { script: 'baseline' }
  return compact({
    script: offset > 0 ? 'super' : 'sub',
    scriptOffset: offset * 100,
    scriptScale: scale,
  } as const)
}

/** Observed in LibreOffice: 'start' is the left side even in right-to-left text. */
const alignments: Readonly<Record<string, Alignment>> = {
  start: 'left',
  end: 'right',
  left: 'left',
  right: 'right',
  center: 'center',
  justify: 'justify',
}

/** fo:text-align-last. Observed in LibreOffice: 'end' has the effect of 'start'. */
const lastLines: Readonly<Record<string, 'start' | 'center' | 'justify'>> = {
  start: 'start',
  left: 'start',
  end: 'start',
  right: 'start',
  center: 'center',
  justify: 'justify',
}
const verticals: Readonly<Record<string, ParagraphProperties['textAlign']>> = {
  top: 'top',
  middle: 'center',
  bottom: 'bottom',
  baseline: 'baseline',
  auto: 'auto',
}

/**
 * Reads style:shadow (20.361), such as '#808080 5pt 5pt': a colour, and the offsets to the right and
 * downwards.
 */
function shadowOf(text: string | undefined): TextShadow | 'none' | undefined {
  if (text === undefined) return undefined
  const words = text.trim().split(/\s+/)
  const [x = 0, y = 0] = words.flatMap((word) => length(word) ?? [])
  if (words[0] === 'none' || (x === 0 && y === 0)) return 'none'
  return { color: words.map((word) => color(word)).find((value) => value !== undefined) ?? '808080', x, y }
}

/**
 * Reads the hyphenation attributes (20.196-20.198). They are text properties in the file but apply to whole
 * paragraphs.
 */
export function readHyphenation(cursor: XmlCursor): ParagraphProperties {
  return compact({
    hyphenate: isTrue(cursor.attribute('fo:hyphenate')),
    hyphenRemain: integer(cursor.attribute('fo:hyphenation-remain-char-count')),
    hyphenPush: integer(cursor.attribute('fo:hyphenation-push-char-count')),
  })
}

/**
 * Reads style:paragraph-properties (16.29.10). The cursor stands on the element; `onChild` is called for
 * children other than tab stops and drop caps.
 */
export function readParagraphProperties(
  cursor: XmlCursor,
  onChild?: (name: string) => void,
): ParagraphProperties {
  const get = (name: string): string | undefined => cursor.attribute(name)
  const margin = length(get('fo:margin'))
  const indent = compact({
    start: length(get('fo:margin-left')) ?? margin,
    end: length(get('fo:margin-right')) ?? margin,
    first: get('style:auto-text-indent') === 'true' ? undefined : length(get('fo:text-indent')),
  })
  const properties: Writable<ParagraphProperties> = compact({
    align: entryOf(alignments, get('fo:text-align')),
    alignLast: entryOf(lastLines, get('fo:text-align-last')),
    justifySingleWord: isTrue(get('style:justify-single-word')),
    textAlign: entryOf(verticals, get('style:vertical-align')),
    autoIndent: isTrue(get('style:auto-text-indent')),
    separateBorders:
      isTrue(get('style:join-border')) === false
        ? true
        : isTrue(get('style:join-border')) === true
          ? false
          : undefined,
    shadow: shadowOf(get('style:shadow')),
    indent: Object.keys(indent).length > 0 ? indent : undefined,
    spaceBefore: positive(length(get('fo:margin-top')) ?? margin),
    spaceAfter: positive(length(get('fo:margin-bottom')) ?? margin),
    line: readLine(get),
    contextualSpacing: isTrue(get('style:contextual-spacing')),
    keepNext: isAlways(get('fo:keep-with-next')),
    keepLines: isAlways(get('fo:keep-together')),
    breakBefore: breaks(get('fo:break-before')),
    breakAfter: breaks(get('fo:break-after')),
    hyphenLadder: integer(get('fo:hyphenation-ladder-count')),
    widows: integer(get('fo:widows')),
    orphans: integer(get('fo:orphans')),
    shading: backgroundColor(get('fo:background-color')),
    borders: readBorders(get),
    rightToLeft:
      get('style:writing-mode') === undefined ? undefined : get('style:writing-mode')!.startsWith('rl'),
    snapToGrid: isTrue(get('style:snap-to-layout-grid')),
    uncounted: get('text:number-lines') === undefined ? undefined : get('text:number-lines') === 'false',
    defaultTab: length(get('style:tab-stop-distance')),
    ...eastAsianSwitches(get),
  })
  cursor.each((name) => {
    if (name === 'style:tab-stops') properties.tabs = readTabs(cursor)
    else if (name === 'style:drop-cap') properties.dropCap = readDropCap(cursor)
    else onChild?.(name)
  })
  return properties
}

/** The switches of East Asian text (ODF 1.3 part 3, 20.341, 20.356 and 20.395). */
function eastAsianSwitches(get: AttributeGetter): Partial<ParagraphProperties> {
  const space = get('style:text-autospace')
  const isSpaced = space === undefined ? undefined : space !== 'none'
  const isEither = (name: string, on: string): boolean | undefined =>
    get(name) === undefined ? undefined : get(name) === on
  return {
    hangingPunctuation: isEither('style:punctuation-wrap', 'hanging'),
    eastAsianLineRules: isEither('style:line-break', 'strict'),
    spaceBesideLetters: isSpaced,
    spaceBesideDigits: isSpaced,
  }
}

/**
 * Reads style:drop-cap (17.9). Observed in LibreOffice: only common styles change the formatting of the
 * letters.
 */
function readDropCap(cursor: XmlCursor): DropCap {
  const declaredLength = cursor.attribute('style:length')
  const style = cursor.attribute('style:style-name')
  return {
    lines: Math.min(100, integer(cursor.attribute('style:lines')) ?? 1),
    length: declaredLength === 'word' ? 'word' : Math.max(1, Math.min(255, integer(declaredLength) ?? 1)),
    distance: Math.max(0, length(cursor.attribute('style:distance')) ?? 0),
    ...(style !== undefined && { style: `text/${style}` }),
  }
}

const positive = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : Math.max(0, value)
const isAlways = (text: string | undefined): boolean | undefined =>
  text === undefined ? undefined : text === 'always'
/** fo:break-before and fo:break-after; 'auto' cancels an inherited break. */
const breaks = (text: string | undefined): ParagraphProperties['breakBefore'] =>
  text === 'page' || text === 'column' ? text : text === 'auto' ? 'none' : undefined

/**
 * Line spacing: fo:line-height, style:line-height-at-least or style:line-spacing, in this order of precedence.
 */
function readLine(get: AttributeGetter): LineSpacing | undefined {
  const height = get('fo:line-height')
  const multiple = percent(height)
  if (multiple !== undefined) return { rule: 'multiple', value: Math.max(0.06, multiple) }
  if (height === 'normal') return { rule: 'multiple', value: 1 }
  const exact = length(height)
  if (exact !== undefined && exact > 0) return { rule: 'exact', value: exact }
  const minimum = length(get('style:line-height-at-least'))
  if (minimum !== undefined) return { rule: 'at-least', value: Math.max(0, minimum) }
  const spacing = length(get('style:line-spacing'))
  return spacing === undefined ? undefined : { rule: 'leading', value: Math.max(0, spacing) }
}

/** Reads the borders and padding of a paragraph, cell or frame, whose attributes have the same names. */
export function readBorders(get: AttributeGetter): ParagraphBorders | undefined {
  const padding = length(get('fo:padding')) ?? 0
  const side = (name: string) =>
    border(
      get(`fo:border-${name}`) ?? get('fo:border'),
      length(get(`fo:padding-${name}`)) ?? padding,
      get(`style:border-line-width-${name}`) ?? get('style:border-line-width'),
    )
  const borders = compact({
    top: side('top'),
    bottom: side('bottom'),
    left: side('left'),
    right: side('right'),
  })
  return Object.keys(borders).length > 0 ? borders : undefined
}

const tabAligns: Readonly<Record<string, TabStop['align']>> = {
  left: 'left',
  center: 'center',
  right: 'right',
  char: 'decimal',
}
const leaderStyles: Readonly<Record<string, TabStop['leader']>> = {
  dotted: 'dot',
  solid: 'underscore',
  dash: 'hyphen',
}

/** style:tab-stops (17.7); at most 256 are kept. */
function readTabs(cursor: XmlCursor): readonly TabStop[] {
  const stops: TabStop[] = []
  cursor.each(() => {
    const at = length(cursor.attribute('style:position'))
    if (at === undefined || stops.length >= 256) return
    const text = cursor.attribute('style:leader-text')
    const leader = text === '.' ? 'dot' : text === '-' ? 'hyphen' : text === '_' ? 'underscore' : undefined
    stops.push({
      at,
      align: entryOf(tabAligns, cursor.attribute('style:type') ?? 'left') ?? 'left',
      leader: leader ?? entryOf(leaderStyles, cursor.attribute('style:leader-style')) ?? 'none',
      decimal: cursor.attribute('style:char'),
      fromIndent: true,
    })
  })
  return stops
}
