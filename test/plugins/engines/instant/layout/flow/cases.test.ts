import { dumpFrames } from '../../../../../../plugins/engines/instant/paint/dump/dump-frames.ts'
import { caseFolders } from '../../../../../helpers/case-folders.ts'
import { layWord, type WordParts } from '../../../../../helpers/laid-out.ts'

/** `body.xml`, and in `parts.json` other parts of the file; expected: its pages as frames, and warnings. */
caseFolders('layout-flow', ({ text, json }) => {
  const parts = { ...json<Partial<WordParts>>('parts.json'), body: text('body.xml') ?? '' }
  const { pages, warnings } = layWord(parts)
  return { 'expected.txt': dumpFrames(pages) + warnings.map(({ message }) => `${message}\n`).join('') }
})
