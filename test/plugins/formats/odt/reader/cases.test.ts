import { nodeCodec } from '../../../../../origin/codec.ts'
import { odtReader } from '../../../../../plugins/formats/odt/reader/open.ts'
import { defaultLimits } from '../../../../../shared/limits.ts'
import { caseFolders, outline } from '../../../../helpers/case-folders.ts'
import { odtOf } from '../../../../helpers/docx.ts'

/** `body.xml`, the content of `office:text`; expected: the sections of the document model, and warnings. */
caseFolders('odt-reader', async ({ text }) => {
  const bytes = await odtOf(text('body.xml') ?? '')
  const { value, warnings } = odtReader.read(bytes, { codec: nodeCodec, limits: defaultLimits })
  const { sections, numbering, notes } = value
  const blocks = sections.map(({ blocks }) => blocks)
  return { 'expected.txt': outline({ blocks, numbering, notes, warnings }) }
})
