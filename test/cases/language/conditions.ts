import type { ClauseRows } from './values.ts'

const table = (...cells: readonly string[]) =>
  `<table>${cells.map((cell) => `<tr><td>${cell}</td></tr>`).join('')}</table>`
const groups = { g: [{ h: 'A', k: [{ v: 1 }, { v: 2 }] }, { h: 'B', k: [{ v: 3 }] }] }
const inner = (test: string) =>
  table(`{d.g[i].h} {d.g[i].k[i].v}{d.g[i].k[i].v:${test}},{d.g[i].k[i+1].v}`, '{d.g[i+1].h}')
const both = { l: [{ n: 1 }, { n: 2 }] }

/** Conditions on parts of an HTML document. */
export const conditionRows: ClauseRows = {
'12.5': [
  // a tag deeper in a loop than its element: each copy of the tag counts
  [inner('ifEQ(2):drop(row)'), groups, table('B 3,')],
  [inner('ifEQ(9):drop(row)'), groups, table('A 1,2,', 'B 3,')],
  [inner('ifLT(3):keep(row)'), groups, table('A 1,2,')],
  [inner('ifEQ(2):keep(row)'), groups, table()],
  [inner('ifEQ(2):drop(row)'), { g: [{ h: 'A' }] }, table('A ')],
  [`<div>${table('{d.l[i].n}{d.l[i].n:ifEQ(2):drop(table)}', '{d.l[i+1].n}')}</div>`, both, '<div></div>'],
  [`<div>${table('{d.l[i].n}{d.l[i].n:ifEQ(3):drop(table)}', '{d.l[i+1].n}')}</div>`, both, `<div>${table('1', '2')}</div>`],
  [`<div>${table('{d.l[i, n=1].n}{d.l[i].n:ifEQ(2):drop(table)}', '{d.l[i+1, n=1].n}')}</div>`, both, `<div>${table('1')}</div>`],
  [
    `<div>${table('{d.g[i].h}', '{d.g[i].k[i].v}{d.g[i].k[i].v:ifEQ(2):drop(table)}', '{d.g[i].k[i+1].v}')}${table('{d.g[i+1].h}')}</div>`,
    groups,
    `<div>${table('B', '3')}</div>`,
  ],
  [
    `<div>${table('{d.g[i].h}{d.g[i].k[i].v:ifEQ(2):drop(div)}', '{d.g[i].k[i].v}', '{d.g[i].k[i+1].v}', '{d.g[i+1].h}')}</div>`,
    groups,
    '',
  ],
  // several rows at once, loops among them
  [table('a{d.v:drop(row,2)}', '{d.l[i].n}', '{d.l[i+1].n}', 'z'), { v: 1, ...both }, table('z')],
  [table('a{d.v:drop(row, 2)}', 'b', 'c'), { v: 0 }, table('a', 'b', 'c')],
  [table('a', 'b{d.v:drop(row, 9)}', 'c'), { v: 1 }, table('a')],
  ['<div><p>a{d.v:drop(p, 2)}</p><p>b</p><p>c</p></div>', { v: 1 }, '<div><p>c</p></div>'],
  ['<ul><li>a{d.v:drop(item)}</li><li>b</li></ul>', { v: 1 }, '<ul><li>b</li></ul>'],
  ['<div><h2>a{d.v:drop(h)}</h2><p>b</p></div>', { v: 1 }, '<div><p>b</p></div>'],
  ['<p><img alt="x{d.v:drop(img)}" src="a.png">y</p>', { v: 1 }, '<p>y</p>'],
  // the elements of both ends of a block go, or those of none: 12.4, 1
  ['<div><p>A{d.v:hideBegin}</p><p>s</p><p>{d.v:hideEnd}</p></div>', { v: 1 }, '<div><p>A</p><p></p></div>'],
  ['<div><p>{d.v:hideBegin}</p><p>s</p><p>{d.v:hideEnd}B</p></div>', { v: 1 }, '<div><p></p><p>B</p></div>'],
  [table('a{d.v:hideBegin}', 'b', 'c{d.v:hideEnd}', 'd'), { v: true }, table('a', '', 'd')],
  [
    '<table><tr><td>a{d.v:hideBegin}</td></tr><tr><td>b{d.v:hideEnd}</td><td>c</td></tr></table>',
    { v: true },
    '<table><tr><td>a</td></tr><tr><td></td><td>c</td></tr></table>',
  ],
  // cells that cover rows cover their copies too
  [
    '<table><tr><td rowspan="3">all</td><td>head</td></tr><tr><td>{d.l[i].n}</td></tr><tr><td>{d.l[i+1].n}</td></tr><tr><td rowspan=2>x</td></tr><tr></tr></table>',
    { l: [{ n: 1 }, { n: 2 }, { n: 3 }] },
    '<table><tr><td rowspan="4">all</td><td>head</td></tr><tr><td>1</td></tr><tr><td>2</td></tr><tr><td>3</td></tr><tr><td rowspan=2>x</td></tr><tr></tr></table>',
  ],
  [
    '<table><tr><th rowspan="3">{d.g[i].h}</th><td>k</td></tr><tr><td>{d.g[i].k[i].v}</td></tr><tr><td>{d.g[i].k[i+1].v}</td></tr><tr><td>{d.g[i+1].h}</td></tr></table>',
    groups,
    '<table><tr><th rowspan="3">A</th><td>k</td></tr><tr><td>1</td></tr><tr><td>2</td></tr><tr><th rowspan="2">B</th><td>k</td></tr><tr><td>3</td></tr></table>',
  ],
  [
    '<table><tr><td rowspan="3">all</td><td>head</td></tr><tr><td>b{d.no:ifEM:drop(row)}</td></tr><tr><td>c</td></tr></table>',
    {},
    '<table><tr><td rowspan="2">all</td><td>head</td></tr><tr><td>c</td></tr></table>',
  ],
  [
    '<div><table><tr><td rowspan="2">{d.g[i].h}</td><td>k</td></tr><tr><td>{d.g[i].k[i].v}</td></tr><tr><td>{d.g[i].k[i+1].v}</td></tr></table><table><tr><td>{d.g[i+1].h}</td></tr></table></div>',
    groups,
    '<div><table><tr><td rowspan="3">A</td><td>k</td></tr><tr><td>1</td></tr><tr><td>2</td></tr></table><table><tr><td rowspan="2">B</td><td>k</td></tr><tr><td>3</td></tr></table></div>',
  ],
  // rows and items whose content is all gone
  ['<table><tr><td>{d.v:hideBegin}a</td><td>b{d.v:hideEnd}</td></tr><tr><td>c</td></tr></table>', { v: 1 }, table('c')],
  ['<table><tr><td>{d.v:hideBegin}a</td><td>b{d.v:hideEnd}</td></tr><tr></tr></table>', { v: 0 }, '<table><tr><td>a</td><td>b</td></tr><tr></tr></table>'],
  ['<ul><li><p>{d.v:drop(p)}a</p></li><li>b</li></ul>', { v: 1 }, '<ul><li>b</li></ul>'],
  // blocks and loops
  [table('{d.l[i].n}{d.l[i].n:ifEQ(1):showBegin}', 'mid', '{d.l[i].n:showEnd}end', '{d.l[i+1].n}'), both, table('1', 'mid', 'end', '2', 'end')],
  ['<p>{d.l[i].n:ifEQ(1):showBegin}a{d.l[i].n:showEnd}b{d.l[i+1]}</p>', both, '<p>abb</p>'],
  ['<p>{d.a:ifEQ(1):and(.b):ifEQ(2):hideBegin}x{d.a:hideEnd}</p>', { a: 1, b: 2 }, '<p></p>'],
],
}
