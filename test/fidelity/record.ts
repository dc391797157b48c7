/**
 * Writes what LibreOffice makes of the samples of `test/cases/reference`: `node test/fidelity/record.ts`. Needs soffice
 * and pdftotext; the tests then compare the instant engine with the stored words and need neither LibreOffice nor time.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chartSamples } from '../cases/reference/chart-samples.ts'
import { featureSamples } from '../cases/reference/feature-samples.ts'
import { openFile } from '../cases/reference/open.ts'
import { openSamples } from '../cases/reference/open-samples.ts'
import { storeWords } from '../cases/reference/stored.ts'
import { wordFile } from '../cases/reference/word.ts'
import { wordSamples } from '../cases/reference/word-samples.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { referencePdfs } from './reference.ts'
import { wordsOf } from './words.ts'

const root = new URL('../..', import.meta.url).pathname
const folder = temporaryFolder('record')
try {
  for (const [kind, files] of [
    ['docx', await built(wordSamples, wordFile)],
    ['charts', await built(chartSamples, wordFile)],
    ['features', await built(featureSamples, wordFile)],
    ['odt', await built(openSamples, openFile)],
  ] as const) {
    mkdirSync(join(folder, kind))
    const paths = new Map<string, string>()
    for (const [name, bytes] of files) {
      const path = join(folder, kind, `${name.replaceAll(' ', '-')}.${kind === 'odt' ? 'odt' : 'docx'}`)
      writeFileSync(path, bytes)
      paths.set(name, path)
    }
    const pdfs = await referencePdfs([...paths.values()], join(root, '.cache/fidelity/reference'))
    const stored = new Map([...paths].map(([name, path]) => [name, wordsOf(pdfs.get(path)!)]))
    writeFileSync(join(root, `test/cases/reference/${kind}.words.json`), storeWords(stored))
    console.log(`${kind}: ${stored.size} samples`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function built<Sample>(
  samples: Readonly<Record<string, Sample>>,
  file: (sample: Sample) => Promise<Uint8Array>,
): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>()
  for (const [name, sample] of Object.entries(samples)) found.set(name, await file(sample))
  return found
}
