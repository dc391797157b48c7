import { expect, test } from 'vitest'
import { nodeCodec } from '../../../../../../origin/codec.ts'
import { docxReader } from '../../../../../../plugins/formats/docx/reader/open.ts'
import { odtReader } from '../../../../../../plugins/formats/odt/reader/open.ts'
import { defaultLimits } from '../../../../../../shared/limits.ts'
import { openFile, par, parStyle, picture, style } from '../../../../../cases/reference/open.ts'
import { wordFile } from '../../../../../cases/reference/word.ts'
import { wordSamples } from '../../../../../cases/reference/word-samples.ts'
import { lay } from '../../../../../helpers/laid-out.ts'

/** How many lines of an ODT move down below a picture of 100 by 60 pt. */
async function linesMoved(wrap: string, lineWidth: number): Promise<number> {
  const bytes = await openFile({
    body: par(`${picture('paragraph', 'svg:x="0pt" svg:y="0pt"')}Wherever`, 'P'),
    automatic:
      parStyle('P', `fo:margin-right="${451 - lineWidth}pt"`) +
      style(
        'graphic',
        'g',
        `style:wrap="${wrap}" style:vertical-pos="from-top" style:vertical-rel="paragraph" style:horizontal-pos="from-left" style:horizontal-rel="paragraph"`,
      ),
  })
  const { value } = odtReader.read(bytes, { codec: nodeCodec, limits: defaultLimits })
  return lay(value, { pictures: true }).record.decisions.linesBelowObstacles
}

const below: readonly (readonly [name: string, wrap: string, lineWidth: number, moved: number])[] = [
  ['a word that fits beside a drawing stays there', 'parallel', 300, 0],
  ['a word that does not fit moves, which is a decision', 'parallel', 130, 1],
  ['a drawing without text beside it leaves no choice', 'none', 300, 0],
]
for (const [name, wrap, lineWidth, moved] of below)
  test(name, async () => expect(await linesMoved(wrap, lineWidth)).toBe(moved))

test('in documents of Word lines below a drawing as wide as the text count, too', async () => {
  const bytes = await wordFile(wordSamples['picture above and below text']!)
  const { value } = docxReader.read(bytes, { codec: nodeCodec, limits: defaultLimits })
  expect(lay(value, { pictures: true }).record.decisions.linesBelowObstacles).toBe(1)
})
