import type { Conversion } from '../../../shared/plugin/contract.ts'
import type { PictureFormat } from '../../../shared/plugin/pictures.ts'
import { optionsOf } from './options.ts'

export const title = 'Poppler'

export type PageFormat = PictureFormat | 'svg' | 'eps'
export type TextFormat = 'fodt' | 'fods' | 'fodp' | 'html' | 'md' | 'txt' | 'text'

/** ms for a page, measured; WebP takes twice as long, but a picture of a web page made on the way would be chosen. */
const costs: Readonly<Record<PageFormat, number>> = {
  png: 60,
  jpg: 60,
  webp: 60,
  tiff: 90,
  gif: 120,
  bmp: 80,
  svg: 50,
  eps: 60,
}

/**
 * ms for a page. The layout of the text and of tables is estimated, so the cost is set to keep routes between other
 * formats from passing through a PDF. Slides are declared cheaper than they are, so that they are not made by the
 * office; text is declared more expensive, so that documents are not made from it.
 */
export const textCosts: Readonly<Record<TextFormat, number>> = {
  fodt: 60,
  fods: 60,
  fodp: 20,
  html: 100,
  md: 100,
  txt: 150,
  text: 150,
}

const declared: readonly Conversion[] = [
  ...Object.entries(costs).map(([to, cost]): Conversion => ({ from: 'pdf', to, fidelity: 'exact', cost })),
  ...Object.entries(textCosts).map(
    ([to, cost]): Conversion => ({ from: 'pdf', to, fidelity: 'basic', cost }),
  ),
]
export const conversions: readonly Conversion[] = declared.map((conversion) => ({
  ...conversion,
  options: optionsOf(conversion.to),
}))
