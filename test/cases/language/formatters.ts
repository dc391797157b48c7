import type { ClauseRows } from './values.ts'

type Row = ClauseRows[string][number]
const rates = { EUR: 1, USD: 1.25, GBP: 0.8 }
const at = (call: string, value: unknown, result: string | RegExp, options?: Row[3]): Row => [
  `{d.v:${call}}`, { v: value, w: 2, s: 'S', o: { x: 'deep' } }, result, options,
]
/** What no text formatter touches: nothing, objects, lists and booleans flow on as they are. */
const untouched = (call: string, numbers = true): Row[] => [
  at(call, null, ''), at(call, undefined, ''), at(call, { a: 1 }, '[object Object]'), at(call, ['a', 'b'], 'a,b'), at(call, true, 'true'),
  ...(numbers ? [at(call, 12.5, '12.5')] : []),
]
/** Arithmetic: nothing stays nothing; what is no number gives NaN. */
const arithmetic = (call: string): Row[] => [at(call, null, ''), at(call, undefined, ''), at(call, 'abc', 'NaN'), at(call, {}, 'NaN'), at(call, [], 'NaN'), at(call, '', 'NaN'), at(call, Number.NaN, 'NaN')]
const moment = '2023-03-05T22:30:15.250Z'
const paris = { lang: 'en', timezone: 'Europe/Paris' } as const
const utc = { lang: 'en', timezone: 'UTC' } as const
const zone = (timezone: string, lang = 'en') => ({ lang, timezone })
const enums = { enum: { ST: ['draft', 'live'], YN: { true: 'Oui', false: 'Non' } } } as const
const money = (lang: string, more: object = {}) => ({ lang, currencySource: undefined, ...more })
const text = { format: 'txt' } as const
const html = { format: 'html' } as const
const s = [{ c: 'x', q: 2 }, { c: 'y', q: 5 }, { c: 'x', q: 1 }, { c: 'y', q: null }, { q: 'text' }]
const over = (call: string, result: string): Row => [`{d.s[].q:${call}}`, { s }, result]
const running = (call: string, result: string, name = 'q'): Row => [`{d.s[i].${name}:${call}},{d.s[i+1]}`, { s }, result]
const block = (begin: string, end: string, value: unknown, result: string): Row => [`<p>a{d.v:ifEQ(1):${begin}}b{d.v:${end}}c</p>`, { v: value }, `<p>${result}</p>`]
const picture = (calls: string, value: unknown, result: RegExp): Row => [`<img src="{d.v:${calls}}">`, { v: value }, result, html]
const drawing = (tag: string, value: unknown, result: string): Row => [
  `<svg xmlns="http://www.w3.org/2000/svg"><!-- ${tag} --><path id="a"/><path id="b"/></svg>`, { v: value, w: 'b' }, new RegExp(`<svg[^>]*>(?:<!--.*?-->)?${result}</svg>`), { format: 'svg' },
]
const test = (call: string, value: unknown, expected: boolean): Row => at(`${call}:show(Y):elseShow(N)`, value, expected ? 'Y' : 'N')
const compares = (name: string, equal: boolean, smaller: boolean, larger: boolean): Row[] => [
  test(`${name}(5)`, 5, equal), test(`${name}(5)`, '5', equal), test(`${name}(5)`, 4, smaller), test(`${name}(5)`, 6, larger), test(`${name}(.w)`, 2, equal),
]

/** Each formatter, by name: its meaning, its defaults, each of its parameters, and the values that are not for it. */
export const formatterRows: ClauseRows = {
  // ---------------------------------------------------------------------------------------------------------- 13 text
  lowerCase: [at('lowerCase', 'ÀÉ ΣX', 'àé σx'), ...untouched('lowerCase')],
  upperCase: [at('upperCase', 'zoë ß', 'ZOË SS'), at('upperCase', '', ''), ...untouched('upperCase')],
  ucFirst: [at('ucFirst', 'zoë mcAdam', 'Zoë mcAdam'), at('ucFirst', ' a', ' a'), at('ucFirst', '', ''), at('ucFirst', '😀a', '😀a'), ...untouched('ucFirst')],
  ucWords: [at('ucWords', "o'neil mc-adam  x\ty", "O'neil Mc-adam  X\tY"), at('ucWords', 'éa bC', 'Éa BC'), ...untouched('ucWords')],
  print: [at('print(n/a)', null, 'n/a'), at('print(.s)', 5, 'S'), at("print('a, b')", {}, 'a, b'), at('print(.o.x)', 5, 'deep'), at("print('')", 5, ''), at('print(.none)', 5, '')],
  printJSON: [
    at('printJSON', 'a"b', '"a\\"b"'), at('printJSON', 5, '5'), at('printJSON', null, 'null'), at('printJSON', true, 'true'), at('printJSON', { a: [1] }, '{\n  "a": [\n    1\n  ]\n}'),
    at('printJSON', [], '[]'), at('printJSON', undefined, ''),
  ],
  unaccent: [at('unaccent', 'crème brûlée Šibenik', 'creme brulee Sibenik'), at('unaccent', 'ñ ø ł', 'n ø ł'), ...untouched('unaccent')],
  convCRLF: [
    at('convCRLF', 'a\r\nb\nc', 'a<br>b<br>c', html), at('convCRLF', 'a\\nb', 'a<br>b', html), at('convCRLF', '<a>\n', '&lt;a&gt;<br>', html), at('convCRLF', 'a\nb', 'a\nb', text),
    at('convCRLF', 'a\nb', 'a<br>b', { format: 'md' }), at('convCRLF', 'a\nb', 'a\nb'), ...untouched('convCRLF'),
  ],
  substr: [
    at('substr(2,5)', 'language', 'ngu'), at('substr(-3)', 'language', 'age'), at('substr(3)', 'language', 'guage'), at('substr(0,-1)', 'language', 'languag'), at('substr(5,2)', 'language', ''), at('substr(99)', 'language', ''),
    at('substr(0,1)', 123, '123'), at('substr(.w)', 'language', 'nguage'), at('substr(0,8,true)', 'red fox jumps', 'red fox '), at('substr(8,16,last)', 'red fox jumps', 'jumps'), at('substr(8,16,true)', 'red fox jumps', 'jumps'),
    at('substr(16,24,true)', 'red fox jumps', ''), at('substr(0,5,true)', '', ''), ...untouched('substr(1)', false),
  ],
  slice: [at('slice(2,5)', 'language', 'ngu'), at('slice(0,8,true)', 'red fox jumps', 'red fox '), ...untouched('slice(1)', false)],
  split: [at("split(-):arrayJoin('', 0, 1)", '2024-07-31', '2024'), at('split(.):len', 3.14, '2'), at("split(','):len", 'a,,b,', '4'), at("split('')", 'ab', 'a,b'), at('split(x):len', 'a', '1'), ...untouched('split(-)', false)],
  padl: [at('padl(9,0)', 'language', '0language'), at('padl(6,xyz)', 'ab', 'xyzxab'), at('padl(3)', 7, '  7'), at('padl(2,0)', 'abc', 'abc'), at('padl(-1,0)', 'abc', 'abc'), at('padl(x,0)', 'abc', 'abc'), at("padl('5','-')", 1.5, '--1.5'), ...untouched('padl(9,0)', false)],
  padr: [at('padr(6,*)', 42, '42****'), at("padr(4)", 'ab', 'ab  '), at('padr(6,xyz)', 'ab', 'abxyzx'), ...untouched('padr(9,0)', false)],
  ellipsis: [at('ellipsis(4)', 'chapter', 'chap...'), at('ellipsis(7)', 'chapter', 'chapter'), at('ellipsis(0)', 'chapter', '...'), at('ellipsis(4)', 123456, '1234...'), ...untouched('ellipsis(2)', false)],
  prepend: [at("prepend('Mr ')", 'X', 'Mr X'), at('prepend(#)', 5, '#5'), at('prepend(.s)', 'x', 'Sx'), at('prepend(x)', null, 'x'), at('prepend(x)', undefined, 'x'), at('prepend(x)', true, 'xtrue'), at('prepend(x)', {}, '[object Object]'), at('prepend(x)', '', 'x')],
  append: [at("append(' kg')", 5, '5 kg'), at('append(.w)', 'a', 'a2'), at('append(x)', null, 'x'), at('append(.none)', 'a', 'a'), at('append(x)', ['a'], 'a')],
  replace: [
    at("replace(-, ' / ')", 'a-b-c', 'a / b / c'), at('replace(-)', 'a-b-c', 'abc'), at("replace('', x)", 'ab', 'ab'), at("replace(., '$&')", 'a.b', 'a$&amp;b'), at('replace(a, .none)', 'abc', 'bc'), at('replace(.s, x)', 'aSb', 'axb'),
    at('replace(A,x)', 'aA', 'ax'), ...untouched('replace(a,b)'),
  ],
  len: [at('len', 'chapter', '7'), at('len', ['a', 'b'], '2'), at('len', 12345, '0'), at('len', null, '0'), at('len', undefined, '0'), at('len', {}, '0'), at('len', '', '0'), at('len', [], '0')],
  t: [at('t', 'open', 'abierto', { lang: 'es', translations: { es: { open: 'abierto' } } }), at('t', 'x', 'x', { lang: 'es', translations: { es: { open: 'abierto' } } }), ...untouched('t')],
  preserveCharRef: [at('preserveCharRef', '&#100; &#xA7; &#XA7; & &amp; <', '&#100; &#xA7; &#XA7; &amp; &amp;amp; &lt;'), at('preserveCharRef', '&#0;&#x1F600;', '&amp;#0;&#x1F600;'), ...untouched('preserveCharRef')],
  md5: [at('md5', 'abc', '900150983cd24fb0d6963f7d28e17f72'), at('md5', '', 'd41d8cd98f00b204e9800998ecf8427e'), at('md5', 12, 'c20ad4d76fe97759aa27a0c99bff6710'), ...untouched('md5', false)],
  html: [at('html', '<b>x</b> &amp; y', '<b>x</b> &amp; y', html), at('html(overrideStyles)', '<i>x</i>', '<i>x</i>', html), at('html', '<b>x</b>', 'x', text), at('html', null, '', html)],
  // ------------------------------------------------------------------------------------------------------- 14 numbers
  formatN: [
    at('formatN', 1234567.891, '1,234,567.891'), at('formatN(0)', 1234567.891, '1,234,568'), at("formatN('2')", 1234567.891, '1,234,567.89'), at('formatN()', 7, '7.000'), at('formatN(2)', '98765.4321', '98,765.43'), at('formatN(.w)', 1.005, '1.01'),
    ...([['fr-fr', '1 234 567,89'], ['fr', '1 234 567,89'], ['fr-ca', '1 234 567,89'], ['cs', '1 234 567,89'], ['pl', '1 234 567,89'], ['sv-se', '1 234 567,89'], ['de', '1.234.567,89'], ['de-de', '1.234.567,89'], ['de-at', '1 234 567,89'], ['es', '1.234.567,89'], ['it', '1.234.567,89'], ['nl-nl', '1.234.567,89'], ['pt-br', '1.234.567,89'], ['pt-pt', '1 234 567,89'], ['tr', '1.234.567,89'], ['de-ch', '1’234’567.89'], ['fr-ch', '1’234’567.89'], ['it-ch', '1’234’567.89'], ['en', '1,234,567.89'], ['en-gb', '1,234,567.89'], ['en-za', '1 234 567,89'], ['ar', '1,234,567.89'], ['ar-ma', '1.234.567,89'], ['ar-sa', '1٬234٬567٫89'], ['fa', '1٬234٬567٫89'], ['ja', '1,234,567.89'], ['zh-cn', '1,234,567.89'], ['he', '1,234,567.89'], ['ru', '1 234 567,89'], ['xx-yy', '1,234,567.89'], ['FR-FR', '1 234 567,89'], ['fr_FR', '1 234 567,89'], ['de-xx', '1.234.567,89']] as const).map(([lang, result]) => at('formatN(2)', 1234567.891, result, { lang })),
    at('formatN(2)', -1234.5, '-1,234.50'), at('formatN(0)', -0.4, '0'), at('formatN(1)', -0, '0.0'), at('formatN(0)', 999.5, '1,000'), at('formatN(2)', 1e21, '1,000,000,000,000,000,000,000.00'), at('formatN(3)', 1e-7, '0.000'), at('formatN(2)', '1e3', '1,000.00'), at('formatN(2)', ' 5 ', '5.00'),
    at('formatN(-1)', 15, '15'), at('formatN(2)', 'n/a', 'n/a'), at('formatN(2)', null, ''), at('formatN(2)', undefined, ''), at('formatN(2)', '', ''), at('formatN(2)', {}, '[object Object]'), at('formatN(2)', [1], '1'), at('formatN(2)', true, 'true'), at('formatN(2)', Number.NaN, 'NaN'), at('formatN(2)', '12345678901234567890.129', '12,345,678,901,234,567,890.13'),
    at('formatN(2)', Number.POSITIVE_INFINITY, 'Infinity'),
  ],
  round: [
    at('round(2)', 1.255, '1.26'), at('round(2)', -1.255, '-1.25'), at('round(1)', 7.256, '7.3'), at('round', 7.5, '8'), at('round(-1)', 17.5, '18'), at('round(2)', '1.005', '1.01'), at('round(0)', -0.5, '0'), at('round(2)', 1.1, '1.1'), at('round(.w)', 1.999, '2'), at('round(2)', 1e21, '1e+21'), at('round(1)', 2.25, '2.3'), at('round(2)', 8.345, '8.35'),
    ...arithmetic('round(2)'),
  ],
  add: [
    at('add(2)', 7.256, '9.256'), at('add(.w)', 1, '3'), at('add(.w * 2 + 1)', 1, '6'), at('add(1)', '5kg', '6'), at('add(-1)', 1, '0'), at('add(0.2)', 0.1, '0.30000000000000004'), at('add(1e3)', 1, '1001'), at('add(x)', 1, 'NaN'), at('add(1)', true, 'NaN'), ...arithmetic('add(1)'),
  ],
  sub: [at('sub(2.5)', 7, '4.5'), at('sub(.w)', '5', '3'), ...arithmetic('sub(1)')],
  mul: [at('mul(3)', '4', '12'), at('mul(.w / 4)', 3, '1.5'), at('mul(0)', -1, '0'), ...arithmetic('mul(1)')],
  div: [at('div(3)', 7.256, '2.4186666666666667'), at('div(0)', '4', '4'), at('div(.w - 2)', 9, '9'), at('div(1 / 0)', 9, '0'), at('div(2)', 0, '0'), ...arithmetic('div(2)')],
  mod: [at('mod(2)', -7.5, '-1.5'), at('mod(4)', '10', '2'), at('mod(.w)', 5, '1'), at('mod(0)', 5, 'NaN'), ...arithmetic('mod(2)')],
  abs: [at('abs', -7.5, '7.5'), at('abs', '-3', '3'), at('abs', '-3:x', '3'), at('abs', -0, '0'), ...arithmetic('abs')],
  ceil: [at('ceil', -7.5, '-7'), at('ceil', '1.2', '2'), at('ceil', -0.5, '0'), ...arithmetic('ceil')],
  floor: [at('floor', -7.5, '-8'), at('floor', '1.8', '1'), ...arithmetic('floor')],
  int: [at('int', '12.7kg', '12'), at('int', -7.9, '-7'), at('int', 'x', 'NaN'), at('int', null, '')],
  toFixed: [at('toFixed(2)', 7.256, '7.26'), at('toFixed', 7.5, '8'), at('toFixed(2)', '3', '3.00'), at('toFixed(2)', null, ''), at('toFixed(2)', 'x', 'NaN')],
  toEN: [at('toEN', '7,256', '7.256'), at('toEN', 5, '5'), at('toEN', null, ''), at('toEN', {}, '[object Object]')],
  toFR: [at('toFR', 7.256, '7,256'), at('toFR', '1.2.3', '1,2,3'), at('toFR', null, '')],
  // ------------------------------------------------------------------------------------------------------ 15 currency
  convCurr: [
    at('convCurr(GBP):formatC', 2499.5, '1.999,60 £', money('de-de', { currencySource: 'EUR', currencyTarget: 'EUR', currencyRates: rates })), at('convCurr(USD,GBP)', 2499.5, '3905.46875', money('de-de', { currencySource: 'EUR', currencyTarget: 'EUR', currencyRates: rates })),
    at('convCurr', 10, '12.5', money('en-us', { currencySource: 'EUR', currencyRates: rates })), at('convCurr(usd)', '10', '12.5', money('en', { currencySource: 'eur', currencyRates: rates })), at('convCurr(XXX)', 10, '10', money('en', { currencySource: 'EUR', currencyRates: rates })), at('convCurr(USD)', 10, '10', money('en', { currencyRates: rates })),
    at('convCurr(USD)', null, ''), at('convCurr(USD)', 'n/a', 'NaN', money('en', { currencySource: 'EUR', currencyRates: rates })),
  ],
  formatC: [
    at('formatC', 2499.5, '$2,499.50', money('en-us', { currencySource: 'USD', currencyTarget: 'USD' })), at('formatC(0)', 2499.5, '$2,500'), at('formatC(LL)', 2499.5, '2,499.50 dollars'), at('formatC(M)', 2499.5, 'dollars'), at('formatC(LL)', 1, '1.00 dollar'), at('formatC(LL)', '1', '1.00 dollar'), at('formatC(M)', 1, 'dollar'), at('formatC(LL)', -1, '-1.00 dollars'),
    at('formatC', 2499.5, '2.499,50 €', money('de-de')), at('formatC', 2499.5, 'R$ 2.499,50', money('pt-br')), at('formatC', 2499.5, '2,499.50 ¥', money('ja')), at('formatC', 2499.5, '€2.499,50', money('nl-nl')), at('formatC', -2499.5, '-2’499.50 CHF', money('fr-ch')), at('formatC', -2499.5, '£-2,499.50', money('en-gb')), at('formatC', 2499.5, '2,499.50 €', money('en')),
    at('formatC', 2499.5, 'CHF 2’499.50', money('de-ch')), at('formatC', 2499.5, '2 499,50 Kč', money('cs')), at('formatC', 2499.5, '2 499,50 zł', money('pl')), at('formatC', 2499.5, '2 499,50 €', money('fr')), at('formatC', 2499.5, '2 499,50 $', money('fr-ca')), at('formatC', 5, '5.00 ₹', money('hi')), at('formatC', 5, '€5,00', money('nl')), at('formatC', 5, '5.00 $', money('en-au')), at('formatC', 5, '5.00 HK$', money('zh-hk')),
    at('formatC(1)', 2499.55, '$2,499.6'), at('formatC(L, USD)', 10, '12,50 $', money('fr', { currencySource: 'EUR', currencyTarget: 'EUR', currencyRates: rates })), at('formatC(2, GBP)', 10, '£8.00', money('en-us', { currencySource: 'EUR', currencyRates: rates })), at('formatC(other)', 5, '$5.00'), at('formatC(.s)', 5, '$5.00'),
    at('formatC', 1.5, '1.500 KWD', money('en', { currencyTarget: 'KWD' })), at('formatC', 1.5, '1.5 Ar', money('en', { currencyTarget: 'MGA' })), at('formatC', 1.5, '1.50000000 ₿', money('en', { currencyTarget: 'BTC' })), at('formatC', 1.5, '1.500000000 Ξ', money('en', { currencyTarget: 'ETH' })), at('formatC', 5, '5.00 QQQ', money('en', { currencyTarget: 'QQQ' })), at('formatC', 5, '5.00 ₩', money('ko')),
    at('formatC', 10, '$12.50', money('en-us', { currencySource: 'EUR', currencyTarget: 'USD', currencyRates: rates })),
    at('formatC', null, ''), at('formatC', undefined, ''), at('formatC', 'n/a', 'n/a'), at('formatC', '', ''), at('formatC', {}, '[object Object]'), at('formatC', Number.NaN, 'NaN'), at('formatC', -0, '$0.00'),
  ],
  // --------------------------------------------------------------------------------------------------------- 16 dates
  formatD: [
    ...([['YY YYYY', '23 2023'], ['M MM MMM MMMM', '3 03 Mar March'], ['D DD Do', '5 05 5th'], ['d dd ddd dddd', '0 Su Sun Sunday'], ['Q', '1'], ['w ww wo', '10 10 10th'], ['W WW', '9 09'], ['gggg GGGG', '2023 2023'], ['H HH h hh k kk', '23 23 11 11 23 23'], ['m mm s ss SSS', '30 30 15 15 250'], ['A a', 'PM pm'], ['Z ZZ z', '+01:00 +0100 CET'], ['X x', '1678055415 1678055415250'], ['LT', '11:30 PM'], ['LTS', '11:30:15 PM'], ['L', '03/05/2023'], ['LL', 'March 5, 2023'], ['LLL', 'March 5, 2023 11:30 PM'], ['LLLL', 'Sunday, March 5, 2023 11:30 PM'], ['l', '3/5/2023'], ['ll', 'Mar 5, 2023'], ['lll', 'Mar 5, 2023 11:30 PM'], ['llll', 'Sun, Mar 5, 2023 11:30 PM'], ['[text] YYYY', 'text 2023'], ['[Week] W, [day] d', 'Week 9, day 0']] as const).map(([pattern, result]) => at(`formatD('${pattern}')`, moment, result, paris)),
    at('formatD(dddd D MMMM YYYY)', moment, 'domingo5marzo2023', zone('Europe/Paris', 'es')), at('formatD(LLLL)', moment, 'dimanche 5 mars 2023 23:30', zone('Europe/Paris', 'fr-fr')), at('formatD(LL)', moment, '5. März 2023', zone('Europe/Paris', 'de-de')), at('formatD(L)', moment, '05.03.2023', zone('Europe/Paris', 'de-de')), at('formatD(LLLL)', moment, '2023年3月5日 日曜日 23:30', zone('Europe/Paris', 'ja')),
    at("formatD('Do MMMM')", moment, '5 mars', zone('Europe/Paris', 'fr')), at("formatD('Do')", '2023-03-01', '1er', zone('UTC', 'fr')), at("formatD('Do')", '2023-03-05', '5.', zone('UTC', 'de')), at("formatD('Do')", '2023-03-22', '22nd', utc), at("formatD('D. MMMM YYYY')", '2023-03-05', '5. březen 2023', zone('UTC', 'cs')), at('formatD(LL)', '2023-03-05', '5. březen 2023', zone('UTC', 'cs')), at('formatD(LL)', '2023-03-05', '5 marca 2023', zone('UTC', 'pl')), at('formatD(LL)', '2023-03-05', '5 марта 2023 г.', zone('UTC', 'ru')), at('formatD(L)', '2023-03-05', '05/03/2023', zone('UTC', 'en-gb')), at('formatD(dddd)', '2023-03-05', 'الأحد', zone('UTC', 'ar')), at('formatD(MMMM)', '2023-03-05', 'مارس', zone('UTC', 'ar')), at('formatD(dddd)', '2023-03-05', 'domenica', zone('UTC', 'it')), at('formatD(dddd)', '2023-03-05', '星期日', zone('UTC', 'zh-cn')), at('formatD(LL)', '2023-03-05', '5 mars 2023', zone('UTC', 'sv')),
    at('formatD(LL)', '2023-03-05', 'March 5, 2023', zone('UTC', 'xx')), at("formatD('w gggg W GGGG')", '2021-01-01', '1 2021 53 2020', utc), at("formatD('w gggg W GGGG')", '2021-01-01', '53 2020 53 2020', zone('UTC', 'fr')),
    // zones and the change of summer time
    at("formatD('YYYY-MM-DD HH:mm')", moment, '2023-03-06 07:30', zone('Asia/Tokyo')), at("formatD('HH:mm Z z')", '2023-03-26T00:59:59Z', '01:59 +01:00 CET', paris), at("formatD('HH:mm Z z')", '2023-03-26T01:00:00Z', '03:00 +02:00 CEST', paris), at("formatD('HH:mm Z')", '2023-10-29T00:30:00Z', '02:30 +02:00', paris), at("formatD('HH:mm Z')", '2023-10-29T01:30:00Z', '02:30 +01:00', paris), at("formatD('HH:mm Z')", '2023-07-01T00:00:00Z', '05:45 +05:45', zone('Asia/Kathmandu')), at("formatD('L HH:mm')", '2023-12-31T20:00:00Z', '01/01/2024 09:00', zone('Pacific/Auckland')), at("formatD('HH:mm')", '2023-07-01 12:00', '12:00', paris), at("formatD('HH:mm')", '2023-03-26 02:30', /^(?:03:30|01:30)$/, paris),
    at('formatD(L)', '2010-12-01', '12/01/2010', zone('America/New_York')), at('formatD(L)', '2010-12-01', '12/01/2010', zone('Pacific/Auckland')), at('formatD(L)', '2010-12-01', '12/01/2010', zone('Pacific/Kiritimati')),
    // what is read without a pattern
    ...([['2023-03-05', '2023-03-05 00:00:00.000'], ['20230305', '2023-03-05 00:00:00.000'], [20230305, '2023-03-05 00:00:00.000'], [moment, '2023-03-05 22:30:15.250'], ['2023-03-05 22:30:15', '2023-03-05 22:30:15.000'], ['2023-03-05T22:30:15+03:00', '2023-03-05 19:30:15.000'], ['2023-03-05T22:30:15+0300', '2023-03-05 19:30:15.000'], ['2023-03-05 22:30', '2023-03-05 22:30:00.000'], ['2023-03-05T22:30:15.123456789Z', '2023-03-05 22:30:15.123'], ['2023-03-05T22:30:15.1Z', '2023-03-05 22:30:15.100'], [1678055415250, '2023-03-05 22:30:15.250']] as const).map(([value, result]) => at("formatD('YYYY-MM-DD HH:mm:ss.SSS')", value, result, utc)),
    // and with one
    at('formatD(LLL,X)', 1678055415, 'March 5, 2023 10:30 PM', utc), at('formatD(LLL,X)', '1678055415', 'March 5, 2023 10:30 PM', utc), at('formatD(LLL,x)', 1678055415250, 'March 5, 2023 10:30 PM', utc), at("formatD(LL,'DD.MM.YYYY')", '05.03.2023', 'March 5, 2023', utc), at("formatD(LL,'D MMM YYYY')", '5 Mar 2023', 'March 5, 2023', utc), at("formatD('HH:mm','h:mm A')", '7:05 PM', '19:05', utc), at("formatD(L,'YYYYMMDD')", 20230305, '03/05/2023', utc), at("formatD('HH:mm','YYYY-MM-DD HH:mm Z')", '2023-03-05 10:00 +02:00', '08:00', utc), at('formatD(.p)', '2023-03-05', '2023-03-05T00:00:00+00:00', utc), at('formatD', '2023-03-05', /^2023-03-05T00:00:00/, utc),
    at('formatD(L)', 'soon', 'Invalid Date'), at('formatD(L)', '2023-13-05', 'Invalid Date'), at('formatD(L)', '2023-02-30', /^Invalid Date$|^03\/02\/2023$/), at('formatD(L)', '', ''), at('formatD(L)', null, ''), at('formatD(L)', undefined, ''), at('formatD(L)', {}, 'Invalid Date'), at('formatD(L)', Number.NaN, 'Invalid Date'),
    at('formatD(L)', '2023-03-05', '!template.timezone', { timezone: 'Mars/Olympus' }),
    ['{c.now:formatD(YYYY)}', {}, '2024'],
  ],
  addD: [
    at('addD(2,week):formatD(L)', '2023-03-05', '03/19/2023', utc), at('addD(1,M):formatD(L)', '2023-03-05', '04/05/2023', utc), at('addD(2,week)', '2023-03-05', '2023-03-19T00:00:00.000Z', utc), at('addD(-90,minute):formatD(LT)', '2023-03-05T22:30:15Z', '9:00 PM', utc), at('addD(1,month):formatD(L)', '2024-01-31', '02/29/2024', utc), at('addD(1):formatD(L)', '2023-03-05', '03/06/2023', utc), at("addD('2', 'Days'):formatD(L)", '2023-03-05', '03/07/2023', utc), at('addD(.w, d):formatD(L)', '2023-03-05', '03/07/2023', utc),
    ...([['millisecond', '2023-03-05T00:00:00.001Z'], ['ms', '2023-03-05T00:00:00.001Z'], ['s', '2023-03-05T00:00:01.000Z'], ['seconds', '2023-03-05T00:00:01.000Z'], ['m', '2023-03-05T00:01:00.000Z'], ['h', '2023-03-05T01:00:00.000Z'], ['HOUR', '2023-03-05T01:00:00.000Z'], ['d', '2023-03-06T00:00:00.000Z'], ['w', '2023-03-12T00:00:00.000Z'], ['M', '2023-04-05T00:00:00.000Z'], ['Q', '2023-06-05T00:00:00.000Z'], ['quarter', '2023-06-05T00:00:00.000Z'], ['y', '2024-03-05T00:00:00.000Z']] as const).map(([unit, result]) => at(`addD(1,${unit})`, '2023-03-05', result, utc)),
    at("addD(3, days, 'DD+MM+YYYY'):formatD(L)", '05+03+2023', '03/08/2023', utc), at('addD(1,day):formatD(LT)', '2023-03-25T12:00', '12:00 PM', paris), at('addD(24,hours):formatD(LT)', '2023-03-25T12:00', '1:00 PM', paris), at('addD(1,year):formatD(L)', '2024-02-29', '02/28/2025', utc),
    at('addD(1)', null, ''), at('addD(1)', 'x', 'Invalid Date'), at('addD(x)', '2023-03-05', /^2023-03-05T|Invalid Date/),
  ],
  subD: [at('subD(5,days):formatD(L)', '2023-03-05', '02/28/2023', utc), at('subD(1,month):formatD(L)', '2023-03-31', '02/28/2023', utc), at("subD(1,day,'DD.MM.YYYY'):formatD(L)", '01.03.2023', '02/28/2023', utc), at('subD(1)', null, '')],
  startOfD: [
    at('startOfD:formatD(L)', '2023-03-05', '01/01/2023', utc), at('startOfD(month)', '2023-03-05T12:00:00Z', '2023-03-01T00:00:00.000Z', utc), at('startOfD(day)', '2023-03-05T12:00:00Z', '2023-03-04T23:00:00.000Z', paris), at('startOfD(week):formatD(L)', '2023-03-08', '03/05/2023', utc), at('startOfD(week):formatD(L)', '2023-03-08', '06/03/2023', zone('UTC', 'fr')), at('startOfD(isoWeek):formatD(L)', '2023-03-08', '03/06/2023', utc), at('startOfD(quarter):formatD(L)', '2023-05-08', '04/01/2023', utc), at('startOfD(hour):formatD(LTS)', '2023-05-08T10:20:30Z', '10:00:00 AM', utc), at("startOfD(month,'DD.MM.YYYY'):formatD(L)", '05.03.2023', '03/01/2023', utc), at('startOfD(month)', null, ''),
  ],
  endOfD: [at('endOfD(month)', '2024-02-05', '2024-02-29T23:59:59.999Z', utc), at('endOfD:formatD(L)', '2023-03-05', '12/31/2023', utc), at('endOfD(week):formatD(L)', '2023-03-08', '03/11/2023', utc), at("endOfD(month,'DD.MM.YYYY'):formatD(L)", '05.03.2023', '03/31/2023', utc), at('endOfD(month)', null, '')],
  diffD: [
    at('diffD(20240310,days)', '20240115', '55', utc), at('diffD(20240310,w)', '20240115', '7', utc), at('diffD(20240310,M)', '20240115', '1', utc), at('diffD(20240310)', '20240115', '4752000000', utc), at('diffD(2024-01-15,days)', '2024-03-10', '-55', utc), at('diffD(20250114,y)', '20240115', '0', utc), at('diffD(20250115,year)', '20240115', '1', utc), at("diffD('2024=03=10', h, 'YYYY+MM+DD', 'YYYY=MM=DD')", '2024+01+15', '1320', utc), at('diffD(c.now,y)', '2020-01-01', '4', utc), at('diffD(20240310,days)', null, ''), at('diffD(x,days)', '20240115', 'Invalid Date'),
  ],
  convDate: [at("convDate('DD/MM/YYYY', LL)", '05/03/2023', 'March 5, 2023', utc), at("convDate('YYYYMMDD', L)", null, ''), at('convDate', '2023-03-05', '2023-03-05T00:00:00+00:00', utc)],
  convert: [at("convert('DD/MM/YYYY', 'YYYY')", '05/03/2023', '2023', utc), at('convert', null, '')],
  // ----------------------------------------------------------------------------------------------------- 17 intervals
  formatI: [
    at('formatI(human)', 45000, 'a minute'), at('formatI(human+)', 45000, 'in a minute'), at('formatI(human+)', -5400000, '2 hours ago'), at('formatI(human+)', -5400000, 'hace 2 horas', { lang: 'es' }), at('formatI(hour)', 5400000, '1.5'), at('formatI(m)', 5400000, '90'), at('formatI(hour, minute)', 90, '1.5'), at('formatI(minute)', 'PT1H30M', '90'), at('formatI(hours):floor:padl(2,0)', 'PT1H30M', '01'), at('formatI(ms)', 'P1M', '2628000000'), at('formatI(day)', 'P1Y', '365'), at('formatI(s)', 'P1Y2M3DT4H5M6S', '37065906'), at('formatI(w, d)', 14, '2'), at('formatI(year)', 'P2Y', '2'), at('formatI(s)', '1500', '1.5'),
    ...([[44, 'a few seconds'], [45, 'a minute'], [89, 'a minute'], [90, '2 minutes'], [44 * 60, '44 minutes'], [45 * 60, 'an hour'], [89 * 60, 'an hour'], [90 * 60, '2 hours'], [21 * 3600, '21 hours'], [22 * 3600, 'a day'], [35 * 3600, 'a day'], [36 * 3600, '2 days'], [25 * 86400, '25 days'], [26 * 86400, 'a month'], [45 * 86400, 'a month'], [46 * 86400, '2 months'], [304 * 86400, '10 months'], [345 * 86400, 'a year'], [500 * 86400, 'a year'], [700 * 86400, '2 years']] as const).map(([seconds, words]) => at('formatI(human, s)', seconds, words)),
    at('formatI(human)', 86400000, 'ein Tag', { lang: 'de' }), at('formatI(human+)', 86400000, 'dans un jour', { lang: 'fr' }), at('formatI(human)', 86400000, /日/, { lang: 'ja' }),
    at('formatI(human)', null, ''), at('formatI(hour)', 'soon', 'soon'), at('formatI(hour)', {}, '[object Object]'),
  ],
  // -------------------------------------------------------------------------------------------------------- 18 arrays
  arrayJoin: [
    at('arrayJoin', ['a', 'b', 3], 'a, b, 3'), at("arrayJoin(' - ')", ['a', 'b'], 'a - b'), at('arrayJoin( - )', ['a', 'b'], 'a-b'), at("arrayJoin('')", ['a', 'b', 3], 'ab3'), at("arrayJoin('', 1)", ['a', 'b', 'c', 'd'], 'bcd'), at("arrayJoin('', 1, 2)", ['a', 'b', 'c', 'd'], 'bc'), at("arrayJoin('', 0, -1)", ['a', 'b', 'c', 'd'], 'abc'), at("arrayJoin('\\n')", ['a', 'b'], 'a\nb', text), at("arrayJoin('\\r\\n')", ['a', 'b'], 'a\r\nb', text), at("arrayJoin('\\n'):convCRLF", ['a', 'b'], 'a<br>b', html), at('arrayJoin', [], ''), at('arrayJoin', 5, '5'), at('arrayJoin', 'x', 'x'), at('arrayJoin', null, ''), at('arrayJoin', [null, 'a', true], ', a, true'), at('arrayJoin(-, 9)', ['a'], ''), at('arrayJoin(.s)', ['a', 'b'], 'aSb'),
  ],
  arrayMap: [
    at('arrayMap', [{ n: 'fig', q: 2, x: { y: 1 } }, { n: 'kiwi', q: 5 }], 'fig:2, kiwi:5'), at("arrayMap(' / ', '=', 'q', 'n')", [{ n: 'fig', q: 2 }, { n: 'kiwi', q: 5 }], '2=fig / 5=kiwi'), at("arrayMap(;)", ['a', { n: 1 }, 2], 'a;1;2'), at("arrayMap(';', ':', n, none)", [{ n: 1 }], '1:'), at('arrayMap', [], ''), at('arrayMap', 'x', 'x'), at('arrayMap', null, ''),
  ],
  count: [[`{d.l[i].n:count(10)},{d.l[i+1]}`, { l: [1, 2] }, '10,11,'], ['{d.l[i].n:count},{d.l[i+1]}{d.l[i].n:count},{d.l[i+1]}', { l: [1, 2] }, /^1,2,/], ['{d.l[i, n&gt;1].n:count},{d.l[i+1, n&gt;1].n}', { l: [{ n: 1 }, { n: 2 }, { n: 3 }] }, '1,2,']],
  // ---------------------------------------------------------------------------------------------------- 19 aggregates
  aggSum: [over('aggSum', '8'), running('aggSum(.c)', '3,5,3,5,0,'), ['{d.none[].q:aggSum}', {}, '0'], over('aggSum:formatN(1)', '8.0'), ['{d.s[q&gt;1].q:aggSum}', { s }, '7'], ['{d.a[].b[].c:aggSum}', { a: [{ b: [{ c: 1 }] }, { b: [{ c: 2 }, { c: '3' }] }] }, '6'], ['{d.s[].q:mul(.q):aggSum}', { s: [{ q: 2 }, { q: 3 }] }, '13'], ['{d.l[].v:aggSum}', { l: [{ v: 0.1 }, { v: 0.2 }, { v: 0.3 }] }, /^0\.6/]],
  aggAvg: [['{d.s[].q:aggAvg}', { s: [{ q: 1 }, { q: 2 }, { q: null }] }, '1'], running('aggAvg(.c)', '1.5,2.5,1.5,2.5,,'), ['{d.e[].q:aggAvg}', {}, '']],
  aggMin: [over('aggMin', '1'), running('aggMin(.c)', '1,5,1,5,,'), ['{d.e[].q:aggMin}', {}, '']],
  aggMax: [over('aggMax', '5'), running('aggMax(.c)', '2,5,2,5,,'), ['{d.s[].t:formatD(X):aggMax}', { s: [{ t: '2023-01-01' }, { t: '2024-01-01' }] }, '1704067200', utc]],
  aggCount: [over('aggCount', '5'), running('aggCount(.c)', '2,2,2,2,1,'), ['{d.e[].q:aggCount}', {}, '0']],
  aggCountD: [['{d.s[].c:aggCountD}', { s }, '2'], ['{d.s[i].q:aggCountD(.c)},{d.s[i+1]}', { s: [{ c: 1, q: 1 }, { c: 1, q: 1 }, { c: 2, q: 3 }] }, '1,1,1,']],
  aggStr: [['{d.s[].c:aggStr}', { s }, 'x, y, x, y'], ["{d.s[].c:aggStr('-')}", { s }, 'x-y-x-y'], ["{d.s[i].q:aggStr(+, .c)},{d.s[i+1]}", { s: s.slice(0, 3) }, '2+1,5,2+1,'], ['{d.e[].c:aggStr}', {}, '']],
  aggStrD: [['{d.s[].c:aggStrD}', { s }, 'x, y'], ["{d.s[].c:aggStrD(' + ')}", { s }, 'x + y'], ["{d.s[i].c:aggStrD(+, .q)},{d.s[i+1]}", { s: [{ c: 'a', q: 1 }, { c: 'b', q: 1 }, { c: 'a', q: 2 }] }, 'a+b,a+b,a,']],
  cumSum: [running('cumSum', '2,7,8,8,8,'), running('cumSum(.c)', '2,5,3,5,0,'), ['{d.g[i].k[].v:aggSum:cumSum},{d.g[i+1]}', { g: [{ k: [{ v: 1 }, { v: 2 }] }, { k: [{ v: 3 }] }] }, '3,6,']],
  cumCount: [running('cumCount', '1,2,3,4,5,'), running('cumCount(.c)', '1,1,2,2,1,')],
  cumCountD: [running('cumCountD', '1,2,2,2,2,', 'c'), ['{d.s[i].q:cumCountD(.c)},{d.s[i+1]}', { s: [{ c: 1, q: 1 }, { c: 1, q: 2 }, { c: 2, q: 1 }] }, '1,2,1,']],
  // -------------------------------------------------------------------------------------------------- 12 conditions
  ifEQ: compares('ifEQ', true, false, false), ifNE: compares('ifNE', false, true, true), ifGT: compares('ifGT', false, false, true), ifGTE: compares('ifGTE', true, false, true), ifLT: compares('ifLT', false, true, false), ifLTE: compares('ifLTE', true, true, false),
  ifIN: [test('ifIN(b)', 'abc', true), test('ifIN(b)', ['b'], true), test('ifIN(b)', null, false)],
  ifNIN: [test('ifNIN(b)', 'abc', false), test('ifNIN(b)', ['c'], true), test('ifNIN(b)', null, true)],
  ifEM: [test('ifEM', '', true), test('ifEM', 0, false)],
  ifNEM: [test('ifNEM', '', false), test('ifNEM', 0, true)],
  ifTE: [test('ifTE(string)', '', true), test('ifTE(number)', '1', false), test('ifTE(.none)', 1, false)],
  and: [at('ifEQ(1):and(.w):ifEQ(2):show(Y):elseShow(N)', 1, 'Y'), at('ifGT(0):and:ifLT(1):show(Y):elseShow(N)', 1, 'N')],
  or: [at('ifEQ(9):or(.w):ifEQ(2):show(Y):elseShow(N)', 1, 'Y'), at('ifEQ(9):or:ifEQ(8):show(Y):elseShow(N)', 1, 'N')],
  show: [at('ifEQ(1):show(Y)', 1, 'Y'), at('ifEQ(1):show(.o.x)', 1, 'deep'), at('show(Y)', 0, '0')],
  elseShow: [at('ifEQ(1):elseShow(N)', 2, 'N'), at('elseShow(.s)', null, 'S')],
  ifEmpty: [at('ifEmpty(none):upperCase', '', 'none'), at('ifEmpty(none, true):upperCase', null, 'NONE'), at('ifEmpty(none):upperCase', 'x', 'X'), at('ifEmpty(.s)', null, 'S')],
  ifEqual: [at('ifEqual(1, one):append(!)', 1, 'one'), at('ifEqual(1, one, true):append(!)', 1, 'one!'), at('ifEqual(2, two):append(!)', 1, '1!')],
  ifContain: [at('ifContain(b, has):append(!)', 'abc', 'has'), at('ifContain(b, has, true):append(!)', ['b'], 'has!'), at('ifContain(z, has)', 'abc', 'abc')],
  showBegin: [block('showBegin', 'showEnd', 1, 'abc'), block('showBegin', 'showEnd', 2, 'ac')],
  showEnd: [block('hideBegin', 'showEnd', 2, 'abc')],
  hideBegin: [block('hideBegin', 'hideEnd', 1, 'ac'), block('hideBegin', 'hideEnd', 2, 'abc')],
  hideEnd: [block('showBegin', 'hideEnd', 2, 'ac')],
  drop: [['<p>a{d.v:ifEM:drop(p)}</p><p>b</p><p>c</p>', {}, '<p>b</p><p>c</p>', html], ['<p>a{d.v:ifEM:drop(p, 2)}</p><p>b</p><p>c</p>', {}, '<p>c</p>', html], ['<p>a{d.v:drop(page)}</p>', {}, '!template.element.unknown', html]],
  keep: [['<p>a{d.v:ifEM:keep(p)}</p><p>b</p>', { v: 1 }, '<p>b</p>', html], ['<p>a{d.v:ifEM:keep(p, 2)}</p><p>b</p><p>c</p>', { v: 1 }, '<p>c</p>', html], ['<p>a{d.v:ifEM:keep(p)}</p>', {}, '<p>a</p>', html]],
  // ------------------------------------------------------------------------------------------------- 20, 21 and the rest
  set: [['{d.v:add(1):set(c.x)}{c.x}', { v: 1 }, '2'], ['{d.s[].q:set(.r)}{d.s[1].r}', { s }, '5'], ['{d.v:set(x)}', {}, '!template.formatter.arguments'], ['{d.v:set(c.a-b.c)}', {}, /.*/]],
  convEnum: [
    at('convEnum(ST)', 1, 'live', enums), at('convEnum(ST)', 9, '9', enums), at("convEnum('YN')", true, 'Oui', enums), at('convEnum(ST)', '0', 'draft', enums), at('convEnum(NONE)', 'a', 'a', enums), at('convEnum(ST)', 'a', 'a'), at('convEnum(ST)', null, '', enums),
  ],
  formatR: [at('formatR', 'JP', 'Japan'), at('formatR', 'JPN', 'Japan'), at('formatR', 392, 'Japan'), at('formatR', '392', 'Japan'), at('formatR', 'jp', 'Japon', { lang: 'fr' }), at('formatR', 'DE', 'Německo', { lang: 'cs' }), at('formatR', 'nowhere', 'nowhere'), at('formatR', 'ZZZ', 'ZZZ'), at('formatR', null, ''), at('formatR', {}, '[object Object]')],
  isImage: [at('isImage', 'a', 'a')],
  imageFit: [picture('imageFit(contain)', 'https://e.org/a.png', /object-fit:\s*contain/), at('imageFit(contain)', 'a', 'a', text), at('imageFit', 'a', 'a', text)],
  autoOrient: [picture('autoOrient', 'https://e.org/a.png', /src="https:\/\/e\.org\/a\.png"/), at('autoOrient', 'a', 'a', text)],
  barcode: [picture('barcode(qrcode)', 'x', /src="data:image\/svg\+xml[^"]+"/), picture('barcode(ean13)', 'not digits', /src="data:image/), picture('barcode(ean13, width:20, includetext:true)', '9520123456788', /src="data:image/), at('barcode(qrcode)', 'x', 'x', text)],
  chart: [picture('chart', { type: 'echarts@v5', option: { series: [{ type: 'pie', data: [1, 2] }] } }, /src="data:image\/svg/)],
  color: [['<p>a{d.v:color(p)}</p>', { v: '#ff0000' }, /<p style="color:\s*#FF0000;?">a<\/p>/i, html], ['<p>a{d.v:color(p, background)}</p>', { v: '00ff00' }, /background-color:\s*#00FF00/i, html], ['<p>a{d.v:color}</p>', { v: 'red' }, /#888888/, html]],
  defaultURL: [['<a href="{d.v:defaultURL(https://e.org/x)}">t</a>', { v: null }, '<a href="https://e.org/x">t</a>', html], ['<a href="{d.v:defaultURL(https://e.org/x)}">t</a>', { v: 'https://a.org' }, '<a href="https://a.org">t</a>', html]],
  transform: [at('transform(x, mm)', 5, ''), at('transform(y)', 5, ''), at('transform(x, mm)', 'no number', '')],
  svgUpdate: [
    drawing("{d.v:svgUpdate('fill', b)}", 'red', '<path id="a"/><path id="b" fill="red"/>'), drawing("{d.v:svgUpdate('fill', .w, 'id')}", 'red', '<path id="a"/><path id="b" fill="red"/>'), drawing("{d.v:svgUpdate('fill', b)}", null, '<path id="a"/><path id="b"/>'),
  ],
  svgSelectiveUpdate: [drawing("{d.v:svgSelectiveUpdate('fill', red)}", 'a', '<path id="a" fill="red"/><path id="b"/>'), drawing("{d.v:svgSelectiveUpdate('fill', .w, 'id')}", 'a', '<path id="a" fill="b"/><path id="b"/>')],
  fill: [at('fill', 'x', '', text)],
  fillField: [at("fillField('a.b')", 'x', '', text)],
  check: [at('ifEQ(1):check', 1, '', text)],
  uncheck: [at('ifEQ(1):uncheck', 1, '', text)],
  checkField: [at('ifEQ(1):checkField(a)', 1, '', text)],
  appendFile: [at('appendFile', 'https://e.org/a.pdf', '', text), at('appendFile(start)', null, '', text)],
  appendTemplate: [at('appendTemplate(1)', { a: 1 }, '', text), at('appendTemplate(1, start)', { a: 1 }, '', text)],
  attachFile: [at('attachFile(a.csv)', 'https://e.org/a.csv', '', text), at('attachFile(a.csv, Source)', 'https://e.org/a.csv', '', text)],
  sign: [at('sign', { a: 1 }, '', text)],
}
