import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { docxOf, odtOf } from '../../helpers/docx.ts'
import { convertFolder } from '../../helpers/libreoffice.ts'
import { mergeBytes } from '../../helpers/merge.ts'
import { odgOf, odpOf, odsOf, odsRow, odsTable } from '../../helpers/ods.ts'
import { drawing, frame, odfParts, slidePicture, slidesWith, wordParts } from '../../helpers/pictures.ts'
import { pptxParagraph, pptxShape, pptxTable } from '../../helpers/pptx.ts'
import { problemsOf } from '../../helpers/structure.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
import { xlsxOf } from '../../helpers/xlsx.ts'

/** Colours and barcodes as LibreOffice shows them: a reader finds the code on the page, the colours are there. */
const data = {
  l: ['DDFFDD', 'FFDDDD', 'DDDDFF'].map((c, n) => ({ n: `row ${n}`, c })),
  q: 'https://example.org/rich',
  m: 1,
}
const colored = '{d.l[i].n}{d.l[i].c:color(row, background)}'
const code = '{d.q:barcode(qrcode, svg:true)}'
const p = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
const row = (text: string) =>
  `<w:tr><w:tc><w:tcPr><w:tcW w:w="4000" w:type="dxa"/></w:tcPr>${p(text)}</w:tc></w:tr>`
const floating = (name: string) =>
  frame(code, name)
    .replace('text:anchor-type="as-char"', 'svg:x="2cm" svg:y="6cm"')
    .replace('svg:height="2cm"', 'svg:height="4cm"')
const page = `<draw:page draw:name="p" draw:master-page-name="M">${floating('q')}<draw:custom-shape draw:name="s" svg:x="1cm" svg:y="1cm" svg:width="6cm" svg:height="3cm"><text:p>{d.l[0].c:color(shape, background)}{d.m:transform(x, cm)}x</text:p><draw:enhanced-geometry draw:type="rectangle" svg:viewBox="0 0 21600 21600" draw:enhanced-path="M 0 0 L 21600 0 21600 21600 0 21600 0 0 Z N"/></draw:custom-shape></draw:page>`
const anchor = `<xdr:oneCellAnchor><xdr:from><xdr:col>2</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>4</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:ext cx="1500000" cy="1500000"/><xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="P" descr="${code}"/><xdr:cNvPicPr/></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="rId1"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1500000" cy="1500000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic><xdr:clientData/></xdr:oneCellAnchor>`
const templates: Readonly<Record<string, () => Promise<Uint8Array>>> = {
  docx: () =>
    docxOf(
      `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="4000"/></w:tblGrid>${row(colored)}${row('{d.l[i+1].n}')}</w:tbl><w:p>${drawing(code)}</w:p>`,
      wordParts(),
    ),
  odt: () =>
    odtOf(
      `<table:table table:name="T"><table:table-column/>${[colored, '{d.l[i+1].n}'].map((text) => `<table:table-row><table:table-cell><text:p>${text}</text:p></table:table-cell></table:table-row>`).join('')}</table:table><text:p>${frame(code)}</text:p>`,
      odfParts(),
    ),
  ods: () =>
    odsOf(
      odsTable(
        'S',
        odsRow([colored]),
        odsRow(['{d.l[i+1].n}']),
        odsRow([`<table:table-cell>${floating('q').replace(/ svg:[xy]="[^"]*"/g, '')}</table:table-cell>`]),
      ),
    ),
  odp: () => odpOf(page),
  odg: () => odgOf(page),
  pptx: () =>
    slidesWith(
      pptxTable(5, [colored, 'x'], ['{d.l[i+1].n}', '']) +
        pptxShape(8, pptxParagraph('{d.m:transform(y, cm)}x')) +
        slidePicture(code, 9),
      'https://a.org',
    ),
  xlsx: () =>
    xlsxOf({
      sheets: [
        {
          name: 'S',
          cells: { A1: colored, A2: '{d.l[i+1].n}' },
          after: '<drawing r:id="rId1"/>',
          relationships: [{ id: 'rId1', type: 'drawing', target: '../drawings/drawing1.xml' }],
        },
      ],
      extra: {
        'xl/drawings/drawing1.xml': `<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">${anchor}</xdr:wsDr>`,
      },
      types: { 'xl/drawings/drawing1.xml': 'application/vnd.openxmlformats-officedocument.drawing+xml' },
    }),
}

let folder = ''
beforeAll(async () => {
  folder = temporaryFolder('platen-rich')
  for (const [format, template] of Object.entries(templates)) {
    const { value, warnings } = await mergeBytes(await template(), format, data)
    const out = new Uint8Array(await value.document.arrayBuffer())
    // The sample picture of the workbook is not part of it.
    expect((await problemsOf(out)).filter((problem) => !problem.includes('rId1'))).toEqual([])
    expect(warnings).toEqual([])
    await writeFile(join(folder, `${format}.${format}`), out)
  }
  await convertFolder(folder, 'pdf', join(folder, 'profile'))
})

/** Colours of a picture (PPM, one byte a sample) as hexadecimal digits. */
function colorsOf(ppm: Uint8Array): Set<string> {
  const head = /^P6\s+\d+\s+\d+\s+255\s/.exec(new TextDecoder('latin1').decode(ppm.subarray(0, 40)))![0]
  const found = new Set<string>()
  for (let at = head.length; at + 2 < ppm.length; at += 3)
    found.add(
      ((ppm[at]! << 16) | (ppm[at + 1]! << 8) | ppm[at + 2]!).toString(16).padStart(6, '0').toUpperCase(),
    )
  return found
}

it.each(Object.keys(templates))('%s', async (format) => {
  execFileSync('pdftoppm', [
    '-r',
    '150',
    '-f',
    '1',
    '-l',
    '1',
    '-singlefile',
    join(folder, `${format}.pdf`),
    join(folder, format),
  ])
  const file = join(folder, `${format}.ppm`)
  const colors = colorsOf(new Uint8Array(await readFile(file)))
  const wanted = format === 'odp' || format === 'odg' ? ['DDFFDD'] : ['DDFFDD', 'FFDDDD', 'DDDDFF']
  expect(wanted.filter((color) => !colors.has(color))).toEqual([])
  expect(execFileSync('zbarimg', ['--nodbus', '-q', file], { encoding: 'utf8' })).toBe(
    'QR-Code:https://example.org/rich\n',
  )
})
