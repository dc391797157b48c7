/**
 * Pages of a PDF as slides: text in boxes at its positions, everything else as a background (ODF 1.3, part 3,
 * clause 10).
 */

import { maxOf, minOf } from '../../../../shared/extremes.ts'
import type { FlowInline } from '../../../../shared/flow/flow.ts'
import { toBase64 } from '../../../../shared/plugin/base64.ts'
import { joinLines } from './blocks.ts'
import { linesOf, type PdfLine } from './lines.ts'
import { regionsOf } from './regions.ts'
import type { DocumentText, PageText, TextPosition } from './text-positions.ts'

const namespaces = [
  ...['office', 'text', 'style', 'presentation'].map(
    (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
  ),
  'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"',
  'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"',
  'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"',
  'xmlns:xlink="http://www.w3.org/1999/xlink"',
].join(' ')

/** `backgrounds`: a picture of the other content for each page; absent when there is none. */
export function writeSlides(
  { pages }: DocumentText,
  backgrounds: readonly (Uint8Array | undefined)[],
): string {
  const styles = new Map<string, string>()
  const styleOf = (family: string, properties: string): string => {
    const key = `<style:style style:family="${family}" style:name="?">${properties}</style:style>`
    const existing = styles.get(key)
    if (existing !== undefined) return existing
    const name = `s${styles.size + 1}`
    styles.set(key, name)
    return name
  }
  const first = pages[0] as PageText
  const slides: string[] = []
  for (const [at, page] of pages.entries()) {
    const scale = Math.min(first.width / page.width, first.height / page.height)
    const background = backgrounds[at]
    const backgroundFrame =
      background === undefined
        ? ''
        : frame(
            { x: 0, y: 0, width: page.width, height: page.height },
            scale,
            `<draw:image><office:binary-data>${toBase64(background)}</office:binary-data></draw:image>`,
          )
    const boxes = regionsOf(page.positions).flatMap(({ positions }) =>
      boxesOf(linesOf(positions)).map((box) => boxXml(box, scale, styleOf)),
    )
    slides.push(
      `<draw:page draw:name="Page ${at + 1}" draw:master-page-name="Default">${backgroundFrame}${boxes.join('')}</draw:page>`,
    )
  }
  const automatic = [...styles]
    .map(([key, name]) => key.replace('style:name="?"', `style:name="${name}"`))
    .join('')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<office:document ${namespaces} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.presentation"><office:styles/><office:automatic-styles><style:page-layout style:name="page"><style:page-layout-properties fo:page-width="${first.width}pt" fo:page-height="${first.height}pt" fo:margin="0pt" style:print-orientation="${first.width > first.height ? 'landscape' : 'portrait'}"/></style:page-layout><style:style style:name="slide" style:family="drawing-page"/>${boxStyle('left')}${boxStyle('center')}${automatic}</office:automatic-styles><office:master-styles><style:master-page style:name="Default" style:page-layout-name="page" draw:style-name="slide"/></office:master-styles><office:body><office:presentation>${slides.join('')}</office:presentation></office:body></office:document>`
}

/**
 * A box grows away from the side on which its text is aligned. Impress needs the padding of each side
 * separately.
 */
function boxStyle(side: 'left' | 'center'): string {
  const padding = ['top', 'right', 'bottom', 'left'].map((side) => ` fo:padding-${side}="0pt"`).join('')
  return `<style:style style:name="${side}" style:family="graphic"><style:graphic-properties draw:stroke="none" draw:fill="none"${padding} draw:auto-grow-height="true" draw:auto-grow-width="true" fo:wrap-option="no-wrap" draw:textarea-vertical-align="top" draw:textarea-horizontal-align="${side}"/></style:style>`
}

interface SlideText {
  readonly lines: readonly (readonly TextPosition[])[]
  readonly x: number
  readonly y: number
  readonly right: number
  readonly bottom: number
  readonly size: number
}

/** The line distance in points; for a single line its height. */
function leadingOf({ lines, y, bottom }: Pick<SlideText, 'lines' | 'y' | 'bottom'>, size: number): number {
  return lines.length < 2 ? size : (bottom - y - size) / (lines.length - 1)
}

/**
 * Lines of one size that are close below each other share a box; segments of a row have boxes of their own.
 */
function boxesOf(lines: readonly PdfLine[]): readonly SlideText[] {
  const open: {
    lines: TextPosition[][]
    x: number
    y: number
    right: number
    bottom: number
    size: number
  }[] = []
  for (const line of lines) {
    for (const segment of line.segments) {
      const positions = [...segment.positions]
      const above = open.findLast(
        (box) =>
          Math.abs(box.size - line.size) < 0.6 &&
          line.y - box.bottom < line.size * 0.6 &&
          line.y > box.y &&
          // A box has one line distance.
          (box.lines.length < 2 ||
            Math.abs(line.bottom - box.bottom - leadingOf(box, box.size)) < line.size * 0.1) &&
          (Math.abs(box.x - segment.x) < line.size ||
            Math.abs((box.x + box.right) / 2 - (segment.x + segment.right) / 2) < line.size),
      )
      if (above === undefined || line.segments.length > 1) {
        open.push({
          lines: [positions],
          x: segment.x,
          y: line.y,
          right: segment.right,
          bottom: line.bottom,
          size: line.size,
        })
        continue
      }
      above.lines.push(positions)
      Object.assign(above, {
        x: Math.min(above.x, segment.x),
        right: Math.max(above.right, segment.right),
        bottom: line.bottom,
      })
    }
  }
  return open
}

function boxXml(
  box: SlideText,
  scale: number,
  styleOf: (family: string, properties: string) => string,
): string {
  const leading = leadingOf(box, box.size)
  const side = isCentred(box) ? 'center' : 'left'
  const centred = side === 'center' ? ' fo:text-align="center"' : ''
  const height = `${Math.round(leading * scale * 100) / 100}pt`
  const properties = `<style:paragraph-properties fo:line-height="${height}"${centred}/>`
  const style = ` text:style-name="${styleOf('paragraph', properties)}"`
  const text = box.lines
    .map((positions) => {
      const inlines = joinLines([positions], undefined, 'all')
        .map((inline) => spanXml(inline, box.size * scale, styleOf))
        .join('')
      return `<text:p${style}>${inlines}</text:p>`
    })
    .join('')
  return frame(
    // The excess of the line height over the letters is above them.
    { x: box.x, y: box.y - (leading - box.size), width: box.right - box.x, height: box.bottom - box.y },
    scale,
    `<draw:text-box>${text}</draw:text-box>`,
    side,
  )
}

/** Several lines that are centred on one axis. */
function isCentred({ lines, x, right, size }: SlideText): boolean {
  const middle = (x + right) / 2
  const ends = lines.map(
    (positions) =>
      [
        minOf(positions.map((position) => position.x)),
        maxOf(positions.map((position) => position.x + position.width)),
      ] as const,
  )
  return (
    ends.some(([left]) => left - x > size) &&
    ends.every(([left, end]) => Math.abs((left + end) / 2 - middle) < size / 2)
  )
}

function spanXml(
  inline: FlowInline,
  typical: number,
  styleOf: (family: string, properties: string) => string,
): string {
  if (inline.kind !== 'text') return ''
  const { bold, italic, color, font, script } = inline.style
  const properties = [
    ` fo:font-size="${Math.round(typical * 10) / 10}pt"`,
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
  box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  scale: number,
  content: string,
  style?: string,
): string {
  const pt = (value: number) => `${Math.round(value * scale * 100) / 100}pt`
  const typography = style === undefined ? '' : ` draw:style-name="${style}"`
  return `<draw:frame${typography} svg:x="${pt(box.x)}" svg:y="${pt(box.y)}" svg:width="${pt(box.width)}" svg:height="${pt(box.height)}">${content}</draw:frame>`
}

function xml(text: string): string {
  return text
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
