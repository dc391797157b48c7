import JSZip from 'jszip'
import { describe, expect, it } from 'vitest'
import { entryText } from '../../../helpers/docx.ts'
import { mergeBytes } from '../../../helpers/merge.ts'
import { dataUri, escaped, fixtureUri, svg } from '../../../helpers/pictures.ts'
import { problemsOf } from '../../../helpers/structure.ts'
import { type CellValue, xlsxOf } from '../../../helpers/xlsx.ts'

/** Pictures, links and colours of workbooks. */
async function merge(template: Promise<Uint8Array>, data: unknown): Promise<Uint8Array> {
  const { value, warnings } = await mergeBytes(await template, 'xlsx', data)
  const out = new Uint8Array(await value.document.arrayBuffer())
  expect(await problemsOf(out)).toEqual([])
  expect(warnings).toEqual([])
  return out
}

const wide = dataUri(svg(400, 100), 'image/svg+xml')
const drawingType = 'application/vnd.openxmlformats-officedocument.drawing+xml'
const rels = (...list: readonly string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.join('')}</Relationships>`
/** A picture between two cells, 2,000,000 x 1,000,000 EMU; rows count from 0. */
const anchor = (alt: string, row: number, id: number) =>
  `<xdr:twoCellAnchor editAs="oneCell"><xdr:from><xdr:col>1</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:to><xdr:col>2</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row + 1}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to><xdr:pic><xdr:nvPicPr><xdr:cNvPr id="${id}" name="P${id}" descr="${escaped(alt)}"/><xdr:cNvPicPr/></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="rId1"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="2000000" cy="1000000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic><xdr:clientData/></xdr:twoCellAnchor>`

function pictured(cells: Record<string, CellValue>, ...anchors: readonly string[]) {
  return xlsxOf({
    sheets: [
      {
        name: 'S',
        cells,
        after: '<drawing r:id="rId1"/>',
        relationships: [{ id: 'rId1', type: 'drawing', target: '../drawings/drawing1.xml' }],
      },
    ],
    extra: {
      'xl/drawings/drawing1.xml': `<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">${anchors.join('')}</xdr:wsDr>`,
      'xl/drawings/_rels/drawing1.xml.rels': rels(
        '<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="../media/image1.svg"/>',
      ),
      'xl/media/image1.svg': svg(1, 1),
    },
    types: { 'xl/drawings/drawing1.xml': drawingType, 'xl/media/image1.svg': 'image/svg+xml' },
  })
}

/** 'row: width x height file' of each picture. */
async function pictures(out: Uint8Array): Promise<string[]> {
  const xml = await entryText(out, 'xl/drawings/drawing1.xml')
  const relations = await entryText(out, 'xl/drawings/_rels/drawing1.xml.rels')
  return [
    ...xml.matchAll(
      /<xdr:row>(\d+)<\/xdr:row>.*?<\/xdr:from><xdr:ext cx="(\d+)" cy="(\d+)"\/>.*?r:embed="(\w+)".*?<\/xdr:oneCellAnchor>/g,
    ),
  ].map(
    ([, row, cx, cy, id]) =>
      `${row}: ${cx} x ${cy} ${new RegExp(`Id="${id}"[^>]*Target="../media/([^"]*)"`).exec(relations)?.[1]}`,
  )
}

describe('pictures', () => {
  const rows: readonly (readonly [name: string, tag: string, data: unknown, expected: readonly string[]])[] =
    [
      ['width of the box', '{d.x}', { x: wide }, ['3: 2000000 x 500000 merged1.svg']],
      ['fill', '{d.x:imageFit(fill)}', { x: wide }, ['3: 2000000 x 1000000 merged1.svg']],
      [
        'contain',
        '{d.x:imageFit(contain)}',
        { x: dataUri(svg(100, 200), 'image/svg+xml') },
        ['3: 500000 x 1000000 merged1.svg'],
      ],
      ['PNG', '{d.x}', { x: fixtureUri('rgb.png') }, ['3: 2000000 x 1000000 merged1.png']],
      ['a barcode', '{d.x:barcode(qrcode)}', { x: 'abc' }, ['3: 2000000 x 2000000 merged1.png']],
      ['missing', '{d.x}', {}, ['3: 2000000 x 1000000 merged1.png']],
      ['dropped', '{d.x}{d.x:ifEM:drop(img)}', {}, []],
    ]
  it.each(rows)('%s', async (_name, tag, data, expected) => {
    expect(await pictures(await merge(pictured({ A1: '{d.n}' }, anchor(tag, 3, 2)), data))).toEqual(expected)
  })

  it('go down with the rows above them, and repeat with theirs', async () => {
    const cells = { A1: '{d.l[i].n}', A2: '{d.l[i+1].n}', A3: 'end' }
    const below = await merge(pictured(cells, anchor('{d.x}', 2, 2)), {
      l: [{ n: 1 }, { n: 2 }, { n: 3 }],
      x: wide,
    })
    expect(await pictures(below)).toEqual(['3: 2000000 x 500000 merged1.svg'])
    const each = await merge(pictured(cells, anchor('{d.l[i].x}', 0, 2)), {
      l: [{ n: 1, x: wide }, { n: 2 }, { n: 3, x: wide }],
    })
    expect(await pictures(each)).toEqual([
      '0: 2000000 x 500000 merged1.svg',
      '1: 2000000 x 1000000 merged2.png',
      '2: 2000000 x 500000 merged1.svg',
    ])
  })
})

describe('links', () => {
  const linked = (
    cells: Record<string, CellValue>,
    links: readonly (readonly [ref: string, target: string])[],
    more = '',
  ) =>
    xlsxOf({
      sheets: [
        {
          name: 'S',
          cells,
          after: `<hyperlinks>${links.map(([ref], n) => `<hyperlink ref="${ref}" r:id="rId${n + 1}" tooltip="t"/>`).join('')}${more}</hyperlinks><pageMargins left="1" right="1" top="1" bottom="1" header="1" footer="1"/>`,
          relationships: links.map(([, target], n) => ({
            id: `rId${n + 1}`,
            type: 'hyperlink',
            target: `${escaped(target)}" TargetMode="External`,
          })),
        },
      ],
    })
  /** 'ref address' of each link. */
  async function links(out: Uint8Array): Promise<string[]> {
    const xml = await entryText(out, 'xl/worksheets/sheet1.xml')
    const relations = (await entryText(out, 'xl/worksheets/_rels/sheet1.xml.rels')) ?? ''
    expect(xml).not.toContain('platen')
    return [...xml.matchAll(/<hyperlink ref="([^"]*)"([^>]*)\/>/g)].map(([, ref, rest = '']) => {
      const id = / r:id="([^"]*)"/.exec(rest)?.[1]
      return `${ref} ${id === undefined ? /location="([^"]*)"/.exec(rest)?.[1] : new RegExp(`Id="${id}"[^>]*Target="([^"]*)"`).exec(relations)?.[1]}`
    })
  }
  const rows: readonly (readonly [target: string, data: unknown, expected: readonly string[]])[] = [
    ['d.u', { u: 'a.org' }, ['A1 https://a.org']],
    ['http://d.u', { u: 'https://a.org/x?a=1&b' }, ['A1 https://a.org/x?a=1&amp;b']],
    ['https://d.u/', { u: 'a.org' }, ['A1 https://a.org']],
    ['%7Bd.u%7D', { u: 'a.org' }, ['A1 https://a.org']],
    ['https://a.org/{d.u}', { u: 'x y' }, ['A1 https://a.org/x%20y']],
    ['d.u', { u: 'javascript:alert(1)' }, []],
    ['d.u', {}, []],
    ['%7Bd.u:defaultURL(b.org)%7D', {}, ['A1 https://b.org']],
    ['http://d.com/', {}, ['A1 http://d.com/']],
    ['mailto:a@example.org', {}, ['A1 mailto:a@example.org']],
  ]
  it.each(rows)('%s of %j', async (target, data, expected) => {
    expect(await links(await merge(linked({ A1: 'x', B1: '{d.n}' }, [['A1', target]]), data))).toEqual(
      expected,
    )
  })

  it('without any other tag', async () => {
    expect(await links(await merge(linked({ A1: 'x' }, [['A1', 'd.u']]), { u: 'a.org' }))).toEqual([
      'A1 https://a.org',
    ])
  })

  it('in rows that repeat, with fixed ones, places in the workbook and rows that are missing', async () => {
    const cells = { A1: '{d.l[i].n}', A2: '{d.l[i+1].n}', A3: 'end', B3: 'x' }
    const template = linked(
      cells,
      [
        ['A1', 'd.l%5Bi%5D.u'],
        ['B3', 'https://fix.org/'],
        ['A9', 'd.u'],
      ],
      '<hyperlink ref="A3" location="S!A1"/>',
    )
    const data = { l: [{ n: 1, u: 'a.org' }, { n: 2 }, { n: 3, u: 'c.org' }], u: 'z.org' }
    expect((await links(await merge(template, data))).sort()).toEqual([
      'A1 https://a.org',
      'A10 https://z.org',
      'A3 https://c.org',
      'A4 S!A1',
      'B4 https://fix.org/',
    ])
  })
})

describe('colours', () => {
  it('of cells and rows, beside numbers and styles of their own', async () => {
    const template = xlsxOf({
      sheets: [
        {
          name: 'S',
          cells: {
            A1: '{d.l[i].n}{d.l[i].c:color(cell)}',
            B1: { style: 1, value: '{d.l[i].v:formatN}' },
            C1: { style: 2, value: 'x{d.l[i].c:color(row, background)}' },
            A2: '{d.l[i+1].n}',
          },
        },
      ],
    })
    const out = await merge(template, {
      l: [
        { n: 'a', v: 1, c: 'CC0000' },
        { n: 'b', v: 2, c: '#0000ff' },
        { n: 'c', v: 3, c: 'CC0000' },
      ],
    })
    const sheet = await entryText(out, 'xl/worksheets/sheet1.xml')
    const styles = await entryText(out, 'xl/styles.xml')
    const formats = [
      .../<cellXfs count="(\d+)">(.*?)<\/cellXfs>/.exec(styles)![2]!.matchAll(/<xf[^>]*>/g),
    ].map(([xf]) => xf)
    const list = (name: string) =>
      [
        ...new RegExp(`<${name}s count="\\d+">(.*?)</${name}s>`)
          .exec(styles)![1]!
          .matchAll(new RegExp(`<${name}>.*?</${name}>`, 'g')),
      ].map(([each]) => each)
    const look = (cell: string) => {
      const xf =
        formats[
          Number(
            new RegExp(
              `<c r="${cell}"[^>]* s="(\\d+)"|<c s="(\\d+)"[^>]* r="${cell}"|<c [^>]*s="(\\d+)"[^>]*r="${cell}"`,
            )
              .exec(sheet)
              ?.slice(1)
              .find((each) => each !== undefined),
          )
        ]!
      const number = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(xf)![1])
      const rgb = (text: string | undefined) => /rgb="FF(\w+)"/.exec(text ?? '')?.[1]
      return [number('numFmtId'), rgb(list('font')[number('fontId')]), rgb(list('fill')[number('fillId')])]
    }
    expect([look('A1'), look('B1'), look('C1'), look('A2'), look('B3')]).toEqual([
      [0, 'CC0000', 'CC0000'],
      [2, undefined, 'CC0000'],
      [4, undefined, 'CC0000'],
      [0, '0000FF', '0000FF'],
      [2, undefined, 'CC0000'],
    ])
    expect(sheet).toMatch(/<c[^>]*r="B2"[^>]*><v>2<\/v>/)
    expect([formats.length, list('font').length, list('fill').length]).toEqual([9, 3, 4])
    expect(styles).toMatch(/<cellXfs count="9">/)
  })

  it('of styles, bound to a colour of the data', async () => {
    const styles = (fill: string) =>
      `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts count="1"><font><sz val="11"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="${fill}"/></patternFill></fill></fills><borders count="1"><border/></borders><cellXfs count="2"><xf fontId="0" fillId="0" borderId="0"/><xf fontId="0" fillId="2" borderId="0" applyFill="1"/></cellXfs></styleSheet>`
    const template = () =>
      xlsxOf({
        sheets: [
          {
            name: 'S',
            before: '<sheetPr><tabColor rgb="FFFF0000"/></sheetPr>',
            cells: { A1: { style: 1, value: 'x' }, B1: '{bindColor(ff0000, #hexa) = d.c}', C1: '{d.n}' },
          },
        ],
        extra: { 'xl/styles.xml': styles('FFFF0000') },
      })
    const bound = await merge(template(), { c: '#00AA11', n: 1 })
    expect(await entryText(bound, 'xl/styles.xml')).toBe(styles('FF00AA11'))
    const sheet = await entryText(bound, 'xl/worksheets/sheet1.xml')
    expect(sheet).toContain('<tabColor rgb="FF00AA11"/>')
    expect(sheet).not.toContain('bindColor')
    const loose = await merge(template(), { c: 'no colour' })
    expect(await entryText(loose, 'xl/styles.xml')).toBe(styles('FFFF0000'))
    const own = xlsxOf({
      sheets: [
        {
          name: 'S',
          cells: {
            A1: { style: 1, value: '{bindColor(ff0000, hexa) = d.c}' },
            A2: { style: 1, value: '{d.n}{d.t:color(cell)}' },
          },
        },
      ],
      extra: { 'xl/styles.xml': styles('FFFF0000') },
    })
    const both = await entryText(await merge(own, { c: '00AA11', n: 1, t: '123456' }), 'xl/styles.xml')
    expect(both).toContain('<color rgb="FF123456"/>')
    expect(both).toContain('<fgColor rgb="FF00AA11"/>')
  })
  it('a workbook without colours keeps its styles', async () => {
    const template = await xlsxOf({ sheets: [{ name: 'S', cells: { A1: '{d.n}' } }] })
    const out = await merge(Promise.resolve(template), {})
    const styles = async (bytes: Uint8Array) =>
      (await JSZip.loadAsync(bytes)).file('xl/styles.xml')!.async('string')
    expect(await styles(out)).toBe(await styles(template))
  })
})
