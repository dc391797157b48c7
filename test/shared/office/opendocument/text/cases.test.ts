import { strToU8 } from 'fflate'
import { readOdt } from '../../../../../plugins/formats/odt/reader/index.ts'
import { caseFolders, outline } from '../../../../helpers/case-folders.ts'

const spaces = ['office', 'style', 'text', 'table', 'drawing', 'meta', 'number', 'presentation', 'form']
  .map(
    (name) =>
      `xmlns:${name === 'drawing' ? 'draw' : name}="urn:oasis:names:tc:opendocument:xmlns:${name === 'number' ? 'datastyle' : name}:1.0"`,
  )
  .concat(
    ['svg', 'fo'].map((prefix) => {
      const name = prefix === 'fo' ? 'xsl-fo' : prefix
      return `xmlns:${prefix}="urn:oasis:names:tc:opendocument:xmlns:${name}-compatible:1.0"`
    }),
    'xmlns:xlink="http://www.w3.org/1999/xlink"',
  )
  .join(' ')

/**
 * `body.xml`, the content of office:text, with its `automatic.xml` styles; of styles.xml the `styles.xml`, `pageLayouts.xml`
 * and `masters.xml`. Expected: what becomes of it in the document model, and warnings. The names of cases follow
 * ODF 1.3, part 3.
 */
caseFolders('opendocument-text', ({ text }) => {
  const inside = (name: string) => text(`${name}.xml`) ?? ''
  const parts: Readonly<Record<string, string>> = {
    'content.xml': `<office:document-content ${spaces}><office:automatic-styles>${inside('automatic')}</office:automatic-styles><office:body><office:text>${inside('body')}</office:text></office:body></office:document-content>`,
    'styles.xml': `<office:document-styles ${spaces}><office:styles>${inside('styles')}</office:styles><office:automatic-styles>${inside('pageLayouts')}</office:automatic-styles><office:master-styles>${inside('masters')}</office:master-styles></office:document-styles>`,
  }
  const { value, warnings } = readOdt((name) => {
    const part = parts[name]
    return part === undefined ? undefined : strToU8(part)
  })
  const { sections, onSheets, styles, numbering, notes } = value
  return { 'expected.txt': outline({ sections, onSheets, styles, numbering, notes, warnings }) }
})
