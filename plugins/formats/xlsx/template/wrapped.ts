/**
 * Cells with `:convCRLF` get a style that wraps text, because a cell shows its line breaks only then.
 * Source: template language 13.2; ECMA-376-1, 18.8.45 and 18.8.1.
 */
import { replaceElements } from '../../../../shared/office/markup.ts'
import { attributeOf, without } from './shared-strings.ts'

export class WrappedStyles {
  readonly #styles: string
  readonly #formats: readonly string[]
  /** Formats that wrap, to be appended to those of the part. */
  readonly #added: string[] = []
  /** Style -> the one like it that wraps. */
  readonly #known = new Map<number, number>()

  /** `styles`: the part with the styles; '' when there is none. */
  constructor(styles: string) {
    this.#styles = styles
    const list = /<cellXfs\b[^<>]*>([\s\S]*?)<\/cellXfs>/.exec(styles)?.[1] ?? ''
    this.#formats = list.match(/<xf\b(?:[^<>]*\/>|[^<>]*>[\s\S]*?<\/xf>)/g) ?? []
  }

  /** The sheet with a style for each cell that may hold line breaks. */
  apply(sheet: string): string {
    if (this.#formats.length === 0 || !sheet.includes('convCRLF')) return sheet
    return replaceElements(sheet, 'c', (attributes, content) => {
      if (content?.includes('convCRLF') !== true) return undefined
      const style = this.#wrapped(Number(attributeOf(attributes, 's') ?? 0))
      return style === undefined ? undefined : `<c${without(attributes, 's')} s="${style}">${content}</c>`
    })
  }

  get changed(): boolean {
    return this.#added.length > 0
  }

  /** The part with the styles that were added. */
  get part(): string {
    if (!this.changed) return this.#styles
    const count = this.#formats.length + this.#added.length
    return this.#styles
      .replace(/(<cellXfs\b[^<>]*?)\scount="\d*"/, `$1 count="${count}"`)
      .replace('</cellXfs>', `${this.#added.join('')}</cellXfs>`)
  }

  #wrapped(style: number): number | undefined {
    const known = this.#known.get(style)
    if (known !== undefined) return known
    const format = this.#formats[style]
    if (format === undefined) return undefined
    if (/<alignment\b[^<>]*\swrapText="(?:1|true)"/.test(format)) return style
    const number = this.#formats.length + this.#added.length
    this.#added.push(withWrapping(format))
    this.#known.set(style, number)
    return number
  }
}

function withWrapping(format: string): string {
  const end = format.indexOf('>')
  const closed = format[end - 1] === '/'
  const head = `${without(format.slice(0, closed ? end - 1 : end), 'applyAlignment')} applyAlignment="1">`
  if (closed) return `${head}<alignment wrapText="1"/></xf>`
  const inside = format.slice(end + 1)
  const aligned = /<alignment\b[^<>]*>/.exec(inside)
  if (aligned === null) return `${head}<alignment wrapText="1"/>${inside}`
  const alignment = without(aligned[0], 'wrapText').replace('<alignment', '<alignment wrapText="1"')
  return head + inside.replace(aligned[0], alignment)
}
