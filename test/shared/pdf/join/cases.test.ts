import { join } from 'node:path'
import { expect } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import { joinPdfs } from '../../../../shared/pdf/join/compose.ts'
import { caseFolders } from '../../../helpers/case-folders.ts'
import { ask, pdfOf, repeatableRandom } from '../../../helpers/pdf.ts'
import { objectsIn, printObjects } from '../../../helpers/pdf-objects.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

const place = join(temporaryFolder('join-cases'), 'joined.pdf')

/**
 * `1.txt`, `2.txt` …, the objects of files between empty lines, the first of each its catalogue. Expected: the objects of the
 * joined file, in the order in which they are met from its catalogue.
 */
caseFolders('pdf-join', async ({ names, text }) => {
  const files = names.filter((name) => /^\d\.txt$/.test(name)).toSorted()
  const { value } = await joinPdfs(
    files.map((name) => pdfOf(objectsIn(text(name) ?? ''))),
    { codec: nodeCodec, random: repeatableRandom(), signal: new AbortController().signal },
  )
  expect(await ask(place, value, 'qpdf', '--check', '@')).toContain('No syntax or stream encoding errors')
  return { 'expected.txt': printObjects(value) }
})
