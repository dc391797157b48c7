/**
 * Draws the appearance of a filled field. Viewers that print or convert show the stored appearance and ignore the value,
 * so a value without a new appearance would stay invisible. ISO 32000-2, 12.5.5, 12.7.4.3.
 */
import { binaryBytes } from '../../bytes.ts'
import type { PdfDocument } from '../model/document.ts'
import { dict, name, type PdfDict, PdfName, PdfStream, type PdfValue } from '../model/values.ts'
import { createFontEncoding, type StandardFont, verticalMetrics } from '../stage/watermark/standard-font.ts'
import type { FormField } from './fields.ts'

const isMultiline = 1 << 12
const isPassword = 1 << 13
const isComb = 1 << 24

export interface DrawnField {
  readonly appearance: PdfStream
  readonly missing: number // characters that the font lacks
}

/**
 * Draws one widget of a text field or a choice: background and border, then the lines of the value in the font, size,
 * colour and alignment that the field declares. Text of a comb field is centred cell by cell (12.7.5.3).
 */
export function textAppearance(
  document: PdfDocument,
  field: FormField,
  widget: PdfDict,
  value: string,
): DrawnField {
  const { width, height } = sizeOf(document, widget)
  const style = readTextStyle(document, field)
  const encoding = createFontEncoding(style.font)
  const { ascent, descent } = verticalMetrics(style.font)
  const shown = (field.flags & isPassword) !== 0 ? '*'.repeat([...value].length) : value
  const border = borderOf(document, widget)
  const pad = 2 + border.width
  const inner = { width: Math.max(1, width - 2 * pad), height: Math.max(1, height - 2 * border.width) }
  const multiline = field.kind === 'text' && (field.flags & isMultiline) !== 0
  let missing = 0
  const widthOf = (line: string, size: number) => (encoding.encode(line).width * size) / 1000
  const fitted = multiline
    ? fitLines(shown, style.size, inner, widthOf)
    : fitLine(shown.replace(/\s*\r?\n\s*/g, ' '), style.size, inner, widthOf)
  const { size, lines } = fitted
  const leading = size * 1.15
  const first = multiline
    ? height - pad - (ascent * size) / 1000
    : (height - ((ascent + descent) * size) / 1000) / 2
  const draw = (line: string, x: number, y: number) => {
    const { codes, missing: lacks } = encoding.encode(line)
    missing += lacks
    return `1 0 0 1 ${format(x)} ${format(y)} Tm (${escaped(codes)}) Tj\n`
  }
  let text = ''
  const cells = (field.flags & isComb) !== 0 && !multiline ? field.maxLength : undefined
  if (cells !== undefined && cells > 0 && cells <= 1_000) {
    const cell = width / cells
    const characters = [...shown].slice(0, cells)
    characters.forEach((character, at) => {
      text += draw(character, cell * at + (cell - widthOf(character, size)) / 2, first)
    })
  } else {
    lines.forEach((line, at) => {
      const left = inner.width - widthOf(line, size)
      text += draw(
        line,
        pad + (field.align === 0 ? 0 : field.align === 1 ? left / 2 : left),
        first - at * leading,
      )
    })
  }
  const clip = `${format(border.width)} ${format(border.width)} ${format(width - 2 * border.width)} ${format(height - 2 * border.width)} re W n`
  const content = `${border.operators(width, height)}/Tx BMC\nq\n${clip}\nBT\n${style.color}\n/F ${format(size)} Tf\n${text}ET\nQ\nEMC\n`
  const appearance = new PdfStream(
    dict({
      Type: name('XObject'),
      Subtype: name('Form'),
      BBox: [0, 0, width, height],
      Resources: dict({ Font: dict({ F: document.put(encoding.dict()) }) }),
    }),
    binaryBytes(content),
  )
  return { appearance: appearance, missing }
}

/** Draws a tick for a check box or radio button that the file gives no appearances. */
export function tickAppearance(document: PdfDocument, widget: PdfDict, ticked: boolean): PdfStream {
  const { width, height } = sizeOf(document, widget)
  const side = Math.min(width, height)
  const at = (x: number, y: number) =>
    `${format((width - side) / 2 + x * side)} ${format((height - side) / 2 + y * side)}`
  const content = ticked
    ? `q ${format(side / 10)} w 1 J 1 j ${at(0.22, 0.5)} m ${at(0.42, 0.28)} l ${at(0.78, 0.74)} l S Q\n`
    : ''
  return new PdfStream(
    dict({ Type: name('XObject'), Subtype: name('Form'), BBox: [0, 0, width, height] }),
    binaryBytes(borderOf(document, widget).operators(width, height) + content),
  )
}

function sizeOf(document: PdfDocument, widget: PdfDict): { readonly width: number; readonly height: number } {
  const [a, b, c, d] = rectOf(document, widget) ?? [0, 0, 100, 20]
  return { width: Math.max(1, c - a), height: Math.max(1, d - b) }
}

/** The rectangle of an annotation, in points: left, bottom, right, top. Files may name any two opposite corners. */
export function rectOf(
  document: PdfDocument,
  annotation: PdfDict,
): readonly [number, number, number, number] | undefined {
  const corners = document.resolve(annotation.get('Rect'))
  if (!Array.isArray(corners) || corners.length < 4) return undefined
  const [a, b, c, d] = corners.map((corner) => document.resolve(corner))
  if (typeof a !== 'number' || typeof b !== 'number' || typeof c !== 'number' || typeof d !== 'number')
    return undefined
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]
}

interface FieldTextStyle {
  readonly font: StandardFont
  readonly size: number // 0: as large as fits
  readonly color: string // operators
}

const maxSize = 300

/**
 * Parses a default appearance such as `/Helv 12 Tf 0 g`. The text is drawn in the nearest standard font, because embedded
 * fonts of forms are often subsets that lack the characters of a new value. ISO 32000-2, 12.7.4.3.
 */
function readTextStyle(document: PdfDocument, field: FormField): FieldTextStyle {
  const [, font = '', size = '0'] = /\/(\S+)\s+(-?[\d.]+)\s+Tf/.exec(field.appearance) ?? []
  const color = /(?:[\d.]+\s+){1,4}(?:g|rg|k)\b/.exec(
    field.appearance.replace(/\/\S+\s+-?[\d.]+\s+Tf/, ''),
  )?.[0]
  const form = document.dictAt(document.catalog, 'AcroForm')
  const resources = form === undefined ? undefined : document.dictAt(form, 'DR')
  const fonts = resources === undefined ? undefined : document.dictAt(resources, 'Font')
  const base = document.resolve(
    (fonts === undefined ? undefined : document.dictAt(fonts, font))?.get('BaseFont') ?? null,
  )
  const called = base instanceof PdfName ? base.text : font
  const number = Number(size)
  return {
    font: nearest(called),
    size: number > 0 ? Math.min(number, maxSize) : 0,
    color: color ?? '0 g',
  }
}

function nearest(called: string): StandardFont {
  const bold = /bold|black|HeBo|TiBo|CoBo/i.test(called)
  const slanted = /italic|oblique/i.test(called)
  if (/cour|mono/i.test(called))
    return bold ? (slanted ? 'Courier-BoldOblique' : 'Courier-Bold') : slanted ? 'Courier-Oblique' : 'Courier'
  if (/tim|serif|roman|georgia|garamond/i.test(called) && !/sans/i.test(called))
    return bold ? (slanted ? 'Times-BoldItalic' : 'Times-Bold') : slanted ? 'Times-Italic' : 'Times-Roman'
  return bold
    ? slanted
      ? 'Helvetica-BoldOblique'
      : 'Helvetica-Bold'
    : slanted
      ? 'Helvetica-Oblique'
      : 'Helvetica'
}

interface InnerBox {
  readonly width: number
  readonly height: number
}
type WidthOf = (line: string, size: number) => number
interface Fitted {
  readonly size: number
  readonly lines: readonly string[]
}

const minSize = 4
const defaultSize = 12

/**
 * Fits one line. A size of 0 means automatic: the text fills three quarters of the height, up to the 12 points that
 * forms commonly use, and shrinks with the width.
 */
function fitLine(line: string, size: number, { width, height }: InnerBox, widthOf: WidthOf): Fitted {
  if (size > 0) return { size, lines: [line] }
  const high = Math.min(defaultSize, height * 0.75)
  const wide = widthOf(line, 1)
  return { size: Math.max(minSize, wide === 0 ? high : Math.min(high, width / wide)), lines: [line] }
}

function fitLines(text: string, size: number, inner: InnerBox, widthOf: WidthOf): Fitted {
  if (size > 0) return { size, lines: wrapped(text, size, inner.width, widthOf) }
  for (let tried = defaultSize; tried > minSize; tried -= 0.5) {
    const lines = wrapped(text, tried, inner.width, widthOf)
    if (lines.length * tried * 1.15 <= inner.height) return { size: tried, lines }
  }
  return { size: minSize, lines: wrapped(text, minSize, inner.width, widthOf) }
}

const maxLines = 2_000

function wrapped(text: string, size: number, width: number, widthOf: WidthOf): string[] {
  const lines: string[] = []
  for (const paragraph of text.split(/\r\n|\r|\n/)) {
    let line = ''
    let used = 0
    for (const word of paragraph.split(/(?<= )/)) {
      const wide = widthOf(word, size)
      if (used > 0 && used + widthOf(word.trimEnd(), size) > width) {
        lines.push(line.trimEnd())
        line = ''
        used = 0
      }
      line += word
      used += wide
      if (lines.length >= maxLines) return lines
    }
    lines.push(line)
  }
  return lines
}

/** Background and border of a widget, from its entries MK and BS. ISO 32000-2, 12.5.4, table 192. */
function borderOf(document: PdfDocument, widget: PdfDict) {
  const colors = document.dictAt(widget, 'MK')
  const style = document.dictAt(widget, 'BS')
  const borderWidth = style === undefined ? null : document.resolve(style.get('W'))
  const paint = (key: string, operators: readonly [string, string, string]): string => {
    const value: PdfValue = colors === undefined ? null : document.resolve(colors.get(key))
    if (!Array.isArray(value)) return ''
    const channels = value.filter((channel): channel is number => typeof channel === 'number')
    const operator = { 1: operators[0], 3: operators[1], 4: operators[2] }[channels.length]
    return operator === undefined ? '' : `${channels.map(format).join(' ')} ${operator}`
  }
  const fill = paint('BG', ['g', 'rg', 'k'])
  const stroke = paint('BC', ['G', 'RG', 'K'])
  const width =
    stroke === '' ? 0 : typeof borderWidth === 'number' ? Math.min(Math.max(borderWidth, 0), 20) : 1
  return {
    width,
    operators(w: number, h: number): string {
      const background = fill === '' ? '' : `q ${fill} 0 0 ${format(w)} ${format(h)} re f Q\n`
      if (width === 0) return background
      const half = width / 2
      return `${background}q ${stroke} ${format(width)} w ${format(half)} ${format(half)} ${format(w - width)} ${format(h - width)} re S Q\n`
    },
  }
}

const format = (number: number): string => String(Math.round(number * 1000) / 1000)

const escaped = (codes: string): string =>
  codes.replace(/[\\()\r\n]/g, (code) => (code === '\r' ? '\\r' : code === '\n' ? '\\n' : `\\${code}`))
