import JSZip from 'jszip'
import { describe, expect, it } from 'vitest'
import { entryText } from '../../../helpers/docx.ts'
import { mergeBytes } from '../../../helpers/merge.ts'
import { dataUri, slidePicture, slidesWith, svg } from '../../../helpers/pictures.ts'
import { pptxParagraph, pptxShape } from '../../../helpers/pptx.ts'
import { problemsOf } from '../../../helpers/structure.ts'

const wide = dataUri(svg(400, 100), 'image/svg+xml')
const tall = dataUri(svg(100, 200), 'image/svg+xml')
const part = 'ppt/slides/slide1.xml'
const linked = (text: string) =>
  pptxShape(
    8,
    pptxParagraph(text).replace(
      '<a:rPr lang="en-US"/>',
      '<a:rPr lang="en-US"><a:hlinkClick r:id="rId7"/></a:rPr>',
    ),
  )

async function merge(shapes: string, data: unknown, target = 'https://a.org') {
  const { value } = await mergeBytes(await slidesWith(shapes, target), 'pptx', data)
  const out = new Uint8Array(await value.document.arrayBuffer())
  expect(await problemsOf(out)).toEqual([])
  const relations = await entryText(out, 'ppt/slides/_rels/slide1.xml.rels')
  const targetOf = (id: string | undefined) =>
    new RegExp(`Id="${id}"[^>]*Target="([^"]*)"`).exec(relations)?.[1]
  return { xml: await entryText(out, part), targetOf, names: Object.keys((await JSZip.loadAsync(out)).files) }
}

describe('slides', () => {
  const rows: [string, string, unknown, string[]][] = [
    ['width of the box', slidePicture('{d.x}'), { x: tall }, ['2000000 x 4000000 ../media/merged1.svg']],
    [
      'contain',
      slidePicture('{d.x:imageFit(contain)}'),
      { x: tall },
      ['500000 x 1000000 ../media/merged1.svg'],
    ],
    ['fill', slidePicture('{d.x:imageFit(fill)}'), { x: wide }, ['2000000 x 1000000 ../media/merged1.svg']],
    ['empty', slidePicture('{d.x}'), {}, ['2000000 x 1000000 ../media/merged1.png']],
    ['dropped', slidePicture('{d.x}{d.x:ifEM:drop(img)}'), {}, []],
    [
      'two of them',
      slidePicture('{d.x}') + slidePicture('{d.y}', 5),
      { x: wide, y: tall },
      ['2000000 x 500000 ../media/merged1.svg', '2000000 x 4000000 ../media/merged2.svg'],
    ],
  ]
  it.each(rows)('%s', async (_name, shapes, data, expected) => {
    const { xml, targetOf } = await merge(shapes, data)
    const found = [...xml.matchAll(/<p:pic>.*?r:embed="(\w+)".*?<a:ext cx="(\d+)" cy="(\d+)"\/>/g)]
    expect(found.map(([, id, cx, cy]) => `${cx} x ${cy} ${targetOf(id)}`)).toEqual(expected)
  })

  it('a picture that fills a shape', async () => {
    const shape = `<p:sp><p:nvSpPr><p:cNvPr id="9" name="s" descr="{d.x}"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="2000000" cy="2000000"/></a:xfrm><a:prstGeom prst="ellipse"><a:avLst/></a:prstGeom><a:blipFill><a:blip r:embed="rId6"/><a:stretch><a:fillRect/></a:stretch></a:blipFill></p:spPr></p:sp>`
    const { xml, targetOf } = await merge(shape, { x: wide })
    const found = /<a:ext cx="(\d+)" cy="(\d+)"\/>.*?r:embed="(\w+)"/.exec(xml)!
    expect([found[1], found[2], targetOf(found[3])]).toEqual(['2000000', '2000000', '../media/merged1.svg'])
  })

  it.each([
    ['%7Bd.u%7D', { u: 'b.org/x' }, 'https://b.org/x'],
    ['%7Bd.u%7D', { u: 'javascript:1' }, undefined],
    ['%7Bd.u:defaultURL(example.org)%7D', { u: '' }, 'https://example.org'],
    ['https://a.org', {}, 'https://a.org'],
  ])('link %s of %j', async (target, data, expected) => {
    const { xml, targetOf } = await merge(linked('text'), data, target)
    const [, id] = /<a:hlinkClick r:id="(\w*)"/.exec(xml)!
    expect(id === '' ? undefined : targetOf(id)).toBe(expected)
  })
})
