import { band, cell, type OpenSample, paper, par, parStyle, picture, row, style, table, tableStyles } from '../reference/open.ts'
import { lorem, times } from '../reference/word.ts'

const list = (depth: number): string =>
  depth === 0 ? par('core') : `<text:list><text:list-item>${list(depth - 1)}</text:list-item></text:list>`
const master = (name: string, next: string): string =>
  `<style:master-page style:name="${name}" style:page-layout-name="L" style:next-style-name="${next}"/>`
const sized = (name: string, parent: string): string =>
  `<style:style style:name="${name}" style:family="paragraph" style:parent-style-name="${parent}"><style:text-properties fo:font-size="300%"/></style:style>`

export const hostileOpen: Readonly<Record<string, OpenSample>> = {
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
}
