/** EPUB of real documents, held against its standard by epubcheck. */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'
import { createOffice } from './office.ts'
import { flatText } from './samples.ts'

const office = createOffice()
const folder = temporaryFolder('epub-test')
afterAll(async () => {
  await office.engine.stop?.()
  rmSync(folder, { recursive: true, force: true })
})

const fixture = (path: string) =>
  new Uint8Array(readFileSync(new URL(`../../../fixtures/${path}`, import.meta.url)))
const sources = [
  ['a letter', 'docx', fixture('templates/letter/template.docx')],
  ['a report with pictures', 'docx', fixture('corpus/evotecit__word-business-delivery-summary.docx')],
  ['Arabic', 'docx', fixture('corpus/plutext__arabic_align.docx')],
  ['an older text with pictures', 'odt', fixture('corpus/docling-project__text_document_03.odt')],
  ['a flat text', 'fodt', flatText],
] as const

/** The time of so short a program is that of its start: without the second compiler it takes less than half. */
const startsQuickly = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']

/** What epubcheck says of a file, on standard error for errors and on standard output otherwise. */
function check(bytes: Uint8Array): string {
  const file = join(folder, 'made.epub')
  writeFileSync(file, bytes)
  return execFileSync('java', [...startsQuickly, '-jar', '/usr/bin/epubcheck', file], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

it.each(sources)('%s', async (_, from, source) => {
  const { bytes } = await office.convert(source, from, 'epub')
  expect(check(bytes)).toContain('No errors or warnings detected')
})
