/** Text that is copied out of a PDF is the text that was written, whatever became of it on the page. */
import { expect, test } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import { createFontBook } from '../../../../plugins/engines/instant/fonts/font-book.ts'
import { joinSources } from '../../../../plugins/engines/instant/fonts/font-source.ts'
import { fontRequests } from '../../../../plugins/engines/instant/fonts-needed.ts'
import { paintDocument } from '../../../../plugins/engines/instant/pipeline.ts'
import { fontFixture, inspect, shippedSource } from '../../../helpers/instant-fonts.ts'
import { p, readWord } from '../../../helpers/laid-out.ts'

const book = createFontBook(
  joinSources(fontFixture('dejavu-arabic-few.ttf'), fontFixture('lohit-few.ttf'), shippedSource),
)

async function copied(body: string): Promise<string> {
  const document = readWord({ body })
  const fonts = book.forDocument()
  await fonts.prepare(fontRequests(document))
  const {
    files: [pdf],
  } = paintDocument({
    document,
    fonts,
    codec: nodeCodec,
    deadline: Date.now() + 200_000,
    now: Date.now,
  })
  expect(inspect(pdf!, 'qpdf', ['--check', '{}'])).toContain('No syntax or stream encoding errors')
  // Embedding marks are pdftotext's own.
  return inspect(pdf!, 'pdftotext', ['{}', '-'])
    .replace(/[\u202a-\u202e\f]/g, '')
    .trim()
}

const rtl = '<w:rtl/>'
test.each([
  [
    'ligatures',
    p('first office affair', '', '<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri"/>'),
    'first office affair',
  ],
  ['letters that join', p('مسل', '<w:bidi/>', rtl), 'مسل'],
  // What stands between letters: pdftotext gives brackets at the end of a line a direction of their own.
  ['brackets from right to left', p('مس (سلم) مل', '<w:bidi/>', rtl), 'مس (سلم) مل'],
  [
    'brackets in both directions',
    p('مس (سلم) مل', '<w:bidi/>', rtl) + p('a (b) [c] d'),
    'مس (سلم) مل a (b) [c] d',
  ],
  ['letters that change places', p('क्षि'), 'क्षि'],
  ['capitals that are small', p('Small', '', '<w:smallCaps/>'), 'SMALL'],
  ['soft hyphens', p('co\u00adop'), 'coop'],
  ['no-break spaces and hyphens', p('a\u00a0b\u2011c'), 'a b-c'],
])('%s', async (_, body, expected) => {
  const text = await copied(body)
  expect(text.replace(/\s+/g, ' ')).toBe(expected.replace(/\s+/g, ' '))
})
