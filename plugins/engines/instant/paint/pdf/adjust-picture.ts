/**
 * Draws pictures in other colours than those they are stored in. The bytes stay as they are; their colour space
 * computes the new colours (DeviceN with a function of type 4; ISO 32000-2, 8.6.6.5 and 7.10.5). Nothing is
 * decoded.
 */

import type { PictureAdjust } from '../../../../../shared/document/paint.ts'
import { entryOf } from '../../../../../shared/entry-of.ts'
import type { PdfFile } from '../../../../../shared/pdf/write/pdf-file.ts'
import type { EncodedPicture } from './encode-picture.ts'
import { factor, reference } from './syntax.ts'

/** Returns the picture with a different colour space; undefined if its colours are neither RGB nor grey. */
export function adjusted(
  file: PdfFile,
  picture: EncodedPicture,
  adjust: PictureAdjust,
): EncodedPicture | undefined {
  const space = /\/ColorSpace\[?(?:\/Indexed)?\/Device(RGB|Gray)/.exec(picture.dictionary)
  if (space === null) return undefined
  const grey = space[1] === 'Gray'
  const inputs = grey ? 1 : 3
  const program = `{${grey ? 'dup dup ' : ''}${programOf(adjust)}}`
  const range = (count: number): string => `[${'0 1 '.repeat(count).trim()}]`
  const id = file.stream(
    `/FunctionType 4/Domain${range(inputs)}/Range${range(3)}`,
    new TextEncoder().encode(program),
  )
  const names = grey ? ['G'] : ['P', 'Q', 'S']
  const deviceN = `[/DeviceN[${names.map((name) => `/${name}`).join('')}]/DeviceRGB ${reference(id)}${colorants(names)}]`
  const dictionary = picture.dictionary.replace(
    /(\/ColorSpace\[?(?:\/Indexed)?)\/Device(?:RGB|Gray)/,
    (_, before: string) => before + deviceN,
  )
  return { ...picture, dictionary }
}

/** The colour of each ink on its own, which PDF/A requires (ISO 19005-2, 6.2.4.4). */
function colorants(names: readonly string[]): string {
  const alone = names.map((name) => {
    const colour = entryOf(inks, name) ?? '1 1 1'
    return `/${name}[/Separation/${name}/DeviceRGB<</FunctionType 2/Domain[0 1]/C0[0 0 0]/C1[${colour}]/N 1>>]`
  })
  return `<</Colorants<<${alone.join('')}>>>>`
}
/** Colorant names that no device has, so that every viewer uses the function instead of real inks. */
const inks: Readonly<Record<string, string>> = { P: '1 0 0', Q: '0 1 0', S: '0 0 1', G: '1 1 1' }

export const adjustKey = (adjust: PictureAdjust | undefined): string =>
  adjust === undefined ? '' : programOf(adjust)

/** The PostScript calculator function: takes red, green and blue from the stack and leaves the adjusted ones. */
function programOf({ kind, threshold = 0.5, dark, light, brightness, contrast }: PictureAdjust): string {
  const grey = '0.114 mul exch 0.587 mul add exch 0.299 mul add '
  const steps: string[] = []
  if (kind === 'grey') steps.push(`${grey}dup dup`)
  else if (kind === 'two-tone') steps.push(`${grey}${factor(threshold)} ge {1}{0} ifelse dup dup`)
  else if (kind === 'inverted') steps.push(Array(3).fill('1 exch sub 3 1 roll').join(' '))
  else if (kind === 'duotone') {
    const [r, g, b] = [0, 1, 2].map((index) =>
      mix(channel(dark ?? '000000', index), channel(light ?? 'FFFFFF', index)),
    )
    steps.push(`${grey}dup ${r} exch dup ${g} exch ${b}`)
  }
  // Observed in LibreOffice: contrast scales around middle grey, then brightness is added.
  const slope = contrast >= 0 ? 128 / (128 - 127 * Math.min(0.99, contrast)) : (128 + 127 * contrast) / 128
  const offset = brightness + (1 - slope) * (128 / 255)
  if (Math.abs(slope - 1) > 0.001 || Math.abs(offset) > 0.001) {
    const adjustment = `${factor(slope)} mul ${factor(offset)} add 3 1 roll`
    steps.push(`${adjustment} ${adjustment} ${adjustment}`)
  }
  return steps.join(' ')
}

const channel = (color: string, index: number): number =>
  (Number.parseInt(color.slice(index * 2, index * 2 + 2), 16) || 0) / 255
const mix = (from: number, to: number): string => `${factor(to - from)} mul ${factor(from)} add`
