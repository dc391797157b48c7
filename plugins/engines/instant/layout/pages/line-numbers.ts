import type { LineNumbers } from '../../../../../shared/document/section.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import { formatCounter } from '../../style/number-format.ts'
import { shape } from '../../text/shape.ts'
import type { LayoutContext } from '../context.ts'
import type { Placed, Pt } from '../frame.ts'
import { textStyleOf } from '../inline/text-style.ts'

/** Numbers the lines of the body, page after page. */
export class LineCounter {
  readonly #context: LayoutContext
  /** The settings of the last line, to notice a change of section. */
  #settings: LineNumbers | undefined
  /** The number of the next line. */
  #next = 1

  constructor(context: LayoutContext) {
    this.#context = context
  }

  /**
   * Replaces the marks of the numbered lines of a page with their numbers; lines between two shown numbers
   * get none.
   */
  number(items: readonly Placed[]): readonly Placed[] {
    if (!items.some(({ item }) => item.kind === 'mark' && item.line !== undefined)) return items
    let first = true
    return items.flatMap((placed) => {
      const settings = placed.item.kind === 'mark' ? placed.item.line : undefined
      if (settings === undefined) return [placed]
      this.#start(settings, first)
      first = false
      const number = this.#next++
      return number % Math.max(1, settings.every) === 0 ? [this.#draw(number, settings, placed)] : []
    })
  }

  /** Restarts the count where the settings ask for it: at the start, at a new section, or at a new page. */
  #start(settings: LineNumbers, firstOfPage: boolean): void {
    const changed = settings !== this.#settings
    const over =
      this.#settings === undefined ||
      (changed && settings.restart === 'section') ||
      (firstOfPage && settings.restart === 'page')
    if (over) this.#next = settings.start
    this.#settings = settings
  }

  /** The number as an item to the left of the baseline of its line. */
  #draw(number: number, settings: LineNumbers, { x, y }: { x: Pt; y: Pt }): Placed {
    const context = this.#context
    const base = context.document.styles.defaultParagraph ?? ''
    const run = context.styler.runs(base, undefined).run(styled(settings.style))
    const textStyle = textStyleOf(context, run, 'plain')
    const drawn = shape(formatCounter(number, settings.format ?? 'decimal'), textStyle.shaping)
    const left = x - (settings.distance ?? libreOffice.lineNumberDistance) - drawn.width
    return { x: left, y, item: { kind: 'glyphs', run: drawn, colour: textStyle.colour } }
  }
}

const unstyled = {}
const byStyle = new Map<string, { readonly style: string }>()
/**
 * Run properties with a style, as the same object for the same style, since computed styles are cached by
 * identity. At most 100 are kept.
 */
function styled(style: string | undefined): { readonly style?: string } {
  if (style === undefined) return unstyled
  let cached = byStyle.get(style)
  if (cached === undefined && byStyle.size < 100) byStyle.set(style, (cached = { style }))
  return cached ?? { style }
}
