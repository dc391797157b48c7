/** The text, pictures, links and check boxes of a paragraph. Source: ODF 1.3 part 3, clauses 6.1, 6.1.8 and 10.4. */

import type { HtmlContent } from '../../template/html/bind.ts'
import type { HtmlImage, HtmlInline } from '../../template/html/model.ts'
import { characters } from '../../template/html/plain.ts'
import { embedHtmlImage } from '../../template/media/html-image.ts'
import { linkAddress } from '../../template/media/link.ts'
import { type MediaFile, renderMedia } from '../../template/media/media.ts'
import { type RenderScope, scopeKey } from '../../template/scope.ts'
import { escapeAttribute, escapeText } from '../../xml/markup.ts'
import type { OdfAdditions } from '../odf-pictures.ts'
import type { OdfStyles } from './styles.ts'

export interface TextContext {
  readonly content: HtmlContent
  readonly scope: RenderScope
  readonly styles: OdfStyles
  readonly additions: OdfAdditions
  /** The width of the text of a page, in cm. */
  readonly textWidth: number
  /**
   * Set for slides. LibreOffice does not open slides with pictures in their text, so the alternative text is written
   * instead.
   */
  readonly textOnly: boolean
}

export function textOf(inlines: readonly HtmlInline[], context: TextContext): string {
  let result = ''
  let isStart = true
  for (let index = 0; index < inlines.length; ) {
    const { link } = inlines[index]!.style
    let end = index + 1
    while (end < inlines.length && inlines[end]!.style.link === link) end += 1
    const { fallback } = context.content
    const address =
      link === undefined
        ? undefined
        : (linkAddress(link) ?? (fallback === undefined ? undefined : linkAddress(fallback)))
    let linkText = ''
    for (const inline of inlines.slice(index, end)) {
      linkText += written(inline, address, isStart, context)
      isStart = inline.kind === 'break'
    }
    result += address === undefined || context.textOnly ? linkText : linked(address, linkText)
    index = end
  }
  return result
}

const linked = (address: string, linkText: string): string =>
  `<text:a xlink:type="simple" xlink:href="${escapeAttribute(address)}">${linkText}</text:a>`

/** On slides links are fields, which contain only unformatted text; the enclosing element has the formatting. */
function written(
  inline: HtmlInline,
  address: string | undefined,
  isStart: boolean,
  context: TextContext,
): string {
  if (inline.kind === 'break') return '<text:line-break/>'
  const isPicture = inline.kind === 'image' && !context.textOnly
  const inlineContent = isPicture ? picture(inline, context) : withBlanks(characters(inline), isStart)
  const content =
    address === undefined || !context.textOnly || inlineContent === ''
      ? inlineContent
      : linked(address, inlineContent)
  const style = context.styles.text(context.scope, inline.style, address !== undefined)
  return style === undefined ? content : `<text:span text:style-name="${style}">${content}</text:span>`
}

/** Consecutive spaces after the first, tabs, and spaces at the beginning of a line are written as elements. */
function withBlanks(text: string, isStart: boolean): string {
  return escapeText(text)
    .replace(isStart ? /^ +| {2,}/g : / {2,}/g, (blanks, offset: number) => {
      const leadingBlanks = offset === 0 && isStart ? 0 : 1
      const further = blanks.length - leadingBlanks
      return (
        (leadingBlanks === 1 ? ' ' : '') +
        (further === 0 ? '' : further === 1 ? '<text:s/>' : `<text:s text:c="${further}"/>`)
      )
    })
    .replaceAll('\t', '<text:tab/>')
    .replaceAll('\n', '<text:line-break/>')
}

const cmPerPixel = 2.54 / 96
const numberKey = scopeKey<number>('number for names')

/** Returns a number that is unique in this render, for names. */
export function nextNumber(scope: RenderScope): number {
  const number = (scope.get(numberKey) ?? 0) + 1
  scope.set(numberKey, number)
  return number
}

function picture(image: HtmlImage, { scope, additions, textWidth }: TextContext): string {
  const { file, width, height } = embedHtmlImage(scope, image, textWidth / cmPerPixel)
  const imageMarkup = (mediaFile: MediaFile) => {
    const { attributes, content } = additions.picture(scope, mediaFile)
    const image = `<draw:image${attributes} xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"`
    return content === '' ? `${image}/>` : `${image}>${content}</draw:image>`
  }
  const fallback = scope.require(renderMedia).fallbackImage(file)
  const side = (length: number) => `${Math.max(0.01, length * cmPerPixel).toFixed(3)}cm`
  const text = image.text === '' ? '' : `<svg:desc>${escapeText(image.text)}</svg:desc>`
  return `<draw:frame draw:name="HtmlPicture${nextNumber(scope)}" text:anchor-type="as-char" svg:width="${side(width)}" svg:height="${side(height)}">${imageMarkup(file)}${fallback === undefined ? '' : imageMarkup(fallback)}${text}</draw:frame>`
}
