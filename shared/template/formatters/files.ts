import { type FileRelationship, relationships } from '../../pdf/join/attach.ts'
import { isMissing } from './coerce.ts'
import { oneOf, optional, required, value } from './define.ts'
import { addOperation } from './operations.ts'
import { printed } from './printed.ts'

/**
 * Files joined to the PDF of a render or embedded in it. They act once the PDF is made; any other output ignores them
 * with a warning. Source: template language 22.11.
 */

const where = oneOf(optional('where', 'text', 'end (default) or start'), ['end', 'start'])
const positionOf = (text: unknown): 'start' | 'end' =>
  printed(text).trim().toLowerCase() === 'start' ? 'start' : 'end'

/**
 * Joins the PDF that the value points at, an address or a data URI, behind the document or before it. A JPEG
 * becomes a page of A4. Prints nothing.
 *
 * @example "https://example.com/terms.pdf" {d.v:appendFile(end)} => ""
 * @example "" {d.v:appendFile} => ""
 */
export const appendFile = value('appendFile', [where], (input, [position], { render }) => {
  const source = isMissing(input) ? '' : printed(input).trim()
  if (source !== '') addOperation(render, { kind: 'append', source, where: positionOf(position) })
  return ''
})

/**
 * Embeds the file that the value points at in the PDF: an address, a data URI, or the text of an XML file. A file
 * `factur-x.xml` makes the PDF an electronic invoice. Prints nothing.
 *
 * @example "https://example.com/a.csv" {d.v:attachFile(a.csv, Source)} => ""
 */
export const attachFile = value(
  'attachFile',
  [
    required('name', 'text', 'the file name in the PDF'),
    oneOf(
      optional(
        'relationship',
        'text',
        'Data (default), Source, Alternative, Supplement, FormData, Schema or Unspecified',
      ),
      relationships,
    ),
  ],
  (input, [name, relationship], { render }) => {
    const source = isMissing(input) ? '' : printed(input).trim()
    const requested = printed(relationship).trim().toLowerCase()
    const canonical: FileRelationship =
      relationships.find((candidate) => candidate.toLowerCase() === requested) ?? 'Data'
    const file = printed(name)
      .replace(/[\u0000-\u001f\\/]/g, '')
      .trim()
      .slice(0, 200)
    if (source !== '' && file !== '')
      addOperation(render, { kind: 'attach', source, name: file, relationship: canonical })
    return ''
  },
)

/**
 * Renders another stored template with the value as its data and joins the PDF of it. Prints nothing.
 *
 * @example {"v":{"a":1}} {d.v:appendTemplate('1234567890123456789', start)} => ""
 */
export const appendTemplate = value(
  'appendTemplate',
  [required('template', 'text', 'the id of a template or of a version'), where],
  (input, [template, position], { render }) => {
    const id = printed(template).trim()
    if (!isMissing(input) && id !== '')
      addOperation(render, { kind: 'template', template: id, where: positionOf(position), data: input })
    return ''
  },
)
