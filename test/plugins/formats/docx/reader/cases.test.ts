import { caseFolders, outline } from '../../../../helpers/case-folders.ts'
import { readWord, readWordWithWarnings, type WordParts } from '../../../../helpers/laid-out.ts'

/** `body.xml`, and in `parts.json` other parts of the file; expected: the sections of the document model, and warnings. */
caseFolders('docx-reader', ({ text, json }) => {
  const parts = { ...json<Partial<WordParts>>('parts.json'), body: text('body.xml') ?? '' }
  const { sections, numbering, notes } = readWord(parts)
  const blocks = sections.map(({ blocks }) => blocks)
  return { 'expected.txt': outline({ blocks, numbering, notes, warnings: readWordWithWarnings(parts) }) }
})
