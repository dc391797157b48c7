import { describe, expect, it } from 'vitest'
import { layPage, smallPage } from '../../../../../helpers/web-layout.ts'

const undrawn = (body: string, styles = '') => [...layPage(smallPage(body, styles)).boxes.undrawn].sort()

describe('a page tells what it asks for and what is not drawn', () => {
  it.each([
    ['p { zoom: 1.5 }', 'the property "zoom"'],
    ['p { outline: auto }', 'outlines'],
    ['p { outline: 1px dashed }', 'outlines'],
    ['p { display: inline; outline: 1px solid }', 'outlines'],
    ['p { background: rgb(from red r g 128) }', 'the property "background"'],
    ['p { vertical-align: 50% }', 'the property "vertical-align"'],
    ['p { width: 30ch }', 'the property "width"'],
    ['p { width: calc(1px * sin(30deg)) }', 'the property "width"'],
    [`p { width: ${'calc('.repeat(9000)}1px${')'.repeat(9000)} }`, 'long declarations'],
    ['p { shape-outside: circle(50%) }', 'the property "shape-outside"'],
    ['p { display: ruby }', 'the property "display"'],
    ['p { width: stretch }', 'the property "width"'],
    ['p { color: rgb(from red r g 128) }', 'the property "color"'],
    ['p { font: condensed 10px Arial }', 'the property "font-stretch"'],
    ['p { font-variant-numeric: oldstyle-nums }', 'variants of fonts'],
    ['p { background-position-x: 3px }', 'the property "background-position-x"'],
    ['p { text-decoration: underline wavy red }', 'the property "text-decoration"'],
    ['p { all: unset }', 'the property "all"'],
    ['p { background: url(data:image/png;base64,AAAA) fixed }', 'the property "background-attachment"'],
    ['p { background: red content-box; padding: 9px }', 'the property "background-clip"'],
    ['p { display: inline; rotate: 10deg }', 'transformations'],
    ['p { -webkit-filter: blur(2px) }', 'effects'],
    ['p { hyphens: auto }', 'hyphenation'],
    ['html { writing-mode: vertical-rl }', 'vertical text'],
    ['p { --a: 2; zoom: var(--a) }', 'the property "zoom"'],
    ['p::after { content: "x"; mix-blend-mode: multiply }', 'effects'],
    ['p { background: linear-gradient(red, blue); background-size: 20px 20px }', 'gradients'],
    ['p { position: relative; z-index: -1 }', 'boxes behind others'],
    ['@container (width > 1px) { p { color: red } }', '"@container" in style sheets'],
    ['@supports (a-property-of-nobody: 1) { p { color: red } }', '"@supports" in style sheets'],
    ['@layer a { @layer b { p { color: red } } }', '"@layer" in style sheets'],
    ['@import url(x.css);', 'style sheets outside of the page'],
    ['p::marker { color: red }', '"::marker" in style sheets'],
    ['p:first-line { color: red }', 'first lines'],
    ['p:in-range { color: red }', '":in-range" in style sheets'],
  ])('%.60s', (styles, feature) => {
    expect(undrawn('<p>a', styles)).toContain(feature)
  })
  it.each([
    [`${'<div>'.repeat(300)}a`, 'deeply nested elements'],
    [`${'<table><tr><td>'.repeat(200)}a`, 'deeply nested elements'],
    ['<ruby>a<rt>b</ruby>', 'elements "ruby"'],
    ['<object data="x"></object>', 'elements "object"'],
    ['<dialog open>a</dialog>', 'elements "dialog"'],
    ['<fieldset><legend>a</legend></fieldset>', 'elements "legend"'],
    ['<bdo dir="rtl">a</bdo>', 'elements "bdo"'],
    ['<audio controls></audio>', 'elements "audio"'],
    ['<input type="time">', 'fields of forms'],
    ['<select multiple></select>', 'fields of forms'],
    ['<table rules="rows"><tr><td>a</table>', 'attributes of tables'],
    ['<p lang="de"><q>a</q>', 'quotation marks of the language'],
    ['<picture><source media="print" srcset="x"><img alt=""></picture>', 'pictures for several media'],
    ['<div style="display: table-cell">a</div>', 'parts of tables outside of tables'],
    [
      '<table><tr><td style="position: relative"><i style="position: absolute; bottom: 0">a</i></table>',
      'positioned boxes in cells',
    ],
    ['<div style="display: grid; justify-content: center">a</div>', 'places of lines and tracks'],
    ['<div style="display: flex; flex-wrap: wrap; height: 90px">a</div>', 'places of lines and tracks'],
    ['<div style="display: flex"><p style="aspect-ratio: 2">a</div>', 'ratios of items'],
  ])('%.60s', (body, feature) => {
    expect(undrawn(body)).toEqual([feature])
  })
  it('in attributes', () => {
    expect(undrawn('<p style="zoom: 2">a')).toEqual(['the property "zoom"'])
  })
})

describe('a page has nothing to tell', () => {
  it.each([
    [
      'where the property has no effect on paper',
      'p { cursor: pointer; transition: all 1s; -moz-osx-font-smoothing: auto }',
    ],
    [
      'where the value changes nothing',
      'p { zoom: 1; filter: none; mix-blend-mode: normal; aspect-ratio: auto }',
    ],
    ['where another declaration takes its place', 'p { display: -webkit-box; display: flex }'],
    ['where the value is one of other browsers', 'p { width: -moz-available; filter: alpha(opacity=50) }'],
    ['where no element has the rule', 'div { zoom: 2 }'],
    ['where the element is not displayed', 'p { zoom: 2; display: none }'],
    ['where the pointer would have to be on it', 'p:hover { zoom: 2 } a:focus::before { content: "x" }'],
    [
      'where a prefix is that of the browser',
      'p { -webkit-box-shadow: none; -webkit-transform: none; -webkit-box-flex: 1 }',
    ],
    [
      'where text is for screen readers alone',
      'p { position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0, 0, 0, 0) }',
    ],
    ['where a height is automatic', 'body { height: 100% } p { height: 100% }'],
    ['where a selector is one of other browsers', 'p, p::-moz-x { zoom: 2 }'],
    [
      'where browsers do not know a property, an at-rule or a selector',
      '@list l0 { size: 1 } p { mso-a: 1; text-underline: 2; space-after: 1 } p:has-slots, p { zoom: 2 }',
    ],
    [
      'where a condition holds',
      '@supports (display: grid) and (gap: 1px) { p { color: red } } @layer a { p { top: 0 } }',
    ],
    [
      'where an outline is around a block',
      'p { outline: none } body { outline: thin solid red; outline-offset: 2px }',
    ],
    ['where words are not divided', 'p { hyphens: none }'],
  ])('%s', (_, styles) => {
    expect(undrawn('<p>a', styles)).toEqual([])
  })
  it('where elements are not displayed or look as elsewhere', () => {
    expect(
      undrawn(
        '<audio></audio><dialog>a</dialog><select><option>a</select><q lang=en>a</q><ruby hidden>a</ruby>',
      ),
    ).toEqual([])
  })
})
