import { expect, it } from 'vitest'
import { mergeBytes, mergeText } from '../../../helpers/merge.ts'

/** Addresses of web formats: pictures, links, how pictures fit. */
const rows: readonly (readonly [format: string, template: string, expected: string])[] = [
  ['html', '<img src="{d.p}">', '<img src="https://a.org/p.png?a=1&amp;b=2">'],
  [
    'html',
    '<img src="{d.p:imageFit(contain)}" width="90">',
    '<img src="https://a.org/p.png?a=1&amp;b=2" width="90" style="object-fit:contain">',
  ],
  [
    'html',
    '<img src="{d.p:imageFit(fill)}"/>',
    '<img src="https://a.org/p.png?a=1&amp;b=2" style="object-fit:fill"/>',
  ],
  [
    'html',
    '<img src="{d.p:imageFit}"><p>x</p>',
    '<img src="https://a.org/p.png?a=1&amp;b=2" style="height:auto"><p>x</p>',
  ],
  [
    'html',
    '<img style="width:9px" src="{d.p:imageFit(fill)}">',
    '<img style="width:9px" src="https://a.org/p.png?a=1&amp;b=2">',
  ],
  ['html', '<a href="{d.p:imageFit(fill)}">x</a>', '<a href="https://a.org/p.png?a=1&amp;b=2">x</a>'],
  [
    'html',
    '<i><img src="{d.l[i]:imageFit(fill)}"></i><i><img src="{d.l[i+1]}"></i>',
    '<i><img src="a" style="object-fit:fill"></i><i><img src="b" style="object-fit:fill"></i>',
  ],
  ['html', '<a href="{d.u}">{d.u}</a>', '<a href="page.html#x">page.html#x</a>'],
  ['html', '<a href="{d.bad}">x</a>', '<a href="">x</a>'],
  ['html', "<a href='{d.hidden}'>x</a>", "<a href=''>x</a>"],
  ['html', '<a href="https://a.org/{d.bad}">x</a>', '<a href="https://a.org/javascript:alert(1)">x</a>'],
  ['html', '<a href="{d.bad:defaultURL(b.org)}">x</a>', '<a href="https://b.org">x</a>'],
  ['html', '<a href="{d.site:defaultURL(b.org)}">x</a>', '<a href="https://a.org">x</a>'],
  ['html', '<a href="{d.none:defaultURL(.site)}">x</a>', '<a href="https://a.org">x</a>'],
  [
    'md',
    '[x]({d.bad:defaultURL(https://b.org)}) [y]({d.p})',
    '[x](https://b.org) [y](https://a.org/p.png?a=1&b=2)',
  ],
  ['md', '[x]({d.bad})', '[x]()'],
  ['md', '[x]({d.open}) ![p]({d.open})', '[x](https://a.org/b%20c%29%20d) ![p](https://a.org/b%20c%29%20d)'],
  [
    'md',
    "[x](<{d.open}>) [y]({d.open:defaultURL('')})",
    '[x](<https://a.org/b%20c%29%20d>) [y](https://a.org/b%20c%29%20d)',
  ],
  ['md', '![p]({d.p:imageFit(contain):autoOrient})', '![p](https://a.org/p.png?a=1&b=2)'],
  [
    'svg',
    '<svg xmlns="x"><image href="{d.p}"/><a xlink:href="{d.bad}"/></svg>',
    '<svg xmlns="x"><image href="https://a.org/p.png?a=1&amp;b=2"/><a xlink:href=""/></svg>',
  ],
  ['txt', '{d.bad:defaultURL(b.org)}', 'javascript:alert(1)'],
]
const data = {
  p: 'https://a.org/p.png?a=1&b=2',
  u: 'page.html#x',
  open: 'https://a.org/b c) d',
  bad: 'javascript:alert(1)',
  hidden: ' java\nscript\u0001:alert(1)',
  site: 'a.org',
  l: ['a', 'b'],
}
it.each(rows)('%s %s', async (format, template, expected) => {
  expect(await mergeText(template, data, { format })).toBe(expected)
})

it('warns once about a picture that browsers do not show', async () => {
  const bytes = new TextEncoder().encode('<img src="{d.t}"><img src="{d.t}"><img src="{d.p}">')
  const { value, warnings } = await mergeBytes(bytes, 'html', {
    t: 'data:image/tiff;base64,SUkqAA==',
    p: data.p,
  })
  expect(warnings).toEqual([
    { code: 'picture.not-shown', message: 'Browsers do not show TIFF pictures. Use PNG or JPEG.' },
  ])
  expect(new TextDecoder().decode(await value.document.arrayBuffer())).toContain(
    'src="data:image/tiff;base64,',
  )
})
