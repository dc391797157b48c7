import { expect, it } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import { pdfLimits } from '../../../../shared/pdf/model/limits.ts'
import { openPdf } from '../../../../shared/pdf/read/open.ts'
import { lossesBetween } from '../../../../shared/pdf/stage/losses.ts'
import { pdfOf } from '../../../helpers/pdf.ts'

interface Parts {
  readonly catalog?: string
  readonly annotations?: string
  readonly fonts?: string
}

const open = ({ catalog = '', annotations = '', fonts = '' }: Parts) =>
  openPdf(
    pdfOf([
      `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
      '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 9 9]>>',
      `<</Type/Page/Parent 2 0 R/Annots[${annotations}]/Resources<</Font<<${fonts}>>>>>>`,
      '<</Type/Outlines/First 5 0 R/Last 6 0 R/Count 2>>',
      '<</Title(a)/Parent 4 0 R/Dest[3 0 R/Fit]/Next 6 0 R>>',
      '<</Title(b)/Parent 4 0 R/Dest[3 0 R/Fit]/Prev 5 0 R/First 5 0 R>>',
      '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest[3 0 R/Fit]>>',
      '<</Type/Annot/Subtype/Widget/FT/Tx/T(x)/Rect[0 0 9 9]>>',
      '<</Type/StructTreeRoot>>',
      '<</Type/Outlines/First 11 0 R/Last 11 0 R/Count 1>>',
      '<</Title(Page 1)/Parent 10 0 R/Dest[3 0 R/Fit]>>',
    ]),
    nodeCodec,
    pdfLimits,
  )
const font = (key: string, name: string) => `/${key}<</Type/Font/Subtype/Type1/BaseFont/${name}>>`

it.each<[string, Parts, Parts, readonly string[]]>([
  ['nothing', { annotations: '7 0 R' }, { annotations: '7 0 R' }, []],
  ['more than there was', {}, { annotations: '7 0 R 7 0 R', catalog: '/Outlines 4 0 R' }, []],
  ['one of two links', { annotations: '7 0 R 7 0 R' }, { annotations: '7 0 R' }, ['which lost a link.']],
  [
    'a bookmark that another took the place of',
    { catalog: '/Outlines 4 0 R' },
    { catalog: '/Outlines 10 0 R' },
    ['which lost 2 bookmarks.'],
  ],
  ['bookmarks, counted once', { catalog: '/Outlines 4 0 R' }, {}, ['which lost 2 bookmarks.']],
  [
    'fields, names and structure',
    {
      catalog: '/AcroForm<</Fields[8 0 R]>>/Names<</Dests<</Names[(a)[3 0 R/Fit]]>>>>/StructTreeRoot 9 0 R',
      annotations: '8 0 R',
    },
    {},
    ['which lost a form field, a named destination and its structure tags.'],
  ],
  [
    'the tag of a subset',
    { fonts: font('A', 'ABCDEF+Garamond') },
    { fonts: font('B', 'GHIJKL+Garamond') },
    [],
  ],
  [
    'fonts',
    { fonts: font('A', 'Garamond') + font('B', 'Bodoni') },
    { fonts: font('A', 'Liberation') },
    ['without its fonts Garamond and Bodoni.'],
  ],
])('%s', (_, before, after, expected) => {
  const messages = lossesBetween(open(before), open(after)).map(({ message }) => message)
  expect(messages).toEqual(expected.map((text) => expect.stringContaining(text)))
})
