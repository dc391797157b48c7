import { describe, expect, it } from 'vitest'
import { fromXhtml } from '../../../../plugins/engines/web/from-xhtml.ts'
import web from '../../../../plugins/engines/web/index.ts'
import { readXml } from '../../../../plugins/engines/web/read-xml.ts'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { engineUnder, originHost } from '../../../helpers/engines.ts'
import { titled } from '../../../helpers/titled.ts'

const { convert } = engineUnder(web, originHost(undefined, []))
const text = async (source: string, from: string, to: string) =>
  new TextDecoder().decode((await convert(new TextEncoder().encode(source), from, to)).bytes)

describe('XML in lines', () => {
  it.each([
    ['<a><b>1</b><c/></a>', '<a>\n  <b>1</b>\n  <c/>\n</a>'],
    [
      '<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY x "y">]>\n<a><!-- n --></a>',
      '<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY x "y">]>\n<a>\n  <!-- n -->\n</a>',
    ],
    ['<a>\n\n      <b>\n</b></a>', '<a>\n  <b></b>\n</a>'],
    // Around text nothing may be added.
    ['<a><p>one <b>two</b> <i>three</i></p></a>', '<a>\n  <p>one <b>two</b> <i>three</i></p>\n</a>'],
    ['<a xml:space="preserve"> <b/> </a>', '<a xml:space="preserve"> <b/> </a>'],
    ['<a><![CDATA[<x>]]></a>', '<a><![CDATA[<x>]]></a>'],
    ['\ufeff<größe ü:x="&amp;">&#8364;</größe>', '<größe ü:x="&amp;">&#8364;</größe>'],
  ])('%s', (source, expected) => {
    expect(readXml(source)).toMatchObject({ ok: true, text: expected })
  })

  it.each(
    titled([
      ['<a>\n<b>\n</a>', 'line 3: </a> where </b> should be'],
      ['<a>\n', 'line 2: <a> is not closed'],
      ['<a/><b/>', 'line 1: there is a second root element'],
      ['words', 'line 1: text outside of the document element'],
      ['<a x=1/>', 'line 1: a tag is not well-formed'],
      ['<a x="1" x="2"/>', 'line 1: the attribute x appears twice'],
      ['<a>Tom & Jerry</a>', 'line 1: an & does not begin a reference'],
      ['<a>1 < 2</a>', 'line 1: a tag is not well-formed'],
      ['</a>', 'line 1: </a> closes nothing'],
      ['<!-- only -->', 'line 1: there is no element'],
      ['<a>'.repeat(600), 'line 1: its elements are nested too deeply'],
    ]),
  )('%s is not XML', (_title, source, because) => {
    expect(readXml(source)).toEqual({ ok: false, because })
  })

  it('megabytes of it take linear time', () => {
    const source = `<a>${'<b c="d">e</b>'.repeat(200_000)}</a>`
    expect(readXml(source)).toMatchObject({ ok: true, root: 'a' })
  })
})

describe('XML of no known vocabulary', () => {
  const source = '<order number="4711"><place>Zürich &amp; Bern</place></order>'
  it('is shown unchanged', async () => {
    expect(await text(source, 'xml', 'txt')).toBe(
      '<order number="4711">\n  <place>Zürich &amp; Bern</place>\n</order>\n',
    )
    expect(await text(source, 'xml', 'html')).toContain(
      '<code class="language-xml">&#60;order number=&#34;4711&#34;&#62;\n  &#60;place',
    )
    expect(await text(source, 'xml', 'md')).toBe(
      '```xml\n<order number="4711">\n  <place>Zürich &amp; Bern</place>\n</order>\n```\n',
    )
    expect(await text(source, 'xml', 'fodt')).toMatch(/Preformatted[\s\S]*&lt;order/)
  })
  it('must be well-formed', async () => {
    const failed = await convert(new TextEncoder().encode('<a>\n<b></a>'), 'xml', 'html').catch(
      (error: unknown) => error,
    )
    expect(failed).toBeInstanceOf(AppError)
    expect((failed as AppError).message).toContain(
      'it is not well-formed XML, line 2: </a> where </b> should be',
    )
  })
})

const article = (space: string, info: string) => `<?xml version="1.0"?>
<article${space}><${info}><title>Harvest</title></${info}>
<section xml:id="q"><title>Quinces</title><para>They are <emphasis>late</emphasis>,
 <emphasis role="bold">very</emphasis>. <link xlink:href="https://example.org/">More</link><footnote><para>Or not.</para></footnote></para>
<itemizedlist><listitem><para>Vranja</para><orderedlist><listitem><para>sweet</para></listitem></orderedlist></listitem></itemizedlist>
<table><title>Weights</title><tgroup cols="2"><thead><row><entry>Sort</entry><entry>kg</entry></row></thead><tbody><row><entry>Vranja</entry><entry>4711</entry></row></tbody></tgroup></table>
<programlisting language="js">let x = 1
</programlisting><section><title>Deeper</title><para>End.</para></section></section></article>`

describe('DocBook', () => {
  it.each([
    [
      '5',
      article(' xmlns="http://docbook.org/ns/docbook" xmlns:xlink="http://www.w3.org/1999/xlink"', 'info'),
    ],
    ['4', article('', 'articleinfo')],
  ])('version %s says what it says', async (_, source) => {
    expect(await text(source, 'docbook', 'md')).toBe(`# Harvest

## Quinces

They are *late*, **very**. [More](https://example.org/)[^1]

- Vranja
  1. sweet

**Weights**

| Sort | kg |
| - | - |
| Vranja | 4711 |

\`\`\`js
let x = 1
\`\`\`

### Deeper

End.

[^1]: Or not.
`)
  })
})

describe('to DocBook', () => {
  const markdown = `# Harvest

## Quinces

They are *late*, **very**. [More](https://example.org/)[^1]

- Vranja
  1. sweet

| Sort | kg |
| - | - |
| Vranja | 4711 |

\`\`\`js
let x = "<1>"
\`\`\`

### Deeper

[^1]: Or not.
`
  it('keeps sections, lists in lists, tables, listings and notes', async () => {
    const docbook = await text(markdown, 'md', 'docbook')
    expect(readXml(docbook).ok).toBe(true)
    expect(docbook).toContain('<title>Harvest</title>')
    expect(docbook).toContain(
      '<listitem>\n<para>Vranja</para>\n<orderedlist>\n<listitem>\n<para>sweet</para>',
    )
    expect(docbook).toContain('<thead>\n<row><entry><para>Sort</para>')
    expect(docbook).toContain('<programlisting language="js">let x = &#34;&#60;1&#62;&#34;')
    expect(docbook).toContain('<footnote><para>Or not.')
    expect(docbook).toContain('<section>\n<title>Deeper</title>\n<para/>\n</section>\n</section>')
  })
  it('and is read again as it was', async () => {
    const docbook = await text(markdown, 'md', 'docbook')
    expect(await text(docbook, 'docbook', 'md')).toContain('- Vranja\n  1. sweet\n\n| Sort | kg |')
  })
})

describe('XHTML to HTML', () => {
  it.each([
    ['<div/><br/><p title="a/>b"/>', '<div></div><br><p title="a/>b"></p>'],
    ['<script><![CDATA[ if (a < b) c() ]]></script>', '<script> if (a < b) c() </script>'],
    ['<p><![CDATA[1 < 2]]></p>', '<p>1 &#x3C; 2</p>'],
    ['<p>&nbsp;&uuml;</p>', '<p>\u00a0ü</p>'],
  ])('%s', (inside, expected) => {
    const page = fromXhtml(
      `<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd"><html xmlns="http://www.w3.org/1999/xhtml" xml:lang="de"><head><title>T</title></head><body>${inside}</body></html>`,
    )
    expect(page).toBe(
      `<!DOCTYPE html>\n<html lang="de"><head><title>T</title></head><body>${expected}</body></html>\n`,
    )
  })
})
