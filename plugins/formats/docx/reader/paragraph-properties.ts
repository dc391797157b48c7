import type { Paragraph } from '../../../../shared/document/content.ts'
import type {
  Alignment,
  Indent,
  LineSpacing,
  ListPosition,
  ParagraphBorders,
  ParagraphProperties,
  RunProperties,
  TabStop,
  TextFrame,
  TextShadow,
} from '../../../../shared/document/properties.ts'
import type { Writable } from '../../../../shared/document/writable.ts'
import { entryOf } from '../../../../shared/entry-of.ts'
import type { Theme } from '../../../../shared/office/ooxml/theme.ts'
import { compact, integer, isOn, onOff, twips, val } from '../../../../shared/office/ooxml/values.ts'
import type { XmlCursor } from '../../../../shared/xml/cursor.ts'
import { readBorder, readRunProperties, readShading } from './run-properties.ts'

/** Result of reading w:pPr. `mark` is the formatting of the paragraph mark (17.3.1.29). */
export interface ReadParagraphProperties {
  readonly properties: ParagraphProperties
  readonly mark: RunProperties
  readonly changed?: Paragraph['changed']
}

/** Reads the children of w:pPr (ECMA-376-1 17.3.1). `section` is called with the cursor on w:sectPr. */
export function readParagraphProperties(
  cursor: XmlCursor,
  theme: Theme,
  section?: () => void,
): ReadParagraphProperties {
  const p: Writable<ParagraphProperties> = {}
  let mark: RunProperties = {}
  cursor.each((name) => {
    switch (name) {
      case 'w:pStyle':
        p.style = val(cursor)
        break
      case 'w:jc':
        p.align = alignment(val(cursor))
        break
      case 'w:ind':
        p.indent = readIndent(cursor)
        break
      case 'w:spacing':
        readSpacing(cursor, p)
        break
      case 'w:contextualSpacing':
        p.contextualSpacing = onOff(cursor)
        break
      case 'w:keepNext':
        p.keepNext = onOff(cursor)
        break
      case 'w:keepLines':
        p.keepLines = onOff(cursor)
        break
      case 'w:pageBreakBefore':
        p.pageBreakBefore = onOff(cursor)
        break
      case 'w:widowControl':
        p.widowControl = onOff(cursor)
        break
      case 'w:tabs':
        p.tabs = readTabs(cursor)
        break
      case 'w:pBdr':
        p.borders = readBorders(cursor, theme)
        p.shadow = borderShadow(p.borders)
        break
      case 'w:shd':
        p.shading = readShading(cursor, theme)
        break
      case 'w:numPr':
        p.list = readListPosition(cursor)
        break
      case 'w:outlineLvl':
        p.outlineLevel = integer(val(cursor))
        break
      case 'w:bidi':
        p.rightToLeft = onOff(cursor)
        break
      case 'w:framePr':
        p.frame = readFrame(cursor)
        break
      case 'w:suppressAutoHyphens':
        p.hyphenate = !onOff(cursor)
        break
      case 'w:suppressLineNumbers':
        p.uncounted = onOff(cursor)
        break
      case 'w:snapToGrid':
        p.snapToGrid = onOff(cursor)
        break
      case 'w:overflowPunct':
        p.hangingPunctuation = onOff(cursor)
        break
      case 'w:kinsoku':
        p.eastAsianLineRules = onOff(cursor)
        break
      case 'w:autoSpaceDE':
        p.spaceBesideLetters = onOff(cursor)
        break
      case 'w:autoSpaceDN':
        p.spaceBesideDigits = onOff(cursor)
        break
      case 'w:textAlignment':
        p.textAlign = textAlign(val(cursor))
        break
      case 'w:rPr':
        mark = readRunProperties(cursor, theme)
        break
      case 'w:sectPr':
        section?.()
        break
    }
  })
  return { properties: compact(p), mark }
}

/** ST_Jc (17.18.44) to the document model; kashida justification is drawn as plain justification. */
const alignments: Readonly<Record<string, Alignment>> = {
  left: 'start',
  start: 'start',
  right: 'end',
  end: 'end',
  center: 'center',
  both: 'justify',
  distribute: 'distribute',
  thaiDistribute: 'justify',
  lowKashida: 'justify',
  mediumKashida: 'justify',
  highKashida: 'justify',
  numTab: 'start',
}
/**
 * Reads a value of w:jc. Word's 'left' means the start of the line in the direction of the paragraph
 * (17.18.44).
 */
export const alignment = (text: string | undefined): Alignment | undefined => entryOf(alignments, text)

function textAlign(text: string | undefined): ParagraphProperties['textAlign'] {
  switch (text) {
    case 'top':
    case 'center':
    case 'bottom':
    case 'baseline':
    case 'auto':
      return text
    default:
      return undefined
  }
}

/** w:ind (17.3.1.12): a hanging indent takes precedence over a first-line indent. */
function readIndent(cursor: XmlCursor): Indent {
  const hanging = twips(cursor.attribute('w:hanging'))
  const first = hanging === undefined ? twips(cursor.attribute('w:firstLine')) : -hanging
  return compact<Indent>({
    start: twips(cursor.attribute('w:start') ?? cursor.attribute('w:left')),
    end: twips(cursor.attribute('w:end') ?? cursor.attribute('w:right')),
    first,
  })
}

/** w:spacing (17.3.1.33). Attributes that are absent keep earlier values. */
function readSpacing(cursor: XmlCursor, p: Writable<ParagraphProperties>): void {
  const positive = (value: number | undefined): number | undefined =>
    value === undefined ? undefined : Math.max(0, value)
  p.spaceBefore = positive(twips(cursor.attribute('w:before'))) ?? p.spaceBefore
  p.spaceAfter = positive(twips(cursor.attribute('w:after'))) ?? p.spaceAfter
  const before = cursor.attribute('w:beforeAutospacing')
  const after = cursor.attribute('w:afterAutospacing')
  if (before !== undefined) p.spaceBeforeAuto = isOn(before)
  if (after !== undefined) p.spaceAfterAuto = isOn(after)
  const line = readLine(cursor)
  if (line !== undefined) p.line = line
}

const singleLine: LineSpacing = { rule: 'multiple', value: 1 }

/**
 * The line spacing of w:spacing: 240ths of a line for the rule auto, otherwise twentieths of a point. A
 * negative multiple is an exact height.
 */
function readLine(cursor: XmlCursor): LineSpacing | undefined {
  const text = cursor.attribute('w:line')
  const named = cursor.attribute('w:lineRule')
  // Google Docs writes headings with a rule but no height, which means single spacing whatever the style
  // specifies.
  if (text === undefined) return named === 'auto' ? singleLine : undefined
  const rule = named ?? 'auto'
  const value = twips(text)
  if (value === undefined || value === 0) return undefined
  if (rule === 'auto')
    return value < 0 ? { rule: 'exact', value: -value } : { rule: 'multiple', value: value / 12 }
  return { rule: rule === 'exact' ? 'exact' : 'at-least', value: Math.abs(value) }
}

/** Leaders of tab stops (17.18.72) and of positioned tabs (17.18.73). */
export const leaders: Readonly<Record<string, TabStop['leader']>> = {
  dot: 'dot',
  hyphen: 'hyphen',
  underscore: 'underscore',
  heavy: 'heavy',
  middleDot: 'middle-dot',
}

/** w:tabs (17.3.1.38). */
function readTabs(cursor: XmlCursor): readonly TabStop[] {
  const stops: TabStop[] = []
  cursor.each((name) => {
    const at = twips(cursor.attribute('w:pos'))
    if (name !== 'w:tab' || at === undefined || stops.length >= 256) return
    stops.push({
      at,
      align: tabAlign(val(cursor)),
      leader: entryOf(leaders, cursor.attribute('w:leader')) ?? 'none',
    })
  })
  return stops
}

function tabAlign(text: string | undefined): TabStop['align'] {
  switch (text) {
    case 'right':
    case 'end':
      return 'right'
    case 'center':
    case 'decimal':
    case 'bar':
    case 'clear':
      return text
    case 'num':
      return 'list'
    default:
      return 'left'
  }
}

/** w:pBdr (17.3.1.24). */
function readBorders(cursor: XmlCursor, theme: Theme): ParagraphBorders {
  const borders: Writable<ParagraphBorders> = {}
  cursor.each((name) => {
    const border = readBorder(cursor, theme)
    switch (name) {
      case 'w:top':
        borders.top = border
        break
      case 'w:bottom':
        borders.bottom = border
        break
      case 'w:left':
      case 'w:start':
        borders.left = border
        break
      case 'w:right':
      case 'w:end':
        borders.right = border
        break
      case 'w:between':
        borders.between = border
        break
    }
  })
  return compact(borders)
}

/** The shadow that w:shadow of a border casts to the right and below (17.3.1.24): as wide as the line, in its colour. */
function borderShadow({ top, left, bottom, right }: ParagraphBorders): TextShadow | 'none' {
  const border = [right, bottom, top, left].find((each) => each?.shadow === true && each.style !== 'none')
  if (border === undefined) return 'none'
  const { width, color } = border
  return { color: color === 'auto' ? '000000' : color, x: width, y: width }
}

/** w:numPr (17.3.1.19). w:numId 0 removes the paragraph from the list of its style. */
function readListPosition(cursor: XmlCursor): ListPosition {
  let list: string | undefined
  let level = 0
  cursor.each((name) => {
    if (name === 'w:numId') list = val(cursor)
    else if (name === 'w:ilvl') level = Math.max(0, Math.min(8, integer(val(cursor)) ?? 0))
  })
  // A level without a list keeps the list of the style; 'inherit' is resolved together with the style chain.
  return { list: list === '0' ? '' : (list ?? 'inherit'), level }
}

/** ST_Wrap (17.18.104). */
const frameWraps: Readonly<Record<string, TextFrame['wrap']>> = {
  around: 'around',
  none: 'none',
  notBeside: 'not-beside',
  through: 'through',
  tight: 'tight',
  auto: 'auto',
}

/**
 * Reads w:framePr (17.3.1.11). Word has no frames of width or height 0: zero means that the text determines
 * the size, even with `hRule="exact"`. A paragraph is not framed, whatever its style specifies, when the
 * frame has neither a size nor an offset, or is positioned inline.
 */
function readFrame(cursor: XmlCursor): TextFrame | 'none' {
  const drop = cursor.attribute('w:dropCap')
  const dropped = drop === 'drop' || drop === 'margin'
  const [width, height] = [size(cursor.attribute('w:w')), size(cursor.attribute('w:h'))]
  if (!dropped && isInline(cursor, width ?? height)) return 'none'
  const lines = integer(cursor.attribute('w:lines')) ?? 1
  const rule = cursor.attribute('w:hRule')
  return compact<TextFrame>({
    width,
    height,
    heightRule: height === undefined || rule === 'auto' ? 'auto' : rule === 'exact' ? 'exact' : 'at-least',
    x: (cursor.attribute('w:xAlign') as TextFrame['x'] | undefined) ?? twips(cursor.attribute('w:x')) ?? 0,
    y: (cursor.attribute('w:yAlign') as TextFrame['y'] | undefined) ?? twips(cursor.attribute('w:y')) ?? 0,
    xFrom: from(cursor.attribute('w:hAnchor'), 'text'),
    yFrom: from(cursor.attribute('w:vAnchor'), 'text'),
    horizontalGap: twips(cursor.attribute('w:hSpace')) ?? 0,
    verticalGap: twips(cursor.attribute('w:vSpace')) ?? 0,
    wrap: entryOf(frameWraps, cursor.attribute('w:wrap')) ?? 'around',
    dropCap: dropped ? { lines: Math.max(1, Math.min(10, lines)), place: drop } : undefined,
  })
}

/** Width or height of a frame, pt; undefined when the text determines it. */
function size(text: string | undefined): number | undefined {
  const value = twips(text)
  return value !== undefined && value > 0 ? value : undefined
}

/**
 * Whether w:framePr leaves the paragraph in the text flow. `sized` is the width or height of the frame, if
 * any.
 */
function isInline(cursor: XmlCursor, sized: number | undefined): boolean {
  const vertical = cursor.attribute('w:yAlign')
  if (vertical !== undefined) return vertical === 'inline'
  const moved = (name: string): boolean => (twips(cursor.attribute(name)) ?? 0) !== 0
  const horizontal = cursor.attribute('w:xAlign') ?? 'left'
  const [across, down] = [cursor.attribute('w:hAnchor'), cursor.attribute('w:vAnchor')]
  const ofText = (across === undefined || across === 'text') && down !== 'page'
  return sized === undefined && ofText && horizontal === 'left' && !moved('w:x') && !moved('w:y')
}

/** Reads an anchor attribute such as w:hAnchor (17.18.35, 17.18.100). */
export function from(
  text: string | undefined,
  otherwise: 'page' | 'margin' | 'text',
): 'page' | 'margin' | 'text' {
  return text === 'page' || text === 'margin' || text === 'text' ? text : otherwise
}
