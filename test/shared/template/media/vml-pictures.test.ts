import JSZip from 'jszip'
import { expect, it } from 'vitest'
import { docxOf } from '../../../helpers/docx.ts'
import { mergeBytes } from '../../../helpers/merge.ts'
import { dataUri, escaped, fixtureUri, svg, wordParts } from '../../../helpers/pictures.ts'
import { problemsOf } from '../../../helpers/structure.ts'

/** Pictures in the markup that Word wrote before 2007, and still writes for some. */
const spaces = 'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"'
const before = (attributes: string, data = '<v:imagedata r:id="rId9" o:title="sample" croptop="100f"/>') =>
  `<w:r><w:pict ${spaces}><v:shape id="_x0000_i1025" type="#_x0000_t75" ${attributes}>${data}</v:shape></w:pict></w:r>`
const styleFirst = (alt: string) =>
  before(`style="width:144pt;height:72pt;visibility:visible" alt="${escaped(alt)}"`)
const altFirst = (alt: string) =>
  before(`alt="${escaped(alt)}" style='position:absolute; width:2in;height:1in'`)

async function shown(body: string, data: unknown) {
  const { value, warnings } = await mergeBytes(await docxOf(`<w:p>${body}</w:p>`, wordParts()), 'docx', data)
  const out = new Uint8Array(await value.document.arrayBuffer())
  expect([await problemsOf(out), warnings]).toEqual([[], []])
  const zip = await JSZip.loadAsync(out)
  const xml = await zip.file('word/document.xml')!.async('string')
  const relations = await zip.file('word/_rels/document.xml.rels')!.async('string')
  const target = (id = '') => new RegExp(`Id="${id}"[^>]*Target="media/([^"]*)"`).exec(relations)?.[1]
  const list = [...xml.matchAll(/<v:shape\b(.*?)>(.*?)<\/v:shape>/g)].map(
    ([, attributes = '', inside = '']) => {
      const [, width, height] = /width:([^;"']*);\s*height:([^;"']*)/.exec(attributes) ?? []
      const alt = /\salt="([^"]*)"/.exec(attributes)?.[1]
      return `${width} x ${height} "${alt}" ${target(/r:id="([^"]*)"/.exec(inside)?.[1])}${inside.includes('crop') ? ' cropped' : ''}`
    },
  )
  return { list, xml }
}
const wide = dataUri(svg(400, 100), 'image/svg+xml')
const tall = dataUri(svg(100, 200), 'image/svg+xml')

it.each([
  ['style before the text', styleFirst('{d.x}'), ['144pt x 36pt "" merged1.svg']],
  ['style behind it', altFirst('{d.x}'), ['144pt x 36pt "" merged1.svg']],
  ['contain', styleFirst('{d.tall:imageFit(contain)}'), ['36pt x 72pt "" merged1.svg']],
  ['fill', altFirst('{d.x:imageFit(fill)}'), ['144pt x 72pt "" merged1.svg']],
  ['nothing there', styleFirst('{d.none}'), ['144pt x 72pt "" merged1.png']],
  ['a barcode', styleFirst('{d.code:barcode(qrcode)}'), ['144pt x 144pt "" merged1.png']],
  [
    'words beside the tag',
    styleFirst('Photo of {d.name}'),
    ['144pt x 72pt "Photo of Zo" image1.png cropped'],
  ],
  [
    'no picture',
    before('style="width:144pt;height:72pt" alt="{d.name}"', ''),
    ['144pt x 72pt "Zo" undefined'],
  ],
  ['no tag', styleFirst('text'), ['144pt x 72pt "text" image1.png cropped']],
])('%s', async (_, body, expected) => {
  const { list } = await shown(body, { x: wide, tall, name: 'Zo', code: 'abc' })
  expect(list).toEqual(expected)
})

it('in a loop, each its own; dropped where there is none', async () => {
  const body = `${styleFirst('{d.l[i].x:ifEM:drop(img)}{d.l[i].x}').replaceAll('i1025', 'a')}</w:p><w:p>${styleFirst('{d.l[i+1].x}')}`
  const { list, xml } = await shown(body, {
    l: [{ x: wide }, { x: fixtureUri('rgb.png') }, { x: '' }, { x: wide }],
  })
  expect(list.map((each) => each.split(' ').at(-1))).toEqual(['merged1.svg', 'merged2.png', 'merged1.svg'])
  expect(xml).not.toContain('cropt')
})
