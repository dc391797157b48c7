import { describe, expect, it } from 'vitest'
import { bodyOf, docxOf, entryText, odtOf } from '../../../helpers/docx.ts'
import { mergeBytes, mergeText } from '../../../helpers/merge.ts'
import { odfBody, odpOf } from '../../../helpers/ods.ts'
import { dataUri, frame, odfParts, slidePicture, slidesWith, svg } from '../../../helpers/pictures.ts'
import { pptxParagraph, pptxShape } from '../../../helpers/pptx.ts'
import { problemsOf } from '../../../helpers/structure.ts'

async function merge(format: string, template: Promise<Uint8Array>, data: unknown) {
  const { value, warnings } = await mergeBytes(await template, format, data)
  const out = new Uint8Array(await value.document.arrayBuffer())
  // A unit that does not exist is reported where warnings of words are tested.
  const others = warnings.filter(({ code }) => code !== 'template.formatter.arguments')
  expect([await problemsOf(out), others]).toEqual([[], []])
  return out
}
const wide = dataUri(svg(400, 100), 'image/svg+xml')

describe('slides of PowerPoint', () => {
  const off = async (shapes: string, data: unknown) => {
    const xml = await entryText(
      await merge('pptx', slidesWith(shapes, 'https://a.org'), data),
      'ppt/slides/slide1.xml',
    )
    return [...xml.matchAll(/<a:off x="(-?\d+)" y="(-?\d+)"\/>/g)].map(([, x, y]) => `${x} ${y}`)
  }
  const plain = pptxShape(8, pptxParagraph('x'))
  it.each([
    ['{d.a:transform(x, inch)}', { a: 1 }, '914400 0'],
    ['{d.a:transform(y, in)}', { a: '0.5' }, '0 457200'],
    ['{d.a:transform(x, cm)}{d.b:transform(y, mm)}', { a: 2.54, b: 25.4 }, '914400 914400'],
    ['{d.a:transform(x, pt)}{d.a:transform(x, pt)}', { a: -36 }, '-914400 0'],
    ['{d.a:transform(x, ell)}', { a: 1 }, '0 0'],
    ['{d.a:transform(x, cm)}', { a: 'far' }, '0 0'],
    ['{d.a:transform(x, cm)}', {}, '0 0'],
    ['{d.a:mul(2):transform(x, in)}', { a: 1e300 }, '182880000 0'],
  ])('%s of %j', async (tag, data, expected) => {
    const [before] = await off(plain, {})
    const [x, y] = before!.split(' ').map(Number)
    const [dx, dy] = expected.split(' ').map(Number)
    expect(await off(pptxShape(8, pptxParagraph(`${tag}x`)), data)).toEqual([`${x! + dx!} ${y! + dy!}`])
  })
  it('a picture, by its alternative text', async () => {
    expect(await off(slidePicture('{d.p}{d.a:transform(y, inch)}'), { p: wide, a: 1 })).toEqual([
      '400000 3914400',
    ])
  })
})

it('Impress: shapes, lines, turned ones, in repeated pages', async () => {
  const page = (name: string, tag: string) =>
    `<draw:page draw:name="${name}" draw:master-page-name="M"><draw:custom-shape draw:name="s" svg:x="1cm" svg:y="20mm" svg:width="3cm" svg:height="1cm"><text:p>${tag}</text:p></draw:custom-shape><draw:line draw:name="l" svg:x1="0cm" svg:y1="0cm" svg:x2="1in" svg:y2="0cm"><text:p>{d.b:transform(x, cm)}</text:p></draw:line><draw:custom-shape draw:name="t" draw:transform="rotate (0.5) translate (1cm 2cm)"><text:p>{d.b:transform(y, cm)}</text:p></draw:custom-shape></draw:page>`
  const out = await merge(
    'odp',
    odpOf(page('p', '{d.l[i].a:transform(x, cm)}') + page('q', '{d.l[i+1].a}')),
    { l: [{ a: 1 }, { a: 2 }], b: 0.5 },
  )
  expect(
    [...(await odfBody(out)).matchAll(/ (svg:[xy]\d?|draw:transform)="([^"]*)"/g)].map(
      ([, , value]) => value,
    ),
  ).toEqual(
    [2, 3].flatMap((x) => [
      `${x}cm`,
      '2cm',
      '0.5cm',
      '0cm',
      '3.04cm',
      '0cm',
      'rotate (0.5) translate (1cm 2.5cm)',
    ]),
  )
})

it('Writer: a picture of data that is moved', async () => {
  const picture = frame('{d.p}{d.a:transform(x, cm)}').replace(
    'text:anchor-type="as-char"',
    'text:anchor-type="paragraph" svg:x="1cm" svg:y="2cm"',
  )
  const body = await bodyOf(
    await merge('odt', odtOf(`<text:p>${picture}</text:p>`, odfParts()), { p: wide, a: 1 }),
  )
  expect(body).toMatch(/svg:x="2cm" svg:y="2cm" svg:width="4cm" svg:height="1cm">/)
})

it('Word: a floating shape', async () => {
  const shape = (axis: string) =>
    `<w:p><w:r><w:drawing><wp:anchor><wp:positionH relativeFrom="column"><wp:posOffset>100</wp:posOffset></wp:positionH><wp:positionV relativeFrom="paragraph"><wp:posOffset>200</wp:posOffset></wp:positionV><wp:docPr id="${axis === 'x' ? 1 : 2}" name="s" descr="{d.a:transform(${axis}, inch)}"/></wp:anchor></w:drawing></w:r></w:p>`
  const body = await bodyOf(await merge('docx', docxOf(shape('x') + shape('y')), { a: 1 }))
  expect([...body.matchAll(/<wp:posOffset>(-?\d+)</g)].map(([, value]) => value)).toEqual([
    '914500',
    '200',
    '100',
    '914600',
  ])
})

it('elsewhere the tag prints nothing', async () => {
  expect(await mergeText('<p>A{d.a:transform(x, cm)}B</p>', { a: 1 }, { format: 'html' })).toBe('<p>AB</p>')
})
