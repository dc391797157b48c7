import { describe, expect, it } from 'vitest'
import { bodyOf, entryText, odtOf, zipOf } from '../../../../helpers/docx.ts'
import { mergeBytes } from '../../../../helpers/merge.ts'
import { dataUri, svg } from '../../../../helpers/pictures.ts'
import { problemsOf } from '../../../../helpers/structure.ts'

async function merge(template: Promise<Uint8Array>, data: unknown, format = 'odt'): Promise<Uint8Array> {
  const { value } = await mergeBytes(await template, format, data)
  const out = new Uint8Array(await value.document.arrayBuffer())
  expect(await problemsOf(out)).toEqual([])
  return out
}

const p = (text: string, style = '') => `<text:p${style && ` text:style-name="${style}"`}>${text}</text:p>`

/** Markup of the body with the names of styles as they are used first: s1, s2. */
async function outline(body: string, data: unknown): Promise<string> {
  const xml = await bodyOf(await merge(odtOf(body), data))
  return xml
    .replace(/ text:style-name="Html\d+"| table:style-name="Html\d+"| office:value-type="string"/g, '')
    .replace(/<table:table-column[^>]*\/>/g, '')
}

describe('blocks', () => {
  const rows: [string, string, unknown, string][] = [
    ['alone', p('{d.x:html}'), { x: '<p>a</p><p>b</p>' }, '<text:p>a</text:p><text:p/><text:p>b</text:p>'],
    [
      'between text',
      p('A {d.x:html} B', 'P1'),
      { x: 'x' },
      `${p('A ', 'P1')}${p('x', 'P1')}${p(' B', 'P1')}`,
    ],
    [
      'in a span',
      p('<text:span text:style-name="T1">A{d.x:html}</text:span>'),
      { x: 'x' },
      '<text:p><text:span text:style-name="T1">A</text:span></text:p><text:p><text:span text:style-name="T1">x</text:span></text:p>',
    ],
    ['nothing', p('A{d.x:html}'), { x: '' }, p('A')],
    [
      'inline',
      p('A{d.x:html(inline)}'),
      { x: '<p>a</p><b>b</b>' },
      p('Aa<text:line-break/><text:span>b</text:span>'),
    ],
    [
      'in a link',
      p('<text:a xlink:href="#a">{d.x:html}</text:a>'),
      { x: '<p>a</p>b' },
      p('<text:a xlink:href="#a">a<text:line-break/>b</text:a>'),
    ],
    [
      'blanks',
      p('{d.x:html}'),
      { x: '<pre>  a   b\tc\n d</pre>' },
      p(
        '<text:span><text:s text:c="2"/>a <text:s text:c="2"/>b<text:tab/>c</text:span><text:line-break/><text:span><text:s/>d</text:span>',
      ),
    ],
    [
      'a heading',
      p('{d.x:html}'),
      { x: '<h2>a</h2>b' },
      '<text:h text:outline-level="2">a</text:h><text:p>b</text:p>',
    ],
    [
      'lists',
      p('{d.x:html}'),
      { x: '<ol start=3><li>a<ul><li>b</ul><li>c</ol>' },
      '<text:list><text:list-item text:start-value="3"><text:p>a</text:p><text:list><text:list-item><text:p>b</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>c</text:p></text:list-item></text:list>',
    ],
    [
      'boxes stand in for marks',
      p('{d.x:html}'),
      { x: '<ol><li>a<li><input type=checkbox>b<li>c</ol>' },
      '<text:list><text:list-item text:start-value="1"><text:p>a</text:p></text:list-item></text:list><text:list><text:list-item><text:p>☐ b</text:p></text:list-item></text:list><text:list><text:list-item text:start-value="2"><text:p>c</text:p></text:list-item></text:list>',
    ],
    [
      'a table',
      p('{d.x:html(nospace)}'),
      { x: '<table><tr><th>a<th>b<tr><td colspan=2>c</table>d' },
      '<table:table table:name="HtmlTable2"><table:table-header-rows><table:table-row><table:table-cell><text:p><text:span>a</text:span></text:p></table:table-cell><table:table-cell><text:p><text:span>b</text:span></text:p></table:table-cell></table:table-row></table:table-header-rows><table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>c</text:p></table:table-cell><table:covered-table-cell/></table:table-row></table:table><text:p>d</text:p>',
    ],
    [
      'tables part the lists they stand in',
      p('{d.x:html}'),
      { x: '<ol><li>a<table><tr><td>t</table>b<li>c<ul><li>d<table><tr><td>u</table></ul><li>e</ol>' },
      '<text:list><text:list-item text:start-value="1"><text:p>a</text:p></text:list-item></text:list><table:table table:name="HtmlTable3"><table:table-row><table:table-cell><text:p>t</text:p></table:table-cell></table:table-row></table:table><text:list><text:list-header><text:p>b</text:p></text:list-header><text:list-item text:start-value="2"><text:p>c</text:p><text:list><text:list-item><text:p>d</text:p></text:list-item></text:list></text:list-item></text:list><table:table table:name="HtmlTable4"><table:table-row><table:table-cell><text:p>u</text:p></table:table-cell></table:table-row></table:table><text:list><text:list-item text:start-value="3"><text:p>e</text:p></text:list-item></text:list>',
    ],
    [
      'paragraphs repeat',
      `${p('{d.l[i].x:html}')}${p('{d.l[i+1].x:html}')}`,
      { l: [{ x: 'a' }, { x: 'b' }] },
      p('a') + p('b'),
    ],
  ]
  it.each(rows)('%s', async (_name, body, data, expected) => {
    expect(await outline(body, data)).toBe(expected)
  })
})

describe('styles', () => {
  const namespaces =
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"'
  const content = (body: string) =>
    `<office:document-content ${namespaces}><office:automatic-styles><style:style style:name="P1" style:family="paragraph" style:parent-style-name="Body"><style:paragraph-properties fo:margin-left="1cm" fo:text-align="end" fo:line-height="120%"/><style:text-properties fo:color="#112233"/></style:style></office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`
  const styles = `<office:document-styles ${namespaces}><office:styles><style:style style:name="Heading_20_1" style:display-name="Heading 1" style:family="paragraph"/><style:style style:name="Intense_20_Quote" style:display-name="Intense Quote" style:family="paragraph"/></office:styles><office:automatic-styles/><office:master-styles><style:master-page style:name="Standard"><style:header><text:p>{d.h:html}</text:p></style:header></style:master-page></office:master-styles></office:document-styles>`
  const template = (body: string) =>
    zipOf(
      {
        mimetype: 'application/vnd.oasis.opendocument.text',
        'content.xml': content(body),
        'styles.xml': styles,
      },
      ['mimetype'],
    )
  const styleOf = async (out: Uint8Array, at: number, part = 'content.xml') => {
    const xml = await entryText(out, part)
    const used = [...xml.matchAll(/<text:(?:p|h|span)\b[^>]*text:style-name="([^"]*)"/g)].map(
      ([, name]) => name!,
    )
    const found = new RegExp(`<style:style style:name="${used[at]}".*?(?:</style:style>|/>)`).exec(xml)?.[0]
    return found ?? used[at]
  }

  it('a paragraph has the formatting of that of the tag, without its alignment', async () => {
    const out = await merge(template(p('{d.x:html}', 'P1')), { x: '<p>a</p><blockquote>b' })
    const own = await styleOf(out, 0)
    expect(own).toContain('style:parent-style-name="Body"')
    expect(own).toContain('fo:margin-left="1cm" fo:line-height="120%"')
    expect(own).toContain('<style:text-properties fo:color="#112233"/>')
    expect(await styleOf(out, 2)).toContain('fo:margin-left="2.058cm"')
  })

  it('sizes, fonts and lines around paragraphs', async () => {
    const x =
      '<p style="border:2px solid #d5dae1"><span style="font-size:14pt;font-family:Georgia">a</span></p>'
    const out = await merge(template(p('{d.x:html}')), { x })
    expect(await styleOf(out, 0)).toContain(
      'fo:border-top="1.5pt solid #D5DAE1" fo:padding-top="0.05cm" fo:border-right="1.5pt solid #D5DAE1"',
    )
    expect(await styleOf(out, 1)).toContain(
      `fo:font-family="'Georgia'" style:font-family-asian="'Georgia'" style:font-family-complex="'Georgia'" fo:font-size="14pt"`,
    )
  })

  it('headings and quotations take styles by name', async () => {
    const x = '<h1>a</h1><blockquote>b'
    const out = await merge(template(p('{d.x:html(quotetheme:Intense_20_Quote)}')), { x })
    expect([await styleOf(out, 0), await styleOf(out, 1)]).toEqual(['Heading_20_1', 'Intense_20_Quote'])
  })

  it('tables have the lines, widths, padding and colours of their HTML', async () => {
    const styled = async (x: string) => {
      const xml = await entryText(await merge(template(p('{d.x:html}')), { x }), 'content.xml')
      return [...xml.matchAll(/<style:table(?:-cell)?-properties ([^>]*)\/>/g)].map(([, said]) => said)
    }
    expect(await styled('<table><tr><td>a</table>')).toEqual([
      'style:rel-width="100%" table:align="margins" table:border-model="collapsing"',
      'fo:padding="0.1cm" fo:border="none"',
    ])
    expect(
      await styled(
        '<table width=50% style="margin:auto"><tr><td style="border-bottom:2px solid #d5dae1;padding:10px;background:#fff;vertical-align:middle">a</table>',
      ),
    ).toEqual([
      'style:width="8.500cm" style:rel-width="50%" table:align="center" table:border-model="collapsing"',
      'fo:padding="0.265cm" fo:border-top="none" fo:border-right="none" fo:border-bottom="1.5pt solid #D5DAE1" fo:border-left="none" fo:background-color="#FFFFFF" style:vertical-align="middle"',
    ])
    expect(await styled('<table border=1 width=200><tr><td>a</table>')).toEqual([
      'style:width="5.292cm" table:align="left" table:border-model="collapsing"',
      'fo:padding="0.1cm" fo:border="0.75pt solid #808080"',
    ])
  })

  it('a style that the template lacks is reported with the nearest name', async () => {
    const messages = async (options: string) => {
      const { warnings } = await mergeBytes(await template(p(`{d.x:html(${options})}`)), 'odt', { x: 'a' })
      return warnings.map(({ message }) => message)
    }
    expect(await messages('headingtheme:Heading, quotetheme:Intense_20_Quote')).toEqual([])
    expect(await messages("quotetheme:'Intense Qoute'")).toEqual([
      'Option quotetheme of :html names "Intense Qoute", but the template has no paragraph style of that name. Do you mean "Intense Quote"?',
    ])
    expect(await messages('tabletheme:Grid')).toHaveLength(1)
  })

  it('in headers, and page breaks only in the text', async () => {
    const x = '<p style="break-before:page">a</p>'
    const out = await merge(template(p('{d.h:html}')), { h: `<b>b</b>${x}` })
    expect(await styleOf(out, 0, 'styles.xml')).toContain('fo:font-weight="bold"')
    expect(await entryText(out, 'styles.xml')).not.toContain('fo:break-before')
    expect(await entryText(out, 'content.xml')).toContain('fo:break-before="page"')
  })

  it('pictures are not wider than the text between the margins', async () => {
    const page = `<office:automatic-styles><style:page-layout style:name="P"><style:page-layout-properties fo:page-width="21cm" fo:margin="3cm" fo:margin-left="2cm"/></style:page-layout></office:automatic-styles>`
    const own = styles
      .replace('<office:automatic-styles/>', page)
      .replace('style:name="Standard"', 'style:name="Standard" style:page-layout-name="P"')
    const picture = dataUri(svg(400, 40), 'image/svg+xml')
    const x = `<img src="${picture}" width=2000><img src="${picture}" width=25%>`
    const out = await merge(
      zipOf(
        {
          mimetype: 'application/vnd.oasis.opendocument.text',
          'content.xml': content(p('{d.x:html}')),
          'styles.xml': own,
        },
        ['mimetype'],
      ),
      { x },
    )
    const body = await bodyOf(out)
    expect(body).toContain('svg:width="16.000cm" svg:height="1.600cm"')
    expect(body).toContain('svg:width="4.000cm" svg:height="0.400cm"')
  })

  it('pictures and links', async () => {
    const x = `<img src="${dataUri(svg(200, 100), 'image/svg+xml')}" alt="t"><a href="javascript:1">a</a><a href="b.org?a=1&amp;b">b</a>`
    const body = await bodyOf(await merge(odtOf(p('{d.x:html}')), { x }))
    expect(body).toContain('svg:width="5.000cm" svg:height="2.500cm"')
    expect(body).toContain('<svg:desc>t</svg:desc>')
    expect(body).toMatch(/<\/draw:frame>a<text:a [^>]*xlink:href="https:\/\/b.org\?a=1&amp;b">/)
  })
})

it('slides hold paragraphs and lists: formatting and links stay, pictures become their alternative text', async () => {
  const xml = await entryText(
    await merge(
      zipOf(
        {
          mimetype: 'application/vnd.oasis.opendocument.presentation',
          'content.xml': `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:presentation>${p('A{d.x:html}')}</office:presentation></office:body></office:document-content>`,
        },
        ['mimetype'],
      ),
      {
        x: `<b>a</b><ul><li>b</ul><a href="c.org">c<br><i>d</i></a><img alt="e" src="${dataUri(svg(1, 1), 'image/svg+xml')}">`,
      },
      'odp',
    ),
    'content.xml',
  )
  expect(xml).toContain('fo:font-weight="bold"')
  expect(xml).toContain(
    '<text:p>A</text:p><text:p><text:span text:style-name="Html1">a</text:span></text:p><text:list text:style-name="Html2"><text:list-item><text:p text:style-name="Html3">b</text:p></text:list-item></text:list><text:p><text:span text:style-name="Html4"><text:a xlink:type="simple" xlink:href="https://c.org">c</text:a></text:span><text:line-break/><text:span text:style-name="Html5"><text:a xlink:type="simple" xlink:href="https://c.org">d</text:a></text:span>e</text:p>',
  )
})

it('what tags leave with the render is left once, though their text is made twice', async () => {
  const template = await odtOf(p('{#a = d.f:appendFile}{d.s:sign}{$a}{d.h:html}'))
  const { value } = await mergeBytes(template, 'odt', { s: 1, f: 'u', h: '<b>x</b>' })
  expect(value.operations?.map(({ kind }) => kind)).toEqual(['sign', 'append'])
})
