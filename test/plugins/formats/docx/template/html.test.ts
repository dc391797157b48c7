import JSZip from 'jszip'
import { describe, expect, it } from 'vitest'
import { bodyOf, docxOf, entryText } from '../../../../helpers/docx.ts'
import { mergeBytes } from '../../../../helpers/merge.ts'
import { dataUri, svg } from '../../../../helpers/pictures.ts'
import { problemsOf } from '../../../../helpers/structure.ts'

const paragraph = (text: string, properties = '', look = '') =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}<w:r>${look && `<w:rPr>${look}</w:rPr>`}<w:t>${text}</w:t></w:r></w:p>`

async function merge(body: string, data: unknown, extra = {}): Promise<Uint8Array> {
  const { value } = await mergeBytes(await docxOf(body, extra), 'docx', data)
  const out = new Uint8Array(await value.document.arrayBuffer())
  expect(await problemsOf(out)).toEqual([])
  return out
}

/** The text of each paragraph in the body, a '|' for each; tables as [a|b]. */
async function outline(body: string, data: unknown): Promise<string> {
  const xml = await bodyOf(await merge(body, data))
  return xml
    .replace(/<w:tbl>/g, '[')
    .replace(/<\/w:tbl>/g, ']')
    .replace(/<w:br\/>/g, '/')
    .replace(/<\/w:p>/g, '|')
    .replace(/<w:p\/>/g, '|')
    .replace(/<[^>]*>/g, '')
}

const cell = (inside: string) =>
  `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/></w:tblGrid><w:tr><w:tc>${inside}</w:tc></w:tr></w:tbl>`

describe('paragraphs around the tag', () => {
  const rows: [string, string, unknown, string][] = [
    ['alone', paragraph('{d.x:html}'), { x: '<p>a</p><p>b</p>' }, 'a||b|'],
    ['alone, nospace', paragraph('{d.x:html(nospace)}'), { x: '<p>a</p><p>b</p>' }, 'a|b|'],
    ['between text', paragraph('A {d.x:html} B'), { x: '<b>x</b>' }, 'A |x| B|'],
    ['before text', paragraph('{d.x:html} B'), { x: 'x' }, 'x| B|'],
    ['behind text', paragraph('A {d.x:html}'), { x: 'x' }, 'A |x|'],
    ['block before text', paragraph('{d.x:html}B'), { x: '<p>x</p>' }, 'x||B|'],
    ['nothing between text', paragraph('A{d.x:html}B'), { x: '' }, 'AB|'],
    ['nothing alone', paragraph('{d.x:html}'), {}, '|'],
    ['no text', paragraph('A{d.x:html}{d.y:html}'), { x: 1, y: null }, 'A|'],
    ['two of them', paragraph('{d.x:html}{d.y:html}'), { x: 'x', y: 'y' }, 'x|y|'],
    [
      'two of them, in runs of their own',
      `<w:p><w:r><w:t>{d.x:html}</w:t></w:r><w:r><w:t>{d.y:html}</w:t></w:r></w:p>`,
      { y: 'y' },
      'y|',
    ],
    ['inline', paragraph('A {d.x:html(inline)} B'), { x: '<p>x</p><p>y</p>' }, 'A x/y B|'],
    ['breaks', paragraph('{d.x:convCRLF:html}'), { x: 'a & <b>b</b>\nc' }, 'a & b/c|'.replace('&', '&amp;')],
    [
      'a condition around it',
      paragraph('{d.s:showBegin}{d.x:html}{d.s:showEnd}') + paragraph('z'),
      { s: false, x: 'x' },
      '|z|',
    ],
    ['a condition in a cell', cell(paragraph('{d.s:showBegin}{d.x:html}{d.s:showEnd}')), { x: 'x' }, '[|]'],
    [
      'paragraphs repeat',
      paragraph('{d.l[i].x:html}') + paragraph('{d.l[i+1].x:html}'),
      { l: [{ x: 'a' }, { x: '<p>b</p>' }, { x: '' }, { x: 'c' }] },
      'a|b||c|',
    ],
    ['an alias', `${paragraph('{#h = d.x:html}')}${paragraph('{$h}')}`, { x: '<p>a</p><p>b</p>' }, '|a||b|'],
    [
      'a table in a cell ends with a paragraph',
      cell(paragraph('{d.x:html}')),
      { x: '<table><tr><td>a</table>' },
      '[[a|]|]',
    ],
    [
      'two tables do not touch',
      paragraph('{d.x:html(nospace)}'),
      { x: '<table><tr><td>a</table><table><tr><td>b</table>' },
      '[a|]|[b|]|',
    ],
    [
      'a link around the tag',
      `<w:p><w:hyperlink w:anchor="a"><w:r><w:t>{d.x:html}</w:t></w:r></w:hyperlink></w:p>`,
      { x: '<p>a</p><p>b</p>' },
      'a/b|',
    ],
  ]
  it.each(rows)('%s', async (_name, body, data, expected) => {
    expect(await outline(body, data)).toBe(expected)
  })

  it('keeps the section that the paragraph ends', async () => {
    const section = '<w:sectPr><w:pgSz w:w="1" w:h="2"/></w:sectPr>'
    const xml = await bodyOf(await merge(paragraph('{d.x:html}', section), { x: '<p>a</p><p>b</p>' }))
    expect(xml.split('<w:sectPr>')).toHaveLength(2)
    expect(xml.indexOf('<w:sectPr>')).toBeGreaterThan(xml.indexOf('>b<'))
  })
})

describe('looks', () => {
  const look = '<w:rFonts w:ascii="Georgia"/><w:sz w:val="28"/>'

  it.each([
    ['<b>a</b>', '<w:rFonts w:ascii="Georgia"/><w:b/><w:bCs/><w:sz w:val="28"/>'],
    ['<i>a</i>', '<w:rFonts w:ascii="Georgia"/><w:i/><w:iCs/><w:sz w:val="28"/>'],
    ['<u>a</u>', '<w:rFonts w:ascii="Georgia"/><w:sz w:val="28"/><w:u w:val="single"/>'],
    ['<del>a</del>', '<w:rFonts w:ascii="Georgia"/><w:strike/><w:sz w:val="28"/>'],
    ['<mark>a</mark>', '<w:rFonts w:ascii="Georgia"/><w:sz w:val="28"/><w:highlight w:val="yellow"/>'],
    ['<sup>a</sup>', '<w:rFonts w:ascii="Georgia"/><w:sz w:val="28"/><w:vertAlign w:val="superscript"/>'],
    [
      '<span style="color:#123456;background-color:red">a</span>',
      '<w:rFonts w:ascii="Georgia"/><w:color w:val="123456"/><w:sz w:val="28"/><w:shd w:val="clear" w:color="auto" w:fill="FF0000"/>',
    ],
    [
      `<span style="font-size:10.5pt;font-family:'Segoe UI',Arial">a</span>`,
      '<w:rFonts w:ascii="Segoe UI" w:hAnsi="Segoe UI" w:eastAsia="Segoe UI" w:cs="Segoe UI"/><w:sz w:val="21"/><w:szCs w:val="21"/>',
    ],
  ])('%s', async (html, expected) => {
    const xml = await bodyOf(await merge(paragraph('{d.x:html}', '', look), { x: html }))
    expect(xml).toContain(`<w:r><w:rPr>${expected}</w:rPr><w:t xml:space="preserve">a</w:t></w:r>`)
  })

  it('paragraphs take spacing and indentation of the tag, but not its alignment', async () => {
    const properties = '<w:spacing w:after="60"/><w:ind w:left="300"/><w:jc w:val="center"/>'
    const xml = await bodyOf(
      await merge(paragraph('{d.x:html}', properties), {
        x: 'a<p style="text-align:right">b</p><blockquote>c',
      }),
    )
    const found = [...xml.matchAll(/<w:pPr>((?:(?!<\/w:pPr>).)*)<\/w:pPr>(?=<w:r>)/g)].map(
      ([, inside]) => inside,
    )
    expect(found).toEqual([
      '<w:spacing w:after="60"/><w:ind w:left="300"/>',
      '<w:spacing w:after="60"/><w:ind w:left="300"/><w:jc w:val="right"/>',
      '<w:spacing w:after="60"/><w:ind w:left="900"/>',
    ])
  })

  it('lines around a paragraph', async () => {
    const x =
      '<p style="border:2px solid #d5dae1;border-left:none">a</p><div style="border-top:1px double"><p>b</p></div>'
    const xml = await bodyOf(await merge(paragraph('{d.x:html}'), { x }))
    expect([...xml.matchAll(/<w:pBdr>(.*?)<\/w:pBdr>/g)].map(([, lines]) => lines)).toEqual([
      ['top', 'bottom', 'right']
        .map((side) => `<w:${side} w:val="single" w:sz="12" w:space="1" w:color="D5DAE1"/>`)
        .join(''),
      '<w:top w:val="double" w:sz="2" w:space="1" w:color="auto"/>',
    ])
  })

  it('links, boxes and pictures', async () => {
    const html = `<a href="a.org">x</a><a href="#m">y</a><a href="javascript:1">z</a><input type=checkbox checked><img src="${dataUri(svg(200, 100), 'image/svg+xml')}" width=20 alt="&quot;t">`
    const out = await merge(paragraph('{d.x:defaultURL(b.org):html}'), { x: html })
    const xml = await bodyOf(out)
    const relations = await entryText(out, 'word/_rels/document.xml.rels')
    expect([...relations.matchAll(/Target="([^"]*)" TargetMode/g)].map(([, target]) => target)).toEqual([
      'https://a.org',
      'https://b.org',
    ])
    expect(xml).toContain('w:anchor="m"')
    expect(xml).toContain('<w14:checked w14:val="1"/>')
    expect(xml).toContain('<wp:extent cx="190500" cy="95250"/>')
    expect(xml).toContain('descr="&quot;t"')
  })

  it('a picture without a width is 5 cm wide', async () => {
    const xml = await bodyOf(
      await merge(paragraph('{d.x:html}'), { x: `<img src="${dataUri(svg(200, 100), 'image/svg+xml')}">` }),
    )
    expect(xml).toContain('<wp:extent cx="1800000" cy="900000"/>')
  })

  it('page breaks, but none in a cell', async () => {
    const x = '<p style="break-after:page">a</p><p>b</p><p style="break-before:page">c</p>'
    const count = async (body: string) =>
      (await bodyOf(await merge(body, { x }))).split('<w:pageBreakBefore/>').length - 1
    expect(await count(paragraph('{d.x:html(nospace)}'))).toBe(2)
    expect(await count(cell(paragraph('{d.x:html(nospace)}')))).toBe(0)
  })
})

describe('lists, headings, tables', () => {
  const types = '[Content_Types].xml'
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const withParts = async (parts: Readonly<Record<string, string>>) => {
    const plain = await docxOf('')
    const known = await entryText(plain, types)
    const kind = (name: string) => name.replace(/^word\/(.*)\.xml$/, '$1')
    const overrides = Object.keys(parts).map(
      (name) =>
        `<Override PartName="/${name}" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.${kind(name)}+xml"/>`,
    )
    const relations = Object.keys(parts).map(
      (name) =>
        `<Relationship Id="r${kind(name)}" Type="${office}/${kind(name)}" Target="${kind(name)}.xml"/>`,
    )
    return {
      ...parts,
      [types]: known.replace('</Types>', `${overrides.join('')}</Types>`),
      'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations.join('')}</Relationships>`,
    }
  }
  const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

  it('each list has a numbering of its own', async () => {
    const out = await merge(paragraph('{d.x:html}'), {
      x: '<ol start=3><li>a<ul><li>b</ul></ol><ol><li>c</ol>',
    })
    const xml = await bodyOf(out)
    expect(
      [...xml.matchAll(/w:ilvl w:val="(\d)"\/><w:numId w:val="(\d)"/g)].map(
        ([, level, id]) => `${level} ${id}`,
      ),
    ).toEqual(['0 1', '1 2', '0 3'])
    const numbering = await entryText(out, 'word/numbering.xml')
    expect(
      [
        ...numbering.matchAll(
          /<w:num w:numId="(\d)"><w:abstractNumId w:val="(\d)"\/><w:lvlOverride w:ilvl="(\d)"><w:startOverride w:val="(\d)"/g,
        ),
      ].map((all) => all.slice(1).join(' ')),
    ).toEqual(['1 0 0 3', '2 1 1 1', '3 0 0 1'])
  })

  it('continues after the numberings of the template', async () => {
    const known = `<w:numbering ${w}><w:abstractNum w:abstractNumId="4"><w:lvl w:ilvl="0"/></w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="4"/></w:num><w:numIdMacAtCleanup w:val="1"/></w:numbering>`
    const out = await merge(
      paragraph('{d.x:html}'),
      { x: '<ul><li>a</ul>' },
      await withParts({ 'word/numbering.xml': known }),
    )
    const numbering = await entryText(out, 'word/numbering.xml')
    expect(
      [...numbering.matchAll(/<w:(abstractNum|num|numIdMacAtCleanup) [^>]*?="(\d+)"/g)].map(
        ([, name, id]) => `${name} ${id}`,
      ),
    ).toEqual(['abstractNum 4', 'abstractNum 5', 'num 7', 'num 8', 'numIdMacAtCleanup 1'])
    expect(await bodyOf(out)).toContain('<w:numId w:val="8"/>')
  })

  it('headings take the styles of the template by name, and bring those it lacks', async () => {
    const known = `<w:styles ${w}><w:style w:type="paragraph" w:default="1" w:styleId="Standard"><w:name w:val="Normal"/></w:style><w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style><w:style w:type="paragraph" w:styleId="Clause2"><w:name w:val="Clause 2"/></w:style><w:style w:type="paragraph" w:styleId="Zitat"><w:name w:val="Intense Quote"/></w:style><w:style w:type="table" w:styleId="Raster"><w:name w:val="Grid Table 4"/></w:style></w:styles>`
    const parts = await withParts({ 'word/styles.xml': known })
    const styles = async (tag: string, x: string) => {
      const out = await merge(paragraph(tag), { x }, parts)
      const all = [...(await bodyOf(out)).matchAll(/<w:(?:pStyle|tblStyle) w:val="([^"]*)"/g)].map(
        ([, id]) => id,
      )
      return { all, made: (await entryText(out, 'word/styles.xml')).includes('w:styleId="Heading2"') }
    }
    expect(await styles('{d.x:html}', '<h1>a</h1><h2>b</h2>')).toEqual({
      all: ['berschrift1', 'Heading2'],
      made: true,
    })
    expect(await styles('{d.x:html(headingtheme:Clause)}', '<h2>b</h2>')).toEqual({
      all: ['Clause2'],
      made: false,
    })
    expect((await styles("{d.x:html(quotetheme:'Intense Quote', nospace)}", '<blockquote>b')).all).toEqual([
      'Zitat',
    ])
    expect((await styles("{d.x:html(tabletheme:'Grid Table 4')}", '<table><tr><td>b</table>')).all).toEqual([
      'Raster',
    ])
  })

  it('merged cells', async () => {
    const x = '<table><tr><th colspan=2>a<th rowspan=2>b<tr><td>c<td>d</table>'
    const xml = await bodyOf(await merge(paragraph('{d.x:html}'), { x }))
    const rows = [...xml.matchAll(/<w:tr>(.*?)<\/w:tr>/g)].map(([, row = '']) =>
      [...row.matchAll(/<w:tcPr><w:tcW[^>]*\/>(.*?)<\/w:tcPr>/g)].map(([, said]) => said),
    )
    expect(rows).toEqual([
      ['<w:gridSpan w:val="2"/>', '<w:vMerge w:val="restart"/>'],
      ['', '', '<w:vMerge/>'],
    ])
  })

  it('tables have the lines, widths, margins and colours of their HTML', async () => {
    const table = async (x: string) => {
      const xml = await bodyOf(await merge(paragraph('{d.x:html}'), { x }))
      return {
        table: /<w:tblPr>(.*?)<w:tblCellMar>/.exec(xml)?.[1],
        cells: [...xml.matchAll(/<w:tcPr><w:tcW[^>]*\/>(.*?)<\/w:tcPr>/g)].map(([, said]) => said),
        header: xml.includes('<w:trPr><w:tblHeader/></w:trPr>'),
      }
    }
    expect(await table('<table><tr><th>a<tr><td>b</table>')).toEqual({
      table: '<w:tblW w:w="5000" w:type="pct"/>',
      cells: ['', ''],
      header: true,
    })
    const line = (side: string) => `<w:${side} w:val="single" w:sz="6" w:space="0" w:color="D5DAE1"/>`
    expect(
      await table(
        '<table align=center width=50%><tr><td style="border:1px solid #d5dae1;padding:4px 8px;background:#fff;vertical-align:middle">a</table>',
      ),
    ).toEqual({
      table: '<w:tblW w:w="2500" w:type="pct"/><w:jc w:val="center"/>',
      cells: [
        `<w:tcBorders>${['top', 'left', 'bottom', 'right'].map(line).join('')}</w:tcBorders><w:shd w:val="clear" w:color="auto" w:fill="FFFFFF"/><w:tcMar><w:top w:w="60" w:type="dxa"/><w:left w:w="120" w:type="dxa"/><w:bottom w:w="60" w:type="dxa"/><w:right w:w="120" w:type="dxa"/></w:tcMar><w:vAlign w:val="center"/>`,
      ],
      header: false,
    })
    // Word counts sides from the beginning of the row, and a double line by each of its strokes.
    expect(
      (await table('<table dir=rtl width=300><tr><td style="border-right:3px double">a</table>')).cells,
    ).toEqual(['<w:tcBorders><w:left w:val="double" w:sz="6" w:space="0" w:color="auto"/></w:tcBorders>'])
    expect((await table('<table width=300><tr><td>a</table>')).table).toBe(
      '<w:tblW w:w="4500" w:type="dxa"/>',
    )
  })

  it('pictures and tables are not wider than the text between the margins', async () => {
    const picture = dataUri(svg(4000, 400), 'image/svg+xml')
    const x = `<img src="${picture}" width=2000><img src="${picture}" style="width:50%"><table width=2000><tr><td>a</table>`
    const page = (columns: string) =>
      `<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1" w:right="1134" w:bottom="1" w:left="1134" w:header="1" w:footer="1" w:gutter="0"/>${columns}</w:sectPr>`
    const sizes = async (section: string) => {
      const xml = await bodyOf(await merge(paragraph('{d.x:html}') + section, { x }))
      return [...xml.matchAll(/<wp:extent cx="(\d+)" cy="(\d+)"|<w:gridCol w:w="(\d+)"/g)].map(
        ([, width, height, grid]) => grid ?? `${width}x${height}`,
      )
    }
    const twip = 635 // EMU
    expect(await sizes(page(''))).toEqual([
      `${9638 * twip}x${963.8 * twip}`,
      `${4819 * twip}x${Math.round(481.9 * twip)}`,
      '9638',
    ])
    expect(await sizes(page('<w:cols w:num="2" w:space="638"/>'))).toEqual([
      `${4500 * twip}x${450 * twip}`,
      `${2250 * twip}x${225 * twip}`,
      '4500',
    ])
    expect((await sizes(''))[2]).toBe('9000')
  })

  it('each part of a merged cell has the lines around all of it', async () => {
    const x = '<table border=1><tr><td rowspan=2>a<td>b<tr><td>c</table>'
    const xml = await bodyOf(await merge(paragraph('{d.x:html}'), { x }))
    const cells = [...xml.matchAll(/<w:tc>.*?<\/w:tc>/g)].map(([cell]) => cell)
    const merged = cells.filter((cell) => cell.includes('<w:vMerge'))
    const linesOf = (cell = '') => /<w:tcBorders>.*<\/w:tcBorders>/.exec(cell)?.[0]
    expect(merged).toHaveLength(2)
    expect(linesOf(merged[0])).toContain('<w:bottom')
    expect(linesOf(merged[1])).toBe(linesOf(merged[0]))
  })

  it('text of a cell has no space of its own above and below, but with a table style', async () => {
    const styles = `<w:styles ${w}><w:style w:type="table" w:styleId="Grid"><w:name w:val="Grid"/></w:style></w:styles>`
    const spacing = async (tag: string) => {
      const tagged = `<w:p><w:pPr><w:spacing w:before="60" w:after="120" w:line="300"/></w:pPr><w:r><w:t>${tag}</w:t></w:r></w:p>`
      const x = '<table><tr><td><p>a</p><p>b</p><td>c</table>'
      const out = await merge(tagged, { x }, await withParts({ 'word/styles.xml': styles }))
      const table = /<w:tbl>.*<\/w:tbl>/.exec(await bodyOf(out))?.[0] ?? ''
      return [...table.matchAll(/w:before="(\d+)" w:after="(\d+)"/g)].map(([, ...both]) => both.join('/'))
    }
    expect(await spacing('{d.x:html(nospace)}')).toEqual(['0/120', '60/0', '0/0'])
    expect(await spacing('{d.x:html(nospace, tabletheme:Grid)}')).toEqual(['60/120', '60/120', '60/120'])
  })

  it('a style that the template lacks is reported with the nearest name', async () => {
    const styles = `<w:styles ${w}><w:style w:type="table" w:styleId="Raster"><w:name w:val="Grid Table 4"/></w:style><w:style w:type="paragraph" w:styleId="Clause2"><w:name w:val="Clause 2"/></w:style></w:styles>`
    const parts = await withParts({ 'word/styles.xml': styles })
    const warnings = async (options: string) => {
      const tags = `{d.x:html(${options})}{d.x:html(${options})}`
      const { warnings } = await mergeBytes(await docxOf(paragraph(tags), parts), 'docx', { x: '<p>a' })
      return warnings.map(({ code, message }) => `${code}: ${message}`)
    }
    expect(await warnings("tabletheme:'Grid Table 4', headingtheme:Clause")).toEqual([])
    expect(await warnings("tabletheme:'Grid Tabel 4'")).toEqual([
      'template.html.theme: Option tabletheme of :html names "Grid Tabel 4", but the template has no table style of that name. Do you mean "Grid Table 4"?',
    ])
    expect(await warnings('headingtheme:Clauze, quotetheme:Quote')).toEqual([
      'template.html.theme: Option quotetheme of :html names "Quote", but the template has no paragraph style of that name. An office program stores a style with the document only when something uses it.',
      'template.html.theme: Option headingtheme of :html names "Clauze", but the template has no paragraph styles 1 to 6 of that name. Do you mean "Clause"?',
    ])
  })

  it('a highlight in its own colour has that colour', async () => {
    const x = '<mark>a</mark><mark style="background-color:#ffc078">b</mark>'
    const xml = await bodyOf(await merge(paragraph('{d.x:html}'), { x }))
    expect(xml.match(/<w:highlight/g)).toHaveLength(1)
    expect(xml).toContain('w:fill="FFC078"')
  })

  it('in headers', async () => {
    const header = `<w:hdr ${w}>${paragraph('{d.x:html}')}</w:hdr>`
    const out = await merge(
      paragraph('b'),
      { x: '<ul><li><a href="a.org">a</a></ul>' },
      await withParts({ 'word/header.xml': header }),
    )
    const zip = await JSZip.loadAsync(out)
    expect(zip.file('word/numbering.xml')).not.toBeNull()
    expect(await entryText(out, 'word/_rels/header.xml.rels')).toContain('https://a.org')
  })
})
