/**
 * Cells with `:convCRLF` get a style that wraps text, because a cell shows its line breaks only then.
 * Source: template language 13.2; ECMA-376-1, 18.8.45 and 18.8.1.
 */
import {
  attributeOf,
  elementIn,
  replaceElements,
  withAttributes,
  withoutAttribute,
} from '../../../../shared/xml/elements.ts'
import { styleList, withAppended } from './style-lists.ts'

/** The cell formats of a workbook, to which formats that wrap text are added. */
export class WrappedStyles {
  readonly #styles: string
  readonly #formats: readonly string[]
  /** Formats that wrap, to be appended to those of the part. */
  readonly #added: string[] = []
  /** Format of the part -> the one like it that wraps. */
  readonly #wrapping = new Map<number, number>()

  /** `styles`: the styles part; '' when the workbook has none. */
  constructor(styles: string) {
    this.#styles = styles
    this.#formats = styleList(styles, 'cellXfs', 'xf')
  }

  /** The sheet in which each cell with `:convCRLF` has a format that wraps. */
  apply(sheet: string): string {
    if (this.#formats.length === 0 || !sheet.includes('convCRLF')) return sheet
    return replaceElements(sheet, 'c', (attributes, content) => {
      if (content?.includes('convCRLF') !== true) return undefined
      const style = this.#wrapped(Number(attributeOf(attributes, 's') ?? 0))
      return style === undefined
        ? undefined
        : `<c${withoutAttribute(attributes, 's')} s="${style}">${content}</c>`
    })
  }

  get changed(): boolean {
    return this.#added.length > 0
  }

  /** The styles part with the formats that `apply` added. */
  get part(): string {
    return withAppended(this.#styles, 'cellXfs', this.#added, this.#formats.length)
  }

  #wrapped(style: number): number | undefined {
    const cached = this.#wrapping.get(style)
    if (cached !== undefined) return cached
    const format = this.#formats[style]
    if (format === undefined) return undefined
    if (isWrapping(format)) return style
    const number = this.#formats.length + this.#added.length
    this.#added.push(withWrapping(format))
    this.#wrapping.set(style, number)
    return number
  }
}

function isWrapping(format: string): boolean {
  const wrapText = attributeOf(elementIn(format, 'alignment')?.attributes ?? '', 'wrapText')
  return wrapText === '1' || wrapText === 'true'
}

function withWrapping(format: string): string {
  const { attributes, content = '' } = elementIn(format, 'xf')!
  const alignment = elementIn(content, 'alignment')
  const wrapping =
    alignment === undefined
      ? `<alignment wrapText="1"/>${content}`
      : content.slice(0, alignment.start) +
        withAttributes(alignment, ` wrapText="1"${withoutAttribute(alignment.attributes, 'wrapText')}`) +
        content.slice(alignment.end)
  return `<xf${withoutAttribute(attributes, 'applyAlignment')} applyAlignment="1">${wrapping}</xf>`
}
