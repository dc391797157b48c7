import { isMissing } from './coerce.ts'
import { optional, required, value } from './define.ts'
import { type ImageFit, LinkValue, PictureValue } from './formatter.ts'
import { printed } from './printed.ts'

/** Formatters that say how a value is shown where it becomes more than text: as a picture, as a link. */

const fits: readonly ImageFit[] = ['fillWidth', 'contain', 'fill']

/**
 * How a picture fills the box of its placeholder: its width with the height that the picture's ratio asks for, as much
 * of the box as the ratio allows, or the whole box. Anything else means `fillWidth`.
 *
 * @example "https://example.com/a.png" {d.v:imageFit(contain)} => https://example.com/a.png
 */
export const imageFit = value(
  'imageFit',
  [optional('mode', 'text', 'fillWidth (default), contain or fill')],
  (input, [mode]) => {
    const wanted = printed(mode).toLowerCase()
    const fit = fits.find((known) => known.toLowerCase() === wanted) ?? 'fillWidth'
    return new PictureValue(input instanceof PictureValue ? input.source : input, fit)
  },
)

/**
 * The address used when the value is not a usable link. Before `html` it covers the links inside.
 *
 * @example "example.com" {d.v:defaultURL(https://example.org)} => example.com
 */
export const defaultURL = value(
  'defaultURL',
  [required('url', 'text', 'an absolute address')],
  (input, [fallback]) => new LinkValue(isMissing(input) ? '' : input, printed(fallback)),
)
