import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import chromium from '../../../../plugins/engines/chromium/index.ts'
import poppler from '../../../../plugins/engines/poppler/index.ts'
import { rotatePages } from '../../../../plugins/engines/poppler/text/rotate-pages.ts'
import { withoutText } from '../../../../shared/pdf/stage/without-text.ts'
import { engineUnder, originHost } from '../../../helpers/engines.ts'
import { finishPdf, latin1, officePdf, pdfOf, stream, untagged } from '../../../helpers/pdf.ts'
import { createOffice } from '../libreoffice/office.ts'

const host = originHost()
const tagging = engineUnder(chromium, host)
/** Prints pages without the tags by which they would be read. */
const browser: typeof tagging = {
  ...tagging,
  async convert(...request) {
    const made = await tagging.convert(...request)
    return { ...made, bytes: untagged(made.bytes) }
  },
}
const { convert } = engineUnder(poppler, host)
const office = createOffice()
afterAll(() => Promise.all([browser.engine.stop?.(), office.engine.stop?.()]))

const red =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSuQmCC'
const words =
  'The quick brown fox jumps over the lazy dog while the band plays on and nobody minds the rain. '
const page = `<!doctype html><meta charset="utf-8"><style>body{font:11pt Carlito}ul{list-style-type:"• "}h1{font-size:22pt}h2{font-size:15pt}table{border-collapse:collapse;width:100%}td,th{padding:3pt 12pt;text-align:left}td:nth-child(3){text-align:right}</style>
<h1>Annual report</h1><p>${words.repeat(4)}</p><h2>Sales</h2>
<table><tr><th>Item<th>Place<th>Sum</tr><tr><td>Apples<td>Leeds<td>1,200.50</tr><tr><td>Pears<td>York<td>7.00</tr><tr><td>Plums<td>Hull<td>12.25</tr></table>
<h2>Points</h2><ul><li>First point<li>Second point<ul><li>Inner point</ul></ul><ol><li>One<li>Two</ol>
<p>A <b>bold</b> and <i>italic</i> word, and a <a href="https://example.org/">link</a>.</p><img src="${red}" width="60" height="60"><p style="text-align:center">Centred line</p>`

let pdf: Uint8Array
beforeAll(async () => {
  pdf = (await browser.convert(page, 'html', 'pdf')).bytes
})
const text = async (bytes: Uint8Array, to: string) =>
  new TextDecoder().decode((await convert(bytes, 'pdf', to)).bytes)

describe('the text of a PDF', () => {
  test('headings, paragraphs, tables, lists, emphasis, links and pictures as Markdown', async () => {
    const markdown = (await text(pdf, 'md')).replace(/base64,[^)]*/, 'base64,')
    expect(markdown).toContain('# Annual report\n')
    expect(markdown).toContain(`\n${words.repeat(4).trim()}\n`)
    expect(markdown).toMatch(
      /## Sales\n\n\| Item \| Place \| Sum \|\n\| :?-+ \| :?-+ \| -+: \|\n\| Apples \| Leeds \| 1,200\.50 \|\n\| Pears \| York \| 7\.00 \|\n\| Plums \| Hull \| 12\.25 \|/,
    )
    expect(markdown).toMatch(/- First point\n- Second point\n {2}- Inner point/)
    expect(markdown).toMatch(/1\. One\n2\. Two/)
    expect(markdown).toContain('A **bold** and *italic* word, and a [link')
    expect(markdown).toContain('![](data:image/png;base64,)')
  })

  test('reads rotated text, and pages that are upside down', async () => {
    const made = async (body: string) =>
      text((await browser.convert(`<body style="font:12pt Carlito">${body}`, 'html', 'pdf')).bytes, 'md')
    const turned = await made(
      `<p>${words}</p><div style="writing-mode:vertical-rl;height:200px">Words go down</div><div style="writing-mode:vertical-rl;transform:rotate(180deg);height:200px">Words go up</div><div style="transform:rotate(180deg);width:300px">Upside down line</div><p>${words}</p>`,
    )
    expect(turned.trim().split('\n\n')).toEqual([
      words.trim(),
      'Words go down',
      'Words go up',
      'Upside down line',
      words.trim(),
    ])
    const onItsHead = await made(
      `<div style="transform:rotate(180deg)"><h1>Heading</h1><p>${words.repeat(3)}</p></div>`,
    )
    expect(onItsHead.trim()).toBe(`# Heading\n\n${words.repeat(3).trim()}`)
  })

  test('short lines below each other stay apart, heads of narrow columns too', async () => {
    const body = `<style>body{font:11pt Carlito}p{margin:0}td,th{padding:2px 10px}</style><p>${words.repeat(2)}</p><br><p>apples</p><p>pears</p><br><p>${words}</p>
      <table><tr><th>Item<th>Count<th>Price</tr><tr><td>Nails<td>12<td>3.50</tr><tr><td>Screws<td>7<td>11.00</tr></table>`
    const markdown = await text((await browser.convert(body, 'html', 'pdf')).bytes, 'md')
    expect(markdown).toContain('apples\n\npears\n')
    expect(markdown).toMatch(/\| Item \| Count \| Price \|\n[|: -]+\n\| Nails \| 12 \| 3\.50 \|/)
  })

  test.each([
    ['with borders', ' border="1" style="border-collapse:collapse"'],
    ['without', ' cellpadding="12"'],
  ])('a table that is read from the right begins there, %s', async (_, how) => {
    const rows = [
      ['שם', 'מחיר', 'כמות'],
      ['תפוח', '10', '3'],
      ['אגס', '20', '5'],
    ]
    const table = `<table dir="rtl"${how}>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}`).join('')}`).join('')}</table>`
    const { bytes } = await browser.convert(
      `<meta charset="utf-8"><body style="font:12pt 'DejaVu Sans'">${table}`,
      'html',
      'pdf',
    )
    for (const row of rows) expect(await text(bytes, 'md')).toMatch(new RegExp(row.join(' +\\| +')))
    expect(await text(bytes, 'html')).toContain('<table dir="rtl">')
    expect(await text(bytes, 'fodt')).toMatch(/<style:table-properties[^>]* style:writing-mode="rl-tb"/)
  })

  test('Arabic and Hebrew are read from the right', async () => {
    const arabic = 'هذا نص عربي طويل يمتد على أكثر من سطر واحد لكي نرى كيف يتم ترتيب الكلمات في الفقرة'
    const hebrew = 'שלום עולם, זהו טקסט בעברית (2026).'
    const { bytes } = await browser.convert(
      `<meta charset="utf-8"><body style="font:12pt 'DejaVu Sans';width:9cm"><p dir="rtl">${arabic}</p><p dir="rtl">${hebrew}</p>`,
      'html',
      'pdf',
    )
    expect(await text(bytes, 'md')).toBe(`${arabic}\n\n${hebrew}\n`)
    expect(await text(bytes, 'fodt')).toContain('style:writing-mode="rl-tb"')
    expect(await text(bytes, 'html')).toContain(`<p dir="rtl">${arabic}</p>`)
  })

  test('as text, with nothing lost', async () => {
    const plain = await text(pdf, 'txt')
    for (const piece of ['Annual report', 'Apples', '1,200.50', 'Inner point', 'Centred line'])
      expect(plain).toContain(piece)
    expect(plain.replace(/\s+/g, ' ')).toContain(words.repeat(4).trim())
  })

  test('as a page', async () => {
    const html = await text(pdf, 'html')
    expect(html).toMatch(
      /<title>Annual report<\/title>[\s\S]*<h1>Annual report<\/h1>[\s\S]*<th>Item<\/th>[\s\S]*<li>First point<\/li>/,
    )
    expect(html).toContain('<p style="text-align:center">Centred line</p>')
  })

  test('as an office document: real headings, tables and page size', async () => {
    const odf = await text(pdf, 'fodt')
    expect(odf).toMatch(/<text:h [^>]*text:outline-level="1">/)
    expect(odf).toContain('<table:table-header-rows>')
    expect(odf).toMatch(/fo:page-width="59[56][^"]*pt"/)
    expect(odf).toContain('<office:binary-data>')
  })

  test('as sheets: numbers are numbers', async () => {
    const sheets = await text(pdf, 'fods')
    expect(sheets).toContain('table:table table:name="Page 1"')
    expect(sheets).toContain('office:value="1200.5"')
  })

  test('as slides: text in boxes, the rest behind it', async () => {
    const slides = await text(pdf, 'fodp')
    expect(slides.match(/<draw:page /g)).toHaveLength(1)
    expect(slides).toMatch(/<draw:text-box><text:p[^>]*><text:span[^>]*>Annual report/)
    expect(slides).toContain('<draw:image>')
  })

  describe('tables with borders', () => {
    const style =
      '<meta charset="utf-8"><style>body{font:10pt Carlito}table{border-collapse:collapse}td,th{border:1px solid #333;padding:1px 2px}</style>'
    const made = async (table: string) =>
      (
        await browser.convert(
          `${style}<p>Before it.</p><table>${table}</table><p>After it.</p>`,
          'html',
          'pdf',
        )
      ).bytes
    const around = (table: string) => `Before it.\n\n${table}\n\nAfter it.\n`

    test('cells are enclosed by borders, however close their texts are', async () => {
      const source = await made(
        '<tr><th>No<th>Name of it<th>Sum</tr><tr><td>A 1<td>Bolt and nut<td>7</tr><tr><td>A 2<td>Screw<td>12,000.00</tr>',
      )
      expect((await text(source, 'md')).replace(/ [:-]+ \|/g, ' - |')).toBe(
        around(
          '| No | Name of it | Sum |\n| - | - | - |\n| A 1 | Bolt and nut | 7 |\n| A 2 | Screw | 12,000.00 |',
        ),
      )
      const sheets = await text(source, 'fods')
      expect(sheets).toContain('office:value="12000"')
      expect(sheets).toContain(
        '<table:table-cell table:style-name="head" office:value-type="string"><text:p>Sum<',
      )
      // As wide as what stands in it: "Bolt and nut".
      expect(sheets).toMatch(/<table:table-column[^>]*"w15"\/><table:table-column[^>]*"w28"\/>/)
    })

    test('amounts of money are numbers that show their sign', async () => {
      const source = await made(
        '<tr><td>Bolt<td>$1,200.50</tr><tr><td>Nut<td>-7,25 €</tr><tr><td>Rod<td>US$ 4</tr>',
      )
      const { bytes } = await office.convert(await text(source, 'fods'), 'fods', 'html')
      const cells = [
        ...new TextDecoder().decode(bytes).matchAll(/sdval="([^"]*)"[^>]*>([^<]*(?:<[^/][^>]*>)*[^<]*)/g),
      ]
      expect(cells.map(([, value]) => value)).toEqual(['1200.5', '-7.25'])
      expect(cells.map(([, , shown = '']) => shown.replace(/<[^>]*>|\s/g, ''))).toEqual([
        '$1,200.50',
        '-7.25€',
      ])
    })

    test('a text of several lines stays in its cell', async () => {
      const cell = '<td style="width:40mm">'
      const long = 'This text is so long that it goes on for three lines of its narrow cell.'
      expect(await text(await made(`<tr>${cell}${long}${cell}${long}</tr>`), 'md')).toBe(
        around(`| ${long} | ${long} |\n| - | - |`),
      )
    })

    test('cells that span columns and rows', async () => {
      const html = await text(
        await made(
          '<tr><td colspan="2">Wide one<td>C</tr><tr><td rowspan="2">High one<td>B2<td>C2</tr><tr><td>B3<td>C3</tr>',
        ),
        'html',
      )
      expect(html).toMatch(/<td colspan="2"[^>]*>Wide one<\/td>/)
      expect(html).toMatch(
        /<td rowspan="2"[^>]*>High one<\/td><td[^>]*>B2<\/td><td[^>]*>C2<\/td><\/tr>\n<tr><td[^>]*>B3</,
      )
    })

    test('colours of cells are borders too, stripes of a changing colour are none', async () => {
      const shade = (color: string) => `style="border:0;background:${color};width:30mm"`
      const row = (a: string, b: string) => `<tr><td ${shade(a)}>Left of it<td ${shade(b)}>Right of it</tr>`
      expect(await text(await made(row('#ddd', '#eee').repeat(2)), 'md')).toBe(
        around('| Left of it | Right of it |\n| - | - |\n| Left of it | Right of it |'),
      )
      const stripes = Array.from({ length: 60 }, (_, at) => `${60 + at} 600 1 40 re f`).join('\n')
      const drawn = pdfOf([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Count 1/Kids[3 0 R]>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 800]/Contents 4 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>',
        stream(`${stripes}\nBT /F1 12 Tf 62 615 Td (One) Tj 30 0 Td (Two) Tj ET`),
      ])
      expect(await text(drawn, 'md')).toBe('One Two\n')
    })

    test('a grid without text is a drawing', async () => {
      expect(
        await text(await made(`<tr>${'<td style="width:9mm;height:9mm">'.repeat(5)}</tr>`.repeat(5)), 'md'),
      ).toBe('Before it.\n\nAfter it.\n')
    })

    test.each([90, 270] as const)('on a page that is turned by %d degrees', async (turn) => {
      const table = '<tr><td>One cell<td>Two</tr><tr><td>Three<td>Four</tr>'
      const host = originHost()
      const signal = new AbortController().signal
      const pdf = await made(table)
      const turned = await rotatePages(
        { host, pdf, doing: 'turning', reported: new Set(), deadline: Infinity, signal },
        [turn],
      )
      expect(await text(turned as Uint8Array, 'md')).toBe(
        around('| One cell | Two |\n| - | - |\n| Three | Four |'),
      )
    })
  })

  test('a picture with a mask shows what the page shows', async () => {
    const half = Buffer.alloc(40 * 40 * 4)
    for (let at = 0; at < 40 * 40; at++) half.set(at % 40 < 20 ? [255, 0, 0, 255] : [0, 0, 0, 0], at * 4)
    const png = await sharp(half, { raw: { width: 40, height: 40, channels: 4 } })
      .png()
      .toBuffer()
    const { bytes } = await browser.convert(
      `<p>Text of it.</p><div style="background:#00f;width:90px;-webkit-print-color-adjust:exact"><img src="data:image/png;base64,${png.toString('base64')}" width="90"></div>`,
      'html',
      'pdf',
    )
    const picture = /data:image\/png;base64,([^)]*)/.exec(await text(bytes, 'md'))?.[1] ?? ''
    const { data, info } = await sharp(Buffer.from(picture, 'base64'))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const colourAt = (share: number) => {
      const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width * share)) * info.channels
      return [...data.subarray(at, at + 3)]
    }
    expect([colourAt(0.25), colourAt(0.75)]).toEqual([
      [255, 0, 0],
      [0, 0, 255],
    ])
  })

  test('a picture that is on every page is kept once', async () => {
    const letterhead = `<header data-page-header><img src="${red}" width="40" height="40"></header>`
    const { bytes } = await browser.convert(`${letterhead}<p>${words.repeat(200)}</p>`, 'html', 'pdf')
    expect((await text(bytes, 'md')).split('data:image/png')).toHaveLength(2)
  })

  test('columns are read one after the other', async () => {
    const column = (mark: string) =>
      `<p>${Array.from({ length: 20 }, (_, at) => `${mark}${at} ${words}`).join('')}</p>`
    const two = await browser.convert(
      `<style>body{columns:2;column-gap:12mm;font:10pt Carlito}</style>${column('left')}`,
      'html',
      'pdf',
    )
    const plain = await text(two.bytes, 'txt')
    const order = [...plain.matchAll(/left(\d+)/g)].map(([, number]) => Number(number))
    expect(order).toEqual(Array.from({ length: 20 }, (_, at) => at))
  })

  test('what every page repeats is left out', async () => {
    const running =
      '<header data-page-header>Letterhead</header><footer data-page-footer>Page <span class="pageNumber"></span></footer>'
    const long = await browser.convert(`${running}<p>${words.repeat(200)}</p>`, 'html', 'pdf')
    const plain = await text(long.bytes, 'txt')
    expect(plain).not.toMatch(/Letterhead|Page \d/)
    expect(plain.split('lazy dog')).toHaveLength(201)
  })

  test('a letter of an office', async () => {
    expect(await text(officePdf('letter-tagged'), 'md')).toMatch(/Kind regards/)
  })
})

describe('bad input', () => {
  test.each([
    ['no PDF', latin1('nothing '.repeat(100))],
    ['cut off', officePdf('letter-tagged').slice(0, 2000)],
    ['empty', new Uint8Array()],
  ])('%s', async (_name, bytes) => {
    await expect(convert(bytes, 'pdf', 'md')).rejects.toMatchObject({ code: 'convert.document' })
  })

  test('locked', async () => {
    const locked = await finishPdf(officePdf('letter-tagged'), {
      EncryptFile: true,
      DocumentOpenPassword: 'x',
    })
    await expect(convert(locked.value, 'pdf', 'fodt')).rejects.toMatchObject({ code: 'convert.password' })
  })

  test('warns about a PDF without text', async () => {
    const blank = pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>',
    ])
    const { warnings } = await convert(blank, 'pdf', 'md')
    expect(warnings.map(({ code }) => code)).toEqual(['pdf.no-text'])
  })
})

describe('a PDF without its text', () => {
  test('text is invisible, all else stays; strings are not touched', async () => {
    const content = '0 0 9 9 re f BT /F1 12 Tf 0 Tr (a BT \\) 2 Tr) Tj ET'
    const made = await withoutText(
      pdfOf([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Count 1/Kids[3 0 R]>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>',
        stream(content),
      ]),
      nodeCodec,
      new AbortController().signal,
    )
    expect(made.painted).toEqual([true])
    expect(Buffer.from(made.pdf).toString('latin1')).toContain(
      '0 0 9 9 re f BT 3 Tr /F1 12 Tf 3 Tr (a BT \\) 2 Tr) Tj ET',
    )
  })
})
