import { isMissing } from './coerce.ts'
import { value } from './define.ts'
import { HtmlValue, isMarkup, Markup } from './formatter.ts'
import { addOperation, operationsOf } from './operations.ts'

/** Prefix of the addresses of marks: a host name that cannot exist. */
export const markPrefix = 'https://sign.invalid/'

/**
 * Reserves the place of a signature: it prints nothing visible, and the answer to the render reports its page and
 * position in the PDF with the value's data. Source: template language 22.12.
 *
 * @example {"v":{"name":"Ada"}} {d.v:sign} => ""
 */
export const sign = value('sign', [], (input, _, { render }) => {
  if (isMissing(input)) return ''
  const signature = String(operationsOf(render).filter(({ kind }) => kind === 'sign').length + 1)
  addOperation(render, { kind: 'sign', mark: signature, data: input })
  // An unformatted link over a space: a link is the only invisible element whose rectangle every engine writes into a
  // PDF.
  const html = `<a href="${markPrefix}${signature}" style="text-decoration:none">&nbsp;</a>`
  if (isMarkup(render.formatId)) return new Markup(html)
  return new HtmlValue(html, ['inline'], undefined, () => '')
})
