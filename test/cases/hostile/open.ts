import { band, cell, type OpenSample, paper, par, parStyle, picture, row, style, table, tableStyles } from '../reference/open.ts'
import { lorem, times } from '../reference/word.ts'

const list = (depth: number): string =>
  depth === 0 ? par('core') : `<text:list><text:list-item>${list(depth - 1)}</text:list-item></text:list>`
const nest = (depth: number): string =>
  depth === 0 ? par('core') : table(row(cell(nest(depth - 1) + par('x'))))
const master = (name: string, next: string): string =>
  `<style:master-page style:name="${name}" style:page-layout-name="L" style:next-style-name="${next}"/>`
const sized = (name: string, parent: string): string =>
  `<style:style style:name="${name}" style:family="paragraph" style:parent-style-name="${parent}"><style:text-properties fo:font-size="300%"/></style:style>`

const shape = (path: string, equations = '', box = 'svg:viewBox="0 0 1 1"'): string =>
  par(`<draw:custom-shape text:anchor-type="as-char" svg:width="100pt" svg:height="50pt"><draw:enhanced-geometry ${box} draw:enhanced-path="${path}">${equations}</draw:enhanced-geometry></draw:custom-shape>`)
const equation = (name: string, formula: string): string => `<draw:equation draw:name="${name}" draw:formula="${formula}"/>`

export const hostileOpen: Readonly<Record<string, OpenSample>> = {
  'formulas in a circle': { body: shape('M ?a ?b L ?b ?a Z N', equation('a', '?b+1') + equation('b', '?a*2')) },
  'formulas that double a thousand times': {
    body: shape('M ?f0 0 L 1 1 N', times(1000, (i) => equation(`f${i - 1}`, `?f${i}+?f${i}`))),
  },
  'a formula of brackets': { body: shape('M ?a 0 N', equation('a', '('.repeat(50_000))) },
  'an outline of a hundred thousand lines': { body: shape(`M 0 0 L ${'1 1 0 0 '.repeat(50_000)} N`) },
  'an outline of no size': { body: shape('M 0 0 L 1e300 -1e300 Z N', '', 'svg:viewBox="0 0 0 0"') },
  'gradients of nonsense': {
    body: par('<draw:rect text:anchor-type="as-char" draw:style-name="g" svg:width="1pt" svg:height="0pt"/>'),
    automatic:
      style('graphic', 'g', 'draw:fill="gradient" draw:fill-gradient-name="G"') +
      '<draw:gradient draw:name="G" draw:angle="1e999deg" draw:border="-900%" draw:cx="-99999%" draw:start-color="x"/>',
  },
  'page styles that follow each other in a circle': {
    body: par('start', 'F') + times(200, () => par(lorem)),
    automatic: parStyle('F', '', '', 'style:master-page-name="One"'),
    masters: master('One', 'Two') + master('Two', 'One'),
  },
  'sizes that grow in a circle': {
    body: par('text', 'A'),
    automatic: sized('A', 'B') + sized('B', 'C') + sized('C', 'A'),
  },
  'sizes that grow forty times': {
    body: par('text', 'S40'),
    automatic: times(40, (i) => sized(`S${i}`, i === 1 ? 'Standard' : `S${i - 1}`)),
  },
  'lists that go on with each other': {
    body: times(
      400,
      (i) =>
        `<text:list xml:id="l${i}" text:continue-list="l${i === 400 ? 1 : i + 1}" text:style-name="N"><text:list-item>${par(`item ${i}`)}</text:list-item></text:list>`,
    ),
    automatic:
      '<text:list-style style:name="N"><text:list-level-style-number text:level="1" style:num-format="1" text:display-levels="99" text:start-value="2147483647"/></text:list-style>',
  },
  'one word of a million letters': { body: par('x'.repeat(1_000_000)) },
  'ten thousand pages': {
    body: times(10_000, (i) => par(`p${i}`, 'B')),
    automatic: parStyle('B', 'fo:break-before="page"'),
  },
  'a row taller than a page that may not break': {
    body: par('a') + table(row(cell(times(200, (i) => par(`line ${i}`))), 'R')) + par('b'),
    automatic: `${tableStyles()}<style:style style:name="R" style:family="table-row"><style:table-row-properties fo:keep-together="always"/></style:style>`,
  },
  'a table that may not break over twenty pages': {
    body: par('a') + table(times(1000, (i) => row(cell(par(`line ${i}`))))) + par('b'),
    automatic: tableStyles('style:width="400pt" style:may-break-between-rows="false" fo:keep-with-next="always"'),
  },
  'a table of a thousand columns': {
    body: `<table:table table:name="t"><table:table-column table:number-columns-repeated="1000"/>${times(6, () => row(times(1000, () => cell(par('')))))}</table:table>`,
    automatic: tableStyles(),
  },
  'tables in tables, forty deep': { body: nest(40), automatic: tableStyles() },
  'widths, margins and letters below nothing': {
    body: par(lorem, 'P') + table(row(cell(par('x')))),
    automatic: `${tableStyles('style:width="-400pt" fo:margin-left="-9999cm"')}${parStyle('P', 'fo:margin-left="-9999cm" fo:margin-right="9999cm" fo:text-indent="-1e9pt" fo:line-height="-50%" fo:margin-top="-900pt"', '', '')}<style:style style:name="T" style:family="text"><style:text-properties fo:font-size="-12pt" fo:letter-spacing="-900pt" style:text-scale="-100%"/></style:style>`,
  },
  'a page below nothing': {
    body: par(lorem),
    layout:
      '<style:page-layout-properties fo:page-width="-10cm" fo:page-height="0cm" fo:margin-top="-90cm" fo:margin-bottom="-90cm" fo:margin-left="-1cm" fo:margin-right="-1cm"/>',
  },
  'lists two hundred deep': { body: list(200) },
  'a table of no columns': {
    body: '<table:table table:name="t"><table:table-row/></table:table>' + par('x'),
  },
  'a column repeated a billion times': {
    body: `<table:table table:name="t"><table:table-column table:number-columns-repeated="1000000000"/>${row(cell(par('x'), 'C', 'table:number-columns-repeated="1000000000"'))}</table:table>`,
    automatic: tableStyles(),
  },
  'a row repeated a billion times': {
    body: `<table:table table:name="t"><table:table-column/><table:table-row table:number-rows-repeated="1000000000">${cell(par('x'))}</table:table-row></table:table>`,
    automatic: tableStyles(),
  },
  'cells over more rows than there are': {
    body: table(row(cell(par('x'), 'C', 'table:number-rows-spanned="100000"') + cell(par('y')))),
    automatic: tableStyles(),
  },
  'spaces by the billion': { body: par('a<text:s text:c="1000000000"/>b') },
  'paper smaller than its margins': {
    body: par(lorem),
    layout: paper('fo:margin-top="900pt" fo:margin-bottom="900pt" fo:margin-left="900pt" fo:margin-right="900pt"'),
  },
  'a footer taller than the page': {
    body: par(lorem),
    layout: paper('fo:margin-top="72pt" fo:margin-bottom="72pt"') + band('footer', 5000, 5000),
    master: `<style:footer>${times(200, () => par('foot'))}</style:footer>`,
  },
  'pictures below their lines': {
    body: times(50, () => par(picture('as-char', 'svg:y="-9000pt"'))),
    automatic: style('graphic', 'g', 'style:vertical-pos="from-top" style:vertical-rel="baseline"'),
  },
  'a section of ten thousand columns': {
    body: `<text:section text:style-name="S" text:name="s">${par(lorem)}</text:section>`,
    automatic:
      '<style:style style:name="S" style:family="section"><style:section-properties><style:columns fo:column-count="10000" fo:column-gap="-50pt"/></style:section-properties></style:style>',
  },
  'frames that grow inside each other': {
    body: par(Array.from({ length: 40 }).reduce<string>((inside) => `x <draw:frame draw:style-name="g" text:anchor-type="as-char" svg:width="90pt"><draw:text-box fo:min-height="5pt">${par(inside)}</draw:text-box></draw:frame>`, 'core')),
    automatic: style('graphic', 'g', 'style:vertical-pos="top" style:vertical-rel="baseline"'),
  },
  'a frame on a sheet beyond all pages': {
    body: `<draw:frame text:anchor-type="page" text:anchor-page-number="4000000000" svg:width="9pt"><draw:text-box>${par('far')}</draw:text-box></draw:frame>${par('near')}`,
  },
  'columns in a frame that nothing fits': {
    body: par(`<draw:frame draw:style-name="g" text:anchor-type="paragraph" svg:width="3pt"><draw:text-box fo:min-height="0.1pt">${times(20, () => par(lorem))}</draw:text-box></draw:frame>`),
    automatic:
      '<style:style style:name="g" style:family="graphic"><style:graphic-properties><style:columns fo:column-count="45" fo:column-gap="900pt"/></style:graphic-properties></style:style>',
  },
  'letters over a hundred lines': {
    body: par(lorem, 'D') + par('x', 'D') + par('', 'D'),
    automatic: parStyle('D', 'fo:line-height="0.1pt"', '<style:drop-cap style:lines="999999" style:length="-5" style:distance="-9pt"/>'),
  },
}
