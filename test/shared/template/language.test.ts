import { describe, it } from 'vitest'
import { check } from '../../helpers/merge.ts'
import { title } from '../../helpers/titled.ts'

/** The example rows of the language reference, by section: template, data, result. A row may add options. */
type Row = readonly [template: string, data: unknown, result: string, options?: Parameters<typeof check>[3]]

/** Templates without markup of their own get a root element. */
const rows = (list: readonly Row[], format = 'xml') => {
  for (const [template, data, result, options] of list) {
    const wrap = format === 'xml' && !template.startsWith('<')
    it(title(`${template} with ${JSON.stringify(data)}`), () =>
      wrap
        ? check(`<x>${template}</x>`, data, `<x>${result}</x>`, options)
        : check(template, data, result, { format, ...options }),
    )
  }
}
const v = (value: unknown) => ({ v: value })
/** Rows of a table, each tag list one row. */
const t = (...cells: readonly string[]) => `<t>${cells.map((cell) => `<r>${cell}</r>`).join('')}</t>`

describe('2.2 recognition', () => {
  rows([
    ['{5C3E-9B80-B142}', {}, '{5C3E-9B80-B142}'],
    ['{hello} {} {x.y} {d} {c}', {}, '{hello} {} {x.y} {d} {c}'],
    ['{d.name', {}, '{d.name'],
    ['{ { d.v }', v(3), '{ 3'],
    ['{{d.v}}', v(3), '{3}'],
    ['{d.a}{d.b}', { a: 1, b: 2 }, '12'],
    ['{d:len}', [1, 2, 3], '3'],
    ['{d[1].x}', [{ x: 1 }, { x: 2 }], '2'],
    ['<x><!-- {d.v} --></x>', v('a--b'), '<x><!-- a- -b --></x>'],
  ])
})

describe('2.3 markup, blanks and entities inside tags', () => {
  rows([
    ['<p>{d.fr<b>uit</b>.na<i/>me}</p>', { fruit: { name: 'fig' } }, '<p>fig<b></b><i/></p>'],
    ['<p>{ d . user . name : upperCase }</p>', { user: { name: 'zoë' } }, '<p>ZOË</p>'],
    ["{ d . a : prepend ( ' x ' ) }", { a: 1 }, ' x 1'],
    ['{d.first name}', { firstname: 'A' }, 'A'],
    [
      '{d[i=0, n &gt; 3].x}{d[n &gt; 3].x}',
      [
        { n: 1, x: 'a' },
        { n: 4, x: 'b' },
      ],
      'b',
    ],
    ['{d.a\u200b.b\u00ad}', { a: { b: 1 } }, '1'],
    [
      '<a href="{d.url}" style="width:{d.w}%">x</a>',
      { url: 'a?b&c', w: 5 },
      '<a href="a?b&amp;c" style="width:5%">x</a>',
    ],
    ['<a b="{d.v}"/>', v(`<"'&>`), '<a b="&lt;&quot;&#39;&amp;&gt;"/>'],
    ['<p>{d.a<q z="{d.b}"/>}</p>', { a: 1, b: 2 }, '<p>1<q z="2"/></p>'],
    ['<p><b>A{d.v:showBegin}</b>x{d.v:show<i/>End}</p>', v(false), '<p><b>A</b></p>'],
  ])
})

describe('3.2 and 3.4 keys and indexes', () => {
  rows([
    ['{d.unit-price} {d.é} {d.日本} {d.$x}', { 'unit-price': 1, é: 2, 日本: 3, $x: 4 }, '1 2 3 4'],
    [
      "{d.'my key'.'second level'[1].'sub obj'}",
      { 'my key': { 'second level': [0, { 'sub obj': 7 }] } },
      '7',
    ],
    ['{d.years.2024}', { years: { 2024: 'y' } }, 'y'],
    ['{d.l[0].n}{d.l[i=0].n}{d.l[9].n}', { l: [{ n: 'a' }] }, 'aa'],
    ['{d.l[i=-1].n}{d.l[i=-2].n}{d.l[-1].n}', { l: [{ n: 'a' }, { n: 'b' }] }, 'bab'],
    ['{d.m[0][1].v}', { m: [[{ v: 1 }, { v: 2 }]] }, '2'],
    ['{d.tags[0]}{d.tags[0]:upperCase}', { tags: ['x'] }, 'xX'],
    ['{d.a.b.c}{d.a[0].b}{d.s.length}', { a: null, s: 'text' }, ''],
    ['{d.constructor}{d.__proto__.x}{d.a.toString}{d.l.map}', { a: {}, l: [] }, ''],
  ])
})

describe('3.3 climbing', () => {
  const data = { c: 'root', a: { c: 'inA', b: {} } }
  const nested = {
    l: [
      { n: 'A', k: [{ v: 1 }, { v: 2 }] },
      { n: 'B', k: [{ v: 3 }] },
    ],
  }
  rows([
    ['{d.a.b..c}', data, 'inA'],
    ['{d.a.b...c}', data, 'root'],
    ['{d.list[n=2]..title}', { title: 'T', list: [{ n: 1 }, { n: 2 }] }, 'T'],
    [t('{d.l[i].k[i].v} {d.l[i].k[i]..n}', '{d.l[i+1].k[i+1].v}'), nested, t('1 A', '2 A', '3 B')],
    ['{d.array[i=0]..other[id=2].v}', { array: [{}], other: [{ id: 2, v: 'x' }] }, 'x'],
  ])
})

describe('4 search and filters', () => {
  const a = {
    a: [
      { n: 1, s: { k: 1 }, m: 'one' },
      { n: 2, s: { k: 2 }, m: 'two' },
      { n: 3, s: { k: 3 }, m: 'three' },
    ],
  }
  const b = {
    l: [
      { ok: true, n: 1 },
      { ok: 'true', n: 2 },
      { ok: false, n: 3 },
      { ok: 'false', n: 4 },
    ],
  }
  const loop = (filter: string) => `{d.l[i,${filter}].n}{d.l[i+1,${filter}].n}`
  rows([
    ["{d.a[n=2].m}{d.a[n='2'].m}", a, 'twotwo'],
    ['{d.a[n&gt;1, n&lt;4].m}', a, 'two'],
    ['{d.a[n!=1].m}', a, 'two'],
    ['{d.a[s.k=3].m} {d.a[.s.k=3].m}', a, 'three three'],
    ['{d.a[n=99].m}', a, ''],
    ['{d.a[i=-1].m} {d.a[i=1].m} {d.a[i=1a].m}', a, 'three two two'],
    ['{d.a[m=\'two words\'].n}{d.a[m="two words"].n}', { a: [{ m: 'two words', n: 1 }] }, '11'],
    ['{d.a[n&gt;=3].m}{d.a[n&lt;=1].m}', a, 'threeone'],
    [loop('ok=true'), b, '12'],
    [loop("ok='true'"), b, '2'],
    [loop('ok=false'), b, '34'],
    [loop("ok='false'"), b, '4'],
    [
      loop("x!=''"),
      {
        l: [{ x: '', n: 1 }, { x: 'a', n: 2 }, { x: null, n: 3 }, { n: 4 }, { x: 0, n: 5 }],
      },
      '25',
    ],
    ["{d.l[x!=''].n}", { l: [{ x: null, n: 1 }, { n: 2 }, { x: 'a', n: 3 }] }, '3'],
    [loop('x=null'), { l: [{ x: null, n: 1 }, { x: 'a', n: 2 }, { n: 3 }, null] }, '13'],
    [
      loop('kids.length&gt;0'),
      {
        l: [
          { kids: [], n: 1 },
          { kids: [1], n: 2 },
        ],
      },
      '2',
    ],
    ['{d.a[m=d.w].n}{d.a[m=.m].n}', { ...a, w: 'two' }, '21'],
    ['{d.o.a[n=..w].m}{d.o.a[n=...u].m}', { u: 3, o: { w: 2, ...a } }, 'twothree'],
    [
      "{#fresh=kind='fruit',qty&gt;0}{d.stock[$fresh].n}",
      {
        stock: [
          { kind: 'fruit', qty: 0, n: 'a' },
          { kind: 'fruit', qty: 1, n: 'b' },
        ],
      },
      'b',
    ],
    [
      t('{d.orders[i].c:print(..clients[id=.c].n)}', '{d.orders[i+1].c}'),
      {
        orders: [{ c: 7 }, { c: 9 }],
        clients: [
          { id: 9, n: 'Mo' },
          { id: 7, n: 'Jo' },
        ],
      },
      t('Jo', 'Mo'),
    ],
  ])
})

describe('5 objects', () => {
  rows([
    ['{d.o}|{d.a}', { o: {}, a: ['a', 2, null] }, '[object Object]|a,2,'],
    [t('{d.o[i].att}={d.o[i].val}', '{d.o[i+1]}'), { o: { x: 1, y: 2 } }, t('x=1', 'y=2')],
    ['{d.ages[.att=bob].val} {d.ages[.val=31].att}', { ages: { ann: 31, bob: 28 } }, '28 ann'],
    [
      t('{d.o[i].att} {d.o[i].val.list[i].x}', '{d.o[i+1].att} {d.o[i+1].val.list[i+1].x}'),
      { o: { p: { list: [{ x: 1 }, { x: 2 }] } } },
      t('p 1', 'p 2'),
    ],
  ])
})

describe('6 aliases', () => {
  const people = {
    people: [
      { role: 'host', name: 'Ana' },
      { role: 'chef', name: 'Li' },
    ],
  }
  rows([
    ['{#boss($r) = d.people[role=$r]}{$boss(chef).name} {$boss(host).name:upperCase}', people, 'Li ANA'],
    [
      `<t>{#f = kind='fruit'}<r>{d.l[i,$f].n}</r><r>{d.l[i+1,$f].n}</r></t>`,
      {
        l: [
          { kind: 'fruit', n: 'fig' },
          { kind: 'nut', n: 'almond' },
          { kind: 'fruit', n: 'kiwi' },
        ],
      },
      t('fig', 'kiwi'),
    ],
    [
      '{#cell($r,$c) = d.grid[row=$r,col=$c].txt}{$cell(1,2)}',
      { grid: [{ row: 1, col: 2, txt: 'B1' }] },
      'B1',
    ],
    ['{#tot=d.a}{#total=d.b}{$total}{$tot}{$nope.x}', { a: 1, b: 2 }, '21'],
    [
      '<t>{#it = d.items}<r>{$it[i].x}</r><r>{$it[i+1]}</r></t>',
      { items: [{ x: 1 }, { x: 2 }] },
      t('1', '2'),
    ],
    ['{$later.x:upperCase}{#later = d.o}', { o: { x: 'a' } }, 'A'],
    ['{$out.x}', { o: { x: 'a' } }, 'a', { variableStr: '{#out = d.o}' }],
  ])
})

describe('7 options, 8 translation', () => {
  const es = {
    lang: 'es',
    translations: { es: { 'Hello, world': 'Hola, mundo', 'a & b': 'x & <y>', open: 'abierto', yes: 'sí' } },
  }
  rows([
    ['{o.lang = es}{t(Hello, world)}{o.unknown=1}', {}, 'Hola, mundo', { translations: es.translations }],
    ['{t(Hello, world)} {t(Bye)}', {}, 'Hola, mundo Bye', es],
    ['{t(a &amp; b)}', {}, 'x &amp; &lt;y&gt;', es],
    ['{d.s:t} {d.u:t}', { s: 'open', u: '?' }, 'abierto ?', es],
    ['{d.v:ifEQ(1):show({t(yes)}):elseShow({t(not at (all))})}', v(1), 'sí', es],
    ['{d.v:ifEQ(1):show({t(yes)}):elseShow({t(not at (all))})}', v(2), 'not at (all)', es],
    ["{d.v:print('-{t(yes)}-')}", {}, '-sí-', es],
    ['<x>{t(Hello,<b/> world)}</x>', {}, '<x>Hola, mundo<b/></x>', es],
  ])
})

describe('9 from value to text', () => {
  rows([
    ['{d.v}', v(null), ''],
    ['{d.v}', v(1e21), '1e+21'],
    ['{d.v}', v(-0.5), '-0.5'],
    ['{d.v}', v(true), 'true'],
    ['{d.v}', v('a<b>&"\'\u0001\tc'), 'a&lt;b&gt;&amp;"\'\tc'],
    ['<x><!--{d.v}--><![CDATA[{d.v}]]></x>', v('a\u0001\uffffb'), '<x><!--ab--><![CDATA[ab]]></x>'],
    ['<x><![CDATA[{d.v}]]></x>', v('a]]>b<'), '<x><![CDATA[a]]]]><![CDATA[>b<]]></x>'],
  ])
})

describe('10 calls', () => {
  rows([
    ["{d.v:prepend('Mr  X, '):prepend(a b)}", v('zoë'), 'abMr  X, zoë'],
    [
      "{d.v:print(.y)} {d.v:print('.y')} {d.v:print(d.y)} {d.v:print('it''s')}",
      { v: 1, y: 'Y' },
      "Y .y Y it's",
    ],
    ['{d.v:print(.no)}|{d.v:print(c.x)}', v(1), '|C', { complement: { value: { x: 'C' } } }],
    ["{d.v:replace(a,'')}{d.v:prepend('(a, b)')}", v('ab'), 'b(a, b)ab'],
    [t('{d.l[i].n:print(..b[.i].m)}', '{d.l[i+1]}'), { l: [{}, {}], b: [{ m: 1 }] }, t('1', '')],
  ])
})

describe('11.2 regions', () => {
  const g = {
    g: [
      { h: 1, s: 'a' },
      { h: 2, s: 'b' },
    ],
  }
  const p = { p: [{ n: 'a' }, { n: 'b' }] }
  rows([
    ['<t><r>{d.g[i].h}</r><r>{d.g[i+1].h}</r></t>', g, '<t><r>1</r><r>2</r></t>'],
    [
      '<t><r>H {d.g[i].h}</r><r>sub {d.g[i].s}</r><r>{d.g[i+1].h}</r><r>foot</r></t>',
      g,
      '<t><r>H 1</r><r>sub a</r><r>H 2</r><r>sub b</r><r>foot</r></t>',
    ],
    ['<r><c>{d.g[i].h}</c><c>{d.g[i+1].h}</c></r>', g, '<r><c>1</c><c>2</c></r>'],
    ['{d.p[i].n}, {d.p[i+1].n}', p, 'a, b, '],
    ['<x><t><r>{d.g[i].h}</r></t><t><r>{d.g[i+1].h}</r></t></x>', g, '<x><t><r>1</r></t><t><r>2</r></t></x>'],
    ['<t><r>{d.g[i].h}</r><r>{d.g[i+1].h}</r></t>', { g: [] }, '<t></t>'],
    ['<t><r>{d.g[i].h}</r><r>{d.g[i+1].h}</r></t>', {}, '<t></t>'],
    [
      '<t><r>{d.a[i].n} {d.title}</r><r>{d.a[i+1].n}</r></t>',
      { title: 'T', a: [{ n: 1 }, { n: 2 }] },
      t('1 T', '2 T'),
    ],
    ['<x>{d.p[i].n}<sep/>{d.p[i+1].n}</x>', p, '<x>a<sep/>b<sep/></x>'],
    ['<x><t>{d.p[i].n}</t><q>{d.p[i+1].n}</q></x>', p, '<x><t>a</t><t>b</t></x>'],
    ['<x>{d.p[I].n} {d.p[I+1].n}</x>', p, '<x>a b </x>'],
    ['<x><i s="{d.p[i].n}"/><i s="{d.p[i+1].n}"/></x>', p, '<x><i s="a"/><i s="b"/></x>'],
    ['<x s="{d.p[i].n};{d.p[i+1].n}"/>', p, '<x s="a;b;"/>'],
    [
      '<tbl><tr><td>{d.x[i].a}</td><td>{d.x[i].b}</td></tr><tr><td>note</td></tr><tr><td>{d.x[i+1].a}</td></tr></tbl>',
      {
        x: [
          { a: 1, b: 2 },
          { a: 3, b: 4 },
        ],
      },
      '<tbl><tr><td>1</td><td>2</td></tr><tr><td>note</td></tr><tr><td>3</td><td>4</td></tr><tr><td>note</td></tr></tbl>',
    ],
  ])
})

describe('11.4 to 11.7 nested, flattened, both ways, parallel', () => {
  const g = {
    g: [
      { h: 'A', k: [{ v: 1 }, { v: 2 }] },
      { h: 'B', k: [] },
      { h: 'C', k: [{ v: 3 }] },
    ],
  }
  const both = { cols: [{ n: 'Q1' }, { n: 'Q2' }], rows: [{ cells: [1, 2] }, { cells: [3, 4] }] }
  const r = (...cells: readonly unknown[]) => `<r>${cells.map((cell) => `<c>${cell}</c>`).join('')}</r>`
  rows([
    [
      t('{d.g[i].h}', '{d.g[i].k[i].v}', '{d.g[i].k[i+1].v}', '{d.g[i+1].h}'),
      g,
      t('A', '1', '2', 'B', 'C', '3'),
    ],
    [t('{d.g[i].h} {d.g[i].k[i].v}', '{d.g[i+1].h} {d.g[i+1].k[i+1].v}'), g, t('A 1', 'A 2', 'C 3')],
    [
      t('{d.a[i].n}', '{d.b[i].t}', '{d.b[i+1].t}', '{d.a[i+1].n}'),
      { a: [{ n: 1 }, { n: 2 }], b: [{ t: 'x' }, { t: 'y' }] },
      t('1', 'x', 'y', '2', 'x', 'y'),
    ],
    [
      t('{d.a[i,n=1].n}', '{d.a[i+1,n=1].n}', '{d.a[i,n=2].n}', '{d.a[i+1,n=2].n}'),
      { a: [{ n: 1 }, { n: 2 }] },
      t('1', '2'),
    ],
    [
      t('{d.m[i][i].v}', '{d.m[i][i+1].v}', '{d.m[i+1].v}'),
      { m: [[{ v: 1 }, { v: 2 }], [{ v: 3 }]] },
      t('1', '2', '3'),
    ],
    [
      `<t>${r('{d.cols[i].n}', '{d.cols[i+1].n}')}${r('{d.rows[i].cells[i]}', '{d.rows[i].cells[i+1]}')}${r('{d.rows[i+1].cells[i]}', '')}</t>`,
      both,
      `<t>${r('Q1', 'Q2')}${r(1, 2)}${r(3, 4)}</t>`,
    ],
    [t('{d.tags[i]}', '{d.tags[i+1]}'), { tags: ['x', 2] }, t('x', '2')],
    [t('{d.o[i]}-{d.o[i].n}', '{d.o[i+1]}'), { o: [{ n: 1 }] }, t('-1')],
    [t('{d.l[i].n:print(.i)}', '{d.l[i+1].n}'), { l: [{ n: 'a' }, { n: 'b' }] }, t('0', '1')],
    [
      t('{d.a[i].n}{d.a[i].n:print(..b[.i].m)}', '{d.a[i+1].n}'),
      { a: [{ n: 1 }, { n: 2 }, { n: 3 }], b: [{ m: 'x' }, { m: 'y' }] },
      t('1x', '2y', '3'),
    ],
    [t('{d[i].n}', '{d[i+1].n}'), [{ n: 1 }, { n: 2 }], t('1', '2')],
    [
      t(
        '{d.g[i].k[i].w[i].x:print(.i)}{d.g[i].k[i].w[i].x:print(..i)}{d.g[i].k[i].w[i].x:print(...i)}',
        '{d.g[i+1].k[i+1].w[i+1].x}',
      ),
      { g: [{ k: [{ w: [] }, { w: [{ x: 1 }, { x: 2 }] }] }] },
      t('100', '101'),
    ],
  ])
})

describe('11.8 to 11.11 sorting, filters, repetition, missing ends', () => {
  const a = {
    a: [
      { n: 'x', k: 3 },
      { n: 'y', k: 1 },
      { n: 'z', k: 3 },
    ],
  }
  const l = {
    l: [
      { n: 1, m: 'one' },
      { n: 2, m: 'two' },
      { n: 3, m: 'three' },
    ],
  }
  rows([
    ['{d.a[k,i].n}{d.a[k+1,i+1].n}', a, 'yxz'],
    ['{d.a[k].n}{d.a[k+1].n}', a, 'yx'],
    [
      '{d.a[k].n}{d.a[k+1].n}',
      {
        a: [
          { n: 1, k: 'é' },
          { n: 2, k: 'Z' },
          { n: 3, k: 'a' },
          { n: 4, k: 'B' },
        ],
      },
      '4231',
    ],
    [
      '{d.a[p,b.c,i].n}{d.a[p+1,b.c+1,i+1].n}',
      {
        a: [
          { n: 1, p: 2, b: { c: 1 } },
          { n: 2, p: 1, b: { c: 9 } },
          { n: 3, p: 1, b: { c: 3 } },
        ],
      },
      '321',
    ],
    ['{d.a[k,i].n}{d.a[k+1,i+1].n}', { a: [{ n: 1 }, { n: 2, k: 1 }, { n: 3, k: null }] }, '321'],
    [
      t('{d.s[city].city} {d.s[city].q:aggSum(.city)}', '{d.s[city+1].city}'),
      {
        s: [
          { city: 'Oslo', q: 2 },
          { city: 'Rome', q: 5 },
          { city: 'Oslo', q: 1 },
        ],
      },
      t('Oslo 3', 'Rome 5'),
    ],
    [t('{d.l[i, n&gt;1].m}', '{d.l[i+1, n&gt;1].m}'), l, t('two', 'three')],
    [t('{d.l[i].n} {d.l[i, n&gt;1].m}', '{d.l[i+1].m}'), l, t('1 ', '2 two', '3 three')],
    [t('{d.l[i].m}', '{d.l[n&gt;1, i+1].m}'), l, t('two', 'three')],
    [t('{d.l[i, n&gt;1].m}', '{d.l[i+1].m}'), l, t('two', 'three')],
    [t('{d.l[i, i&lt;2].m}', '{d.l[i+1, i&lt;2].m}'), l, t('one', 'two')],
    [t('{d.l[i, i!=-1].m}', '{d.l[i+1, i!=-1].m}'), l, t('one', 'two')],
    [t('{d.l[i, i&lt;-2].m}', '{d.l[i+1, i&lt;-2].m}'), l, t('one')],
    [
      '{d.a[i].n}{d.a[i+1*qty].n}',
      { a: [{ n: 'x', qty: 2 }, { n: 'y', qty: 0 }, { n: 'z', qty: 1 }, { n: 'w' }] },
      'xxz',
    ],
    ['{d.l[i].m}-{d.l[i, n=2].m}', l, 'one-two', { languageLevel: 4022011 }],
    ['{o.preReleaseFeatureIn=4022011}{d.l[i].m}', l, 'one'],
    [t('{d.l[i].n:count(10)} {d.l[i].n}', '{d.l[i+1]}'), l, t('10 1', '11 2', '12 3')],
  ])
})

describe('12.2 and 12.3 tests and inline output', () => {
  const abc = { a: 1, b: 2, c: 3 }
  rows([
    ['{d.a:ifEQ(1):and(.b):ifEQ(2):show(Y):elseShow(N)}', abc, 'Y'],
    ['{d.a:ifEQ(1):or(.b):ifEQ(9):and(.c):ifEQ(5):show(Y):elseShow(N)}', abc, 'N'],
    ['{d.v:ifGT(50):show(pass):elseShow(fail)}', v(72), 'pass'],
    ['{d.v:ifEQ(1):show(A):ifEQ(2):show(B):elseShow(Z)}', v(3), 'Z'],
    ['{d.v:ifEQ(3):show(.lbl):prepend(-)}', { v: 3, lbl: 'three' }, '-three'],
  ])
})

describe('12.4 blocks', () => {
  rows([
    ['<d><p>In</p><p>{d.v:ifEQ(1):showBegin}Gold{d.v:showEnd}</p></d>', v(2), '<d><p>In</p><p></p></d>'],
    [
      '<d><p>A{d.v:ifEQ(1):showBegin}</p><p>secret</p><p>{d.v:showEnd}B</p></d>',
      v(2),
      '<d><p>A</p><p>B</p></d>',
    ],
    [
      '<d><p>A{d.v:ifEQ(1):showBegin}</p><p>secret</p><p>{d.v:showEnd}B</p></d>',
      v(1),
      '<d><p>A</p><p>secret</p><p>B</p></d>',
    ],
    [
      '<d><p>{d.v:ifEQ(1):hideBegin}</p><p>secret</p><p>{d.v:hideEnd}</p><p>tail</p></d>',
      v(1),
      '<d><p>tail</p></d>',
    ],
    [
      '<d>{d.a:ifEQ(1):showBegin}<p>1{d.b:ifEQ(1):showBegin} and 2{d.b:showEnd}</p>{d.a:showEnd}</d>',
      { a: 1, b: 0 },
      '<d><p>1</p></d>',
    ],
    [
      t('{d.r[i].n}{d.r[i].n:ifEQ(2):hideBegin}-k{d.r[i].n:hideEnd}', '{d.r[i+1]}'),
      { r: [{ n: 1 }, { n: 2 }, { n: 3 }] },
      t('1-k', '2', '3-k'),
    ],
    [
      '<d>{d.v:showBegin}<t><r>{d.l[i].n}</r><r>{d.l[i+1].n}</r></t>{d.v:showEnd}.</d>',
      { v: false, l: [{ n: 1 }] },
      '<d>.</d>',
    ],
    [
      '<d>{d.v:showBegin}<t><r>{d.l[i].n}</r><r>{d.l[i+1].n}</r></t>{d.v:showEnd}.</d>',
      { v: true, l: [{ n: 1 }] },
      '<d><t><r>1</r></t>.</d>',
    ],
    ['<d><p>{d.v:hideBegin}x{d.v:showEnd}y</p></d>', v('yes'), '<d><p>y</p></d>'],
  ])
})

describe('12.5 drop and keep', () => {
  const stock = {
    p: [
      { n: 'nut', stock: 4 },
      { n: 'bolt', stock: 0 },
      { n: 'gear', stock: 1 },
    ],
  }
  const table = (...cells: readonly string[]) =>
    `<table>${cells.map((cell) => `<tr><td>${cell}</td></tr>`).join('')}</table>`
  rows(
    [
      [table('{d.p[i].n}{d.p[i].stock:ifEQ(0):drop(row)}', '{d.p[i+1]}'), stock, table('nut', 'gear')],
      [table('{d.p[i].n}{d.p[i].stock:ifEQ(0):keep(row)}', '{d.p[i+1]}'), stock, table('bolt')],
      [table('a', 'b{d.v:ifEM:drop(row, 2)}', 'c', 'd'), {}, table('a', 'd')],
      [table('a{d.v:ifEM:drop(table)}', 'b'), {}, ''],
      [
        table('{d.p[i].n}<p>break{d.p[i, i=-1].n:ifNEM:drop(p)}</p>', '{d.p[i+1]}'),
        stock,
        table('nut<p>break</p>', 'bolt<p>break</p>', 'gear'),
      ],
      [
        table('{d.p[i].n}<p>break{d.p[i]..p:len:sub(1):ifEQ(.i):drop(p)}</p>', '{d.p[i+1]}'),
        stock,
        table('nut<p>break</p>', 'bolt<p>break</p>', 'gear'),
      ],
      ['<p>a{d.v:drop(p)}</p><p>b</p>', v(true), '<p>b</p>'],
      ['<p>a{d.v:drop(p)}</p><p>b</p>', v(false), '<p>a</p><p>b</p>'],
      ['<div><span>{d.v:drop(span)}x</span><div>{d.w:drop(div)}y</div></div>', { v: 1, w: 1 }, '<div></div>'],
      [
        '<table><tr><td>1</td><td>2{d.v:drop(col)}</td></tr><tr><td>3</td><td>4</td></tr></table>',
        v(true),
        '<table><tr><td>1</td></tr><tr><td>3</td></tr></table>',
      ],
    ],
    'html',
  )
})

describe('19 and 20 aggregates and stored values', () => {
  const s = {
    s: [
      { city: 'Oslo', q: 2, p: 10 },
      { city: 'Rome', q: 5, p: 1 },
      { city: 'Oslo', q: 1, p: 4 },
    ],
  }
  const abc = {
    s: [
      { city: 'Oslo', n: 'a' },
      { city: 'Rome', n: 'b' },
      { city: 'Oslo', n: 'c' },
    ],
  }
  const dep = {
    dep: [
      { n: 'A', people: [{ pay: 1 }, { pay: 2 }] },
      { n: 'B', people: [{ pay: 4 }] },
    ],
  }
  rows([
    ['{d.s[].q:aggSum} {d.s[].q:aggMin} {d.s[].q:aggMax} {d.s[].q:aggCount}', s, '8 1 5 3'],
    ['{d.s[q&gt;1].q:aggSum}', s, '7'],
    [
      "{d.s[].city:aggCountD} {d.s[].city:aggStr} {d.s[].city:aggStrD(' + ')}",
      s,
      '2 Oslo, Rome, Oslo Oslo + Rome',
    ],
    [
      t(
        '{d.s[i].q:aggSum} {d.s[i].q:aggSum(.city)} {d.s[i].q:cumSum} {d.s[i].q:cumSum(.city)} {d.s[i].q:cumCount} {d.s[i].city:cumCountD}',
        '{d.s[i+1]}',
      ),
      s,
      t('8 3 2 2 1 1', '8 5 7 5 2 2', '8 3 8 3 3 2'),
    ],
    [t('{d.dep[i].people[].pay:aggSum}', '{d.dep[i+1]}'), dep, t('3', '4')],
    [t('{d.dep[i].people[i].pay:aggSum}', '{d.dep[i+1].people[i+1]}'), dep, t('7', '7', '7')],
    ['{d.dep[].people[].pay:aggSum}{d.none[].x:aggSum}', dep, '70'],
    ['{d.s[].q:aggSum:set(c.total)}{c.total}', s, '8'],
    ["{d.s[].q:append(' kg'):set(.label)}{d.s[1].label}", s, '5 kg'],
    ['{d.s[]:set(c.g[city=.city].items[])}{c.g:len} {c.g[city=Oslo].items[1].n}', abc, '2 c'],
    ['{d.s[].n:set(c.names[].n)}{c.names[2].n}', abc, 'c'],
    ["{d:print('x,y'):split(','):set(d.opts)}{d.opts[1]}", {}, 'y'],
    [
      `<t>{d.s[].n:ifIN(a):or:ifIN(c):show(1):elseShow(0):set(.keep)}<r>{d.s[i].n}</r><r>{d.s[i+1, keep=1].n}</r></t>`,
      abc,
      t('a', 'c'),
    ],
    ['{d.s[].n:cumCount:set(.row)}{d.s[2].row}', abc, '3'],
  ])
})
