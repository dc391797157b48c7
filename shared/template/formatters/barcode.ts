import { drawBarcode, loadBarcodes } from '../../images/barcode.ts'
import { barcodeFontText } from '../../images/barcode-fonts.ts'
import { barcodeType, barcodeTypes } from '../../images/barcode-types.ts'
import { isMissing } from './coerce.ts'
import { oneOf, required, rest, value } from './define.ts'
import { DrawnPicture, isMarkup, PictureValue, type RenderContext } from './formatter.ts'
import { printed } from './printed.ts'

/** Barcodes, drawn in place of the picture that carries the tag. */

const optionNames =
  'width height scale includetext textsize textxalign textyalign rotate barcolor textcolor backgroundcolor eclevel svg'.split(
    ' ',
  )

/**
 * Draws the value as a barcode in place of the picture that carries the tag: in its alternative text, in the `src` of
 * an HTML image, between the parentheses of a Markdown image. In a text `ean8`, `ean13`, `ean128` and `code39` print
 * the characters that a barcode font of that kind wants, others the value. A value that the kind of barcode cannot hold
 * gives a neutral picture, and is printed as it is. A picture of many pixels is drawn, with `svg:true` a vector picture;
 * web formats always take the vector.
 *
 * @example "9520123456788" {d.v:barcode(ean13)} => 9FMKBMD*efghii+
 * @example "ab-1" {d.v:barcode(code39)} => *AB-1*
 * @example 1234 {d.v:barcode(qrcode, eclevel:H, svg:true)} => 1234
 */
export const barcode = value(
  'barcode',
  [
    oneOf(required('type', 'text', 'the kind of barcode, qrcode or ean13 for example'), [
      ...barcodeTypes,
      'ean128',
    ]),
    oneOf(
      rest(
        'options',
        'text',
        'key:value pairs: width and height (mm), scale (1 to 10), includetext, textsize, textxalign, textyalign, rotate (N R L I), barcolor, textcolor, backgroundcolor, eclevel (L M Q H), svg',
      ),
      ['includetext', 'svg'],
      optionNames,
    ),
  ],
  (input, [kind, ...options], { render }) => {
    const name = printed(kind).trim().toLowerCase()
    // The name of the kind in barcode fonts.
    const type = barcodeType(name === 'ean128' ? 'gs1-128' : name)
    if (isMissing(input) || typeof input === 'object' || type === undefined) return new PictureValue(nothing)
    return new PictureValue(
      drawn(
        type,
        { text: printed(input).trim(), font: name },
        options.map((option) => printed(option)),
        render,
      ),
    )
  },
  loadBarcodes,
)

/** The neutral picture in place of a value that cannot be a barcode. */
const nothing = new DrawnPicture('barcode', () => undefined, '')

/**
 * The maximum cost of all barcodes of one render, in units of about 10 ms: each barcode costs one, and every 50
 * characters one more. Elapsed time cannot serve as the measure, because the clock of a Worker stands still while code
 * runs.
 */
const budget = 4_000
const spentKey = 'barcode spent'

function drawn(
  type: string,
  { text, font }: { readonly text: string; readonly font: string },
  optionTexts: readonly string[],
  render: RenderContext,
): DrawnPicture {
  const options = Object.fromEntries(
    optionTexts.map((pair) => {
      const colon = pair.indexOf(':')
      const name = (colon < 0 ? pair : pair.slice(0, colon)).trim().toLowerCase()
      return [name, colon < 0 ? 'true' : pair.slice(colon + 1).trim()]
    }),
  )
  const drawOnce = () => {
    const steps = ((render.memo.get(spentKey) as number | undefined) ?? 0) + 1 + Math.floor(text.length / 50)
    render.memo.set(spentKey, steps)
    return steps > budget ? undefined : drawBarcode(type, text, options)
  }
  const svg = () => drawOnce()?.svg()
  const png = () => drawOnce()?.png()
  const vector = options['svg'] === 'true' || isMarkup(render.formatId)
  const key = `barcode ${JSON.stringify([type, text, options])}`
  const fontText = barcodeFontText(font, text) ?? text
  return vector ? new DrawnPicture(key, svg, fontText, png) : new DrawnPicture(key, png, fontText)
}
