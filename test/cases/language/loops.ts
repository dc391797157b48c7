import type { ClauseRows } from './values.ts'

const t = (...cells: readonly unknown[]) => `<t>${cells.map((cell) => `<r>${cell}</r>`).join('')}</t>`
const r = (...cells: readonly unknown[]) => `<r>${cells.map((cell) => `<c>${cell}</c>`).join('')}</r>`
const ab = { l: [{ n: 'a', q: 1 }, { n: 'b', q: 2 }] }
const abc = { l: [{ n: 'a', q: 3 }, { n: 'b', q: 1 }, { n: 'c', q: 2 }] }
const nested = { g: [{ h: 'A', k: [{ v: 1 }, { v: 2 }] }, { h: 'B', k: [] }, { h: 'C', k: [{ v: 3 }] }] }
const one = { l: [{ n: 1, m: 'one' }, { n: 2, m: 'two' }, { n: 3, m: 'three' }] }

/** Loops: sentences of the reference by clause. */
export const loopRows: ClauseRows = {
  '11.1': [
    // the end marker is never printed, whatever its attribute, formatters and arguments
    [t('{d.l[i].n}', '{d.l[i+1]}'), ab, t('a', 'b')],
    [t('{d.l[i].n}', '{d.l[i+1].none.such:upperCase:add(1)}'), ab, t('a', 'b')],
    [t('{d.l[i].n:append(d.l[i].q)}', '{d.l[i+1].n:append(d.l[i+1].q)}'), ab, t('a1', 'b2')],
    [t('{d.l[i].n:append(.q)}', '{d.l[i+1].n:append(.q)} {d.other} {d.l[i+1].q:formatN}'), ab, t('a1', 'b2')],
    [t('{d.l[I].n}', '{d.l[I+1].n}'), ab, t('a', 'b')],
    [t('{d.l[ i ].n}', '{d.l[ i + 1 ].n}'), ab, t('a', 'b')],
    // several tags of the loop, one end marker
    [t('{d.l[i].n}', '{d.l[i].q}', '{d.l[i+1].n}'), ab, t('a', 1, 'b', 2)],
    [`<t>${r('{d.l[i].n}', '{d.l[i].q}')}${r('{d.l[i+1].n}', '{d.l[i+1].q}')}</t>`, ab, `<t>${r('a', 1)}${r('b', 2)}</t>`],
    // [j] sorts and groups by the attribute j
    [t('{d.l[j].n}', '{d.l[j+1].n}'), { l: [{ n: 'x', j: 2 }, { n: 'y', j: 1 }, { n: 'z', j: 2 }] }, t('y', 'x')],
    ['{d.l[i].n}{d.l[i+1].n}', { l: 'text' }, ''],
    ['{d.l[i].n}{d.l[i+1].n}', { l: 5 }, ''],
    ['{d.l[i].n},{d.l[i+1].n}', { l: [null, 'text', { n: 1 }, undefined, [2]] }, ',,1,,,'],
  ],
  '11.2': [
    // 2: flat markup
    ['<p>{d.l[i].n}<br/>text {d.l[i+1].n}</p>', ab, '<p>a<br/>text b<br/>text </p>'],
    // 3: what stands between belongs to the block
    [`<t><r>{d.l[i].n}</r><sep/><r>{d.l[i+1].n}</r></t>`, ab, '<t><r>a</r><sep/><r>b</r><sep/></t>'],
    [`<t><r>{d.l[i].n}</r> , <r>{d.l[i+1].n}</r></t>`, ab, '<t><r>a</r> , <r>b</r> , </t>'],
    [`<t><r>{d.l[i].n}</r><r></r><r>x</r><r>{d.l[i+1].n}</r><r>end</r></t>`, ab, '<t><r>a</r><r></r><r>x</r><r>b</r><r></r><r>x</r><r>end</r></t>'],
    // deeper on one side than on the other
    ['<t><r><b><i>{d.l[i].n}</i></b></r><r>{d.l[i+1].n}</r></t>', ab, '<t><r><b><i>a</i></b></r><r><b><i>b</i></b></r></t>'],
    ['<t><r>{d.l[i].n}</r><r><b><i>{d.l[i+1].n}</i></b></r></t>', ab, '<t><r>a</r><r>b</r></t>'],
    ['<t><r>x</r><r>{d.l[i].n}</r><q><z>{d.l[i+1].n}</z></q><r>y</r></t>', ab, '<t><r>x</r><r>a</r><r>b</r><r>y</r></t>'],
    // before the first tag and behind the last one of an element
    ['<t><r>before {d.l[i].n} after</r><r>x {d.l[i+1].n} y</r></t>', ab, '<t><r>before a after</r><r>before b after</r></t>'],
    // tags that stand in the marker disappear with it
    ['<t><r>{d.l[i].n}</r><r>{d.l[i+1].n}{d.other}{t(word)}</r></t>', { ...ab, other: 'lost' }, t('a', 'b')],
    // whole tables, sections, anything
    ['<d><s><h>{d.l[i].n}</h><p>{d.l[i].q}</p></s><s><h>{d.l[i+1].n}</h></s></d>', ab, '<d><s><h>a</h><p>1</p></s><s><h>b</h><p>2</p></s></d>'],
    // the block holds tags of the parents, too
    [t('{d.l[i].n} {d.t} {c.u}', '{d.l[i+1].n}'), { ...ab, t: 'T' }, t('a T U', 'b T U'), { complement: { value: { u: 'U' } } }],
    ['<x><t><r>{d.l[i].n}</r><r>{d.l[i+1]}</r></t><p>z</p></x>', { l: [] }, '<x><t></t><p>z</p></x>'],
    ['<x a="{d.l[i].n}-{d.l[i+1].n}"/>', ab, '<x a="a-b-"/>'],
    // in different sections
    ['<x><y a="{d.l[i].n}">{d.l[i+1].n}</y></x>', ab, '!template.loop.region'],
  ],
  '11.3': [
    [t('{d.l[i].n}', '<p>break{d.l[i, i=-1]:ifNEM:drop(p)}</p>', '{d.l[i+1]}').replaceAll('<r>', '<div>').replaceAll('</r>', '</div>'), ab, '<t><div>a</div><div><p>break</p></div><div>b</div><div></div></t>', { format: 'html' }],
  ],
  '11.4': [
    [t('{d.g[i].h}', '{d.g[i].k[i].v}', '{d.g[i].k[i+1].v}', '{d.g[i+1].h}'), nested, t('A', 1, 2, 'B', 'C', 3)],
    [t('{d.g[i].h}', '{d.g[i].k[i].v}', '{d.g[i].k[i+1].v}', 'total {d.g[i].h}', '{d.g[i+1].h}'), nested, t('A', 1, 2, 'total A', 'B', 'total B', 'C', 3, 'total C')],
    [t('{d.g[i].k[i].v} {d.g[i].h}', '{d.g[i+1].k[i+1].v}'), nested, t('1 A', '2 A', '3 C')],
    [t('{d.g[i].k[i].v}', '{d.g[i+1].k[i+1].v}'), nested, t(1, 2, 3)],
    // three levels, and flattened over three
    [t('{d.a[i].n}', '{d.a[i].b[i].n}', '{d.a[i].b[i].c[i].n}', '{d.a[i].b[i].c[i+1].n}', '{d.a[i].b[i+1].n}', '{d.a[i+1].n}'), { a: [{ n: 1, b: [{ n: 2, c: [{ n: 3 }, { n: 4 }] }] }, { n: 5, b: [{ n: 6 }, { n: 7, c: [{ n: 8 }] }] }] }, t(1, 2, 3, 4, 5, 6, 7, 8)],
    [t('{d.a[i].b[i].c[i].n}', '{d.a[i+1].b[i+1].c[i+1].n}'), { a: [{ b: [{ c: [{ n: 3 }, { n: 4 }] }] }, { b: [{}, { c: [{ n: 8 }] }] }] }, t(3, 4, 8)],
    // an unrelated list inside a loop
    [t('{d.teams[i].name}', '{d.rules[i].t}', '{d.rules[i+1].t}', '{d.teams[i+1].name}'), { teams: [{ name: 'x' }, { name: 'y' }], rules: [{ t: 1 }, { t: 2 }] }, t('x', 1, 2, 'y', 1, 2)],
    // loops one after the other, and the same list again
    [t('{d.l[i].n}', '{d.l[i+1].n}', '-', '{d.l[i].q}', '{d.l[i+1].q}'), ab, t('a', 'b', '-', 1, 2)],
    [t('{d.g[i].h}', '{d.g[i].k[i].v}', '{d.g[i].k[i+1].v}', '{d.g[i].m[i].w}', '{d.g[i].m[i+1].w}', '{d.g[i+1].h}'), { g: [{ h: 'A', k: [{ v: 1 }], m: [{ w: 2 }, { w: 3 }] }, { h: 'B', m: [{ w: 4 }] }] }, t('A', 1, 2, 3, 'B', 4)],
    [t('{d.l[i, q=1].n}', '{d.l[i+1, q=1].n}', '{d.l[i, q&gt;1].n}', '{d.l[i+1, q&gt;1].n}'), abc, t('b', 'a', 'c')],
    // direct access beside and inside a loop
    [t('{d.l[0].n}', '{d.l[i].n}{d.l[1].q}', '{d.l[i+1].n}', '{d.l[i=-1].n}'), ab, t('a', 'a2', 'b2', 'b')],
    ['{d.m[i][i].v},{d.m[i][i+1].v};{d.m[i+1].v}', { m: [[{ v: 1 }, { v: 2 }], [], [{ v: 3 }]] }, '1,2,;;3,;'],
    // one tag ends one of two arrays
    [`<t>${r('{d.g[i].k[i].v}', '{d.g[i].k[i+1].v}')}${r('{d.g[i+1].k[i].v}', '{d.g[i+1].k[i+1].v}')}</t>`, { g: [{ k: [{ v: 1 }, { v: 2 }] }, { k: [{ v: 3 }] }] }, `<t>${r(1, 2)}${r(3)}</t>`],
    // interleaved
    [`<t>${r('{d.a[i]}', '{d.b[i]}', '{d.a[i+1]}', '{d.b[i+1]}')}</t>`, {}, '!template.loop.interleaved'],
    ['{d.a[i].n}-{d.b[i].m};{d.a[i+1].n}', {}, '!template.loop.unclosed'],
  ],
  '11.5': [
    [`<t>${r('', '{d.cols[i].n}', '{d.cols[i+1].n}')}${r('{d.rows[i].t}', '{d.rows[i].cells[i].v}', '{d.rows[i].cells[i+1].v}')}${r('{d.rows[i+1].t}', '{d.rows[i+1].cells[i].v}', '')}</t>`, { cols: [{ n: 'Q1' }, { n: 'Q2' }, { n: 'Q3' }], rows: [{ t: 'a', cells: [{ v: 1 }, { v: 2 }, { v: 3 }] }, { t: 'b', cells: [{ v: 4 }] }] }, `<t>${r('', 'Q1', 'Q2', 'Q3')}${r('a', 1, 2, 3)}${r('b', 4)}</t>`],
    ['|{d.c[i].n}|{d.c[i+1].n}\n|{d.r[i].v[i]}|{d.r[i].v[i+1]}\n|{d.r[i+1].v[i]}|\n', { c: [{ n: 'Q1' }, { n: 'Q2' }], r: [{ v: [1, 2] }, { v: [3, 4] }] }, '|Q1|Q2|\n|1|2|\n|3|4|\n', { format: 'txt' }],
  ],
  '11.6': [
    [t('{d.l[i]}', '{d.l[i+1]}'), { l: ['x', 2, true, null, 0, ''] }, t('x', 2, 'true', '', 0, '')],
    [t('{d.l[i]:upperCase:append(!)}', '{d.l[i+1]}'), { l: ['x', 'y'] }, t('X!', 'Y!')],
    [t('{d.l[i]}', '{d.l[i].n}', '{d.l[i+1]}'), ab, t('', 'a', '', 'b')],
    [t('{d[i]}', '{d[i+1]}'), ['p', 'q'], t('p', 'q')],
    [t('{d.l[i]}x', '{d.l[i+1]}'), ab, t('x', 'x')],
    [t('{d[i]}{d[i]:print(.n)}', '{d[i+1]}'), ab.l, t('a', 'b')],
    [t('{d.l[i]}{d.l[i]:ifEM:show(none)}', '{d.l[i+1]}'), { l: [{}, { n: 1 }, 'text', [1, 2], null] }, t('none', '', 'texttext', '1,21,2', 'none')],
    [t('<a b="{d.o[i]}"/>{d.o[i]}{d.o[i]:ifTE(object):show(entry)}', '{d.o[i+1]}'), { o: { x: 1 } }, t('<a b=""/>entry')],
    [t('{d.m[i]}{d.m[i][0].n}', '{d.m[i+1]}'), { m: [[{ n: 1 }, 2]] }, t('1')],
    [t('{d.m[i][i]}', '{d.m[i][i+1]}', '{d.m[i+1]}'), { m: [[{ n: 1 }, 2]] }, t('', 2)],
    [t('{d.g[i].k[i]}', '{d.g[i].k[i+1]}', '{d.g[i+1]}'), { g: [{ k: [1, 2] }, { k: [3] }] }, t(1, 2, 3)],
  ],
  '11.7': [
    [t('{d.l[i].n:print(.i):add(1)}', '{d.l[i+1].n}'), abc, t(1, 2, 3)],
    [t('{d.g[i].k[i].v:print(.i)}-{d.g[i].k[i].v:print(..i)}', '{d.g[i+1].k[i+1].v}'), { g: [{ k: [{}, {}] }, { k: [{}] }] }, t('0-0', '0-1', '1-0')],
    [t('{d.g[i].h:print(.i)}', '{d.g[i].k[i].v}', '{d.g[i].k[i+1].v}', '{d.g[i+1].h}'), nested, t(0, 1, 2, 1, 2, 3)],
    [t('{d.a[i].n:print(..b[.i].m)}', '{d.a[i+1].n}'), { a: [{}, {}, {}], b: [{ m: 'x' }, { m: 'y' }] }, t('x', 'y', '')],
    [t('{d.a[i].n:add(.i * 10)}', '{d.a[i+1].n}'), { a: [{ n: 1 }, { n: 2 }] }, t(1, 12)],
    [t('{d.a[i].n:ifEQ(.i):show(same):elseShow(other)}', '{d.a[i+1].n}'), { a: [{ n: 0 }, { n: 2 }] }, t('same', 'other')],
    [t('{d.l[q,i].n}{d.l[q,i].n:print(.i)}', '{d.l[q+1,i+1].n}'), abc, t('b1', 'c2', 'a0')],
  ],
  '11.8': [
    [t('{d.l[q,i].n}', '{d.l[q+1,i+1].n}'), abc, t('b', 'c', 'a')],
    [t('{d.l[x.y,i].n}', '{d.l[x.y+1,i+1].n}'), { l: [{ n: 1, x: { y: 2 } }, { n: 2, x: { y: 1 } }] }, t(2, 1)],
    // ties keep the order of the data
    [t('{d.l[k,i].n}', '{d.l[k+1,i+1].n}'), { l: [{ n: 1, k: 1 }, { n: 2, k: 0 }, { n: 3, k: 1 }, { n: 4, k: 0 }] }, t(2, 4, 1, 3)],
    // null counts as 0, missing goes last, numbers numerically, texts by code unit
    [t('{d.l[k,i].n}', '{d.l[k+1,i+1].n}'), { l: [{ n: 'none' }, { n: 'one', k: 1 }, { n: 'null', k: null }, { n: 'minus', k: -1 }] }, t('minus', 'null', 'one', 'none')],
    [t('{d.l[k,i].k}', '{d.l[k+1,i+1].k}'), { l: [{ k: 10 }, { k: 9 }, { k: -1 }, { k: 1.5 }] }, t(-1, 1.5, 9, 10)],
    [t('{d.l[k,i].k}', '{d.l[k+1,i+1].k}'), { l: [{ k: '10' }, { k: '9' }, { k: 'é' }, { k: 'Z' }, { k: 'a' }] }, t(10, 9, 'Z', 'a', 'é')],
    // distinct
    [t('{d.l[k].n}', '{d.l[k+1].n}'), { l: [{ n: 1, k: 'b' }, { n: 2, k: 'a' }, { n: 3, k: 'b' }] }, t(2, 1)],
    [t('{d.s[a,b].n}', '{d.s[a+1,b+1].n}'), { s: [{ a: 1, b: 2, n: 'x' }, { a: 1, b: 1, n: 'y' }, { a: 1, b: 2, n: 'z' }] }, t('y', 'x')],
    // grouped, with the items of each group
    [t('{d.s[city].city} {d.s[city].q:aggSum(.city)} {d.s[city].q:aggCount(.city)}', '{d.s[city+1].city}'), { s: [{ city: 'Oslo', q: 2 }, { city: 'Rome', q: 5 }, { city: 'Oslo', q: 1 }] }, t('Oslo 3 2', 'Rome 5 1')],
    // descending by a stored key
    [`<t>{d.l[].q:mul(-1):set(.neg)}<r>{d.l[neg,i].n}</r><r>{d.l[neg+1,i+1].n}</r></t>`, abc, t('a', 'c', 'b')],
    // sorted inner loops
    [t('{d.g[i].h}', '{d.g[i].k[v,i].v}', '{d.g[i].k[v+1,i+1].v}', '{d.g[i+1].h}'), { g: [{ h: 'A', k: [{ v: 2 }, { v: 1 }] }] }, t('A', 1, 2)],
  ],
  '11.9': [
    [t('{d.l[i, n&gt;1].m}', '{d.l[i+1, n&gt;1].m}'), one, t('two', 'three')],
    [t('{d.l[n&gt;1, i].m}', '{d.l[n&gt;1, i+1].m}'), one, t('two', 'three')],
    // on the end marker alone it filters the loop
    [t('{d.l[i].m} {d.t}', '{d.l[i+1, n&gt;1].m}'), { ...one, t: 'T' }, t('two T', 'three T')],
    // on one tag of several: the row stays
    [t('{d.l[i].n} {d.l[i, n&gt;1].m}', '{d.l[i+1].m}'), one, t('1 ', '2 two', '3 three')],
    // tags of parents count as shown, plain text does not
    [t('{d.l[i, n&gt;1].m} {d.t}', '{d.l[i+1].m}'), { ...one, t: 'T' }, t(' T', 'two T', 'three T')],
    [t('{d.l[i, n&gt;1].m} text', '{d.l[i+1].m}'), one, t('two text', 'three text')],
    [t('{d.l[i, i&lt;2].m}', '{d.l[i+1, i&lt;2].m}'), one, t('one', 'two')],
    [t('{d.l[i, i!=-1].m}', '{d.l[i+1, i!=-1].m}'), one, t('one', 'two')],
    [t('{d.l[i, i=0].m}', '{d.l[i+1, i=0].m}'), one, t('one')],
    // nested: the outer block stays while one of the inner is shown
    [t('{d.g[i].k[i, v&gt;1].v}', '{d.g[i].k[i+1, v&gt;1].v}', '{d.g[i+1].h}'), nested, t(2, 3)],
    [t('{d.g[i, h!=A].h}', '{d.g[i].k[i].v}', '{d.g[i].k[i+1].v}', '{d.g[i+1, h!=A].h}'), nested, t('B', 'C', 3)],
    // filters that look at the parent and at the whole
    [t('{d.g[i].h}', '{d.g[i].k[i, v=..w].v}', '{d.g[i].k[i+1, v=..w].v}', '{d.g[i+1].h}'), { g: [{ h: 'A', w: 2, k: [{ v: 1 }, { v: 2 }] }] }, t('A', 2)],
    [t('{d.l[i, n&gt;d.min].m}', '{d.l[i+1, n&gt;d.min].m}'), { ...one, min: 2 }, t('three')],
    [t('{d.l[i, n&gt;.min].m}', '{d.l[i+1, n&gt;.min].m}'), { l: [{ n: 1, min: 0, m: 'x' }, { n: 1, min: 2, m: 'y' }] }, t('x')],
    // sorted and filtered
    [t('{d.l[q, i, q&lt;3].n}', '{d.l[q+1, i+1, q&lt;3].n}'), abc, t('b', 'c')],
  ],
  '11.10': [
    [t('{d.a[i].n}', '{d.a[i+1*qty].n}'), { a: [{ n: 'x', qty: 2 }, { n: 'y', qty: 0 }, { n: 'z', qty: 1 }] }, t('x', 'x', 'z')],
    [t('{d.a[i].n}', '{d.a[i+1*qty].n}'), { a: [{ n: 'a', qty: '3' }, { n: 'b', qty: -1 }, { n: 'c', qty: 'many' }, { n: 'd' }, { n: 'e', qty: null }] }, t('a', 'a', 'a')],
    [t('{d.a[i].n}', '{d.a[i+1*qty].n}'), { a: [{ n: 'x', qty: 401 }] }, '!template.loop.repeat'],
    [t('{d.a[i].n}', '{d.a[i+1*o.qty].n}'), { a: [{ n: 'x', o: { qty: 2 } }] }, t('x', 'x')],
  ],
  '11.11': [
    [t('{d.l[i].n}'), ab, '!template.loop.unclosed'],
    [t('{d.l[i+1].n}'), ab, '!template.loop.unopened'],
    [t('{d.l[i+1].n}', '{d.l[i].n}'), ab, '!template.loop.unopened'],
    [t('{d.l[i].n}'), ab, t('a'), { languageLevel: 4_000_000 }],
    [t('{d.l[i, q=2].n}'), ab, t('b'), { languageLevel: 4_000_000 }],
    [t('{d.l[i+1].n}'), ab, '!template.loop.unopened', { languageLevel: 4_000_000 }],
  ],
  '11.12': [
    [t('{d.l[i].n:cumCount} {d.l[i].n:count} {d.l[i].n:count(10)}', '{d.l[i+1].n}'), ab, t('1 1 10', '2 2 11')],
  ],
}
