import JSZip from 'jszip'
import { describe, expect, it } from 'vitest'
import { mergeBytes } from '../../../helpers/merge.ts'
import { odfBody, odgOf, odpOf, odsOf, odsRow, odsTable } from '../../../helpers/ods.ts'
import { dataUri, frame, svg } from '../../../helpers/pictures.ts'
import { problemsOf } from '../../../helpers/structure.ts'

/** Pictures and links of sheets, slides and drawings: the rules of text documents hold there too. */
async function merge(format: string, template: Promise<Uint8Array>, data: unknown) {
  const { value, warnings } = await mergeBytes(await template, format, data)
  const out = new Uint8Array(await value.document.arrayBuffer())
  expect(await problemsOf(out)).toEqual([])
  expect(warnings).toEqual([])
  const files = Object.keys((await JSZip.loadAsync(out)).files).filter((name) => name.includes('merged'))
  return { body: await odfBody(out), files }
}
const wide = dataUri(svg(400, 100), 'image/svg+xml')
const link = (target: string) =>
  `<text:p><text:a xlink:type="simple" xlink:href="${target}">x</text:a></text:p>`
const placed = (body: string) =>
  [
    ...body.matchAll(
      /svg:width="([^"]*)" svg:height="([^"]*)"><draw:image[^>]*xlink:href="Pictures\/([^"]*)"/g,
    ),
  ].map(([, width, height, file]) => `${width} x ${height} ${file}`)
const links = (body: string) =>
  [...body.matchAll(/<(?:text|draw):a [^>]*xlink:href="([^"]*)"/g)].map(([, address]) => address)

describe('Calc', () => {
  it('a picture anchored to a cell of a repeated row', async () => {
    const cell = (tag: string, name: string) =>
      `<table:table-cell>${frame(tag, name).replace(' text:anchor-type="as-char"', '')}<text:p/></table:table-cell>`
    const table = odsTable('S', odsRow(['{d.l[i].n}', cell('{d.l[i].x}', 'a')]), odsRow(['{d.l[i+1].n}', '']))
    const { body, files } = await merge('ods', odsOf(table), {
      l: [{ n: 1, x: wide }, { n: 2 }, { n: 3, x: wide }],
    })
    expect(placed(body)).toEqual(['4cm x 1cm merged1.svg', '4cm x 2cm merged2.png', '4cm x 1cm merged1.svg'])
    expect(files).toHaveLength(2)
  })
  it('links in rows that repeat', async () => {
    const cell = (target: string) =>
      `<table:table-cell office:value-type="string">${link(target)}</table:table-cell>`
    const table = odsTable(
      'S',
      odsRow(['{d.l[i].n}', cell('%7Bd.l%5Bi%5D.u%7D')]),
      odsRow(['{d.l[i+1].n}', '']),
    )
    const { body } = await merge('ods', odsOf(table), {
      l: [
        { n: 1, u: 'a.org' },
        { n: 2, u: 'javascript:1' },
        { n: 3, u: 'c.org' },
      ],
    })
    expect(links(body)).toEqual(['https://a.org', '', 'https://c.org'])
  })
})

describe.each([
  ['odp', odpOf],
  ['odg', odgOf],
] as const)('%s', (format, documentOf) => {
  const page = (inside: string, name = 'p') =>
    `<draw:page draw:name="${name}" draw:master-page-name="M">${inside}</draw:page>`
  const picture = (tag: string, name = 'a') => frame(tag, name).replace(' text:anchor-type="as-char"', '')
  const shape = (inside: string) => `<draw:custom-shape draw:name="s">${inside}</draw:custom-shape>`

  it('pictures and links, on pages that repeat', async () => {
    const pages =
      page(picture('{d.l[i].x}') + shape(link('%7Bd.l[i].u%7D'))) +
      page(shape('<text:p>{d.l[i+1].n}</text:p>'), 'q')
    const { body } = await merge(format, documentOf(pages), { l: [{ x: wide, u: 'a.org' }, { u: '' }] })
    expect(placed(body)).toEqual(['4cm x 1cm merged1.svg', '4cm x 2cm merged2.png'])
    expect(links(body)).toEqual(['https://a.org', ''])
  })
  it('a shape that is a link; a link with a default; a place in the document', async () => {
    const clicked = (target: string) =>
      `<draw:a xlink:href="${target}">${picture('', target.length.toString())}</draw:a>`
    const { body } = await merge(
      format,
      documentOf(page(clicked('{d.u}') + clicked('{d.bad:defaultURL(b.org)}') + shape(link('#p')))),
      { u: 'a.org' },
    )
    expect(links(body)).toEqual(['https://a.org', 'https://b.org', '#p'])
  })
  it('dropped pictures, fitted ones', async () => {
    const { body } = await merge(
      format,
      documentOf(
        page(
          picture('{d.x:imageFit(fill)}') +
            picture('{d.y}{d.y:ifEM:drop(img)}', 'b') +
            shape('<text:p>x</text:p>'),
        ),
      ),
      { x: wide },
    )
    expect(placed(body)).toEqual(['4cm x 2cm merged1.svg'])
  })
})
