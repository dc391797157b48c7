/** Pages of a PDF as slides: text in boxes where it stood, all else behind it (ODF 1.3, part 3, clause 10). */

import type { FlowInline } from '../../../../shared/flow/flow.ts'
import { toBase64 } from '../../../../shared/plugin/base64.ts'
import { joinLines } from './blocks.ts'
import { leastOf, mostOf } from './extent.ts'
import { columnsOf, type Line, linesOf } from './lines.ts'
import type { DocumentMarks, Mark, PageMarks } from './marks.ts'

const namespaces = [
  ...['office', 'text', 'style', 'presentation'].map(
    (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
  ),
  'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"',
  'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"',
  'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"',
  'xmlns:xlink="http://www.w3.org/1999/xlink"',
].join(' ')

/** `backgrounds`: what each page shows besides its text, as a picture behind it; absent where it shows nothing. */
export function writeSlides(
  { pages }: DocumentMarks,
  backgrounds: readonly (Uint8Array | undefined)[],
): string {
  const styles = new Map<string, string>()
  const styleOf = (family: string, properties: string): string => {
    const key = `<style:style style:family="${family}" style:name="?">${properties}</style:style>`
    const known = styles.get(key)
    if (known !== undefined) return known
    const name = `s${styles.size + 1}`
    styles.set(key, name)
    return name
  }
  const first = pages[0] as PageMarks
  const slides = pages.map((page, at) => {
    const scale = Math.min(first.width / page.width, first.height / page.height)
    const background = backgrounds[at]
    const behind =
      background === undefined
        ? ''
        : frame(
            { x: 0, y: 0, width: page.width, height: page.height },
            scale,
            `<draw:image><office:binary-data>${toBase64(background)}</office:binary-data></draw:image>`,
          )
    const boxes = columnsOf(page).flatMap((column) =>
      boxesOf(linesOf(column)).map((box) => boxXml(box, scale, styleOf)),
    )
    return `<draw:page draw:name="Page ${at + 1}" draw:master-page-name="Default">${behind}${boxes.join('')}</draw:page>`
  })
  const automatic = [...styles]
    .map(([key, name]) => key.replace('style:name="?"', `style:name="${name}"`))
    .join('')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<office:document ${namespaces} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.presentation"><office:styles/><office:automatic-styles><style:page-layout style:name="page"><style:page-layout-properties fo:page-width="${first.width}pt" fo:page-height="${first.height}pt" fo:margin="0pt" style:print-orientation="${first.width > first.height ? 'landscape' : 'portrait'}"/></style:page-layout><style:style style:name="slide" style:family="drawing-page"/>${boxStyle('left')}${boxStyle('center')}${automatic}</office:automatic-styles><office:master-styles><style:master-page style:name="Default" style:page-layout-name="page" draw:style-name="slide"/></office:master-styles><office:body><office:presentation>${slides.join('')}</office:presentation></office:body></office:document>`
}

/** A box grows away from where its text is held. Impress takes padding for each side alone. */
function boxStyle(side: 'left' | 'center'): string {
  const padding = ['top', 'right', 'bottom', 'left'].map((one) => ` fo:padding-${one}="0pt"`).join('')
  return `<style:style style:name="${side}" style:family="graphic"><style:graphic-properties draw:stroke="none" draw:fill="none"${padding} draw:auto-grow-height="true" draw:auto-grow-width="true" fo:wrap-option="no-wrap" draw:textarea-vertical-align="top" draw:textarea-horizontal-align="${side}"/></style:style>`
}

interface Box {
  readonly lines: readonly (readonly Mark[])[]
  readonly x: number
  readonly y: number
  readonly right: number
  readonly bottom: number
  readonly size: number
}

/** Points from one line to the next; of a single line its height. */
function leadingOf({ lines, y, bottom }: Pick<Box, 'lines' | 'y' | 'bottom'>, size: number): number {
  return lines.length < 2 ? size : (bottom - y - size) / (lines.length - 1)
}

/** Lines of one size that stand close below each other are one box; pieces of a row are boxes of their own. */
function boxesOf(lines: readonly Line[]): readonly Box[] {
  const open: { lines: Mark[][]; x: number; y: number; right: number; bottom: number; size: number }[] = []
  for (const line of lines) {
    for (const piece of line.pieces) {
      const marks = [...piece.marks]
      const above = open.findLast(
        (box) =>
          Math.abs(box.size - line.size) < 0.6 &&
          line.y - box.bottom < line.size * 0.6 &&
          line.y > box.y &&
          // Boxes have one distance between their lines.
          (box.lines.length < 2 ||
            Math.abs(line.bottom - box.bottom - leadingOf(box, box.size)) < line.size * 0.1) &&
          (Math.abs(box.x - piece.x) < line.size ||
            Math.abs((box.x + box.right) / 2 - (piece.x + piece.right) / 2) < line.size),
      )
      if (above === undefined || line.pieces.length > 1) {
        open.push({
          lines: [marks],
          x: piece.x,
          y: line.y,
          right: piece.right,
          bottom: line.bottom,
          size: line.size,
        })
        continue
      }
      above.lines.push(marks)
      Object.assign(above, {
        x: Math.min(above.x, piece.x),
        right: Math.max(above.right, piece.right),
        bottom: line.bottom,
      })
    }
  }
  return open
}

function boxXml(box: Box, scale: number, styleOf: (family: string, properties: string) => string): string {
  const leading = leadingOf(box, box.size)
  const side = isCentred(box) ? 'center' : 'left'
  const centred = side === 'center' ? ' fo:text-align="center"' : ''
  const height = `${Math.round(leading * scale * 100) / 100}pt`
  const properties = `<style:paragraph-properties fo:line-height="${height}"${centred}/>`
  const style = ` text:style-name="${styleOf('paragraph', properties)}"`
  const text = box.lines
    .map((marks) => {
      const inlines = joinLines([marks], undefined, 'all')
        .map((one) => spanXml(one, box.size * scale, styleOf))
        .join('')
      return `<text:p${style}>${inlines}</text:p>`
    })
    .join('')
  return frame(
    // What a line is higher than its letters stands above them.
    { x: box.x, y: box.y - (leading - box.size), width: box.right - box.x, height: box.bottom - box.y },
    scale,
    `<draw:text-box>${text}</draw:text-box>`,
    side,
  )
}

/** Several lines around one middle. */
function isCentred({ lines, x, right, size }: Box): boolean {
  const middle = (x + right) / 2
  const ends = lines.map(
    (marks) =>
      [leastOf(marks.map((mark) => mark.x)), mostOf(marks.map((mark) => mark.x + mark.width))] as const,
  )
  return (
    ends.some(([left]) => left - x > size) &&
    ends.every(([left, end]) => Math.abs((left + end) / 2 - middle) < size / 2)
  )
}

function spanXml(
  inline: FlowInline,
  usual: number,
  styleOf: (family: string, properties: string) => string,
): string {
  if (inline.kind !== 'text') return ''
  const { bold, italic, color, font, script } = inline.style
  const properties = [
    ` fo:font-size="${Math.round(usual * 10) / 10}pt"`,
    bold === true ? ' fo:font-weight="bold"' : '',
    italic === true ? ' fo:font-style="italic"' : '',
    color === undefined ? '' : ` fo:color="#${color}"`,
    font === undefined ? '' : ` fo:font-family="${xml(font)}"`,
    script === undefined ? '' : ` style:text-position="${script} 58%"`,
  ].join('')
  // Impress reads the text of a link only from the link itself.
  const text =
    inline.link === undefined
      ? xml(inline.text)
      : `<text:a xlink:type="simple" xlink:href="${xml(inline.link)}">${xml(inline.text)}</text:a>`
  return `<text:span text:style-name="${styleOf('text', `<style:text-properties${properties}/>`)}">${text}</text:span>`
}

function frame(
  place: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  scale: number,
  content: string,
  style?: string,
): string {
  const pt = (value: number) => `${Math.round(value * scale * 100) / 100}pt`
  const look = style === undefined ? '' : ` draw:style-name="${style}"`
  return `<draw:frame${look} svg:x="${pt(place.x)}" svg:y="${pt(place.y)}" svg:width="${pt(place.width)}" svg:height="${pt(place.height)}">${content}</draw:frame>`
}

function xml(text: string): string {
  return text
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
    .replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`)
}
