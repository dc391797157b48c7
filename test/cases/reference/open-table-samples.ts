import { cell, type OpenSample, paper, par, parStyle, row, style } from './open.ts'
import { lorem, times } from './word.ts'

const table = (name: string, columns: readonly string[]): string =>
  `<table:table table:name="${name}" table:style-name="${name}">${columns
    .map((_, index) => `<table:table-column table:style-name="${name}.${index}"/>`)
    .join(
      '',
    )}${row(columns.map((_, index) => cell(par(`${name}${index} b`))).join(''))}</table:table>${par(`${name} end`)}`
const styles = (name: string, whole: string, columns: readonly string[]): string =>
  style('table', name, whole) +
  columns.map((attributes, index) => style('table-column', `${name}.${index}`, attributes)).join('')
const shares = (...widths: readonly number[]): string[] =>
  widths.map((width) => `style:rel-column-width="${width}*"`)
const measured = (...widths: readonly number[]): string[] =>
  widths.map((width) => `style:column-width="${width}pt"`)
const nothing = (count: number): string[] => Array.from({ length: count }, () => '')

const tables: readonly (readonly [whole: string, columns: readonly string[]])[] = [
  ['style:rel-width="100%" table:align="left"', shares(5000, 10_000, 15_000)],
  ['style:rel-width="60%" table:align="center"', shares(5000, 10_000, 15_000)],
  ['table:align="margins"', shares(5000, 10_000, 15_000)],
  ['style:width="280pt" table:align="left"', shares(5000, 10_000, 15_000)],
  ['table:align="left"', shares(5000, 10_000, 15_000)],
  [
    'style:width="340pt" table:align="left"',
    measured(60, 120, 160).map((width, index) => `${width} ${shares(15_000, 10_000, 5000)[index]!}`),
  ],
  ['style:width="340pt" table:align="left"', [...measured(60), ...shares(5000, 10_000)]],
  ['style:width="450pt" table:align="margins"', [...measured(60), ...shares(5000, 10_000)]],
  ['style:width="340pt" table:align="left"', nothing(4)],
  ['style:width="340pt" table:align="left"', [...measured(60), ...nothing(2)]],
  ['table:align="margins"', [...measured(60), ...nothing(2)]],
  ['table:align="center"', measured(60, 90, 120)],
  ['style:width="340pt" table:align="left"', [...measured(60, 90), ...nothing(1)]],
]
const nameOf = (index: number): string => `T${String.fromCharCode(97 + index)}`

/** Cells with five points at the left and bottom, one with a line above and one at the right, by border model. */
const ruled: Readonly<Record<string, string>> = {
  shared: 'table:border-model="collapsing"',
  own: 'table:border-model="separating"',
}
const rules = [
  'fo:border-left="5pt solid #000000" fo:border-bottom="5pt solid #000000" fo:padding="0pt"',
  'fo:border="5pt solid #000000" fo:padding="4pt"',
  'fo:border-top="8pt solid #000000" fo:border-right="1pt solid #000000" fo:padding="2pt"',
]
const ruledTable = (name: string): string =>
  `<table:table table:name="${name}" table:style-name="${name}"><table:table-column table:style-name="A" table:number-columns-repeated="2"/>${times(
    4,
    (i) =>
      row(times(2, (j) => cell(par(`${name}${i}${j} b`) + par(`${name}${i}${j}e`, 'E'), `C${(2 * i + j) % rules.length}`))),
  )}</table:table>${par(`${name} end`)}`

const heading = (name: string, level: number, text: string, more = ''): string =>
  `<text:h text:style-name="${name}" text:outline-level="${level}" ${more}>${text}</text:h>`
const named = (name: string, parent: string, more = '', properties = ''): string =>
  `<style:style style:name="${name}" style:family="paragraph" style:parent-style-name="${parent}" ${more}><style:paragraph-properties ${properties}/></style:style>`
const level = (at: number, kind: string): string =>
  `<text:${kind} text:level="${at}" style:num-format="1" text:display-levels="${at}"><style:list-level-properties text:list-level-position-and-space-mode="label-alignment"><style:list-level-label-alignment text:label-followed-by="listtab" text:list-tab-stop-position="30pt" fo:text-indent="-30pt" fo:margin-left="30pt"/></style:list-level-properties></text:${kind}>`

/** Tables by what is said of their columns, headings by what is said of their styles. */
export const openTableSamples: Readonly<Record<string, OpenSample>> = {
  'columns in points, in shares and of no width': {
    automatic:
      style('table-cell', 'C', 'fo:padding="3pt" fo:border="0.5pt solid #000000"') +
      tables.map(([whole, columns], index) => styles(nameOf(index), whole, columns)).join(''),
    body: tables.map(([, columns], index) => table(nameOf(index), columns)).join(''),
  },
  'borders that cells share or have of their own': {
    automatic:
      style('table-column', 'A', 'style:column-width="140pt"') +
      rules.map((rule, index) => style('table-cell', `C${index}`, rule)).join('') +
      Object.entries(ruled)
        .map(([name, model]) => style('table', name, `style:width="280pt" table:align="left" ${model}`))
        .join('') +
      parStyle('E', 'fo:text-align="end"'),
    body: Object.keys(ruled).map(ruledTable).join(''),
  },
  'a page of no declared size': {
    layout: '<style:page-layout-properties/>',
    automatic: parStyle('E', 'fo:text-align="end"'),
    body: par('start') + times(60, (i) => par(`${i}`, 'E')),
  },
  'labels at the end and in the middle of their place': {
    automatic: ['start', 'end', 'center']
      .flatMap((align) => [0, 7].map((gap) => [align, gap] as const))
      .map(
        ([align, gap], index) =>
          `<text:list-style style:name="L${index}"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix=" )"><style:list-level-properties text:space-before="20pt" text:min-label-width="60pt" text:min-label-distance="${gap}pt" fo:text-align="${align}"/></text:list-level-style-number></text:list-style>`,
      )
      .join(''),
    body: times(
      6,
      (i) =>
        `<text:list text:style-name="L${i - 1}"><text:list-item>${par(`item ${i} ${lorem}`)}</text:list-item></text:list>`,
    ),
  },
  'automatic styles of one style share their space': {
    outline: named(
      'List',
      'Standard',
      '',
      'fo:margin-top="6pt" fo:margin-bottom="12pt" style:contextual-spacing="true"',
    ),
    automatic:
      named('P1', 'List', '', 'fo:margin-left="20pt"') + named('P2', 'List', '', 'fo:text-align="center"'),
    body: ['List', 'P1', 'P2', 'P2', 'Standard', 'P1', 'List']
      .map((name, index) => par(`${name} ${index}`, name))
      .join(''),
  },
  'lengths in inches': {
    layout: paper('fo:margin="0.9839in"'),
    automatic: named('P1', 'Standard', '', 'fo:margin-left="0.2953in" fo:margin-bottom="0.0417in"'),
    body: times(30, (i) => par(`${i} ${lorem}`, 'P1')),
  },
  'headings whose styles say more': {
    outline:
      `<text:outline-style style:name="Outline">${times(3, (i) => level(i, 'outline-level-style'))}</text:outline-style>` +
      `<text:list-style style:name="L">${level(1, 'list-level-style-number')}</text:list-style>` +
      named('One', 'Standard', 'style:default-outline-level="1"') +
      named('Two', 'Standard', 'style:default-outline-level="2"') +
      named('None', 'Standard', 'style:default-outline-level="2" style:list-style-name=""') +
      named('Child', 'Two') +
      named('Other', 'Standard', 'style:default-outline-level="2"', 'fo:margin-left="40pt"'),
    automatic:
      named('P1', 'One', 'style:list-style-name=""') +
      named('P2', 'One', '', 'fo:margin-left="60pt"') +
      named('P3', 'One', 'style:list-style-name="L"') +
      named('P4', 'Two', '', 'fo:text-align="center"'),
    body: [
      heading('One', 1, 'one'),
      heading('None', 2, 'without'),
      heading('P1', 1, 'without, by itself'),
      heading('P2', 1, 'further in'),
      heading('P3', 1, 'of a list'),
      heading('Child', 2, 'child'),
      heading('Other', 2, 'second style of a level'),
      heading('Standard', 2, 'of no such style'),
      heading('One', 1, 'not counted', 'text:is-list-header="true"'),
      heading('One', 1, 'starts over', 'text:restart-numbering="true" text:start-value="7"'),
      par('a paragraph of level two', 'Two'),
      par('and one by itself', 'P4'),
      par('a paragraph of the child', 'Child'),
      par('of the second style', 'Other'),
      heading('Two', 2, 'last'),
    ].join(''),
  },
}
