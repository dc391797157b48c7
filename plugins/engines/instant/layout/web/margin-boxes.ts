/** The margin boxes of pages, such as page numbers and titles. Source: CSS Paged Media 3, 5; CSS Generated Content 3. */
import type { Declaration } from '../../../../../shared/css/declarations.ts'
import { longhands } from '../../../../../shared/css/declarations.ts'
import { ComputedStyle } from '../../../../../shared/css/style.ts'
import { shape } from '../../text/shape.ts'
import type { Placed, Pt } from '../frame.ts'
import type { WebContext } from './context.ts'
import { textColour } from './dimensions.ts'
import { counterText } from './markers.ts'
import type { Paper } from './paper.ts'
import { fontOf, pixel } from './text-font.ts'

/** A margin box with content, and where on the page it is. */
export interface MarginBox {
  readonly side: 'top' | 'bottom'
  readonly align: 'left' | 'center' | 'right'
  readonly style: ComputedStyle
}

/** The margin boxes that are supported. */
const drawn = /^(top|bottom)-(left|center|right)$/
const maxContent = 500

/**
 * Returns the margin boxes with content. They inherit from the root element. `rules`: the declarations of the boxes by their
 * names, of which later ones take precedence.
 */
export function marginBoxesOf(
  rules: readonly ReadonlyMap<string, readonly Declaration[]>[],
  root: ComputedStyle,
): readonly MarginBox[] {
  const byName = new Map<string, readonly Declaration[]>()
  for (const boxes of rules)
    for (const [name, declarations] of boxes) byName.set(name, [...(byName.get(name) ?? []), ...declarations])
  return [...byName].flatMap(([name, declarations]): MarginBox[] => {
    const [, side, align] = drawn.exec(name) ?? []
    if (side === undefined || align === undefined) return []
    const values = new Map<string, string>()
    for (const { name: property, value } of declarations)
      for (const [longhand, longhandValue] of longhands(property, value)) values.set(longhand, longhandValue)
    const content = values.get('content') ?? 'none'
    if (content === 'none' || content === 'normal') return []
    const style = new ComputedStyle(values, root.variables, root)
    return [{ side: side as MarginBox['side'], align: align as MarginBox['align'], style }]
  })
}

/** Draws the margin boxes of one page. `page` counts from 1. */
export function drawMarginBoxes(
  context: WebContext,
  boxes: readonly MarginBox[],
  paper: Paper,
  page: number,
  pages: number,
): readonly Placed[] {
  return boxes.flatMap(({ side, align, style }): Placed[] => {
    const font = fontOf(style, context.fonts, context.language)
    const lines = contentOf(style.get('content') ?? '', page, pages).split('\n')
    const height = lines.length * font.lineHeight
    const tall = side === 'top' ? paper.margin.top : paper.margin.bottom
    const from = side === 'top' ? 0 : paper.height - tall
    const vertical = style.word('vertical-align')
    const top = from + (vertical === 'top' ? 0 : vertical === 'bottom' ? tall - height : (tall - height) / 2)
    const colour = textColour(style)
    return lines.flatMap((line, index): Placed[] => {
      const runs = context.fonts
        .runs(line, font.face, context.language)
        .map(({ start, end, face }) => shape(line.slice(start, end), { ...font.shaping, face }))
      const width = runs.reduce((sum, run) => sum + run.width, 0)
      const leading = Math.floor((font.lineHeight - font.ascent - font.descent) / 2 / pixel) * pixel
      const y = top + index * font.lineHeight + leading + font.ascent
      let x = leftOf(paper, align, width)
      return runs.map((run): Placed => {
        const placed: Placed = { x, y, item: { kind: 'glyphs', run, colour } }
        x += run.width
        return placed
      })
    })
  })
}

function leftOf({ margin, content }: Paper, align: MarginBox['align'], width: Pt): Pt {
  const free = content.width - width
  return margin.left + (align === 'left' ? 0 : align === 'center' ? free / 2 : free)
}

/** Evaluates the `content` property on a page. */
function contentOf(content: string, page: number, pages: number): string {
  let text = ''
  for (const [, quoted, counter, type] of content.matchAll(
    /("(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*')|counter\(\s*(pages?)\s*(?:,\s*([\w-]+)\s*)?\)/g,
  )) {
    if (quoted !== undefined) text += unescaped(quoted.slice(1, -1))
    else text += counterText(counter === 'page' ? page : pages, type ?? 'decimal')
  }
  return text.slice(0, maxContent)
}

const unescaped = (text: string): string =>
  text.replace(/\\(?:([\da-fA-F]{1,6})\s?|([\s\S]))/g, (_, hex, sign) => {
    const code = Number.parseInt(String(hex), 16)
    return hex === undefined ? String(sign) : code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
