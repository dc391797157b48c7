import type { Element } from 'hast'
import { fromHtml } from 'hast-util-from-html'
import { describe, expect, test } from 'vitest'
import { Tree } from '../../../plugins/engines/web/page/tree.ts'
import type { StyledElement } from '../../../shared/css/cascade.ts'
import { longhands } from '../../../shared/css/declarations.ts'
import { readSheet } from '../../../shared/css/sheet.ts'

/** The look of the element with the id `t`. */
function styleOf(sheet: string, body: string) {
  const root = fromHtml(`<!doctype html><body>${body}</body>`)
  const top = root.children.find((child): child is Element => child.type === 'element') as Element
  const tree = new Tree(sheet, false)
  const find = (one: StyledElement): StyledElement | undefined => {
    if (one.element.properties['id'] === 't') return one
    for (const kid of tree.elements(one)) {
      const found = find(kid)
      if (found !== undefined) return found
    }
    return undefined
  }
  const found = find(tree.root(top))
  if (found === undefined) throw new Error('There is no #t.')
  return { style: found.style, tree, found }
}

describe('the cascade', () => {
  test.each([
    ['a rule', 'p{color:red}', '<p id=t>', 'color', 'red'],
    ['the later of equals', 'p{color:red}p{color:blue}', '<p id=t>', 'color', 'blue'],
    ['what is in no layer', '@layer a{#t{color:red}}p{color:blue}', '<p id=t>', 'color', 'blue'],
    [
      'the later of layers, in the order of their names',
      '@layer a,b;@layer b{p{color:red}}@layer a{#t{color:blue}}',
      '<p id=t>',
      'color',
      'red',
    ],
    [
      'the earlier of layers for what is important',
      '@layer a{p{color:red!important}}@layer b{#t{color:blue!important}}',
      '<p id=t>',
      'color',
      'red',
    ],
    ['the heavier', '.a{color:red}p{color:blue}', '<p id=t class=a>', 'color', 'red'],
    ['what is important', 'p{color:red!important}#t{color:blue}', '<p id=t>', 'color', 'red'],
    ['the attribute over the sheet', '#t{color:red}', '<p id=t style="color:blue">', 'color', 'blue'],
    [
      'what is important over the attribute',
      'p{color:red !important}',
      '<p id=t style="color:blue">',
      'color',
      'red',
    ],
    ['inherited', 'div{color:red}', '<div><p><b id=t>', 'color', 'red'],
    ['not inherited', 'div{background-color:red}', '<div><p id=t>', 'background-color', undefined],
    ['inherit', 'div{width:7px}p{width:inherit}', '<div><p id=t>', 'width', '7px'],
    ['initial', 'div{color:red}p{color:initial}', '<div><p id=t>', 'color', undefined],
    [
      'a sheet for paper',
      '@media print{p{color:red}}@media screen{p{color:blue}}',
      '<p id=t>',
      'color',
      'red',
    ],
    ['a narrow screen', '@media (max-width:600px){p{color:red}}', '<p id=t>', 'color', '#000000'],
    [
      'a condition on the width of paper',
      '@media all and (min-width:600px){p{color:red}}',
      '<p id=t>',
      'color',
      'red',
    ],
    ['supports', '@supports (display:grid){p{color:red}}', '<p id=t>', 'color', 'red'],
    ['no support', '@supports not (display:grid){p{color:red}}', '<p id=t>', 'color', '#000000'],
    ['a range of widths', '@media (width >= 600px){p{color:red}}', '<p id=t>', 'color', 'red'],
    ['a rule in a rule', 'div{color:blue;p{color:red}}', '<div><p id=t>', 'color', 'red'],
    ['what stands behind a rule in a rule', 'p{b{x:y}color:red}', '<p id=t>', 'color', 'red'],
    ['a rule in one for several', 'i,div{&.a > p{color:red}}', '<div class=a><p id=t>', 'color', 'red'],
    ['a medium in a rule', 'p{@media print{color:red}}', '<p id=t>', 'color', 'red'],
    ['a side by the direction of text', 'p{margin-inline-start:7px}', '<p id=t>', 'margin-left', '7px'],
    ['both sides of an axis', 'p{padding-block:7px 8px}', '<p id=t>', 'padding-bottom', '8px'],
    ['both lines of an axis', 'p{border-block:1px solid red}', '<p id=t>', 'border-top-color', 'red'],
    ['a size by the direction of text', 'p{max-inline-size:7px}', '<p id=t>', 'max-width', '7px'],
    ['all sides of a place', 'p{inset:1px 2px}', '<p id=t>', 'left', '2px'],
    [
      'a variable with another one in brackets',
      ':root{--a:1}p{color:var(--b, var(--c, hsl(var(--a), calc(2% + 3%), 4%)))}',
      '<p id=t>',
      'color',
      'hsl(1, calc(2% + 3%), 4%)',
    ],
    ['a statement before', '@import url("x.css");p{color:red}', '<p id=t>', 'color', 'red'],
    ['a comment', '/* p{} */p{/* ; */color:red}', '<p id=t>', 'color', 'red'],
    ['a brace in a string', 'p::before{content:"}"}p{color:red}', '<p id=t>', 'color', 'red'],
    ['nothing closed', 'p{color:red', '<p id=t>', 'color', 'red'],
    ['a broken rule before', 'p{color}}p{color:red}', '<p id=t>', 'color', 'red'],
    ['a variable', ':root{--a:red}p{color:var(--a)}', '<p id=t>', 'color', 'red'],
    [
      'a variable in a shorthand',
      ':root{--a:red}p{border:1px solid var(--a)}',
      '<p id=t>',
      'border-left-color',
      'red',
    ],
    ['a variable that is not there', 'p{color:var(--a, blue)}', '<p id=t>', 'color', 'blue'],
    [
      'a variable of a variable',
      'div{--a:red;--b:var(--a)}p{color:var(--b)}',
      '<div><p id=t>',
      'color',
      'red',
    ],
    ['a variable of itself', 'p{--a:var(--a);color:var(--a);width:1px}', '<p id=t>', 'color', '#000000'],
    ['bgcolor', '', '<table><tr><td id=t bgcolor=ff0000>', 'background-color', '#ff0000'],
    [
      'a sheet over an attribute',
      'td{background:blue}',
      '<table><tr><td id=t bgcolor=red>',
      'background-color',
      'blue',
    ],
    ['cellpadding', '', '<table cellpadding=5><tr><td id=t>', 'padding-left', '5px'],
    [
      'the border of a table is that of its cells',
      '',
      '<table border=1><tr><td id=t>',
      'border-top-style',
      'solid',
    ],
    ['width', '', '<table width=50% id=t>', 'width', '50%'],
    ['align', '', '<table><tr><td align=center id=t>', 'text-align', 'center'],
    ['font', '', '<font color=red id=t>', 'color', 'red'],
    ['type of a list', '', '<ol type=A><li id=t>', 'list-style-type', 'upper-alpha'],
    ['dir', '', '<div dir=rtl><p id=t>', 'direction', 'rtl'],
  ])('%s', (_, sheet, body, name, expected) => {
    expect(styleOf(sheet, body).style.get(name)).toBe(expected)
  })

  test.each([
    ['10pt', 10],
    ['20px', 15],
    ['1in', 72],
    ['2.54cm', 72],
    ['25.4mm', 72],
    ['1pc', 12],
    ['2em', 20],
    ['2rem', 16],
    ['50%', 100],
    ['0', 0],
    ['calc(100% - 20px)', 185],
    ['calc(1in / 2 + 4pt)', 40],
    ['calc(2 * 3pt)', 6],
    ['auto', undefined],
    ['12', undefined],
    ['1e999px', undefined],
  ])('%s in points', (value, expected) => {
    const { style } = styleOf(`html{font-size:8pt}p{font-size:10pt;width:${value}}`, '<p id=t>')
    const length = style.length('width', 200)
    if (expected === undefined) expect(length).toBeUndefined()
    else expect(length).toBeCloseTo(expected, 5)
  })

  test.each([
    ['font-size:20px', 15],
    ['font-size:150%', 15],
    ['font-size:1.2em', 12],
    ['font-size:larger', 12],
    ['font-size:x-large', 18],
    ['font:bold 14pt/1.5 "My Font", serif', 14],
  ])('%s', (declarations, expected) => {
    expect(styleOf(`div{font-size:10pt}p{${declarations}}`, '<div><p id=t>').style.size).toBeCloseTo(
      expected,
      5,
    )
  })

  test.each([
    ['red', 'ff0000'],
    ['#0f8', '00ff88'],
    ['rgb(1 2 3)', '010203'],
    ['hsl(120, 100%, 50%)', '00ff00'],
    ['rgba(255,0,0,.5)', 'ff8080'],
    ['#ff000080', 'ff7f7f'],
    ['rgba(1,2,3,0)', undefined],
    ['transparent', undefined],
    ['currentColor', '0000ff'],
    ['linear-gradient(to right, #123456, white)', '123456'],
    ['url(x.png) no-repeat, #abcdef', 'abcdef'],
  ])('the background %s on white paper', (value, expected) => {
    expect(styleOf(`p{color:blue;background:${value}}`, '<p id=t>').style.color('background-color')).toBe(
      expected,
    )
  })

  test('text that a sheet adds', () => {
    const sheet = 'p::before{content:"\\201c" attr(title) "a\\"b"}p:after{content:none}'
    const { tree, found } = styleOf(sheet, '<p id=t title=T>')
    expect(tree.cascade.generated(found, 'before')?.text).toBe('\u201cTa"b')
    expect(tree.cascade.generated(found, 'after')).toBeUndefined()
  })

  test('elements that the same rules are about share their look', () => {
    const { tree, found } = styleOf(
      'li{color:red}',
      '<ul id=t><li>a<li>b<li class=x>c<li style="top:0">d</ul>',
    )
    const [a, b, c, d] = tree.elements(found).map((one) => one.style)
    expect(a).toBe(b)
    expect(a).toBe(c)
    expect(a).not.toBe(d)
  })

  test('style sheets above the limits are ignored', () => {
    const sheet = `.none ${'* '.repeat(12)}p{color:red}`
    const { tree } = styleOf(sheet, `${'<div>'.repeat(150)}${'<p>x'.repeat(400)}<p id=t>`)
    expect(tree.cascade.gaveUp).toBe(true)
  })
})

describe('shorthands', () => {
  const sides = (name: string, ...values: string[]) =>
    ['top', 'right', 'bottom', 'left'].map((side, at) => [name.replace('*', side), values[at]])
  test.each([
    ['margin', '1px', sides('margin-*', '1px', '1px', '1px', '1px')],
    ['padding', '1px 2px', sides('padding-*', '1px', '2px', '1px', '2px')],
    ['margin', '1px auto 3px', sides('margin-*', '1px', 'auto', '3px', 'auto')],
    ['padding', '1px 2px 3px calc(1px + 2px)', sides('padding-*', '1px', '2px', '3px', 'calc(1px + 2px)')],
    ['border-color', 'red blue', sides('border-*-color', 'red', 'blue', 'red', 'blue')],
    [
      'border-top',
      'none',
      [
        ['border-top-width', 'medium'],
        ['border-top-style', 'none'],
        ['border-top-color', 'currentcolor'],
      ],
    ],
    [
      'border-left',
      'rgb(1, 2, 3) 2px dashed',
      [
        ['border-left-width', '2px'],
        ['border-left-style', 'dashed'],
        ['border-left-color', 'rgb(1, 2, 3)'],
      ],
    ],
    ['page-break-before', 'always', [['break-before', 'page']]],
    [
      'list-style',
      'square inside',
      [
        ['list-style-type', 'square'],
        ['list-style-position', 'inside'],
      ],
    ],
    [
      'list-style',
      'none',
      [
        ['list-style-type', 'none'],
        ['list-style-position', 'outside'],
      ],
    ],
    [
      'columns',
      '2',
      [
        ['column-count', '2'],
        ['column-width', 'auto'],
      ],
    ],
    [
      'columns',
      '10em 3',
      [
        ['column-count', '3'],
        ['column-width', '10em'],
      ],
    ],
    [
      'column-rule',
      '1px solid red',
      [
        ['column-rule-width', '1px'],
        ['column-rule-style', 'solid'],
        ['column-rule-color', 'red'],
      ],
    ],
    [
      'flex',
      '1',
      [
        ['flex-grow', '1'],
        ['flex-shrink', '1'],
        ['flex-basis', '0'],
      ],
    ],
    [
      'flex',
      '0 0 30%',
      [
        ['flex-grow', '0'],
        ['flex-shrink', '0'],
        ['flex-basis', '30%'],
      ],
    ],
    [
      'flex-flow',
      'row wrap',
      [
        ['flex-direction', 'row'],
        ['flex-wrap', 'wrap'],
      ],
    ],
    [
      'font',
      'italic bold 12px/1.5 A, "B C"',
      [
        ['font-style', 'italic'],
        ['font-weight', 'bold'],
        ['font-variant', 'normal'],
        ['font-size', '12px'],
        ['line-height', '1.5'],
        ['font-family', 'A, "B C"'],
      ],
    ],
  ])('%s: %s', (name, value, expected) => {
    expect(longhands(name, value)).toEqual(expected)
  })

  test.each([
    ['-webkit-box-shadow', '1px 1px red', [['box-shadow', '1px 1px red']]],
    ['-webkit-line-clamp', '2', [['-webkit-line-clamp', '2']]],
    ['display', '-webkit-inline-flex', [['display', 'inline-flex']]],
    ['overflow-x', 'hidden', [['overflow', 'hidden']]],
    ['overflow-y', 'visible', []],
  ])('%s: %s under the name that it has in the standard', (name, value, expected) => {
    expect(longhands(name, value)).toEqual(expected)
  })
  test('values of other browsers are ignored', () => {
    const sheet = '#t{width:50px;width:-moz-available;width:expression(1)}#t,#t::-moz-x{width:9px}'
    expect(styleOf(sheet, '<p id=t>').style.get('width')).toBe('50px')
  })
  test.each([
    ['@media (hover: hover)', false],
    ['@media (hover: none) and (min-resolution: 2dppx)', true],
    ['@media (-webkit-min-device-pixel-ratio: 2)', true],
    ['@media (max-resolution: 1dppx)', false],
    ['@media (400px < width <= 720px)', true],
    ['@media (width < 720px)', false],
    ['@media (min-width: 2000px) or (orientation: portrait)', true],
    ['@media not (hover: hover)', true],
    ['@media (prefers-color-scheme: dark)', false],
    ['@media screen, print and (min-height: 30em)', true],
    ['@supports (display: grid) and (not (-ms-ime-align: auto))', true],
    ['@supports not (display: grid)', false],
    ['@supports (-moz-appearance: none) or ((color: red) and (top: 1px))', true],
    ['@supports (-moz-appearance: none)', false],
  ])('%s applies on paper: %s', (group, applies) => {
    expect(readSheet(`${group} { p { color: red } }`).rules.length).toBe(applies ? 1 : 0)
  })
  test('layers that never begin, and languages of deep pages, are bounded in work', () => {
    const before = process.cpuUsage()
    expect(readSheet('@layer '.repeat(100_000)).rules).toEqual([])
    const deep = styleOf(':lang(de){color:red}'.repeat(20_000), `${'<div>'.repeat(150)}<p id=t>`)
    expect(deep.tree.cascade.gaveUp).toBe(true)
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000)
  })
  test('what is skipped is told', () => {
    const sheet =
      '@import "a";@media print{@container (width>1px){p{color:red}}}@viewport{zoom:1}p::marker,p::selection{color:red}'
    expect([...readSheet(sheet).skipped]).toEqual(['@container', '::marker', '@import'])
  })

  test('the page', () => {
    expect(
      readSheet('@page{size:A4 landscape;margin:1cm;@top-left{content:"x"}}@page :first{margin:0}').page,
    ).toEqual([
      { name: 'size', value: 'A4 landscape', important: false },
      { name: 'margin', value: '1cm', important: false },
    ])
  })
})

describe('values', () => {
  test.each([
    ['calc(1in + 2 * (3pt - 1pt))', 76],
    ['calc(100% - 10pt)', 190],
    ['calc(10pt*2 - 4pt/2)', 18],
    ['min(10pt, 50%, 2in)', 10],
    ['max(10pt, calc(50% + 1pt))', 101],
    ['clamp(1pt, 50%, 20pt)', 20],
    ['calc(-1 * 3pt)', -3],
    ['calc(1pt +)', undefined],
    ['calc((((1pt)))', undefined],
    [`calc(${'('.repeat(40)}1pt${')'.repeat(40)})`, undefined],
    ['calc(1e300pt * 1e300)', undefined],
    ['calc(1pt / 0)', undefined],
  ])('%s is a length', (value, length) => {
    const { style } = styleOf(`p{width:${value}}`, '<p id=t>')
    expect(style.length('width', 200)).toBe(length)
  })
  test.each([
    ['hsl(0, 100%, calc(40% + 10%))', 'ff0000'],
    ['rgba(0, 0, 0, .5)', '808080'],
    ['rgb(255 0 0 / 0%)', undefined],
    ['oklch(0.628 0.2577 29.23)', 'ff0000'],
    ['oklab(1 0 0)', 'ffffff'],
    ['color-mix(in srgb, red 25%, blue)', '4000bf'],
    ['color-mix(in oklab, #000, transparent)', '808080'],
    ['hsl(calc(x), 1%, 1%)', undefined],
  ])('%s is a colour', (value, color) => {
    expect(styleOf(`p{background-color:${value}}`, '<p id=t>').style.color('background-color')).toBe(color)
  })
})

describe('sheets that ask for much', () => {
  const many = (count: number, one: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => one(at)).join('')
  test.each([
    [
      'variables of variables',
      `:root{${many(30, (at) => `--a${at}:${`var(--a${at + 1},)`.repeat(100)};`)}}#t{color:var(--a0)}`,
    ],
    ['rules in rules', `${'i,b,u{'.repeat(100)}&&&&{color:red}${'}'.repeat(100)}`],
    ['tests of what is inside', many(2000, (at) => `p:has(b:has(i), .a${at}){color:red}`)],
  ])('are read within a bound: %s', (_, sheet) => {
    const before = process.cpuUsage()
    const { style } = styleOf(sheet, `<p id=t>${'<b>'.repeat(100)}`)
    expect(style.size).toBe(12)
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000)
  })
})
