import { expect, it } from 'vitest'
import { mergeBytes, mergeText } from '../../../helpers/merge.ts'

const wrap = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`
const data = {
  t: [
    { id: 'a', w: 10, on: true, color: 'red', n: 1 },
    { id: 'b', w: 20, on: false, color: 'blue', n: 2 },
    { id: 'g', w: 30, on: true, color: '"><x', n: 3 },
  ],
  rooms: [
    { seats: [{ id: 's1', c: '#111' }] },
    {
      seats: [
        { id: 's2', c: '#222' },
        { id: 's1', c: '#333' },
      ],
    },
  ],
  x: 5,
}
const rows: readonly (readonly [template: string, expected: string])[] = [
  ['<rect id="a" width="1"/><!-- {d.x:svgUpdate(width, a)} -->', '<rect id="a" width="5"/><!--  -->'],
  [
    '<!--{d.t[].w:svgUpdate(\'width\', .id)}--><rect id="a" width="1"/><rect id=\'b\'/>',
    '<!----><rect id="a" width="10"/><rect id=\'b\' width="20"/>',
  ],
  [
    '<rect id="a" fill="none"/><rect id="b" fill="none"/><!--{d.t[on=true].id:svgSelectiveUpdate(\'fill\', .color)}-->',
    '<rect id="a" fill="red"/><rect id="b" fill="none"/><!---->',
  ],
  [
    '<g id="g"><path d="M0 0"/><g><circle r="1"/><text>t</text></g></g><!--{d.t[].w:svgUpdate(stroke-width, .id)}-->',
    '<g id="g"><path d="M0 0" stroke-width="30"/><g><circle r="1" stroke-width="30"/><text>t</text></g></g><!---->',
  ],
  [
    '<g id="g"><path d="M0 0"/><g><circle r="1"/></g></g><!--{d.x:svgUpdate(\'opacity\', \'g\', \'id > *\')}-->',
    '<g id="g"><path d="M0 0" opacity="5"/><g><circle r="1"/></g></g><!---->',
  ],
  [
    "<rect id=\"a\"/><g id=\"g\"><rect/></g><!--{d.x:svgUpdate('rx', 'a', 'id *')}{d.x:svgUpdate('rx', 'g', 'id')}-->",
    '<rect id="a"/><g id="g"><rect/></g><!---->',
  ],
  ["<rect id=\"a\"/><!--{d.x:svgUpdate('rx', 'a', 'id')}-->", '<rect id="a" rx="5"/><!---->'],
  // The nearest counts; what a style says would count more and goes.
  [
    '<g id="b"><rect id="a" style="fill:#000;stroke:#111"><title>t</title></rect></g><!--{d.t[].id:svgSelectiveUpdate(fill, .color)}-->',
    '<g id="b"><rect id="a" style="stroke:#111" fill="red"><title>t</title></rect></g><!---->',
  ],
  [
    '<rect id="g"/><!--{d.t[].id:svgSelectiveUpdate(fill, .color)}-->',
    '<rect id="g" fill="&quot;&gt;&lt;x"/><!---->',
  ],
  [
    '<rect id="s1"/><rect id="s2"/><!--{d.rooms[].seats[].c:svgUpdate(fill, .id)}-->',
    '<rect id="s1" fill="#333"/><rect id="s2" fill="#222"/><!---->',
  ],
  ['<rect id="a"/><!--{d.t[i].w:svgUpdate(width, .id)} {d.t[i+1].w}-->', '<rect id="a" width="10"/><!----->'],
  [
    '<rect id="a"/><!--{d.x:svgUpdate(onclick, a)}{d.x:svgUpdate(xlink:href, a)}{d.none:svgUpdate(width, a)}-->',
    '<rect id="a"/><!---->',
  ],
  ['<rect id="a" width="{d.x}"/><text>{d.x}</text>', '<rect id="a" width="5"/><text>5</text>'],
]
it.each(rows)('%s', async (template, expected) => {
  const text = await mergeText(wrap(template), data, { format: 'svg' })
  expect(text.replace(/<!--\s*-*-->/g, '<!---->')).toBe(wrap(expected).replace(/<!--\s*-*-->/g, '<!---->'))
})

it('a drawing inside of a page; nothing is printed elsewhere; no warnings', async () => {
  const page = `<p>x</p>${wrap('<rect id="a"/><!--{d.t[].w:svgUpdate(width, .id)}-->')}`
  expect(await mergeText(page, data, { format: 'html' })).toContain('<rect id="a" width="10"/>')
  expect(await mergeText('A{d.x:svgUpdate(width, a)}B', data, { format: 'txt' })).toBe('AB')
  const bytes = new TextEncoder().encode(wrap('<!--{d.x:svgUpdate(width, a)}-->'))
  expect((await mergeBytes(bytes, 'svg', data)).warnings).toEqual([])
})
