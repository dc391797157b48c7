import JSZip from 'jszip'
import { describe, expect, test } from 'vitest'
import { bodyOf, docxOf, entryText, paragraph } from '../../helpers/docx.ts'
import { mergeBytes } from '../../helpers/merge.ts'
import { pptxOf, pptxParagraph, pptxShape } from '../../helpers/pptx.ts'
import { processorTime } from '../../helpers/processor-time.ts'
import { problemsOf } from '../../helpers/structure.ts'
import { readCells, xlsxOf } from '../../helpers/xlsx.ts'

/** Files inside a Word document, as "insert object" makes them. */

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const mimes: Readonly<Record<string, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
}
const object = (id: string) =>
  `<w:p><w:r><w:object w:dxaOrig="1440" w:dyaOrig="720"><o:OLEObject xmlns:o="urn:schemas-microsoft-com:office:office" Type="Embed" ProgID="x" ShapeID="s" DrawAspect="Content" ObjectID="o" r:id="${id}"/></w:object></w:r></w:p>`

function withFiles(body: string, files: Readonly<Record<string, Uint8Array>>): Promise<Uint8Array> {
  const names = Object.keys(files)
  const extensions = new Set(names.map((name) => name.split('.').at(-1)!))
  return docxOf(body, {
    '[Content_Types].xml': `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${[...extensions].map((each) => `<Default Extension="${each}" ContentType="${mimes[each] ?? 'application/octet-stream'}"/>`).join('')}<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    'word/_rels/document.xml.rels': `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names.map((name, at) => `<Relationship Id="rIdE${at + 1}" Type="${office}/package" Target="embeddings/${name}"/>`).join('')}</Relationships>`,
    ...Object.fromEntries(names.map((name) => [`word/embeddings/${name}`, files[name]!])),
  })
}

async function rendered(body: string, files: Readonly<Record<string, Uint8Array>>, data: unknown) {
  const { value } = await mergeBytes(await withFiles(body, files), 'docx', data)
  const bytes = new Uint8Array(await value.document.arrayBuffer())
  expect(await problemsOf(bytes)).toEqual([])
  const zip = await JSZip.loadAsync(bytes)
  return {
    bytes,
    names: Object.keys(zip.files).filter((name) => name.includes('embeddings/')),
    file: async (name: string) => {
      const inner = await zip.file(`word/embeddings/${name}`)!.async('uint8array')
      if (name.split('.').at(-1) !== 'bin') expect(await problemsOf(inner)).toEqual([])
      return inner
    },
  }
}

const data = {
  name: 'Noa',
  l: [
    { n: 'a', v: 1 },
    { n: 'b', v: 2 },
  ],
}
const sheet = () =>
  xlsxOf({
    sheets: [
      {
        name: 'S',
        cells: {
          A1: '{d.l[i].n}',
          B1: '{d.l[i].v:formatN}',
          A2: '{d.l[i+1].n}',
          A3: '{d.name}',
          B3: '=SUM(B1:B2)',
        },
      },
    ],
  })

describe('files inside a document see the same data', () => {
  test('a workbook', async () => {
    const { file } = await rendered(object('rIdE1'), { 'Sheet1.xlsx': await sheet() }, data)
    expect(await readCells(await file('Sheet1.xlsx'))).toEqual({
      A1: "'a'",
      B1: '1',
      A2: "'b'",
      B2: '2',
      A3: "'Noa'",
      B3: '=SUM(B1:B2)',
    })
  })
  test('a document', async () => {
    const { file } = await rendered(
      object('rIdE1'),
      { 'Doc1.docx': await docxOf(paragraph('Dear {d.name}')) },
      data,
    )
    expect(await bodyOf(await file('Doc1.docx'))).toContain('Dear Noa')
  })
  test('a presentation, its slides repeated', async () => {
    const slides = await pptxOf([
      pptxShape(2, pptxParagraph('{d.l[i].n}')),
      pptxShape(2, pptxParagraph('{d.l[i+1].n}')),
    ])
    const { file } = await rendered(object('rIdE1'), { 'Show1.pptx': slides }, data)
    const zip = await JSZip.loadAsync(await file('Show1.pptx'))
    expect(Object.keys(zip.files).filter((name) => /slides\/slide\d+\.xml$/.test(name)).length).toBe(2)
  })
  test('aliases of the document are known inside', async () => {
    const inner = await docxOf(paragraph('{$who}'))
    const { file } = await rendered(
      paragraph('{#who=d.name}') + object('rIdE1'),
      { 'Doc1.docx': inner },
      data,
    )
    expect(await bodyOf(await file('Doc1.docx'))).toContain('>Noa<')
  })
})

describe('a file in a loop', () => {
  const body = `${paragraph('{d.l[i].n}')}${object('rIdE1')}${paragraph('{d.l[i+1].n}')}`
  test('is there once for each item', async () => {
    const { file, names, bytes } = await rendered(
      body,
      { 'Doc1.docx': await docxOf(paragraph('{d.l[i].v}')) },
      data,
    )
    expect(names.length).toBe(2)
    expect(await bodyOf(await file('Doc1.docx'))).toContain('>1<')
    expect(await bodyOf(await file('Doc1_2.docx'))).toContain('>2<')
    const ids = [
      ...(await entryText(bytes, 'word/document.xml')).matchAll(/OLEObject [^>]*r:id="([^"]*)"/g),
    ].map(([, id]) => id)
    expect(new Set(ids).size).toBe(2)
  })
  test('without tags too', async () => {
    const inner = await docxOf(paragraph('still'))
    const { file, names } = await rendered(body, { 'Doc1.docx': inner }, data)
    expect(names.length).toBe(2)
    expect(await file('Doc1_2.docx')).toEqual(await file('Doc1.docx'))
  })
  test('that never runs is gone', async () => {
    const { names } = await rendered(body, { 'Doc1.docx': await docxOf(paragraph('{d.l[i].v}')) }, { l: [] })
    expect(names).toEqual([])
  })
})

describe('what stays as it is', () => {
  test('a file without tags, byte for byte', async () => {
    const inner = await docxOf(paragraph('still'))
    const { file } = await rendered(object('rIdE1') + paragraph('{d.name}'), { 'Doc1.docx': inner }, data)
    expect(await file('Doc1.docx')).toEqual(inner)
  })
  test('a file in a file', async () => {
    const innermost = await docxOf(paragraph('{d.name}'))
    const inner = await withFiles(paragraph('{d.name}') + object('rIdE1'), { 'Deep.docx': innermost })
    const { file } = await rendered(object('rIdE1'), { 'Doc1.docx': inner }, data)
    const zip = await JSZip.loadAsync(await file('Doc1.docx'))
    expect(await zip.file('word/document.xml')!.async('string')).toContain('>Noa<')
    expect(await zip.file('word/embeddings/Deep.docx')!.async('uint8array')).toEqual(innermost)
  })
  test('files that unpack to more than all may take', async () => {
    const big = await docxOf(`${paragraph('{d.name}')}${paragraph('x'.repeat(24_000_000))}`)
    const files = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`Doc${at + 1}.docx`, big]))
    const body = Object.keys(files)
      .map((_, at) => object(`rIdE${at + 1}`))
      .join('')
    const begun = process.cpuUsage()
    const { value } = await mergeBytes(await withFiles(body, files), 'docx', data)
    expect(processorTime(begun)).toBeLessThan(20_000)
    const zip = await JSZip.loadAsync(await value.document.arrayBuffer())
    expect(await zip.file('word/embeddings/Doc12.docx')!.async('uint8array')).toEqual(big)
  })
  test.each([
    ['a broken file', 'Doc1.docx', new TextEncoder().encode('no package {d.name}')],
    [
      'an old compound file',
      'Doc1.xlsx',
      new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0]),
    ],
    ['a file of another kind', 'oleObject1.bin', new TextEncoder().encode('{d.name}')],
  ])('%s', async (_, name, content) => {
    const { value } = await mergeBytes(
      await withFiles(object('rIdE1') + paragraph('{d.name}'), { [name]: content }),
      'docx',
      data,
    )
    const zip = await JSZip.loadAsync(await value.document.arrayBuffer())
    expect(await zip.file(`word/embeddings/${name}`)!.async('uint8array')).toEqual(content)
  })
})

describe('files inside a workbook', () => {
  const object =
    '<oleObjects><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="x14"><oleObject progId="Document" shapeId="1025" r:id="rId5"><objectPr defaultSize="0"/></oleObject></mc:Choice><mc:Fallback><oleObject progId="Document" shapeId="1025" r:id="rId5"/></mc:Fallback></mc:AlternateContent></oleObjects>'
  const book = async (cells: Readonly<Record<string, string>>, inner: Uint8Array) => {
    const zip = await JSZip.loadAsync(
      await xlsxOf({
        sheets: [
          {
            name: 'S',
            cells,
            after: object,
            relationships: [{ id: 'rId5', type: 'package', target: '../embeddings/Document1.docx' }],
          },
        ],
      }),
    )
    const types = await zip.file('[Content_Types].xml')!.async('string')
    zip.file(
      '[Content_Types].xml',
      types.replace('<Override', `<Default Extension="docx" ContentType="${mimes['docx']}"/><Override`),
      { createFolders: false },
    )
    zip.file('xl/embeddings/Document1.docx', inner, { createFolders: false })
    return zip.generateAsync({ type: 'uint8array' })
  }
  test.each([
    ['beside tags in cells', { A1: '{d.name}' }],
    ['alone', { A1: 'still' }],
  ])('a document %s', async (_, cells) => {
    const template = await book(cells, await docxOf(paragraph('Dear {d.name}')))
    const { value } = await mergeBytes(template, 'xlsx', data)
    const bytes = new Uint8Array(await value.document.arrayBuffer())
    expect(await problemsOf(bytes)).toEqual([])
    const zip = await JSZip.loadAsync(bytes)
    expect(Object.keys(zip.files).filter((name) => name.includes('embeddings/'))).toEqual([
      'xl/embeddings/Document1.docx',
    ])
    expect(await bodyOf(await zip.file('xl/embeddings/Document1.docx')!.async('uint8array'))).toContain(
      'Dear Noa',
    )
    expect((await entryText(bytes, 'xl/worksheets/sheet1.xml')).split('r:id="rId5"').length).toBe(3)
  })
  test('without any tag everything stays', async () => {
    const inner = await docxOf(paragraph('still'))
    const { value } = await mergeBytes(await book({ A1: 'still' }, inner), 'xlsx', data)
    const zip = await JSZip.loadAsync(await value.document.arrayBuffer())
    expect(await zip.file('xl/embeddings/Document1.docx')!.async('uint8array')).toEqual(inner)
  })
})
