import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../../../../origin/codec.ts'
import { paintWebPage, readWebPage } from '../../../../../../plugins/engines/instant/web-pipeline.ts'
import { runsOf } from '../../../../../helpers/deck-layout.ts'
import { shippedBook } from '../../../../../helpers/instant-fonts.ts'
import { fillsOf, layPage, smallPage, textsOf } from '../../../../../helpers/web-layout.ts'

const drawn = (body: string, styles = '') => textsOf(layPage(smallPage(body, styles)).pages)
/** The first page as texts with their lines, counted from 0. */
const lines = (body: string, styles = '') =>
  drawn(body, styles)[0]?.map(([text, x, y]) => [text, x, (y - 13) / 20])

describe('blocks of a page', () => {
  it.each([
    [
      'follow each other',
      '<p>a<p>b',
      '',
      [
        ['a', 0, 0],
        ['b', 0, 1],
      ],
    ],
    [
      'share the larger of two margins',
      '<p>a<p>b',
      'p { margin: 20px 0 40px }',
      [
        ['a', 0, 1],
        ['b', 0, 4],
      ],
    ],
    ['add negative margins to positive ones', '<p>a<p>b', 'p { margin: -20px 0 40px }', [['b', 0, 1]]],
    [
      'pass their margin through the top of the one around them',
      '<div><p>a</div>',
      'p { margin: 40px 0 }',
      [['a', 0, 2]],
    ],
    [
      'keep it inside where the one around them has a border',
      '<div style="border-top: 20px solid"><p>a</div>b',
      'p { margin: 20px 0 }',
      [
        ['a', 0, 2],
        ['b', 0, 4],
      ],
    ],
    [
      'collapse through empty ones',
      '<p>a</p><p></p><p>b',
      'p { margin: 20px 0 }',
      [
        ['a', 0, 1],
        ['b', 0, 3],
      ],
    ],
    [
      'have padding and a width',
      '<div style="width: 100px; padding: 20px 10px">a</div>b',
      '',
      [
        ['a', 10, 1],
        ['b', 0, 3],
      ],
    ],
    [
      'are centred by the attribute of the box around them',
      '<div align="center"><div style="width: 100px; text-align: left">a</div></div>',
      '',
      [['a', 100, 0]],
    ],
    [
      'do not pass the attribute on to the text of tables, which are centred',
      '<div align="center"><table style="width: 100px; border-spacing: 0"><tr><td style="padding: 0">a</table></div>',
      '',
      [['a', 100, 0]],
    ],
    [
      'are as high as the ratio of their width asks for, or as their content',
      '<div style="width: 100px; aspect-ratio: 5 / 2">a</div><div style="width: 20px; aspect-ratio: 2">b</div>c',
      '',
      [
        ['a', 0, 0],
        ['b', 0, 2],
        ['c', 0, 3],
      ],
    ],
    [
      'are as wide as the ratio of their height asks for',
      '<div style="height: 20px; aspect-ratio: 5; text-align: right">aaaa</div>',
      '',
      [['aaaa', 78, 0]],
    ],
    [
      'are not there for elements without a box, whose children are items of the box around them',
      '<div style="display: flex; gap: 10px"><i style="display: contents"><b style="width: 40px">a</b><b>b</b></i></div>',
      '',
      [
        ['a', 0, 0],
        ['b', 50, 0],
      ],
    ],
    [
      'stand in the middle of the box that they are positioned in',
      '<div style="position: relative; height: 100px"><p style="position: absolute; inset: 0; margin: auto; width: 100px; height: 20px">a</div>',
      '',
      [['a', 100, 2]],
    ],
    ['are centred by margins', '<div style="width: 100px; margin: 0 auto">a</div>', '', [['a', 100, 0]]],
    [
      'stand between the lines of an inline element',
      '<span>a<div>b</div>c</span>',
      '',
      [
        ['a', 0, 0],
        ['b', 0, 1],
        ['c', 0, 2],
      ],
    ],
  ])('%s', (_, body, styles, expected) => {
    expect(lines(body, styles)).toEqual(expected)
  })
})

describe('lines of a page', () => {
  it.each([
    [
      'collapse white space',
      '<p> a \n  b <b> c</b>',
      '',
      [
        ['a b', 0, 0],
        ['c', 17, 0],
      ],
    ],
    [
      'keep it where styles say so',
      '<pre>a\n b</pre>',
      'pre { margin: 0; font: inherit }',
      [
        ['a', 0, 0],
        ['b', 0, 1],
      ],
    ],
    [
      'end at forced breaks',
      'a<br>b',
      '',
      [
        ['a', 0, 0],
        ['b', 0, 1],
      ],
    ],
    ['are aligned', '<p style="text-align: right">aaaa', '', [['aaaa', 278, 0]]],
    [
      'are aligned in their own way at the end of a paragraph',
      '<p style="text-align-last: right"><b>aaaa</b>',
      'b { font-weight: normal }',
      [['aaaa', 278, 0]],
    ],
    [
      'begin with an indent',
      '<p style="text-indent: 30px">a<br>b',
      '',
      [
        ['a', 30, 0],
        ['b', 0, 1],
      ],
    ],
    [
      'have the sizes of old pages, which may be relative',
      '<font size="+2">a</font><font size=+1>b</font>c',
      'font { line-height: 0 }',
      [
        ['a', 0, 0],
        ['b', 13, 0],
        ['c', 23, 0],
      ],
    ],
    [
      'raise superscripts',
      '<p>a<sup>2</sup>',
      'sup { font-size: 10px; line-height: 0 }',
      [
        ['a', 0, 0],
        ['2', 6, -0.2],
      ],
    ],
  ])('%s', (_, body, styles, expected) => {
    expect(lines(body, styles)).toEqual(expected)
  })

  it('are broken where they are full, and filled to both sides where styles say so', () => {
    const text = `<p style="text-align: justify">${'word '.repeat(20)}`
    const [page = []] = drawn(text)
    expect(page.length).toBe(2)
    expect(page[1]?.slice(1)).toEqual([0, 33])
  })

  it('are around blocks as outlines, which take no space', () => {
    const { pages } = layPage(
      smallPage(
        '<div>a</div>b',
        'div { margin: 20px; width: 40px; outline: 2px solid #f00; outline-offset: 3px }',
      ),
    )
    expect(fillsOf(pages[0]!)).toEqual([
      [15, 15, 50, 2, 'ff0000'],
      [15, 43, 50, 2, 'ff0000'],
      [15, 15, 2, 30, 'ff0000'],
      [63, 15, 2, 30, 'ff0000'],
    ])
  })

  it('have the backgrounds of inline elements behind them', () => {
    const { pages } = layPage(
      smallPage('<p>a <code>b</code>', 'code { font: inherit; background: #eee; padding: 0 5px }'),
    )
    expect(fillsOf(pages[0]!)).toEqual([[8, 4, 16, 11, 'eeeeee']])
  })
})

describe('pictures of a page that cannot be shown', () => {
  it.each([
    ['take no space where they stand for nothing', '<img src="x" alt="">a', [['a', 0, 0]]],
    [
      'have an icon of 16 pixels above the baseline without alternative text',
      '<img src="x" width="200">a',
      [['a', 16, 0.15]],
    ],
    ['keep the size that they are given', '<img src="x" width="100" height="12">a', [['a', 100, 0]]],
    [
      'are told by their text, which is broken into lines',
      '<p style="width: 50px"><img src="x" alt="one two three">',
      [
        ['one', 16, 0],
        ['two three', 0, 1],
      ],
    ],
    [
      'have their icon beside the text of a block',
      '<img src="x" alt="one" style="display: block; width: 50px">a',
      [
        ['one', 16, 0],
        ['a', 0, 1],
      ],
    ],
    [
      'have a line of their own, even where they stand for nothing',
      '<p><img src="x" alt=""></p>a',
      [['a', 0, 1]],
    ],
  ])('%s', (_, body, expected) => {
    expect(lines(body)).toEqual(expected)
  })
  it('keep their size in quirks mode, and cut their text there', () => {
    const quirks = smallPage('<img src="x" width="100" alt="a b"><p>c').replace('<!DOCTYPE html>', '')
    const [page] = layPage(quirks).pages
    expect(textsOf([page!])[0]).toEqual([
      ['a b', 18, 15],
      ['c', 0, 113],
    ])
  })
  it('that are drawings without a size fill the width, and none where the content decides it', () => {
    const drawing = '<svg viewBox="0 0 10 5"><path d="M0 0"/></svg>'
    expect(lines(`${drawing.replace('<svg', '<svg style="display: block"')}a`)).toEqual([['a', 0, 7.5]])
    expect(lines(`<span style="display: inline-block">${drawing}</span>a`)).toEqual([['a', 0, 0]])
  })
})

describe('lines in quirks mode', () => {
  const old = (body: string, type: string) =>
    textsOf(layPage(smallPage(body).replace('<!DOCTYPE html>', type)).pages)[0]?.map(([text, , y]) => [
      text,
      y,
    ])
  const small = '<p><small style="font: 5px/10px Arial">a</small></p>b'
  const limited =
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">'
  it.each([
    [
      'are as high as their text',
      small,
      '',
      [
        ['a', 7],
        ['b', 23],
      ],
    ],
    [
      'also in limited quirks mode',
      small,
      limited,
      [
        ['a', 7],
        ['b', 23],
      ],
    ],
    [
      'but not in standards mode',
      small,
      '<!DOCTYPE html>',
      [
        ['a', 13],
        ['b', 33],
      ],
    ],
    [
      'are as high as the block asks for where it has text itself',
      `<p>x${small.slice(3)}`,
      '',
      [
        ['x', 13],
        ['a', 13],
        ['b', 33],
      ],
    ],
  ])('%s', (_, body, type, expected) => {
    expect(old(body, type)).toEqual(expected)
  })
})

describe('fonts of a page', () => {
  const sizes = (body: string) => {
    const { pages } = layPage(`<!DOCTYPE html>${body}`)
    return pages.flatMap((page) => runsOf(page).map(({ size }) => Math.round((size / 0.75) * 100) / 100))
  }
  it.each([
    ['are smaller where they become monospace alone', '<code>a</code>', [13]],
    ['are so in code inside of code once', '<pre><code>a</code></pre>', [13]],
    ['grow back where they are no longer', '<code>a<b style="font-family: serif">b</b></code>', [13, 16]],
    ['keep a size that is a length', '<p style="font-size: 20px"><code>a</code>', [20]],
    ['keep their size with a family before monospace', '<p style="font-family: Arial, monospace">a', [16]],
    ['of no size draw nothing', '<p style="font-size: 0">a<b style="font-size: 10px">b</b>', [10]],
  ])('%s', (_, body, expected) => {
    expect(sizes(body)).toEqual(expected)
  })
})

describe('boxes of a page', () => {
  it('that clip their content cut off what does not fit', () => {
    const groups = (style: string) =>
      layPage(smallPage(`<div style="height: 20px; ${style}"><p>a<p>b</div>`)).pages[0]?.frame.items.filter(
        ({ item }) => item.kind === 'group' && item.clip,
      ).length
    expect([groups('overflow: hidden'), groups('overflow: hidden; height: 40px'), groups('')]).toEqual([
      1, 0, 0,
    ])
  })
  it('are cells of one row where a table has no rows', () => {
    const cell = '<div style="display: table-cell">'
    expect(lines(`<div style="display: table">${cell}a</div>${cell}b</div></div>`)).toEqual([
      ['a', 0, 0],
      ['b', 6, 0],
    ])
  })
  it('in lists that are nested have no margins of their own', () => {
    const body = '<ul style="margin: 0"><li>a<dl><dt>b</dl></ul>'
    expect(lines(body)?.filter(([text]) => text !== '')).toEqual([
      ['a', 40, 0],
      ['b', 40, 1],
    ])
  })
  it('are as wide as preformatted lines, whose spaces count once', () => {
    const body =
      '<table style="border-spacing: 0"><td style="padding: 0"><pre style="margin: 0; font: 10px Arial">a  b</pre><td>c</table>'
    expect(lines(body)?.map(([text, x]) => [text, x])).toEqual([
      ['a  b', 0],
      ['c', 18],
    ])
  })
})

describe('details', () => {
  const texts = (html: string) => drawn(html)[0]?.map(([text]) => text)
  it('that are closed show their summary', () => {
    expect(texts('<details><summary>a</summary><p>b</p>x</details>c')).toEqual(['a', 'c'])
  })
  it('that are open show everything', () => {
    expect(texts('<details open><summary>a</summary><p>b</details>')).toEqual(['a', 'b'])
  })
})

describe('lists of a page', () => {
  it('have numbers before their items, which `start` and `value` change', () => {
    const items = '<ol start=3><li>a<li value=7>b<li><p>c</ol>'
    expect(lines(items, 'ol { margin: 0 }')?.map(([text]) => text)).toEqual(['3.', 'a', '7.', 'b', '8.', 'c'])
  })
  it.each([
    ['lower-alpha', 28, 'ab.'],
    ['upper-roman', 1994, 'MCMXCIV.'],
    ['decimal-leading-zero', 7, '07.'],
    ['lower-roman', 4000, '4000.'],
  ])('count in %s', (type, value, expected) => {
    expect(lines(`<ol style="list-style: ${type}"><li value=${value}>a</ol>`)?.[0]?.[0]).toBe(expected)
  })
})

describe('markers inside of list items', () => {
  const inside =
    'ul, ol, details { margin: 0; padding: 0; font: 16px/20px Arial; list-style-position: inside }'
  // The positions are those of Chromium: a bullet is 5 pixels wide in a font of 16 pixels, with 17 pixels after it.
  it.each([
    ['bullets take the width of the bullet and 1 em', '<ul><li>a', [['a', 22, 0]]],
    [
      'numbers stand in the text',
      '<ol><li>a',
      [
        ['1.', 0, 0],
        ['a', 18, 0],
      ],
    ],
    [
      'strings stand in the text',
      `<ul style="list-style: '-' inside"><li>a`,
      [
        ['-', 0, 0],
        ['a', 5, 0],
      ],
    ],
    ['`list-style: none` has no marker', '<ul style="list-style: inside none"><li>a', [['a', 0, 0]]],
    [
      'a marker above a block stands alone',
      '<ol><li><div>a</div>',
      [
        ['1.', 0, 0],
        ['a', 0, 1],
      ],
    ],
    [
      '`outside` in the shorthand brings the marker back',
      '<ol style="list-style: outside decimal; padding-left: 40px"><li>a',
      [
        ['1.', 22, 0],
        ['a', 40, 0],
      ],
    ],
    [
      'details that are closed have a triangle, which is a shape',
      '<details><summary>a</summary>b</details>',
      [['a', 17, 0]],
    ],
    [
      'details that are open have another one',
      '<details open><summary>a</summary></details>',
      [['a', 17, 0]],
    ],
    [
      'a summary with `list-style: none` has none',
      '<details><summary style="list-style: none">a</summary></details>',
      [['a', 0, 0]],
    ],
  ])('%s', (_, body, expected) => {
    expect(lines(body, inside)?.map(([text, x, line]) => [text, x, Math.round(Number(line))])).toEqual(
      expected,
    )
  })
})

describe('frames', () => {
  const heights = (frame: string) => lines(`<p>a${frame}<p>b`)?.map(([text, , line]) => [text, line])
  it.each([
    [
      'are boxes of 300 by 150 pixels with a border, in the line',
      '<p><iframe></iframe>',
      [
        ['a', 0],
        ['b', 9.1],
      ],
    ],
    [
      'have the size and the border that attributes give',
      '<p><iframe width=50 height=40 frameborder=0></iframe>',
      [
        ['a', 0],
        ['b', 3.4],
      ],
    ],
    [
      'show nothing of what stands in them',
      '<p><iframe height=40 frameborder=0>old</iframe>',
      [
        ['a', 0],
        ['b', 3.4],
      ],
    ],
  ])('%s', (_, frame, expected) => {
    expect(heights(frame)?.map(([text, line]) => [text, Math.round(Number(line) * 10) / 10])).toEqual(
      expected,
    )
  })
  it.each([
    ['<iframe src="a.html"></iframe>', ['frames']],
    ['<iframe srcdoc="a"></iframe>', ['frames']],
    ['<iframe></iframe>', []],
  ])('are reported where they show a page: %s', (frame, expected) => {
    expect([...layPage(smallPage(frame)).boxes.undrawn]).toEqual(expected)
  })
})

describe('small capitals', () => {
  const sizes = (body: string) =>
    layPage(smallPage(body)).pages.flatMap((page) =>
      runsOf(page).map(({ text, size }) => [text.trim(), Math.round(size / 0.075) / 10]),
    )
  it.each([
    [
      'are upper-case letters of 0.7 of the size',
      '<p style="font-variant: small-caps">Ab 1ß</p>',
      [
        ['A', 10],
        ['B', 7],
        ['1', 10],
        ['SS', 7],
      ],
    ],
    ['of all letters', '<p style="font-variant-caps: all-small-caps">Ab', [['AB', 7]]],
    [
      'in the shorthand of a font',
      '<p style="font: small-caps bold 20px/20px Arial">Ab',
      [
        ['A', 20],
        ['B', 14],
      ],
    ],
    [
      'do not change upper case',
      '<p style="font-variant: small-caps; text-transform: uppercase">Ab',
      [['AB', 10]],
    ],
  ])('%s', (_, body, expected) => {
    expect(sizes(body)).toEqual(expected)
  })
})

describe('tables of a page', () => {
  const plain = 'table { border-spacing: 0 } td { padding: 0; vertical-align: top }'
  it.each([
    [
      'put cells side by side',
      '<table><tr><td width=100>a<td>b<tr><td>c<td>d</table>',
      plain,
      [
        ['a', 0, 0],
        ['b', 100, 0],
        ['c', 0, 1],
        ['d', 100, 1],
      ],
    ],
    [
      'span columns and rows',
      '<table><tr><td width=50 rowspan=2>a<td width=50>b<td>c<tr><td colspan=2>d</table>',
      plain,
      [
        ['a', 0, 0],
        ['b', 50, 0],
        ['c', 100, 0],
        ['d', 50, 1],
      ],
    ],
    [
      'share their width by percentages',
      '<table width=100%><tr><td width=50%>a<td>b</table>',
      plain,
      [
        ['a', 0, 0],
        ['b', 150, 0],
      ],
    ],
    [
      'have columns of equal width in the fixed layout',
      '<table style="table-layout: fixed; width: 300px"><tr><td>aaaaaaaaaaaa<td>b<td>c</table>',
      plain,
      [
        ['aaaaaaaaaaaa', 0, 0],
        ['b', 100, 0],
        ['c', 200, 0],
      ],
    ],
    ['set their cells apart', '<table style="border-spacing: 20px"><tr><td>a</table>', plain, [['a', 20, 1]]],
    [
      'move content down in its cell',
      '<table><tr><td height=60 style="vertical-align: bottom">a<td style="vertical-align: middle">b</table>',
      plain,
      [
        ['a', 0, 2],
        ['b', 6, 1],
      ],
    ],
    [
      'show the head first and the foot last',
      '<table><tfoot><tr><td>c</tfoot><tr><td>b<thead><tr><td>a</thead></table>',
      plain,
      [
        ['a', 0, 0],
        ['b', 0, 1],
        ['c', 0, 2],
      ],
    ],
    [
      'have a caption above',
      '<table><caption style="text-align: left">a</caption><tr><td>b</table>',
      plain,
      [
        ['a', 0, 0],
        ['b', 0, 1],
      ],
    ],
  ])('%s', (_, body, styles, expected) => {
    expect(lines(body, styles)).toEqual(expected)
  })

  it('share borders, of which the wider one is drawn', () => {
    const { pages } = layPage(
      smallPage(
        '<table><tr><td style="border: 4px solid red">a<td>b</table>',
        `${plain} table { border-collapse: collapse } td { border: 2px solid blue; width: 46px }`,
      ),
    )
    const between = fillsOf(pages[0]!).filter(([x, , width]) => x > 40 && x < 60 && width < 10)
    expect(new Set(between.map(([, , width, , colour]) => `${width} ${colour}`))).toEqual(
      new Set(['4 ff0000']),
    )
  })
})

describe('pages', () => {
  const paragraphs = (count: number) => Array.from({ length: count }, (_, index) => `<p>${index}`).join('')
  const textsByPage = (body: string, styles = '') =>
    drawn(body, styles).map((page) => page.map(([text]) => text).join(' '))

  it('are cut between lines', () => {
    expect(textsByPage(paragraphs(20))).toEqual(['0 1 2 3 4 5 6 7 8 9 10 11 12 13 14', '15 16 17 18 19'])
  })
  it.each([
    ['before a block', '<p>a<p style="page-break-before: always">b', ['a', 'b']],
    ['after a block', '<p style="break-after: page">a<p>b', ['a', 'b']],
    [
      'before the first block inside another one',
      '<p>a<div><p style="break-before: page">b</div>',
      ['a', 'b'],
    ],
    ['not before the first block of all', '<p style="break-before: page">a', ['a']],
    [
      'between a heading and its text only above the heading',
      `${paragraphs(14)}<h1 style="break-after: avoid">h</h1><p>t`,
      ['0 1 2 3 4 5 6 7 8 9 10 11 12 13', 'h t'],
    ],
    [
      'below a heading that says nothing of it, as in browsers',
      `${paragraphs(14)}<h1>h</h1><p>t`,
      ['0 1 2 3 4 5 6 7 8 9 10 11 12 13 h', 't'],
    ],
    [
      'not inside of a block that is kept together',
      `${paragraphs(14)}<div style="break-inside: avoid"><p>a<p>b</div>`,
      ['0 1 2 3 4 5 6 7 8 9 10 11 12 13', 'a b'],
    ],
    [
      'before a block that is kept together and is higher than a page, and inside of it',
      `<p>a<div style="break-inside: avoid">${paragraphs(16)}</div>`,
      ['a', '0 1 2 3 4 5 6 7 8 9 10 11 12 13 14', '15'],
    ],
    [
      'so that two lines of a paragraph stay on each side',
      `${paragraphs(12)}<p>a<br>b<br>c<br>d`,
      ['0 1 2 3 4 5 6 7 8 9 10 11 a b', 'c d'],
    ],
    [
      'so that two lines of a paragraph of three stay before it',
      `${paragraphs(13)}<p>a<br>b<br>c`,
      ['0 1 2 3 4 5 6 7 8 9 10 11 12 a b', 'c'],
    ],
    [
      'before a paragraph of which one line would stay',
      `${paragraphs(14)}<p>a<br>b<br>c`,
      ['0 1 2 3 4 5 6 7 8 9 10 11 12 13', 'a b c'],
    ],
    [
      'inside a block that is kept together and is higher than a page if its heading must stay with it',
      `<p>a<h1 style="break-after: avoid">h</h1><div style="break-inside: avoid">${paragraphs(16)}</div>`,
      ['a', 'h 0 1 2 3 4 5 6 7 8 9 10 11 12 13', '14 15'],
    ],
    [
      'before unbreakable blocks that do not fit although `break-after: avoid` joins them',
      '<p style="break-after: avoid"><span style="display: inline-block; height: 120px">a</span>'.repeat(4),
      ['a a', 'a a'],
    ],
  ])('begin %s', (_, body, expected) => {
    expect(textsByPage(body, 'h1 { font: inherit; margin: 0 }')).toEqual(expected)
  })
  // The expected breaks are those of Chromium's print output of the same pages.
  describe('keep the bottom edge of a block with its last lines', () => {
    const rows = (count: number, letter: string) =>
      Array.from({ length: count }, (_, index) => `${letter}${index}`).join('<br>')
    const padded = (content: string, style = '') =>
      `<div style="padding-bottom: 15px; ${style}">${content}</div>`
    const filled = (count: number) => `<div>${rows(count, 'a')}</div>`
    it.each([
      ['two lines', padded(rows(15, 'b')), ['b13 b14']],
      ['under a border', `<div style="border-bottom: 8px solid">${filled(15)}</div>`, ['a13 a14']],
      ['in nested blocks', padded(`<section>${filled(15)}</section>`), ['a13 a14']],
      ['a paragraph of one line', padded(`${filled(14)}<p>b`), ['b']],
      ['a paragraph of three lines', padded(`${filled(12)}<p>${rows(3, 'b')}`), ['b0 b1 b2']],
      ['two lines of a paragraph of four', padded(`${filled(11)}<p>${rows(4, 'b')}`), ['b2 b3']],
      ['a block of one line', `${filled(14)}${padded('<p>b')}`, ['b']],
      ['one line of a block of three', `${filled(12)}${padded(rows(3, 'b'))}`, ['b2']],
      [
        'one line below a heading',
        padded(`${filled(12)}<h1 style="break-after: avoid">h</h1><p>${rows(2, 'b')}`),
        ['b1'],
      ],
      [
        'an unbreakable block',
        padded(`${filled(5)}<div style="height: 200px; break-inside: avoid">b</div>`),
        ['b'],
      ],
      [
        'in a flex column',
        `<div style="display: flex; flex-direction: column; padding-bottom: 15px">${filled(15)}</div>`,
        ['a13 a14'],
      ],
      ['not where the block has a height', padded(rows(15, 'b'), 'height: 310px'), []],
      ['not in a grid', padded(rows(15, 'b'), 'display: grid'), []],
      ['not in a flex row', padded(filled(15), 'display: flex'), []],
      [
        'not in a cell',
        `<table style="border-spacing: 0; line-height: 20px"><td style="padding: 0 0 10px">${rows(15, 'b')}</table>`,
        [],
      ],
      ['not where they fill a page', padded(rows(4, 'b'), 'padding-bottom: 290px'), []],
    ])('%s', (_, body, expected) => {
      const pages = textsByPage(body, 'h1 { font: inherit; margin: 0 }')
      expect(pages.slice(1)).toEqual(expected)
    })
  })
  it('keep the content of a cell in the middle above a bottom padding', () => {
    const cell = '<td style="padding: 0 0 10px">a'
    expect(drawn(`<table style="border-spacing: 0; line-height: 20px">${cell}</table>`)[0]).toEqual([
      ['a', 0, 13],
    ])
  })
  it('repeat the head of a table', () => {
    const rows = Array.from({ length: 20 }, (_, index) => `<tr><td>${index}`).join('')
    const styles = 'table { border-spacing: 0 } td, th { padding: 0; line-height: 20px }'
    const texts = textsByPage(`<table><thead><tr><th>h</thead>${rows}</table>`, styles)
    expect(texts).toEqual(['h 0 1 2 3 4 5 6 7 8 9 10 11 12 13', 'h 14 15 16 17 18 19'])
  })
  it.each([0, 2, 7])('put rows below the repeated head of a table with a spacing of %d', (spacing) => {
    const rows = Array.from({ length: 20 }, (_, index) => `<tr><td>${index}`).join('')
    const styles = `table { border-spacing: ${spacing}px } td, th { padding: 0; line-height: 20px }`
    const [, second] = drawn(`<table><thead><tr><th>h</thead>${rows}</table>`, styles)
    const [head, first, next] = (second ?? []).map(([, , y]) => y)
    expect([first! - head!, next! - first!]).toEqual([20 + spacing, 20 + spacing])
  })
  it('continue a box with its background and without a border where it is cut', () => {
    const { pages } = layPage(
      smallPage(`<div style="background: #ff0; border: 10px solid #00f">${paragraphs(20)}</div>`),
    )
    const yellow = pages.map((page) => fillsOf(page).filter(([, , , , colour]) => colour === 'ffff00'))
    expect(yellow.map((fills) => fills.map(([, top, , height]) => [top, height]))).toEqual([
      [[0, 300]],
      [[0, 130]],
    ])
    const across = pages.map(
      (page) => fillsOf(page).filter(([, , width, , colour]) => colour === '0000ff' && width > 20).length,
    )
    expect(across).toEqual([1, 1])
  })
  // Lines of 20 pixels; the pages were printed by Chromium.
  it.each([
    ['the first page is lower', '@page :first { margin-top: 160px }', [5, 10, 9], [173, 73]],
    [
      'left pages are higher',
      '@page :left { margin-top: 20px; margin-bottom: 40px }',
      [10, 12, 2],
      [73, 33, 73],
    ],
    [
      'the first page takes precedence over right pages',
      '@page :right { margin-top: 180px } @page :first { margin-top: 160px }',
      [5, 10, 4, 5],
      [173, 73, 193, 73],
    ],
    ['other widths are not applied', '@page :first { margin: 0 }', [10, 10, 4], [73, 73, 73]],
  ])('%s', (name, rules, counts, baselines) => {
    const styles = `@page { size: 300px 300px; margin: 60px 50px 40px } ${rules} body { margin: 0; font: 10px/20px Arial }`
    const { pages, boxes } = layPage(
      `<!DOCTYPE html><style>${styles}</style>${Array.from({ length: 24 }, (_, line) => `<div>${line}</div>`).join('')}`,
    )
    expect(textsOf(pages).map((texts) => texts.length)).toEqual(counts)
    expect(textsOf(pages).map((texts) => texts[0]?.[2])).toEqual(
      expect.objectContaining(Object.fromEntries(baselines.entries())),
    )
    expect([...boxes.undrawn]).toEqual(name.includes('widths') ? ['pages of other widths'] : [])
  })

  it('have the size and the margins of @page', () => {
    const { pages } = layPage(
      '<!DOCTYPE html><style>@page { size: A5 landscape; margin: 1in } body { margin: 0 }</style>a',
    )
    expect(pages.map(({ frame }) => [Math.round(frame.width), Math.round(frame.height)])).toEqual([
      [595, 420],
    ])
    expect(textsOf(pages)[0]?.[0]?.slice(0, 2)).toEqual(['a', 96])
  })
  it('show smaller what is too wide for them', () => {
    const { pages } = layPage(smallPage('<p>a<div style="width: 450px; background: #ff0">b</div>'))
    const [group] = pages[0]!.frame.items
    expect(group?.item.kind === 'group' && group.item.transform?.[0]).toBeCloseTo(2 / 3)
  })
  it('show nothing smaller than two thirds', () => {
    const { pages } = layPage(smallPage('<p>a<div style="width: 900px; background: #ff0">b</div>'))
    const [group] = pages[0]!.frame.items
    expect(group?.item.kind === 'group' && group.item.transform?.[0]).toBeCloseTo(2 / 3)
  })
})

describe('a page', () => {
  it('has its title, language and headings', () => {
    const { source, boxes } = layPage(
      '<!DOCTYPE html><html lang=de><title>T</title><meta name=author content=A><h1 id=x>One</h1><h2>Two</h2>',
    )
    expect(source.information).toEqual({ title: 'T', author: 'A', language: 'de' })
    expect(boxes.outline.map(({ level, title, bookmark }) => [level, title, bookmark])).toEqual([
      [1, 'One', 'x'],
      [2, 'Two', 'heading-2'],
    ])
  })
  it.each([
    ['<script>1</script>', 'scripts'],
    ['<div data-page-header>a</div>', 'headers and footers of the page'],
    ['<div style="display: grid; grid-template-columns: subgrid">a</div>', 'grids'],
    ['<p style="background: conic-gradient(red, blue)">', 'gradients'],
  ])('warns that it does not draw %s', (html, expected) => {
    expect([...layPage(smallPage(html)).boxes.undrawn]).toEqual([expected])
  })
  it('does not warn about scripts that are data', () => {
    expect([...layPage('<script type="application/ld+json">{}</script>').boxes.undrawn]).toEqual([])
  })
})

describe('hostile pages', () => {
  it.each([
    ['tables in tables', '<table><tr><td>'.repeat(1000)],
    ['boxes in boxes in lines', '<span style="display:inline-block">a '.repeat(1000)],
    ['lists in lists', '<ul><li>'.repeat(1000)],
    ['spans beyond the table', '<table><tr><td colspan=1000 rowspan=65534>'.repeat(50)],
    ['one word of 300,000 letters', `<p style="overflow-wrap: anywhere">${'a'.repeat(300_000)}`],
    [
      'huge lengths',
      '<div style="margin: 1e30px; padding: 1e30px; height: 1e30px; width: 1e30px; font-size: 1e30px">a',
    ],
    [
      'negative lengths',
      '<div style="margin: -1e9px; width: -5px; line-height: -3; text-indent: -1e9px; letter-spacing: -1e9px">a b c',
    ],
  ])('%s end within the budget', (_, html) => {
    const limits = { deadline: 60_000, now: () => 0, signal: AbortSignal.timeout(60_000) }
    try {
      const page = readWebPage(`<!DOCTYPE html>${html}`, limits)
      const made = paintWebPage({ page, fonts: shippedBook.forDocument(), codec: nodeCodec, ...limits })
      expect(made.pages.length).toBeGreaterThan(0)
    } catch (error) {
      expect(['layout.too-many-pages', 'convert.document']).toContain((error as { code?: string }).code)
    }
  })
})
