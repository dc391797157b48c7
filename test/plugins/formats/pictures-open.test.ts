import { execFileSync } from 'node:child_process'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import JSZip from 'jszip'
import { beforeAll, expect, it } from 'vitest'
import { docxOf, odtOf } from '../../helpers/docx.ts'
import { convertFolder } from '../../helpers/libreoffice.ts'
import { mergeBytes } from '../../helpers/merge.ts'
import {
  drawing,
  fixtureUri,
  frame,
  linkRelation,
  odfParts,
  slidePicture,
  slidesWith,
  wordParts,
} from '../../helpers/pictures.ts'
import { pptxParagraph, pptxShape } from '../../helpers/pptx.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

/** LibreOffice shows the pictures and follows the links that were written: seen in the PDF it makes of them. */

const names = ['rgb.png', 'rgb.jpg', 'plain.gif', 'rgb.bmp', 'lossless.webp']
const data = {
  l: names.map((name, n) => ({
    x: fixtureUri(name),
    u: n === 4 ? 'javascript:alert(1)' : `example.org/${name}`,
  })),
  x: fixtureUri('rgb.png'),
  u: 'example.org/rgb.png',
}
const link = (id: string) => `<w:hyperlink r:id="${id}"><w:r><w:t>link</w:t></w:r></w:hyperlink>`
const anchor = (target: string) => `<text:a xlink:type="simple" xlink:href="${target}">link</text:a>`
const clicked = pptxParagraph('link').replace('"en-US"/>', '"en-US"><a:hlinkClick r:id="rId7"/></a:rPr>')
const templates: Readonly<Record<string, () => Promise<Uint8Array>>> = {
  docx: () =>
    docxOf(
      `<w:p>${drawing('{d.l[i].x}')}${link('rId5')}</w:p><w:p>${drawing('{d.l[i+1].x}', 2)}</w:p>`,
      wordParts(linkRelation('rId5', '%7Bd.l[i].u%7D')),
    ),
  odt: () =>
    odtOf(
      `<text:p>${frame('{d.l[i].x}')}${anchor('%7Bd.l[i].u%7D')}</text:p><text:p>${frame('{d.l[i+1].x}', 'b')}</text:p>`,
      odfParts(),
    ),
  pptx: () => slidesWith(slidePicture('{d.x}') + pptxShape(8, clicked), '%7Bd.u%7D'),
}

let folder = ''
beforeAll(async () => {
  folder = temporaryFolder('platen-pictures')
  for (const [format, template] of Object.entries(templates)) {
    const { value } = await mergeBytes(await template(), format, data)
    await writeFile(join(folder, `${format}.${format}`), new Uint8Array(await value.document.arrayBuffer()))
  }
  await convertFolder(folder, 'pdf', join(folder, 'profile'))
  // LibreOffice 7.4 leaves links of this document out of its PDF, but reads them: seen in what it writes as ODT.
  await mkdir(join(folder, 'word'))
  await copyFile(join(folder, 'docx.docx'), join(folder, 'word/docx.docx'))
  await convertFolder(join(folder, 'word'), 'odt', join(folder, 'profile'))
})

it.each([
  ['docx', 5, names.slice(0, 4)],
  ['odt', 5, names.slice(0, 4)],
  ['pptx', 1, names.slice(0, 1)],
] as const)('%s', async (format, pictures, links) => {
  const plain = ['--qdf', '--object-streams=disable', join(folder, `${format}.pdf`), '-']
  const pdf = execFileSync('qpdf', plain, { encoding: 'latin1' })
  const drawn = [...pdf.matchAll(/\/Subtype\s*\/Image\b/g)]
  expect(drawn.length).toBeGreaterThanOrEqual(format === 'pptx' ? pictures : 2)
  const found = format === 'docx' ? await linksOfOdt(join(folder, 'word/docx.odt')) : linksOfPdf(pdf)
  expect([...new Set(found)].sort()).toEqual(links.map((name) => `https://example.org/${name}`).sort())
})

function linksOfPdf(pdf: string): (string | undefined)[] {
  return [...pdf.matchAll(/\/URI\s*\(([^)]*)\)/g)].map(([, address]) => address)
}

async function linksOfOdt(path: string): Promise<(string | undefined)[]> {
  const zip = await JSZip.loadAsync(await readFile(path))
  const content = await zip.file('content.xml')!.async('string')
  return [...content.matchAll(/xlink:href="(https?:[^"]*)"/g)].map(([, address]) => address)
}
