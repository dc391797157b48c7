import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { nodeCodec } from '../../../origin/codec.ts'
import { takeMarkers } from '../../../shared/pdf/join/link-targets.ts'
import { pdfLimits } from '../../../shared/pdf/model/limits.ts'
import { openPdf } from '../../../shared/pdf/read/open.ts'
import { markPrefix } from '../../../shared/template/formatters/sign.ts'
import { docxOf, odtOf } from '../../helpers/docx.ts'
import { convertFolder } from '../../helpers/libreoffice.ts'
import { mergeBytes } from '../../helpers/merge.ts'
import { pptxOf, pptxParagraph, pptxShape } from '../../helpers/pptx.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

/** LibreOffice shows what HTML became, follows its links and keeps the places of signatures: seen in its PDF. */

const data = {
  s: { name: 'Ada' },
  h: '<h1>Head</h1><p>One <b>two</b> <a href="example.org/x">link</a></p><ol start=4><li>four<ul><li>inner</ul><li>five</ol><table><tr><th>left<th>right<tr><td colspan=2>wide</table><pre>a  b\n c</pre>',
  deep: `${'<div><b><table><tr><td>'.repeat(1_000)}bottom`,
}
const texts = ['Sign {d.s:sign} here', '{d.h:html}', '{d.deep:html}']
const templates = {
  docx: () => docxOf(texts.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('')),
  odt: () => odtOf(texts.map((text) => `<text:p>${text}</text:p>`).join('')),
  pptx: () =>
    pptxOf([
      texts
        .slice(0, 2)
        .map((text, at) => pptxShape(4 + at, pptxParagraph(text)))
        .join(''),
    ]),
}

let folder = ''
beforeAll(async () => {
  folder = temporaryFolder('platen-html')
  for (const [format, template] of Object.entries(templates)) {
    const { value } = await mergeBytes(await template(), format, data)
    await writeFile(join(folder, `${format}.${format}`), new Uint8Array(await value.document.arrayBuffer()))
  }
  await convertFolder(folder, 'pdf', join(folder, 'profile'))
})

it.each(['docx', 'odt', 'pptx'] as const)('%s', async (format) => {
  const path = join(folder, `${format}.pdf`)
  const document = openPdf(new Uint8Array(await readFile(path)), nodeCodec, pdfLimits)
  expect([...takeMarkers(document, markPrefix).keys()]).toEqual(['1'])
  expect([...takeMarkers(document, 'https://example.org/').keys()]).toEqual(['x'])
  const words = execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' }).replace(/\s+/g, ' ')
  for (const seen of [
    'Sign',
    'here',
    'Head',
    'One two link',
    '4. four',
    'inner',
    '5. five',
    'left',
    'wide',
    'a b',
  ])
    expect(words).toContain(seen)
  if (format !== 'pptx') expect(words).toContain('bottom')
})
