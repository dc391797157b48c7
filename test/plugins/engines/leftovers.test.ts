import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { machineHyphenation } from '../../../origin/hyphenation.ts'
import chromium from '../../../plugins/engines/chromium/index.ts'
import idml from '../../../plugins/engines/idml/index.ts'
import instant from '../../../plugins/engines/instant/index.ts'
import libreoffice from '../../../plugins/engines/libreoffice/index.ts'
import officeAlt from '../../../plugins/engines/office-alt/index.ts'
import poppler from '../../../plugins/engines/poppler/index.ts'
import raster from '../../../plugins/engines/raster/index.ts'
import tables from '../../../plugins/engines/tables/index.ts'
import tex from '../../../plugins/engines/tex/index.ts'
import web from '../../../plugins/engines/web/index.ts'
import { formats } from '../../../plugins/formats/index.ts'
import type { Engine } from '../../../shared/plugin/contract.ts'
import { docxOf } from '../../helpers/docx.ts'
import { docxWithFont, htmlWithFont, invoice, withoutDates } from '../../helpers/embedded-fonts.ts'
import { engineUnder, originHost } from '../../helpers/engines.ts'
import { idmlOf, page as idmlPage, leaflet, paragraph, range, text as words } from '../../helpers/idml.ts'
import { shippedSource } from '../../helpers/instant-fonts.ts'
import { odsOf, odsRow, odsTable } from '../../helpers/ods.ts'
import { xlsxOf } from '../../helpers/xlsx.ts'

const host = {
  ...originHost(undefined, formats),
  fonts: () => shippedSource,
  asset: machineHyphenation('/nonexistent', []),
}
const plugins = { chromium, idml, instant, libreoffice, officeAlt, poppler, raster, tables, tex, web }
type Name = keyof typeof plugins
const engines = Object.fromEntries(
  Object.entries(plugins).map(([name, plugin]) => [name, engineUnder<Engine<never>>(plugin, host)]),
) as Record<Name, ReturnType<typeof engineUnder<Engine<never>>>>
afterAll(() => Promise.all(Object.values(engines).map(({ engine }) => engine.stop?.())))

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
/** Styles under usual names, another language with hyphenation, and paper of another size. */
const docxWithSettings = () =>
  docxOf(
    '<w:p><w:pPr><w:pStyle w:val="Normal"/></w:pPr><w:r><w:t>Donaudampfschifffahrtsgesellschaft</w:t></w:r></w:p><w:sectPr><w:pgSz w:w="4000" w:h="4000" w:orient="landscape"/></w:sectPr>',
    {
      'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${['styles', 'settings'].map((part, at) => `<Relationship Id="rId${at + 1}" Type="${relations}/${part}" Target="${part}.xml"/>`).join('')}</Relationships>`,
      'word/styles.xml': `<w:styles xmlns:w="${word}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Liberation Mono" w:hAnsi="Liberation Mono"/><w:sz w:val="60"/><w:lang w:val="de-DE"/></w:rPr></w:rPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:rPr><w:b/><w:color w:val="FF0000"/></w:rPr></w:style></w:styles>`,
      'word/settings.xml': `<w:settings xmlns:w="${word}"><w:autoHyphenation/></w:settings>`,
    },
  )
const page = '<html><body style="font-family: Arial"><p id="x">Invoice 12345</p></body></html>'
/** What it kept would be shown. */
const showingStorage = `${page}<script>try{document.getElementById('x').append(localStorage.getItem('k')||'',document.cookie)}catch{}</script>`
const keepingPage =
  '<html lang="de"><head><style>@page{size:5cm 5cm}</style></head><body><script>try{localStorage.setItem("k","kept");document.cookie="k=kept";indexedDB.open("k");navigator.serviceWorker.register("data:text/javascript,")}catch{}</script>x</body></html>'
const pdfOf = async (document: Promise<Uint8Array>) =>
  (await engines.instant.convert(await document, 'docx', 'pdf')).bytes

/** A BMP of one pixel. */
function pixel(colour: number): Uint8Array {
  const file = new Uint8Array(58)
  const view = new DataView(file.buffer)
  file.set([0x42, 0x4d])
  view.setUint32(2, 58, true)
  view.setUint32(10, 54, true)
  view.setUint32(14, 40, true)
  view.setInt32(18, 1, true)
  view.setInt32(22, 1, true)
  view.setUint16(26, 1, true)
  view.setUint16(28, 24, true)
  view.setUint32(54, colour, true)
  return file
}

const picture = new Uint8Array(readFileSync(new URL('../../fixtures/images/rgb.png', import.meta.url)))
/** Colours and styles under the names of other documents, and another page. */
const idmlWithStyles = () =>
  idmlOf({
    stories: { st: paragraph(range(words('Other'))) },
    spreads: [idmlPage('p1', 50, 50)],
    graphic: '<Color Self="Color/Black" Model="Process" Space="RGB" ColorValue="255 0 0" Name="Black"/>',
    styles:
      '<ParagraphStyle Self="ParagraphStyle/$ID/NormalParagraphStyle" Name="$ID/NormalParagraphStyle" PointSize="60"/>',
  })

type Source = string | Uint8Array | Promise<Uint8Array>
/** The document of somebody, and what others send in between. */
const cases: readonly (readonly [Name, string, string, () => Source, readonly (() => Source)[]])[] = [
  ['libreoffice', 'docx', 'pdf', invoice, [() => docxWithFont('Arial'), docxWithSettings]],
  ['instant', 'docx', 'pdf', invoice, [() => docxWithFont('Arial'), docxWithSettings]],
  ['tex', 'docx', 'latex', invoice, [() => docxWithFont('Arial'), docxWithSettings]],
  ['chromium', 'html', 'pdf', () => showingStorage, [() => htmlWithFont('Arial'), () => keepingPage]],
  ['web', 'html', 'md', () => page, [() => htmlWithFont('Arial'), () => keepingPage]],
  [
    'poppler',
    'pdf',
    'png',
    () => pdfOf(invoice()),
    [() => pdfOf(docxWithFont('Arial')), () => pdfOf(docxWithSettings())],
  ],
  [
    'poppler',
    'pdf',
    'txt',
    () => pdfOf(invoice()),
    [() => pdfOf(docxWithFont('Arial')), () => pdfOf(docxWithSettings())],
  ],
  [
    'tables',
    'ods',
    'ooxml',
    () => odsOf(odsTable('S', odsRow(['a', 1]))),
    [() => odsOf(odsTable('T', odsRow(['b', 2, 'c'])))],
  ],
  ['officeAlt', 'docx', 'pdf', invoice, [() => docxWithFont('Arial'), docxWithSettings]],
  [
    'officeAlt',
    'xlsx',
    'pdf',
    () => xlsxOf({ sheets: [{ name: 'S', cells: { A1: 'Invoice', B1: 12345 } }] }),
    [() => xlsxOf({ sheets: [{ name: 'T', cells: { A1: 'Other', A2: '=1+1' } }] })],
  ],
  ['idml', 'idml', 'paged', () => leaflet(picture), [idmlWithStyles]],
  ['idml', 'idml', 'txt', () => leaflet(picture), [idmlWithStyles]],
  ['raster', 'bmp', 'ppm', () => pixel(0x11_22_33), [() => pixel(0xff_00_00)]],
]

describe('what one document leaves for the next', () => {
  it.each(cases)('changes nothing in engine %s from %s to %s', async (name, from, to, mine, others) => {
    const { convert } = engines[name]
    const make = async (source: Source) => withoutDates((await convert(await source, from, to)).bytes)
    const document = await mine()
    const before = await make(document)
    for (const other of others) expect(await make(other())).not.toBe(before)
    expect(await make(document)).toBe(before)
  })
})
