import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import { pdfLimits } from '../../../../shared/pdf/model/limits.ts'
import { numberTreeEntries } from '../../../../shared/pdf/model/name-tree.ts'
import { readPages } from '../../../../shared/pdf/model/pages.ts'
import { PdfDict, type PdfName, type PdfValue } from '../../../../shared/pdf/model/values.ts'
import { openPdf } from '../../../../shared/pdf/read/open.ts'
import { ask, finishPdf, pdfOf, stream } from '../../../helpers/pdf.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

const folder = temporaryFolder('prune')
let files = 0
const look = (bytes: Uint8Array, command: string, ...args: string[]) =>
  ask(join(folder, String(++files)), bytes, command, ...args)

/**
 * Three pages. Bookmarks: "1" with "1.1" (page 2) and "1.2" (page 3) below it, "2" by name (page 2), "Site" (an address),
 * "Part" without a page and "3" (page 3) below it. Page 1 links to pages 2 and 3. One table: a row on page 1 with one of
 * its cells on page 2, and a row on page 3.
 */
const source = pdfOf([
  '<</Type/Catalog/Pages 2 0 R/Outlines 12 0 R/PageMode/UseOutlines/Names<</Dests<</Names[(two)[4 0 R/Fit](x3)[5 0 R/Fit]]>>>>/StructTreeRoot 20 0 R/MarkInfo<</Marked true>>/OpenAction[5 0 R/Fit]>>',
  '<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3/MediaBox[0 0 200 100]/Resources<</Font<</F 9 0 R>>>>>>',
  '<</Type/Page/Parent 2 0 R/Contents 6 0 R/Annots[10 0 R 11 0 R]/StructParents 0>>',
  '<</Type/Page/Parent 2 0 R/Contents 7 0 R/StructParents 1>>',
  '<</Type/Page/Parent 2 0 R/Contents 8 0 R/StructParents 2>>',
  ...['One', 'Two', 'Three'].map((word) =>
    stream(`/TD<</MCID 0>>BDC BT /F 12 Tf 20 20 Td (${word}) Tj ET EMC`),
  ),
  '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest(two)/StructParent 3>>',
  '<</Type/Annot/Subtype/Link/Rect[9 0 19 9]/A<</S/GoTo/D[5 0 R/Fit]>>/StructParent 4>>',
  '<</Type/Outlines/First 13 0 R/Last 18 0 R/Count 7>>',
  '<</Title(1)/Parent 12 0 R/Dest[3 0 R/Fit]/First 14 0 R/Last 15 0 R/Count 2/Next 16 0 R>>',
  '<</Title(1.1)/Parent 13 0 R/Dest[4 0 R/Fit]/Next 15 0 R>>',
  '<</Title(1.2)/Parent 13 0 R/Dest[5 0 R/Fit]/Prev 14 0 R>>',
  '<</Title(2)/Parent 12 0 R/Dest(two)/Prev 13 0 R/Next 17 0 R>>',
  '<</Title(Site)/Parent 12 0 R/A<</S/URI/URI(http://a.example/)>>/Prev 16 0 R/Next 18 0 R>>',
  '<</Title(Part)/Parent 12 0 R/First 19 0 R/Last 19 0 R/Count 1/Prev 17 0 R>>',
  '<</Title(3)/Parent 18 0 R/Dest[5 0 R/Fit]>>',
  '<</Type/StructTreeRoot/K[21 0 R 27 0 R 28 0 R]/ParentTree 26 0 R/ParentTreeNextKey 5>>',
  '<</Type/StructElem/S/Table/P 20 0 R/K[22 0 R 24 0 R]>>',
  '<</Type/StructElem/S/TR/P 21 0 R/K[23 0 R 29 0 R]>>',
  '<</Type/StructElem/S/TD/P 22 0 R/Pg 3 0 R/K 0>>',
  '<</Type/StructElem/S/TR/P 21 0 R/K 25 0 R>>',
  '<</Type/StructElem/S/TD/P 24 0 R/Pg 5 0 R/K<</Type/MCR/Pg 5 0 R/MCID 0>>>>',
  '<</Nums[0[23 0 R]1[29 0 R]2[25 0 R]3 27 0 R 4 28 0 R]>>',
  '<</Type/StructElem/S/Link/P 20 0 R/Pg 3 0 R/K[<</Type/OBJR/Obj 10 0 R>>]>>',
  '<</Type/StructElem/S/Link/P 20 0 R/Pg 3 0 R/K[<</Type/OBJR/Obj 11 0 R>>]>>',
  '<</Type/StructElem/S/TD/P 22 0 R/Pg 4 0 R/K[0]>>',
])

async function pagesOf(range: string) {
  const { value } = await finishPdf(source, { PageRange: range })
  expect(await look(value, 'qpdf', '--check', '@')).toContain('No syntax or stream encoding errors')
  return { bytes: value, document: openPdf(value, nodeCodec, pdfLimits) }
}

interface Bookmark {
  readonly title: string
  readonly destpageposfrom1: number | null
  readonly kids: readonly Bookmark[]
}

async function bookmarks(bytes: Uint8Array): Promise<readonly string[]> {
  const json = await look(bytes, 'qpdf', '--json=1', '--json-key=outlines', '@')
  const lines = (items: readonly Bookmark[], indent: string): string[] =>
    items.flatMap(({ title, destpageposfrom1: page, kids }) => [
      `${indent}${title}${page === null ? '' : ` @${page}`}`,
      ...lines(kids, `${indent}  `),
    ])
  return lines((JSON.parse(json) as { outlines: readonly Bookmark[] }).outlines, '')
}

describe('bookmarks', () => {
  it.each([
    ['1', ['1 @1', 'Site']],
    ['2', ['1.1 @1', '2 @1', 'Site']],
    ['3', ['1.2 @1', 'Site', 'Part', '  3 @1']],
    ['1-2', ['1 @1', '  1.1 @2', '2 @2', 'Site']],
    ['3,2', ['1.1 @2', '1.2 @1', '2 @2', 'Site', 'Part', '  3 @1']],
    ['1-3', ['1 @1', '  1.1 @2', '  1.2 @3', '2 @2', 'Site', 'Part', '  3 @3']],
  ])('of pages %s', async (range, expected) => {
    expect(await bookmarks((await pagesOf(range)).bytes)).toEqual(expected)
  })
  it('are counted again', async () => {
    const { document } = await pagesOf('1-2')
    expect(document.dictAt(document.catalog, 'Outlines')?.get('Count')).toBe(4)
  })
  it('none are left when none leads to what is left', async () => {
    const single = pdfOf([
      '<</Type/Catalog/Pages 2 0 R/Outlines 5 0 R/PageMode/UseOutlines>>',
      '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 200 100]>>',
      '<</Type/Page/Parent 2 0 R>>',
      '<</Type/Page/Parent 2 0 R>>',
      '<</Type/Outlines/First 6 0 R/Last 6 0 R/Count 1>>',
      '<</Title(1)/Parent 5 0 R/Dest[3 0 R/Fit]>>',
    ])
    const { value } = await finishPdf(single, { PageRange: '2' })
    const { catalog } = openPdf(value, nodeCodec, pdfLimits)
    expect([catalog.get('Outlines'), catalog.get('PageMode')]).toEqual([null, null])
  })
})

describe('links and names', () => {
  it.each([
    ['1', 0, []],
    ['1-2', 1, ['two']],
    ['1,3', 1, ['x3']],
    ['1-3', 2, ['two', 'x3']],
  ])('of pages %s', async (range, links, names) => {
    const { bytes, document } = await pagesOf(range)
    const annotations = document.resolve(readPages(document)[0]!.dict.get('Annots')) as PdfValue[]
    expect(annotations).toHaveLength(links)
    const listed = await look(bytes, 'pdfinfo', '-dests', '@')
    expect([...listed.matchAll(/"(.*)"/g)].map(([, name]) => name)).toEqual(names)
  })
  it('the file opens on a page that it has', async () => {
    expect((await pagesOf('1')).document.catalog.get('OpenAction')).toBeNull()
    expect((await pagesOf('3')).document.catalog.get('OpenAction')).not.toBeNull()
  })
})

describe('structure', () => {
  /** Roles with their children in brackets. */
  const shape = ({ document }: Awaited<ReturnType<typeof pagesOf>>): string => {
    const text = (value: PdfValue): string => {
      const element = document.resolve(value)
      if (Array.isArray(element)) return element.map(text).filter(Boolean).join(' ')
      if (!(element instanceof PdfDict)) return ''
      const role = document.resolve(element.get('S')) as PdfName | null
      const below = text(element.get('K'))
      return role === null ? below : `${role.text}${below === '' ? '' : `(${below})`}`
    }
    return text(document.dictAt(document.catalog, 'StructTreeRoot')!.get('K'))
  }
  const keys = ({ document }: Awaited<ReturnType<typeof pagesOf>>) =>
    numberTreeEntries(document, document.dictAt(document.catalog, 'StructTreeRoot')!.get('ParentTree')).map(
      ([key]) => key,
    )

  it.each([
    ['1', 'Table(TR(TD TD))', [0]],
    ['3', 'Table(TR(TD))', [2]],
    ['1-2', 'Table(TR(TD TD)) Link', [0, 1, 3]],
    ['1-3', 'Table(TR(TD TD) TR(TD)) Link Link', [0, 1, 2, 3, 4]],
  ])('of pages %s', async (range, expected, parentKeys) => {
    const selected = await pagesOf(range)
    expect([shape(selected), keys(selected)]).toEqual([expected, parentKeys])
    const text = await look(selected.bytes, 'qpdf', '--qdf', '--object-streams=disable', '@', '-')
    expect(text).not.toMatch(/\/(?:Pg|Obj) null/)
  })
})
