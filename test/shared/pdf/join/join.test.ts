import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import { composePdf, joinPdfs } from '../../../../shared/pdf/join/compose.ts'
import { pdfLimits } from '../../../../shared/pdf/model/limits.ts'
import { nameTreeEntries, numberTreeEntries } from '../../../../shared/pdf/model/name-tree.ts'
import { readPages } from '../../../../shared/pdf/model/pages.ts'
import {
  isName,
  type PdfDict,
  type PdfName,
  PdfRef,
  PdfString,
  type PdfValue,
} from '../../../../shared/pdf/model/values.ts'
import { openPdf } from '../../../../shared/pdf/read/open.ts'
import { failure } from '../../../helpers/merge.ts'
import { ask, latin1, officePdf, pageLabels, pdfOf, repeatableRandom, stream } from '../../../helpers/pdf.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

const folder = temporaryFolder('join')
let files = 0
const look = (bytes: Uint8Array, command: string, ...args: string[]) =>
  ask(join(folder, String(++files)), bytes, command, ...args)
const open = (bytes: Uint8Array) => openPdf(bytes, nodeCodec, pdfLimits)

async function joined(...sources: readonly Uint8Array[]): Promise<Uint8Array> {
  const { value } = await joinPdfs(sources, {
    codec: nodeCodec,
    random: repeatableRandom(),
    signal: new AbortController().signal,
  })
  expect(await look(value, 'qpdf', '--check', '@')).toContain('No syntax or stream encoding errors')
  return value
}

/**
 * Two pages: the first has a link by name to the second and a text field, the second a bookmark. A heading on the first
 * and a table cell with a header on the second are tagged.
 */
function source(word: string, options: { catalog?: string; role?: string; name?: string } = {}): Uint8Array {
  const { catalog = '', role = 'P', name = '(there)' } = options
  const tagged = (text: string, tag: string) =>
    stream(`/${tag}<</MCID 0>>BDC BT /F 24 Tf 20 100 Td (${text}) Tj ET EMC`)
  return pdfOf([
    `<</Type/Catalog/Pages 2 0 R/Names<</Dests<</Kids[9 0 R]>>>>/AcroForm<</Fields[11 0 R]/DA(/Helv 0 Tf)>>/Outlines 12 0 R/StructTreeRoot 14 0 R/MarkInfo<</Marked true>>${catalog}>>`,
    '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 300 200]/Resources<</Font<</F 7 0 R>>>>>>',
    '<</Type/Page/Parent 2 0 R/Contents 5 0 R/Annots[10 0 R 11 0 R]/StructParents 0>>',
    '<</Type/Page/Parent 2 0 R/Contents 6 0 R/StructParents 1>>',
    tagged(`${word} one`, 'Heading'),
    tagged(`${word} two`, 'TH'),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    'null',
    `<</Limits[${name}${name}]/Names[${name}[4 0 R/XYZ 0 100 0]]>>`,
    `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/GoTo/D${name}>>/StructParent 2/P 3 0 R>>`,
    `<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(${word})/Rect[0 0 90 20]/P 3 0 R>>`,
    '<</Type/Outlines/First 13 0 R/Last 13 0 R/Count 1>>',
    `<</Title(${word})/Parent 12 0 R/Dest${name}>>`,
    `<</Type/StructTreeRoot/K 15 0 R/ParentTree 20 0 R/ParentTreeNextKey 3/RoleMap<</Heading/${role}>>/IDTree<</Names[(head)18 0 R]>>>>`,
    '<</Type/StructElem/S/Document/P 14 0 R/K[16 0 R 17 0 R]>>',
    '<</Type/StructElem/S/Heading/P 15 0 R/Pg 3 0 R/K[0 19 0 R]>>',
    '<</Type/StructElem/S/Table/P 15 0 R/K 21 0 R>>',
    '<</Type/StructElem/S/TH/P 21 0 R/Pg 4 0 R/K 0/ID(head)/A<</O/Table/Headers[(head)]>>>>',
    '<</Type/StructElem/S/Link/P 16 0 R/Pg 3 0 R/K<</Type/OBJR/Obj 10 0 R>>>>',
    '<</Nums[0[16 0 R]1[18 0 R]2 19 0 R]>>',
    '<</Type/StructElem/S/TR/P 17 0 R/K 18 0 R>>',
  ])
}

describe('names that two files have', () => {
  it('destinations stay apart, and links and bookmarks lead where they led', async () => {
    const bytes = await joined(source('A'), source('B'), source('C'))
    const names = await look(bytes, 'pdfinfo', '-dests', '@')
    expect(
      [...names.matchAll(/^ +(\d+) \[.*?\] "(.*)"/gm)].map(([, page, name]) => `${page} ${name}`),
    ).toEqual(['2 there', '4 there_2', '6 there_3'])
    const { outlines } = JSON.parse(await look(bytes, 'qpdf', '--json=1', '--json-key=outlines', '@')) as {
      outlines: { title: string; destpageposfrom1: number }[]
    }
    expect(outlines.map(({ title, destpageposfrom1 }) => `${title} ${destpageposfrom1}`)).toEqual([
      'A 2',
      'B 4',
      'C 6',
    ])
    const document = open(bytes)
    const links = readPages(document).flatMap(({ dict }) => {
      const annotations = document.resolve(dict.get('Annots'))
      if (!Array.isArray(annotations)) return []
      const action = document.dictAt(document.resolve(annotations[0]!) as PdfDict, 'A')!
      return [(document.resolve(action.get('D')) as PdfString).raw]
    })
    expect(links).toEqual(['there', 'there_2', 'there_3'])
  })

  it('equal texts in two encodings are equal names, and new names can be written', async () => {
    const wide = '<feff00e90074>' // ét
    const bytes = await joined(
      source('A', { name: wide }),
      source('B', { name: wide }),
      source('C', { name: '(\xe9t)' }),
    )
    const names = await look(bytes, 'pdfinfo', '-dests', '@')
    expect([...names.matchAll(/"(.*)"/g)].map(([, name]) => name).sort()).toEqual(['ét', 'ét_2', 'ét_3'])
  })

  it('a link to a name that its own file does not have leads nowhere', async () => {
    const dangling = pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]>>',
      '<</Type/Page/Parent 2 0 R/Annots[4 0 R]>>',
      '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest(there)>>',
    ])
    const document = open(await joined(source('A'), dangling))
    const [, , { dict }] = readPages(document) as [unknown, unknown, { dict: PdfDict }]
    const [link] = document.resolve(dict.get('Annots')) as PdfValue[]
    expect((document.resolve(link!) as PdfDict).get('Dest')).toBeNull()
  })

  it('destinations of PDF 1.1, named by name objects, stay apart too', async () => {
    const old = (word: string) =>
      pdfOf([
        '<</Type/Catalog/Pages 2 0 R/Dests<</there[3 0 R/Fit]>>>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]/Resources<</Font<</F 5 0 R>>>>>>',
        '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Annots[6 0 R]>>',
        stream(`BT /F 24 Tf 20 100 Td (${word}) Tj ET`),
        '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
        '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest/there>>',
      ])
    const bytes = await joined(old('A'), old('B'))
    expect(await look(bytes, 'pdfinfo', '-dests', '@')).toMatch(/1 \[.*"there"[\s\S]*2 \[.*"there_2"/)
    const objects = await look(bytes, 'qpdf', '--qdf', '--object-streams=disable', '@', '-')
    expect(objects.match(/\/Dest \/there(?:_2)?/g)?.sort()).toEqual(['/Dest /there', '/Dest /there_2'])
  })

  it('form fields get numbers, keep their values and what their form declared', async () => {
    const document = open(await joined(source('A'), source('B')))
    const form = document.dictAt(document.catalog, 'AcroForm')!
    const fields = (document.resolve(form.get('Fields')) as PdfValue[]).map(
      (field) => document.resolve(field) as PdfDict,
    )
    const text = (field: PdfDict, key: string) => (field.get(key) as PdfString | null)?.raw
    expect(fields.map((field) => [text(field, 'T'), text(field, 'V'), text(field, 'DA')])).toEqual([
      ['name', 'A', undefined],
      ['name_2', 'B', '/Helv 0 Tf'],
    ])
  })

  it('embedded files are all there', async () => {
    const attachment = (word: string) => {
      const composition = {
        before: [],
        after: [],
        attachments: [{ name: 'data.txt', bytes: latin1(word), relationship: 'Data' as const }],
      }
      const { signal } = new AbortController()
      return composePdf(source(word), composition, {
        codec: nodeCodec,
        random: repeatableRandom(),
        signal,
        now: 0,
      })
    }
    const bytes = await joined((await attachment('A')).value.bytes, (await attachment('B')).value.bytes)
    expect(await look(bytes, 'qpdf', '--list-attachments', '@')).toMatch(/^data\.txt[\s\S]*^data\.txt_2/m)
    expect(await look(bytes, 'qpdf', '--show-attachment=data.txt_2', '@')).toBe('B')
  })
})

describe('structure', () => {
  it('each page finds its own elements', async () => {
    const bytes = await joined(source('A'), source('B'))
    expect(await look(bytes, 'pdfinfo', '@')).toMatch(/Tagged: +yes/)
    const text = await look(bytes, 'pdfinfo', '-struct-text', '@')
    expect([...text.matchAll(/"(.*?)"/g)].map(([, words]) => words?.trim()).filter(Boolean)).toEqual([
      'A one',
      'A two',
      'B one',
      'B two',
    ])
    const document = open(bytes)
    const root = document.dictAt(document.catalog, 'StructTreeRoot')!
    const parents = new Map(numberTreeEntries(document, root.get('ParentTree')))
    const pages = readPages(document)
    for (const page of pages) {
      const [element] = document.resolve(parents.get(page.dict.get('StructParents') as number)!) as PdfValue[]
      expect((document.resolve(element!) as PdfDict).get('Pg')).toEqual(new PdfRef(page.id))
    }
    expect(root.get('ParentTreeNextKey')).toBe(6)
    const [second] = document.resolve(pages[2]!.dict.get('Annots')) as PdfValue[]
    const key = (document.resolve(second!) as PdfDict).get('StructParent') as number
    expect(isName((document.resolve(parents.get(key)!) as PdfDict).get('S'), 'Link')).toBe(true)
  })

  it('identifiers stay apart, and headers of cells with them', async () => {
    const document = open(await joined(source('A'), source('B')))
    const root = document.dictAt(document.catalog, 'StructTreeRoot')!
    const elements = nameTreeEntries(document, root.get('IDTree')).map(([id, element]) => {
      const cell = document.resolve(element) as PdfDict
      const [header] = document.resolve(document.dictAt(cell, 'A')!.get('Headers')) as PdfString[]
      return [id, (cell.get('ID') as PdfString).raw, header?.raw]
    })
    expect(elements).toEqual([
      ['head', 'head', 'head'],
      ['head_2', 'head_2', 'head_2'],
    ])
  })

  it.each([
    ['equal roles are shared', 'P', { Heading: 'P' }, ['Heading', 'Heading']],
    ['roles that differ stay apart', 'H1', { Heading: 'P', Heading_2: 'H1' }, ['Heading', 'Heading_2']],
  ])('%s', async (_, role, expected, used) => {
    const document = open(await joined(source('A'), source('B', { role })))
    const root = document.dictAt(document.catalog, 'StructTreeRoot')!
    const roles = [...document.dictAt(root, 'RoleMap')!.entries].map(([key, value]) => [
      key,
      (value as PdfName).text,
    ])
    expect(Object.fromEntries(roles)).toEqual(expected)
    const documents = document.resolve(root.get('K')) as PdfValue[]
    const first = documents.map((one) => {
      const [heading] = document.resolve((document.resolve(one) as PdfDict).get('K')) as PdfValue[]
      return ((document.resolve(heading!) as PdfDict).get('S') as PdfName).text
    })
    expect(first).toEqual(used)
  })

  it('a tagged file behind one without tags keeps its tags, and its language', async () => {
    const plain = pdfOf([
      '<</Type/Catalog/Pages 2 0 R/Lang(en)>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]>>',
      '<</Type/Page/Parent 2 0 R>>',
    ])
    const bytes = await joined(plain, source('B', { catalog: '/Lang(de)' }))
    expect(await look(bytes, 'pdfinfo', '-struct-text', '@')).toContain('B one')
    const document = open(bytes)
    const root = document.dictAt(document.catalog, 'StructTreeRoot')!
    const [top] = document.resolve(root.get('K')) as PdfValue[]
    expect((document.resolve(top!) as PdfDict).get('Lang')).toEqual(new PdfString('de'))
  })
})

describe('conformance', () => {
  it('is kept by files that all declare it', async () => {
    const archive = officePdf('letter-archive')
    const metadata = await look(await joined(archive, archive), 'pdfinfo', '-meta', '@')
    expect(metadata).toContain('pdfaid:part')
  })
  it('is no longer declared when one does not, with a warning', async () => {
    const { value, warnings } = await joinPdfs([officePdf('letter-archive'), source('B')], {
      codec: nodeCodec,
      random: repeatableRandom(),
      signal: new AbortController().signal,
    })
    expect(await look(value, 'pdfinfo', '-meta', '@')).not.toMatch(/pdfaid:(?:part|conformance)/)
    expect(warnings.map(({ code }) => code)).toEqual(['pdf.archive-joined'])
  })
})

describe('page labels', () => {
  const labelled = (ranges: string) => source('A', { catalog: `/PageLabels<</Kids[<</Nums[${ranges}]>>]>>` })
  const labelsOf = (bytes: Uint8Array) => pageLabels(join(folder, String(++files)), bytes)

  it('follow their pages', async () => {
    const roman = labelled('0<</S/r>>')
    const appendix = labelled('0<</S/D/P(A-)/St 7>>1<</P(Cover)>>')
    const expected = [
      [0, { S: '/r' }],
      [2, { S: '/D', P: 'u:A-', St: 7 }],
      [3, { P: 'u:Cover' }],
      [4, { S: '/r' }],
    ]
    expect(await labelsOf(await joined(roman, appendix, roman))).toEqual(expected)
  })

  it('count the pages of a file without any from 1, wherever it is joined', async () => {
    const roman = labelled('0<</S/r>>')
    expect(await labelsOf(await joined(source('B'), roman, source('C')))).toEqual([
      [0, { S: '/D' }],
      [2, { S: '/r' }],
      [4, { S: '/D' }],
    ])
    const { value } = await composePdf(
      source('B'),
      { before: [roman], after: [], attachments: [] },
      { codec: nodeCodec, random: repeatableRandom(), signal: new AbortController().signal, now: 0 },
    )
    expect(await labelsOf(value.bytes)).toEqual([
      [0, { S: '/r' }],
      [2, { S: '/D' }],
    ])
  })

  it('are not made where no file has any', async () => {
    expect(await labelsOf(await joined(source('A'), source('B')))).toEqual([])
  })

  it('that are broken are read as far as they go', async () => {
    const broken = labelled('1<</S/R/St(x)/P 5>>(no)<</S/a>>0 7')
    expect(await labelsOf(await joined(broken, source('B')))).toEqual([
      [0, { S: '/D' }],
      [1, { S: '/R' }],
      [2, { S: '/D' }],
    ])
  })
})

describe('whole files', () => {
  it('an office file and one with links keep all their pages, texts and bookmarks', async () => {
    const office = officePdf('letter-tagged')
    const words = await Promise.all(
      [office, source('B'), await joined(office, source('B'))].map((bytes) =>
        look(bytes, 'pdftotext', '@', '-'),
      ),
    )
    expect(words[2]).toBe(`${words[0]}${words[1]}`)
  })
  it('the version is that of the newest', async () => {
    const newest = pdfOf(
      [
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 9 9]>>',
        '<</Type/Page/Parent 2 0 R>>',
      ],
      { version: '2.0' },
    )
    expect(await look(await joined(source('A'), newest), 'pdfinfo', '@')).toMatch(/PDF version: +2\.0/)
  })
  it('one that cannot be read is named by its number', async () => {
    const error = await failure(joined(source('A'), latin1('%PDF-1.4 nothing')))
    expect([error.code, error.details]).toEqual(['api.batch.pdf', { index: 1 }])
  })
})
