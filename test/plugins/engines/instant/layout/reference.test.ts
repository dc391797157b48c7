/**
 * The layout of small documents, feature by feature, against what LibreOffice made of them: every word within two
 * points of its place there. `test/fidelity/record.ts` writes the stored words anew.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nodeCodec } from '../../../../../origin/codec.ts'
import { paintDocument } from '../../../../../plugins/engines/instant/pipeline.ts'
import { docxReader } from '../../../../../plugins/formats/docx/reader/open.ts'
import { odtReader } from '../../../../../plugins/formats/odt/reader/open.ts'
import { defaultLimits } from '../../../../../shared/limits.ts'
import type { DocumentReader } from '../../../../../shared/plugin/contract.ts'
import { chartSamples } from '../../../../cases/reference/chart-samples.ts'
import { featureSamples } from '../../../../cases/reference/feature-samples.ts'
import { openFile } from '../../../../cases/reference/open.ts'
import { openSamples } from '../../../../cases/reference/open-samples.ts'
import { readWords } from '../../../../cases/reference/stored.ts'
import { wordFile } from '../../../../cases/reference/word.ts'
import { wordSamples } from '../../../../cases/reference/word-samples.ts'
import { compareWords, wordsOf } from '../../../../fidelity/words.ts'
import { shippedBook } from '../../../../helpers/instant-fonts.ts'
import { temporaryFolder } from '../../../../helpers/temporary-folder.ts'

const folder = temporaryFolder('reference')

const stored = (kind: string): ReturnType<typeof readWords> =>
  readWords(readFileSync(new URL(`../../../../cases/reference/${kind}.words.json`, import.meta.url), 'utf8'))

/** Share of the words that must agree; a word at the very edge of a line may go either way. */
const least = 0.98

/** Charts with depth, labels that LibreOffice crowds into pies, and turned words that are cut into other pieces. */
const leastOf: Readonly<Record<string, number>> = {
  'columns and a line on a second axis': 0.96,
  'columns with depth': 0.44,
  'labels inside': 0.96,
  'labels of columns': 0.88,
  'linear trend': 0.96,
  'many categories': 0.6,
  'negative values': 0.93,
  'other trends': 0.64,
  'pie with names outside': 0.4,
  'pie with shares': 0.72,
  'plot of its own place': 0.64,
  'second axis of its own': 0.96,
  small: 0.35,
}

function check<Sample>(
  kind: string,
  samples: Readonly<Record<string, Sample>>,
  reader: DocumentReader,
  file: (sample: Sample) => Promise<Uint8Array>,
): void {
  const expected = stored(kind)
  describe(kind, () => {
    for (const [name, sample] of Object.entries(samples)) {
      test(name, async () => {
        const bytes = await file(sample)
        const { value: document } = reader.read(bytes, { codec: nodeCodec, limits: defaultLimits })
        const fonts = shippedBook.forDocument()
        const {
          files: [pdf],
        } = paintDocument({
          document,
          fonts,
          codec: nodeCodec,
          deadline: Date.now() + 200_000,
          now: Date.now,
        })
        const path = join(folder, `${kind}.pdf`)
        writeFileSync(path, pdf!)
        const ours = wordsOf(path)
        const reference = expected.get(name)!
        expect(ours.length, 'pages').toBe(reference.length)
        const { words, within2 } = compareWords(reference, ours)
        expect(within2 / Math.max(1, words)).toBeGreaterThanOrEqual(leastOf[name] ?? least)
      })
    }
  })
}

check('docx', wordSamples, docxReader, wordFile)
check('charts', chartSamples, docxReader, wordFile)
check('features', featureSamples, docxReader, wordFile)
check('odt', openSamples, odtReader, openFile)
