import { expect, test } from 'vitest'
import { layWord, p, readWord } from '../../../../helpers/laid-out.ts'

const art = (textpath: string): string =>
  `<w:p xmlns:v="urn:schemas-microsoft-com:vml"><w:r><w:pict><v:shape type="#_x0000_t136" style="width:150pt;height:30pt" fillcolor="black" stroked="f"><v:textpath ${textpath}/><v:textbox><w:txbxContent>${p('words in the box')}</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>`
const box = (inner: string): string =>
  `<w:p xmlns:v="urn:schemas-microsoft-com:vml"><w:r><w:pict><v:shape type="#_x0000_t202" style="position:absolute;width:200pt;height:60pt"><v:textbox><w:txbxContent>${inner}</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>`
const words = (body: string): string[] => layWord({ body }).lines.map(({ text }) => text)

test('text along a path replaces the shape, also in a text box', () => {
  expect(words(art('on="t" string="WORDS"'))).toEqual(['WORDS'])
  expect(words(box(art('on="t" string="WORDS"')))).toEqual(['WORDS'])
})
test('a path without text leaves the text of the shape', () => {
  expect(words(art('on="t"'))).toEqual(['words in the box'])
  expect(words(art('on="f" string="WORDS"'))).toEqual(['words in the box'])
})

test.each(['#_x0000_t75', '_x0000_tole_rId2'])(
  'a shape of the type %s is nothing but its picture',
  (type) => {
    const shape = `<v:shape type="${type}" style="width:90pt;height:60pt" filled="f"/>`
    const body = `<w:p xmlns:v="urn:schemas-microsoft-com:vml"><w:r><w:object>${shape}</w:object></w:r></w:p>`
    expect(readWord({ body }).sections[0]?.blocks).toMatchObject([{ kind: 'paragraph', inlines: [] }])
  },
)
