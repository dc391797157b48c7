import { textOfBlocks } from '../html/plain.ts'
import { readHtml } from '../html/read.ts'
import { oneOf, rest, value } from './define.ts'
import { HtmlValue, isMarkup, LinkValue, Markup, type RenderContext } from './formatter.ts'
import { printed } from './printed.ts'

/** Formatters for HTML in data. Source: template language 22.5. */

/**
 * Turns HTML text into content of the document: paragraphs, lists, tables, pictures, links. In HTML and Markdown
 * templates the markup is
 * inserted without escaping. A value that is not text prints nothing.
 *
 * @example "<b>fat</b> &amp; <i>thin</i>" {d.v:html} => fat & thin
 * @example "<b>fat</b>" {d.v:html} => <b>fat</b> | formatId=html
 * @example 12 {d.v:html} => ""
 */
export const html = value(
  'html',
  [
    oneOf(
      rest('options', 'text', 'inline, nospace, tabletheme:Name, headingtheme:prefix, quotetheme:Name'),
      ['inline', 'nospace'],
      ['tabletheme', 'headingtheme', 'quotetheme'],
    ),
  ],
  (input, options, { render }) => {
    const source = input instanceof LinkValue ? input.address : input
    const fallback = input instanceof LinkValue ? input.fallback : undefined
    const text = source instanceof Markup ? unbroken(source, render) : source
    if (typeof text !== 'string') return ''
    if (isMarkup(render.formatId)) return new Markup(text, true)
    return new HtmlValue(text, options.map(printed), fallback, () => textOfBlocks(readHtml(text)))
  },
)

/** The text that `convCRLF` converted, with line breaks as HTML writes them. */
function unbroken({ markup }: Markup, { lineBreak, formatId }: RenderContext): string {
  const lines = lineBreak === undefined ? [markup] : markup.split(lineBreak)
  const isEscaped = formatId !== 'md'
  const unformatted = (line: string) =>
    line.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  return lines.map((line) => (isEscaped ? unformatted(line) : line)).join('<br>')
}
