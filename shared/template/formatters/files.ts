import { type FileRelationship, relationships } from '../../pdf/join/attach.ts'
import { isMissing } from './coerce.ts'
import { oneOf, optional, required, value } from './define.ts'
import { addOperation } from './operations.ts'
import { printed } from './printed.ts'

/**
 * Files that are appended to the PDF of a render or embedded in it, after the PDF was created. Any other output
 * ignores them with a warning. Source: template language 22.11.
 */

const where = oneOf(optional('where', 'text', 'end (default) or start'), ['end', 'start'])
const positionOf = (text: unknown): 'start' | 'end' =>
  printed(text).trim().toLowerCase() === 'start' ? 'start' : 'end'

/**
 * Adds the PDF that the value refers to, an address or a data URI, after or before the document. A JPEG
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
 * Embeds the file that the value refers to in the PDF: an address, a data URI, or the text of an XML file. A file
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
 * Renders another stored template with the value as its data and adds its PDF. Prints nothing.
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
