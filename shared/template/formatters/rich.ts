import { entryOf } from '../../entry-of.ts'
import { loadJpeg } from '../../images/exif-orientation.ts'
import { isMissing, toNumber } from './coerce.ts'
import { oneOf, optional, required, value } from './define.ts'
import { ColorValue, type ImageFit, LinkValue, PictureValue, ShiftValue } from './formatter.ts'
import { printed } from './printed.ts'

/** Formatters that determine how a value is shown when it is more than text: as a picture or a link. */

const fits: readonly ImageFit[] = ['fillWidth', 'contain', 'fill']

/**
 * How a picture fills the box of its placeholder: its width with the height that the picture's ratio asks for, as much
 * of the box as the ratio allows, or the whole box. Anything else means `fillWidth`.
 *
 * @example "https://example.com/a.png" {d.v:imageFit(contain)} => https://example.com/a.png
 */
export const imageFit = value(
  'imageFit',
  [oneOf(optional('mode', 'text', 'fillWidth (default), contain or fill'), fits)],
  (input, [mode]) => {
    const requested = printed(mode).toLowerCase()
    const fit = fits.find((name) => name.toLowerCase() === requested) ?? 'fillWidth'
    return input instanceof PictureValue
      ? new PictureValue(input.source, fit, input.appliesOrientation)
      : new PictureValue(input, fit)
  },
)

/**
 * Applies the EXIF orientation of a photo (JPEG). It comes before `imageFit`. Web pages apply it anyway.
 *
 * @example "https://example.com/a.jpg" {d.v:autoOrient:imageFit(contain)} => https://example.com/a.jpg
 */
export const autoOrient = value(
  'autoOrient',
  [],
  (input) =>
    input instanceof PictureValue
      ? new PictureValue(input.source, input.fit, true)
      : new PictureValue(input, 'fillWidth', true),
  loadJpeg,
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

const colorScopes = ['p', 'paragraph', 'cell', 'row', 'shape', 'part', 'page']
const colorTypes = ['text', 'background', 'highlight', 'border']

/**
 * Colours the element around the tag with the value, six hexadecimal digits with or without `#`; anything else is
 * `#888888`. Prints nothing. Colours of a paragraph go before those of its shape, its cell and its row; other styles
 * of the element stay.
 *
 * @example "#CC0000" {d.v:color(row, background)} =>
 */
export const color = value(
  'color',
  [
    oneOf(optional('scope', 'text', 'p (default), cell, row, shape, part or page'), colorScopes),
    oneOf(optional('type', 'text', 'text (default), background, highlight or border'), colorTypes),
  ],
  (input) => {
    const hex = /^\s*#?([\da-f]{6})\s*$/i.exec(isMissing(input) ? '' : printed(input))?.[1]
    return new ColorValue((hex ?? '888888').toUpperCase())
  },
)

const inchesPer: Readonly<Record<string, number>> = { cm: 1 / 2.54, mm: 1 / 25.4, inch: 1, in: 1, pt: 1 / 72 }

/**
 * Moves the shape or picture that carries the tag, in its text or in its alternative text, by the value. Prints
 * nothing.
 *
 * @example 2.5 {d.v:transform(x, cm)} =>
 */
export const transform = value(
  'transform',
  [
    oneOf(required('axis', 'text', 'x or y'), ['x', 'y']),
    oneOf(optional('unit', 'text', 'cm (default), mm, inch, in or pt'), Object.keys(inchesPer)),
  ],
  (input, [axis, unit]) => {
    const inches =
      toNumber(input) *
      (entryOf(
        inchesPer,
        printed(unit ?? 'cm')
          .trim()
          .toLowerCase(),
      ) ?? 0)
    // An offset beyond the width of any page has no visible effect, and some programs refuse it.
    const clamped = Number.isFinite(inches) ? Math.min(200, Math.max(-200, inches)) : 0
    return new ShiftValue(printed(axis).trim().toLowerCase() === 'y' ? 'y' : 'x', clamped)
  },
)
