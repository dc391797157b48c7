import JSZip from 'jszip'
import { describe, expect, it } from 'vitest'
import { bodyOf, docxOf, entryText, odtOf } from '../../../helpers/docx.ts'
import { mergeBytes, mergeText } from '../../../helpers/merge.ts'
import { odfBody, odpOf, odsOf, odsRow, odsTable } from '../../../helpers/ods.ts'
import { pptxOf, pptxParagraph, pptxShape, pptxTable } from '../../../helpers/pptx.ts'
import { problemsOf } from '../../../helpers/structure.ts'

async function merge(format: string, template: Promise<Uint8Array>, data: unknown): Promise<Uint8Array> {
  const { value, warnings } = await mergeBytes(await template, format, data)
  const out = new Uint8Array(await value.document.arrayBuffer())
  expect(await problemsOf(out)).toEqual([])
  expect(warnings).toEqual([])
  return out
}

const run = (text: string, properties = '') => `<w:r>${properties}<w:t>${text}</w:t></w:r>`
const p = (...runs: readonly string[]) => `<w:p>${runs.join('')}</w:p>`
const red = { c: '#cc0000', b: '0000FF' }
/** Runs that only held a tag say nothing. */
const bare = (xml: string) =>
  xml
    .replaceAll(' xml:space="preserve"', '')
    .replace(/<w:r>(?:<w:rPr>(?:(?!<\/w:rPr>).)*<\/w:rPr>)?<w:t><\/w:t><\/w:r>/g, '')

describe('Word', () => {
  const colored = '<w:rPr><w:color w:val="CC0000"/></w:rPr>'
  const shade = (hex: string) => `<w:shd w:val="clear" w:color="auto" w:fill="${hex}"/>`
  const tc = (content: string, properties = '') => `<w:tc>${properties}${content}</w:tc>`
  const rows: readonly (readonly [name: string, body: string, data: unknown, expected: string])[] = [
    ['a paragraph', p(run('{d.c:color}'), run('A')), red, p(run('A', colored))],
    ['in words', p(run('{d.c:color(paragraph, text)}'), run('A')), red, p(run('A', colored))],
    [
      'no colour',
      p(run('{d.x:color}'), run('A')),
      { x: 'red' },
      p(run('A', colored.replace('CC0000', '888888'))),
    ],
    ['missing', p(run('{d.x:color}'), run('A')), {}, p(run('A', colored.replace('CC0000', '888888')))],
    [
      'among other properties, in their order',
      p(
        run('{d.c:color}'),
        run('A', '<w:rPr><w:b/><w:color w:val="123456"/><w:sz w:val="20"/></w:rPr>'),
        run('B', '<w:rPr><w:b/><w:sz w:val="20"/></w:rPr>'),
        run('C', '<w:rPr/>'),
      ),
      red,
      p(
        run('A', '<w:rPr><w:b/><w:color w:val="CC0000"/><w:sz w:val="20"/></w:rPr>'),
        run('B', '<w:rPr><w:b/><w:color w:val="CC0000"/><w:sz w:val="20"/></w:rPr>'),
        run('C', colored),
      ),
    ],
    [
      'two types at once',
      p(run('{d.c:color}{d.b:color(p, background)}'), run('A')),
      red,
      `<w:p><w:pPr>${shade('0000FF')}</w:pPr>${run('A', colored)}</w:p>`,
    ],
    [
      'highlight',
      p(run('{d.b:color(p, highlight)}'), run('A')),
      red,
      p(run('A', `<w:rPr>${shade('0000FF')}</w:rPr>`)),
    ],
    ['one run', p(run('{d.c:color(part)}A'), run('B')), red, p(run('A', colored), run('B'))],
    [
      'a cell',
      `<w:tbl><w:tr>${tc(p(run('{d.b:color(cell, background)}'), run('A')), '<w:tcPr><w:tcW w:w="9"/><w:vAlign w:val="top"/></w:tcPr>')}${tc(p(run('B')))}</w:tr></w:tbl>`,
      red,
      `<w:tbl><w:tr>${tc(p(run('A')), `<w:tcPr><w:tcW w:w="9"/>${shade('0000FF')}<w:vAlign w:val="top"/></w:tcPr>`)}${tc(p(run('B')))}</w:tr></w:tbl>`,
    ],
    [
      'a row, its cells and a paragraph with a colour of its own',
      `<w:tbl><w:tr>${tc(p(run('{d.c:color(row)}{d.b:color(row, background)}'), run('A')))}${tc(p(run('{d.b:color}'), run('B')))}</w:tr></w:tbl>`,
      red,
      `<w:tbl><w:tr>${tc(p(run('A', colored)), `<w:tcPr>${shade('0000FF')}</w:tcPr>`)}${tc(p(run('B', colored.replace('CC0000', '0000FF'))), `<w:tcPr>${shade('0000FF')}</w:tcPr>`)}</w:tr></w:tbl>`,
    ],
    [
      'rows of a loop, by a condition',
      `<w:tbl><w:tr>${tc(p(run("{d.l[i].s:ifEQ(ok):show(007700):elseShow('#CC0000'):color(row)}"), run('{d.l[i].n}')))}</w:tr><w:tr>${tc(p(run('{d.l[i+1].n}')))}</w:tr></w:tbl>`,
      {
        l: [
          { n: 1, s: 'ok' },
          { n: 2, s: 'no' },
        ],
      },
      `<w:tbl><w:tr>${tc(p(run('1', colored.replace('CC0000', '007700'))))}</w:tr><w:tr>${tc(p(run('2', colored)))}</w:tr></w:tbl>`,
    ],
    [
      'after an aggregate',
      p(run('{d.l[].n:aggSum:ifGT(2):show(CC0000):elseShow(000000):color}'), run('{d.l[].n:aggSum}')),
      { l: [{ n: 1 }, { n: 2 }] },
      p(run('3', colored)),
    ],
    [
      'items of a list within a paragraph',
      p(run('List: '), run('{d.l[i].c:color}{d.l[i].n}'), run(', '), run('{d.l[i+1].n}')),
      {
        l: [
          { n: 'a', c: 'CC0000' },
          { n: 'b', c: '0000FF' },
        ],
      },
      p(
        run('List: '),
        run('a', colored),
        run(', ', colored),
        run('b', colored.replace('CC0000', '0000FF')),
        run(', ', colored.replace('CC0000', '0000FF')),
      ),
    ],
    [
      'an empty loop in a coloured cell leaves a paragraph',
      `<w:tbl><w:tr>${tc(`${p(run('{d.l[i].n}'))}${p(run('{d.l[i+1].n}'))}`)}${tc(p(run('{d.b:color(row, background)}')))}</w:tr></w:tbl>`,
      { l: [], b: 'FFFFFF' },
      `<w:tbl><w:tr>${tc('<w:p/>', `<w:tcPr>${shade('FFFFFF')}</w:tcPr>`)}${tc('<w:p></w:p>', `<w:tcPr>${shade('FFFFFF')}</w:tcPr>`)}</w:tr></w:tbl>`,
    ],
    ['no element around', p(run('{d.c:color(cell)}A')), red, p(run('A'))],
  ]
  it.each(rows)('%s', async (_name, body, data, expected) => {
    const text = bare(await bodyOf(await merge('docx', docxOf(body), data))).replaceAll(
      ' xml:space="preserve"',
      '',
    )
    expect(text).toBe(expected)
  })

  it('a shape: fill, line and text, in both forms of it', async () => {
    const inside = p(
      run('{d.c:color(shape, background)}{d.b:color(shape, border)}{d.b:color(shape)}'),
      run('A'),
    )
    const shape = `<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><mc:Choice Requires="wps"><w:drawing><wps:wsp><wps:spPr><a:prstGeom prst="rect"/><a:solidFill><a:srgbClr val="111111"/></a:solidFill><a:ln w="9"><a:noFill/><a:round/></a:ln></wps:spPr><wps:txbx><w:txbxContent>${inside}</w:txbxContent></wps:txbx></wps:wsp></w:drawing></mc:Choice><mc:Fallback><w:pict><v:rect id="r" fillcolor="#111" stroked="t"><v:textbox><w:txbxContent>${inside}</w:txbxContent></v:textbox></v:rect></w:pict></mc:Fallback></mc:AlternateContent>`
    const text = await bodyOf(await merge('docx', docxOf(p(`<w:r>${shape}</w:r>`)), red))
    expect(text).toContain(
      '<a:prstGeom prst="rect"/><a:solidFill><a:srgbClr val="CC0000"/></a:solidFill><a:ln w="9"><a:solidFill><a:srgbClr val="0000FF"/></a:solidFill><a:round/></a:ln></wps:spPr>',
    )
    expect(text).toMatch(
      /<v:rect(?=[^>]* id="r")(?=[^>]* fillcolor="#CC0000")(?=[^>]* strokecolor="#0000FF")(?=[^>]* stroked="t")[^>]*>/,
    )
    expect(text.match(/<w:color w:val="0000FF"\/><\/w:rPr><w:t>A/g)).toHaveLength(2)
  })

  it('a text box is not part of the paragraph that it hangs on', async () => {
    const box = `<w:r><w:drawing><w:txbxContent>${p(run('B'))}</w:txbxContent></w:drawing></w:r>`
    const text = bare(await bodyOf(await merge('docx', docxOf(p(run('{d.c:color}'), box, run('A'))), red)))
    expect(text).toContain(`<w:txbxContent>${p(run('B'))}</w:txbxContent>`)
    expect(text).toContain(run('A', colored))
    const frame =
      '<draw:frame draw:name="f"><draw:text-box><text:p text:style-name="P1">B</text:p></draw:text-box></draw:frame>'
    expect(
      await styled(await writer(`<text:p text:style-name="P1">{d.c:color}A${frame}</text:p>`, red)),
    ).toBe('p[color=#CC0000]A p[color=#111111]B')
  })

  it('the page, which the settings must show', async () => {
    const settings =
      '<w:settings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:zoom w:percent="100"/><w:defaultTabStop w:val="720"/></w:settings>'
    const out = await merge(
      'docx',
      docxOf(p(run('{d.c:co'), run('lor(page, background)}')), { 'word/settings.xml': settings }),
      red,
    )
    expect(await entryText(out, 'word/document.xml')).toMatch(
      /<w:document [^>]*><w:background w:color="CC0000"\/><w:body>/,
    )
    expect(await entryText(out, 'word/settings.xml')).toContain(
      '<w:zoom w:percent="100"/><w:displayBackgroundShape/><w:defaultTabStop',
    )
  })
})

/** Elements with what their styles say: `<p color=#CC0000>`. */
async function styled(out: Uint8Array): Promise<string> {
  const xml = await entryText(out, 'content.xml')
  const looks = new Map(
    [...xml.matchAll(/<style:style[^>]* style:name="([^"]*)"[^>]*>(.*?)<\/style:style>/g)].map(
      ([, name = '', inside = '']) => [
        name,
        [...inside.matchAll(/(?:fo|draw|svg):([\w-]*color)="([^"]*)"/g)]
          .map(([, property, value]) => `${property}=${value}`)
          .join(' '),
      ],
    ),
  )
  const body = xml.slice(xml.indexOf('<office:body>'))
  return [...body.matchAll(/<(?:text|table|draw):(p|h|span|table-cell|custom-shape|page)\b([^>]*)>([^<]*)/g)]
    .map(([, name, attributes = '', text]) => {
      const style = /(?:text|table|draw|presentation):style-name="([^"]*)"/.exec(attributes)?.[1] ?? ''
      return `${name}[${looks.get(style) ?? style}]${text}`
    })
    .join(' ')
}

const fo = 'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"'
const styles = `<office:automatic-styles><style:style style:name="P1" style:family="paragraph" style:parent-style-name="Standard"><style:paragraph-properties fo:margin-left="1cm"/><style:text-properties fo:color="#111111" fo:font-weight="bold"/></style:style><style:style style:name="T1" style:family="text"><style:text-properties fo:color="#222222"/></style:style><style:style style:name="C1" style:family="table-cell"><style:table-cell-properties fo:padding="1mm"/></style:style></office:automatic-styles>`
async function writer(body: string, data: unknown) {
  const plain = await odtOf(body)
  const xml = (await entryText(plain, 'content.xml'))
    .replace('<office:body>', `${styles}<office:body>`)
    .replace(' office:version', ` ${fo} office:version`)
  return merge('odt', odtOf('', { 'content.xml': xml }), data)
}

describe('Writer', () => {
  const tp = (text: string, style = 'P1') => `<text:p text:style-name="${style}">${text}</text:p>`
  const tc = (text: string) => `<table:table-cell table:style-name="C1">${text}</table:table-cell>`
  const table = (...rows: string[]) =>
    `<table:table table:name="T">${rows.map((r) => `<table:table-row>${r}</table:table-row>`).join('')}</table:table>`
  const rows: readonly (readonly [name: string, body: string, data: unknown, expected: string])[] = [
    [
      'a paragraph',
      tp('{d.c:color}A<text:span text:style-name="T1">B</text:span>'),
      red,
      'p[color=#CC0000]A span[color=#CC0000]B',
    ],
    [
      'a named style',
      '<text:h text:style-name="Title">{d.c:color}A</text:h><text:p>{d.b:color}B</text:p>',
      red,
      'h[color=#CC0000]A p[color=#0000FF]B',
    ],
    [
      'two types',
      tp('{d.c:color}{d.b:color(p, background)}A'),
      red,
      'p[background-color=#0000FF color=#CC0000]A',
    ],
    [
      'part',
      tp('A<text:span text:style-name="T1">{d.c:color(part, background)}B</text:span>'),
      red,
      'p[color=#111111]A span[color=#222222 background-color=#CC0000]B',
    ],
    [
      'a cell',
      table(tc(tp('{d.b:color(cell, background)}A')) + tc(tp('B'))),
      red,
      'table-cell[background-color=#0000FF] p[color=#111111]A table-cell[] p[color=#111111]B',
    ],
    [
      'a row and a paragraph with a colour of its own',
      table(tc(tp('{d.c:color(row)}{d.b:color(row, background)}A')) + tc(tp('{d.b:color}B'))),
      red,
      'table-cell[background-color=#0000FF] p[color=#CC0000]A table-cell[background-color=#0000FF] p[color=#0000FF]B',
    ],
    [
      'a loop',
      table(tc(tp('{d.l[i].c:color(row)}{d.l[i].n}')), tc(tp('{d.l[i+1].n}'))),
      {
        l: [
          { n: 1, c: 'aa0000' },
          { n: 2, c: '00aa00' },
          { n: 3, c: 'aa0000' },
        ],
      },
      'table-cell[] p[color=#AA0000]1 table-cell[] p[color=#00AA00]2 table-cell[] p[color=#AA0000]3',
    ],
  ]
  it.each(rows)('%s', async (_name, body, data, expected) => {
    expect(await styled(await writer(body, data))).toBe(expected)
  })

  it('equal colours share a style that keeps the properties of the old one', async () => {
    const l = Array.from({ length: 100 }, (_, n) => ({ n, c: n % 2 === 0 ? 'aa0000' : '00aa00' }))
    const out = await writer(table(tc(tp('{d.l[i].c:color(row)}{d.l[i].n}')), tc(tp('{d.l[i+1].n}'))), { l })
    const xml = await entryText(out, 'content.xml')
    expect(xml.match(/style:name="Coloured\d+"/g)).toHaveLength(2)
    expect(xml).toMatch(
      /style:name="Coloured1" style:family="paragraph" style:parent-style-name="Standard"><style:paragraph-properties fo:margin-left="1cm"\/><style:text-properties fo:font-weight="bold" fo:color="#AA0000"\/>/,
    )
  })
})

describe('sheets, slides and pages', () => {
  it('Calc: cells, and numbers stay numbers', async () => {
    const row = odsRow([
      '{d.l[i].n}{d.l[i].c:color(cell)}',
      '{d.l[i].v:formatN}',
      '<table:table-cell table:style-name="ce1"><text:p>{d.l[i].c:color(row, background)}</text:p></table:table-cell>',
    ])
    const out = await merge('ods', odsOf(odsTable('S', row, odsRow(['{d.l[i+1].n}', '', '']))), {
      l: [
        { n: 'a', v: 5, c: 'CC0000' },
        { n: 'b', v: 6, c: '0000FF' },
      ],
    })
    expect(await styled(out)).toBe(
      'table-cell[background-color=#CC0000 color=#CC0000] p[]a table-cell[background-color=#CC0000] p[]5 table-cell[background-color=#CC0000] p[] table-cell[background-color=#0000FF color=#0000FF] p[]b table-cell[background-color=#0000FF] p[]6 table-cell[background-color=#0000FF] p[]',
    )
    expect(await odfBody(out)).toMatch(
      /<table:table-cell table:style-name="Coloured\d" office:value-type="float" office:value="5"/,
    )
  })

  it('Impress: shapes, their text, the page', async () => {
    const shape =
      '<draw:page draw:name="p" draw:master-page-name="M"><draw:custom-shape draw:style-name="gr1" draw:name="s"><text:p>{d.c:color(shape, background)}{d.b:color(shape, border)}{d.b:color(shape)}{d.c:color(page, background)}A</text:p></draw:custom-shape></draw:page>'
    expect(await styled(await merge('odp', odpOf(shape), red))).toBe(
      'page[fill-color=#CC0000] custom-shape[fill-color=#CC0000 stroke-color=#0000FF] p[color=#0000FF]A',
    )
  })

  it('Impress as LibreOffice writes it: cells without styles of their own, fills in the style of the text', async () => {
    const loext = 'xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"'
    const known = `<office:automatic-styles><style:style style:name="P2" style:family="paragraph"><loext:graphic-properties ${loext} draw:fill="none"/></style:style><style:style style:name="ce1" style:family="table-cell"><loext:graphic-properties ${loext} draw:fill="none" draw:shadow="hidden"/></style:style></office:automatic-styles>`
    const table = `<draw:frame draw:name="f"><table:table><table:table-column/><table:table-row table:default-cell-style-name="ce1"><table:table-cell><text:p>{d.c:color(row, background)}A</text:p></table:table-cell></table:table-row></table:table></draw:frame>`
    const shape =
      '<draw:custom-shape draw:style-name="gr1" draw:text-style-name="P2" draw:name="s"><text:p>{d.b:color(shape, background)}B</text:p></draw:custom-shape>'
    const zip = await JSZip.loadAsync(
      await odpOf(`<draw:page draw:name="p" draw:master-page-name="M">${table}${shape}</draw:page>`),
    )
    const xml = await zip.file('content.xml')!.async('string')
    zip.file('content.xml', xml.replace('<office:automatic-styles/>', known))
    const out = await merge('odp', zip.generateAsync({ type: 'uint8array' }), red)
    expect(await styled(out)).toBe(
      'page[] table-cell[fill-color=#CC0000] p[]A custom-shape[fill-color=#0000FF] p[]B',
    )
    const content = await entryText(out, 'content.xml')
    expect(content).toMatch(
      /style:family="table-cell"><loext:graphic-properties[^>]* draw:shadow="hidden" draw:fill="solid" draw:fill-color="#CC0000"\/>/,
    )
    expect(content).toMatch(/draw:text-style-name="Coloured\d"/)
  })

  it('Calc: a cell without a style has that of its column', async () => {
    const sheet =
      '<table:table table:name="S"><table:table-column table:number-columns-repeated="2" table:default-cell-style-name="Default"/><table:table-column table:default-cell-style-name="Money"/><table:table-row><table:table-cell table:number-columns-repeated="2"/><table:table-cell><text:p>{d.c:color(cell)}A</text:p></table:table-cell></table:table-row></table:table>'
    expect(await entryText(await merge('ods', odsOf(sheet), red), 'content.xml')).toMatch(
      /style:name="Coloured1" style:family="table-cell" style:parent-style-name="Money"/,
    )
  })

  it('PowerPoint: shapes, text, cells, the page', async () => {
    const shape = pptxShape(
      4,
      pptxParagraph(
        '{d.c:color(shape, background)}{d.c:color(shape, border)}{d.b:color(shape)}A{d.c:color(page, background)}',
      ),
    )
    const table = pptxTable(
      5,
      ['{d.l[i].n}{d.l[i].c:color(row, background)}{d.l[i].c:color(row)}', 'x'],
      ['{d.l[i+1].n}', ''],
    )
    const out = await merge('pptx', pptxOf([shape + table]), {
      ...red,
      l: [
        { n: 1, c: '111111' },
        { n: 2, c: '222222' },
      ],
    })
    const xml = await entryText(out, 'ppt/slides/slide1.xml')
    const fill = (hex: string) => `<a:solidFill><a:srgbClr val="${hex}"/></a:solidFill>`
    expect(xml).toMatch(
      new RegExp(`<p:cSld[^>]*><p:bg><p:bgPr>${fill('CC0000')}<a:effectLst/></p:bgPr></p:bg><p:spTree>`),
    )
    expect(xml).toMatch(
      new RegExp(`<p:spPr>.*?${fill('CC0000')}<a:ln w="12700">${fill('CC0000')}</a:ln></p:spPr>`),
    )
    expect(xml).toMatch(new RegExp(`<a:rPr lang="en-US"[^>]*>${fill('0000FF')}</a:rPr><a:t>A</a:t>`))
    expect(xml).toMatch(
      new RegExp(
        `<a:rPr[^>]*>${fill('222222')}</a:rPr><a:t>2</a:t></a:r></a:p></a:txBody><a:tcPr>${fill('222222')}</a:tcPr>`,
      ),
    )
  })

  it.each([
    ['<p>{d.c:color}A</p>', '<p style="color:#CC0000">A</p>'],
    [
      '<p class=x style="margin:0;">{d.c:color(p, background)}{d.b:color(p, text)}A</p>',
      '<p class=x style="margin:0;background-color:#CC0000;color:#0000FF">A</p>',
    ],
    [
      '<table><tr><td>{d.l[i].n}{d.l[i].c:color(row, background)}</td></tr><tr><td>{d.l[i+1].n}</td></tr></table>',
      '<table><tr style="background-color:#111111"><td>1</td></tr><tr style="background-color:#222222"><td>2</td></tr></table>',
    ],
    [
      '<body><td>{d.c:color(cell, border)}<span>{d.b:color(part)}</span>{d.c:color(page, background)}',
      '<body style="background-color:#CC0000"><td style="border-color:#CC0000"><span style="color:#0000FF"></span>',
    ],
  ])('HTML %s', async (template, expected) => {
    expect(
      await mergeText(
        template,
        {
          ...red,
          l: [
            { n: 1, c: '111111' },
            { n: 2, c: '222222' },
          ],
        },
        { format: 'html' },
      ),
    ).toBe(expected)
  })

  it.each(['txt', 'csv', 'md', 'xml'])('%s has no colours', async (format) => {
    const [before, after] = format === 'xml' ? ['<a>', '</a>'] : ['', '']
    expect(await mergeText(`${before}A{d.c:color(row)}B${after}`, red, { format })).toBe(
      `${before}AB${after}`,
    )
  })
})
