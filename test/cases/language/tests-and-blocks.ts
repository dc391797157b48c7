import type { ClauseRows } from './values.ts'

const yes = (test: string, value: unknown, expected: boolean) =>
  [`{d.v:${test}:show(Y):elseShow(N)}`, { v: value, w: 'x' }, expected ? 'Y' : 'N'] as const
const abc = { a: 1, b: 2, c: 3 }
const t = (...cells: readonly unknown[]) => `<t>${cells.map((cell) => `<r>${cell}</r>`).join('')}</t>`
const list = { l: [{ n: 1 }, { n: 2 }, { n: 3 }] }
const secret = '<d><p>A{d.v:ifEQ(1):showBegin}</p><p>secret</p><p>{d.v:showEnd}B</p></d>'

/** Conditions: sentences of the reference by clause. */
export const testRows: ClauseRows = {
  '12.1': [
    yes('ifEQ(1)', 1, true), yes('ifEQ(1)', '1', true), yes("ifEQ('1')", 1, true), yes('ifEQ(1)', 1.5, false), yes('ifEQ(true)', true, true),
    yes('ifEQ(true)', 'true', true), yes('ifEQ(false)', false, true), yes('ifEQ(NaN)', Number.NaN, true), yes('ifEQ(null)', null, true), yes('ifEQ(.none)', '', true),
    yes('ifEQ(.w)', 'x', true), yes('ifEQ(A)', 'a', false), yes("ifEQ('')", '', true), yes('ifEQ(a)', ['a'], true), yes("ifEQ('a,b')", ['a', 'b'], true), yes('ifEQ(0)', -0, true),
    yes('ifNE(1)', 1, false), yes('ifNE(1)', 2, true), yes('ifNE(1)', null, true), yes('ifNE(.w)', 'x', false),
    yes('ifGT(1)', 2, true), yes('ifGT(1)', 1, false), yes('ifGT(31)', '32kg', true), yes('ifGT(1)', 'x', false), yes('ifGT(x)', 1, false), yes('ifGT(1)', null, false), yes('ifGT(9)', '10', true),
    yes("ifGT('2023-05-01')", '2023-06-01', false), yes("ifGT('2022-05-01')", '2023-01-01', true), yes('ifGT(1)', Number.POSITIVE_INFINITY, true), yes('ifGT(1)', Number.NaN, false), yes('ifGT(1e300)', 1e301, true),
    yes('ifGTE(1)', 1, true), yes('ifGTE(1)', 0.9, false), yes('ifGTE(1)', 'x', false), yes('ifLT(1)', 0, true), yes('ifLT(1)', 1, false), yes('ifLT(1)', -1, true), yes('ifLT(1)', undefined, false), yes('ifLTE(1)', 1, true), yes('ifLTE(1)', '1.1', false),
    yes('ifIN(b)', 'abc', true), yes('ifIN(z)', 'abc', false), yes('ifIN(2)', [1, 2], true), yes('ifIN(2)', ['2'], true), yes('ifIN(2)', [22], false), yes("ifIN('')", 'abc', false), yes('ifIN(1)', 12, false), yes('ifIN(a)', null, false), yes('ifIN(a)', { a: 1 }, false), yes('ifIN(.w)', 'xyz', true), yes('ifIN(true)', [true], true),
    yes('ifNIN(b)', 'abc', false), yes('ifNIN(z)', 'abc', true), yes('ifNIN(2)', [1, 2], false), yes('ifNIN(3)', [1, 2], true), yes('ifNIN(a)', null, true), yes('ifNIN(a)', undefined, true), yes('ifNIN(1)', 12, false),
    ...[null, undefined, '', [], {}, Number.NaN].flatMap((v) => [yes('ifEM', v, true), yes('ifNEM', v, false)]),
    ...[0, false, ' ', [0], { a: 1 }, -0, '0'].flatMap((v) => [yes('ifEM', v, false), yes('ifNEM', v, true)]),
    yes('ifTE(string)', '', true), yes('ifTE(string)', 'a', true), yes('ifTE(string)', 1, false), yes('ifTE(number)', 1.5, true), yes('ifTE(number)', '1.5', false), yes('ifTE(integer)', 2, true), yes('ifTE(integer)', 2.5, false), yes('ifTE(integer)', '2', false),
    yes('ifTE(boolean)', false, true), yes('ifTE(boolean)', 'false', false), yes('ifTE(object)', {}, true), yes('ifTE(object)', [], false), yes('ifTE(object)', null, false), yes('ifTE(array)', [], true), yes('ifTE(array)', {}, false),
    ...[true, false, 1, 0, 'true', 'false', '1', '0'].map((v) => yes('ifTE(binary)', v, true)), yes('ifTE(binary)', 2, false), yes('ifTE(binary)', 'yes', false), yes('ifTE(unknown)', 1, false), yes('ifTE(number)', null, false),
    // a test leaves the value alone
    ['{d.v:ifEQ(1)}{d.v:ifNE(1)}{d.v:ifGT(9)}{d.v:ifEM}', { v: 1 }, '1111'],
  ],
  '12.2': [
    ['{d.a:ifEQ(1):and(.b):ifEQ(2):or(.c):ifEQ(9):show(Y):elseShow(N)}', abc, 'Y'],
    // sticky, strictly from left to right
    ['{d.a:ifEQ(9):or(.b):ifEQ(2):and(.c):ifEQ(9):show(Y):elseShow(N)}', abc, 'N'],
    ['{d.a:ifEQ(1):and(.b):ifEQ(9):ifEQ(2):show(Y):elseShow(N)}', abc, 'N'],
    ['{d.a:ifEQ(9):ifEQ(1):show(Y):elseShow(N)}', abc, 'Y'],
    ['{d.a:ifGT(0):and:ifLT(10):show(Y)}{d.a:ifGT(0):and():ifLT(1):show(Y):elseShow(N)}', abc, 'YN'],
    // the argument replaces the value that flows on
    ['{d.a:ifEQ(1):and(.b):ifEQ(2)}', abc, '2'],
    ['{d.o.x:ifEQ(1):and(..y):ifEQ(2):or(d.y):ifEQ(3):and(c.z):ifEQ(4):show(Y)}', { o: { x: 1 }, y: 2 }, 'Y', { complement: { value: { z: 4 } } }],
    ['{#al = d.o}{d.a:ifEQ(9):or($al.b):ifEQ(5):show(Y)}', { a: 1, o: { b: 5 } }, 'Y'],
    ["{d.a:ifEQ(1):and('text'):ifEQ(text):show(Y)}", abc, 'Y'],
    ['{d.l[i].n:ifGT(1):and(.n):ifLT(3):show(Y):elseShow(N)}{d.l[i+1]}', list, 'NYN'],
  ],
  '12.3': [
    ['{d.v:ifGT(90):show(top)}', { v: 72 }, '72'],
    ['{d.v:ifEQ(1):show(A):ifEQ(2):show(B):ifEQ(3):show(C):elseShow(Z)}', { v: 2 }, 'B'],
    ['{d.v:ifEQ(1):show(A):ifEQ(2):show(B):elseShow(Z)}', { v: 1 }, 'A'],
    ['{d.v:ifEQ(3):show(.lbl):prepend(-):upperCase}', { v: 3, lbl: 'three' }, '-THREE'],
    ['{d.v:ifLT(10):show(0):formatN(1)}', { v: 4 }, '0.0'],
    // without a test the truth of the value decides
    ['{d.v:show(yes)}|{d.v:elseShow(none)}', {}, '|none'],
    ['{d.v:show(yes)}{d.w:show(yes):elseShow(no)}{d.z:show(yes):elseShow(no)}', { v: 'x', w: 0, z: false }, 'yesnono'],
    // no match: the original value
    ['{d.v:ifEQ(Other):show(.free)}', { v: 'A', free: 'mine' }, 'A'],
    ['{d.v:ifEQ(Other):show(.free)}', { v: 'Other', free: 'mine' }, 'mine'],
    // once it fired, later conditional formatters are skipped
    ['{d.v:ifEQ(1):show(2):ifEQ(2):show(3):elseShow(4):append(!)}', { v: 1 }, '2!'],
    ['{d.v:ifEQ(2):elseShow(x):ifEQ(x):show(y)}', { v: 1 }, 'x'],
    ["{d.v:ifEM:show('')}|{d.v:ifEM:show()}|", {}, '||'],
    ['{d.v:ifEQ(1):show(d.long.path):elseShow(c.other)}', { v: 1, long: { path: 'P' } }, 'P'],
    ['{d.v:formatN(1):ifEQ(1.0):show(one)}', { v: 1 }, 'one'],
  ],
  '12.4': [
    // without a test the truth of the value
    ['<p>{d.v:showBegin}a{d.v:showEnd}{d.w:showBegin}b{d.w:showEnd}{d.v:hideBegin}c{d.v:hideEnd}{d.w:hideBegin}d{d.w:hideEnd}</p>', { v: true, w: 0 }, '<p>ad</p>'],
    // the path and the tests of the end tag do not matter, nor which kind of begin it closes
    ['<p>{d.v:ifEQ(1):showBegin}a{d.other.x:ifEQ(5):showEnd}b</p>', { v: 2 }, '<p>b</p>'],
    ['<p>{d.v:ifEQ(1):hideBegin}a{d.v:showEnd}b</p>', { v: 1 }, '<p>b</p>'],
    [secret, { v: 2 }, '<d><p>A</p><p>B</p></d>'],
    [secret, { v: 1 }, '<d><p>A</p><p>secret</p><p>B</p></d>'],
    // 1: the edges go with the content
    ['<d><p>{d.v:hideBegin}</p>X<p>{d.v:hideEnd}</p></d>', { v: 1 }, '<d></d>'],
    // 2: only complete elements go
    ['<d><p>a{d.v:hideBegin}b</p><q>c</q><p>d{d.v:hideEnd}e</p></d>', { v: 1 }, '<d><p>a</p><p>e</p></d>'],
    ['<d><a><b>1{d.v:hideBegin}2</b>3</a><c>4{d.v:hideEnd}5</c></d>', { v: 1 }, '<d><a><b>1</b></a><c>5</c></d>'],
    // 3: within one paragraph it stays
    ['<d><p>{d.v:hideBegin}x{d.v:hideEnd}</p></d>', { v: 1 }, '<d><p></p></d>'],
    // nested
    ['<d>{d.a:showBegin}<p>1{d.b:showBegin}2{d.b:showEnd}3</p>{d.a:showEnd}</d>', { a: 1, b: 0 }, '<d><p>13</p></d>'],
    ['<d>{d.a:showBegin}<p>1{d.b:showBegin}2{d.b:showEnd}3</p>{d.a:showEnd}</d>', { a: 0, b: 1 }, '<d></d>'],
    // around and inside of loops
    // The elements of both ends go, or those of none: 12.4, 1.
    ['<x><b> {d.v:showBegin}</b><c>1</c><f>{d.v:showEnd}i</f></x>', { v: 0 }, '<x><b> </b><f>i</f></x>'],
    ['<x><z>z<b>{d.v:showBegin}</b></z><c>1</c><k>{d.v:showEnd}</k></x>', { v: 0 }, '<x><z>z<b></b></z><k></k></x>'],
    ['<x><b> {d.v:showBegin}</b><c>1</c><k>{d.v:showEnd} </k></x>', { v: 0 }, '<x></x>'],
    ['<x>z<b>{d.v:showBegin}</b><c>1</c><k>{d.v:showEnd}</k></x>', { v: 0 }, '<x>z</x>'],
    [`<d>{d.v:showBegin}${t('{d.l[i].n}', '{d.l[i+1].n}')}{d.v:showEnd}</d>`, { v: 1, ...list }, `<d>${t(1, 2, 3)}</d>`],
    [`<d>{d.v:showBegin}${t('{d.l[i].n}', '{d.l[i+1].n}')}{d.v:showEnd}</d>`, { v: 0, ...list }, '<d></d>'],
    [t('{d.l[i].n:ifEQ(2):showBegin}*{d.l[i].n:showEnd}{d.l[i].n}', '{d.l[i+1].n}'), list, t(1, '*2', 3)],
    ['<t><r>{d.l[i].n}</r><q>{d.l[i].n:ifEQ(2):showBegin}</q><r>extra</r><q>{d.l[i].n:showEnd}</q><r>{d.l[i+1].n}</r></t>', list, '<t><r>1</r><r>2</r><q></q><r>extra</r><q></q><r>3</r></t>'],
    ['{d.v:ifEQ(1):and(.w):ifEQ(2):showBegin}in{d.v:showEnd}', { v: 1, w: 2 }, 'in'],
    // nothing may follow
    ['{d.v:showBegin:upperCase}a{d.v:showEnd}', {}, '!template.formatter.last'],
    ['{d.v:showBegin}a', {}, '!template.tag.unclosed'],
    ['a{d.v:showEnd}', {}, '!template.tag.unopened'],
    // lines of text files
    ['a\n{d.v:showBegin}\nb\n{d.v:showEnd}\nc\n', { v: false }, 'a\nc\n', { format: 'txt' }],
    ['a {d.v:showBegin}b {d.v:showEnd}c\n', { v: false }, 'a c\n', { format: 'txt' }],
  ],
  '12.6': [
    ['{d.v:ifEmpty(none)}|{d.w:ifEmpty(none)}', { w: 'x' }, 'none|x'],
    ['{d.v:ifEmpty(none):upperCase}|{d.v:ifEmpty(none, true):upperCase}|{d.w:ifEmpty(none):upperCase}', { w: 'x' }, 'none|NONE|X'],
    ['{d.v:ifEqual(1, one)}{d.v:ifEqual(2, two)}{d.v:ifEqual(1, one):append(!)}{d.v:ifEqual(1, one, true):append(!)}', { v: 1 }, 'one1oneone!'],
    ['{d.v:ifContain(b, has):append(!)}{d.v:ifContain(z, has):append(!)}{d.v:ifContain(\'\', any)}', { v: 'abc' }, 'hasabc!any'],
    ['{d.v:ifContain(2, has)}{d.v:ifEqual(.w, same)}', { v: [1, 2], w: '1,2' }, 'hassame'],
    ...[null, undefined, '', [], {}, Number.NaN].map((v) => ['{d.v:ifEmpty(E)}', { v }, 'E'] as const),
    ...[0, false, ' '].map((v) => ['{d.v:ifEmpty(E)}', { v }, String(v)] as const),
  ],
}
