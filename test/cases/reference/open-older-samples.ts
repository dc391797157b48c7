import { band, cell, type OpenSample, paper, par, parStyle, row, table, tableStyles } from './open.ts'
import { lorem, times } from './word.ts'

/** What the office writes for a document of today, as far as lines and spaces go. */
const today = {
  AddExternalLeading: true,
  AddParaLineSpacingToTableCells: true,
  AddParaSpacingToTableCells: true,
  AddParaTableSpacing: true,
  AddParaTableSpacingAtStart: true,
  MsWordCompTrailingBlanks: false,
  PropLineSpacingShrinksFirstLine: true,
  TabsRelativeToIndent: true,
  UnxForceZeroExtLeading: false,
  UseFormerLineSpacing: false,
}

const inches = 'fo:margin-top="72pt" fo:margin-bottom="72pt" fo:margin-left="72pt" fo:margin-right="72pt"'
/** A paragraph style that begins a page. */
const styleOf = (name: string, more: string, attributes = ''): string => parStyle(name, attributes, '', more)
const frameStyle =
  '<style:style style:name="F" style:family="graphic" style:parent-style-name="Graphics"><style:graphic-properties style:wrap="none" style:vertical-pos="top" style:vertical-rel="paragraph" style:horizontal-pos="left" style:horizontal-rel="paragraph" fo:padding="3pt" fo:border="0.5pt solid #000000"/></style:style>'
const frame = (name: string, content: string): string =>
  `<draw:frame draw:style-name="F" draw:name="${name}" text:anchor-type="paragraph" svg:width="150pt" draw:z-index="0"><draw:text-box fo:min-height="5pt">${content}</draw:text-box></draw:frame>`
/** A frame of 150 by 40 pt at a place of its own. */
const placedFrame = (wrap: string, place: string): string =>
  `<draw:frame draw:style-name="${wrap}" draw:name="p" text:anchor-type="paragraph" ${place} svg:width="150pt" svg:height="40pt" draw:z-index="0"><draw:text-box>${par('box')}</draw:text-box></draw:frame>`
const placedStyle = (wrap: string): string =>
  `<style:style style:name="${wrap}" style:family="graphic" style:parent-style-name="Graphics"><style:graphic-properties style:wrap="${wrap}" style:vertical-pos="from-top" style:vertical-rel="paragraph" style:horizontal-pos="from-left" style:horizontal-rel="paragraph" fo:padding="0pt" fo:border="none"/></style:style>`
const note = (id: string, body: string): string =>
  `<text:note text:id="${id}" text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>${body}</text:note-body></text:note>`

const spacings: OpenSample = {
  automatic:
    parStyle('A', 'fo:line-height="150%"') +
    parStyle('B', 'fo:line-height="150%" fo:margin-bottom="14pt"') +
    parStyle('C', 'fo:line-height="150%" fo:margin-top="3pt"') +
    parStyle('D', 'fo:line-height="80%"') +
    '<style:style style:name="t" style:family="text"><style:text-properties fo:font-size="24pt"/></style:style>' +
    tableStyles(),
  body:
    [...'AABBCC_DD_A_B_'].map((name, i) => par(`${name}${i}`, name === '_' ? 'Standard' : name)).join('') +
    [...'ABD'].map((name) => par(`<text:span text:style-name="t">large</text:span> ${name}`, name)).join('') +
    [...'AD'].map((name) => par(lorem, name)).join('') +
    table(row(cell(par('x', 'A') + par('y', 'A')) + cell(par('z', 'B')))) +
    par('end'),
}

const blank: OpenSample = {
  automatic:
    parStyle('R', 'fo:text-align="end"') +
    parStyle('M', 'fo:text-align="center"') +
    parStyle('J', 'fo:text-align="justify"') +
    parStyle(
      'T',
      '',
      '<style:tab-stops><style:tab-stop style:position="200pt" style:type="center"/><style:tab-stop style:position="400pt" style:type="right"/></style:tab-stops>',
    ),
  body:
    '<text:user-field-decls><text:user-field-decl office:value-type="string" office:string-value="" text:name="U"/></text:user-field-decls>' +
    ['R', 'M']
      .flatMap((name) =>
        [
          'plain',
          'one ',
          'three <text:s text:c="2"/>',
          'before a break <text:line-break/>behind it',
          `${lorem} `,
        ].map((text) => par(text, name)),
      )
      .join('') +
    par('a<text:tab/>centre <text:tab/>right  ', 'T') +
    par('a<text:tab/>centre<text:s text:c="4"/><text:tab/>right<text:s text:c="4"/>', 'T') +
    par('few words here <text:line-break/>and there', 'J'),
}

/** Documents whose settings say how the office that wrote them laid out lines. */
export const olderOpenSamples: Readonly<Record<string, OpenSample>> = {
  'line spacing of today': { ...spacings, switches: today },
  'line spacing as it was': { ...spacings, switches: { ...today, UseFormerLineSpacing: true } },
  'line spacing as it was, the larger space counts': {
    ...spacings,
    switches: { ...today, AddParaTableSpacing: false, UseFormerLineSpacing: true },
  },
  'first lines that keep their height': {
    ...spacings,
    switches: { ...today, PropLineSpacingShrinksFirstLine: false },
  },
  'cells that end with their last line': {
    ...spacings,
    switches: { ...today, AddParaLineSpacingToTableCells: false },
  },
  'settings that say nothing': { ...spacings, switches: {} },
  'blanks at the end of lines': { ...blank, switches: today },
  'blanks at the end of lines as in Word': {
    ...blank,
    switches: { ...today, MsWordCompTrailingBlanks: true },
  },
  'blanks behind fields': {
    automatic: parStyle('R', 'fo:text-align="end"'),
    body:
      '<text:user-field-decls><text:user-field-decl office:value-type="string" office:string-value="" text:name="U"/></text:user-field-decls>' +
      [
        'x <text:user-field-get text:name="U"/> end',
        'x <office:annotation><dc:creator>x</dc:creator><text:p>note</text:p></office:annotation> end',
        'x <text:bookmark text:name="b"/> end',
        '<text:user-field-get text:name="U"/>, <text:user-field-get text:name="U"/> <text:user-field-get text:name="U"/>',
      ]
        .map((text) => par(text) + par(text, 'R'))
        .join(''),
    switches: today,
  },
  'frames and notes end with their last line': {
    automatic:
      parStyle('A', 'fo:line-height="150%"') + parStyle('B', 'fo:line-height="150%" fo:margin-bottom="14pt"') + frameStyle,
    body:
      par(`one ${frame('f', par('a', 'A') + par('b', 'A'))}`) +
      par(`two ${frame('g', par('a', 'B') + par('b', 'B'))}`) +
      par(`three${note('n', par('note one', 'A') + par('note two', 'B'))}`) +
      par('end'),
    switches: today,
  },
  ...Object.fromEntries(
    [true, false].map((was) => [
      `a frame in a header${was ? ', as it was' : ''}`,
      {
        layout: paper('fo:margin="60pt"') + band('header', 30, 10),
        master: `<style:header>${par(`${placedFrame('parallel', 'svg:x="20pt" svg:y="-10pt"')}one`) + par('two') + par('three')}</style:header>`,
        masterStyles: placedStyle('parallel'),
        body: par('body') + par(lorem),
        switches: { ...today, UseFormerTextWrapping: was },
      },
    ]),
  ),
  'frames stay on the sheet': {
    automatic: placedStyle('parallel') + placedStyle('run-through'),
    body:
      par(`${placedFrame('parallel', 'svg:x="-300pt" svg:y="20pt"')}${lorem}`) +
      par(`${placedFrame('parallel', 'svg:x="420pt" svg:y="60pt"')}${lorem}`) +
      par(`${placedFrame('run-through', 'svg:x="100pt" svg:y="-400pt"')}a`) +
      par(`${placedFrame('run-through', 'svg:x="200pt" svg:y="800pt"')}b`),
    switches: today,
  },
  'table below lines of one and a half': {
    automatic: parStyle('A', 'fo:line-height="150%" fo:margin-bottom="20pt"') + tableStyles(),
    body: par('a', 'A') + table(row(cell(par('x')) + cell(par('y')))) + par('b', 'A') + par('c'),
    switches: { ...today, AddParaTableSpacing: false, UseFormerLineSpacing: true },
  },
  'notes known from an earlier section': {
    automatic:
      '<style:style style:name="K" style:family="section"><style:section-properties><style:columns fo:column-count="2" fo:column-gap="20pt"/></style:section-properties></style:style>',
    body:
      par(`one${note('n', times(4, (i) => par(`note ${i}`)))}`) +
      `<text:section text:style-name="K" text:name="k">${par(lorem)}</text:section>` +
      times(60, (i) => par(`line ${i}`)),
    switches: today,
  },
  'pages on their side of the sheet': {
    automatic:
      styleOf('R', 'style:master-page-name="Right"') +
      styleOf('L', 'style:master-page-name="Left"') +
      styleOf('N', 'style:master-page-name="Standard"', 'style:page-number="1"'),
    body: par('one') + par('right', 'R') + par('left', 'L') + par('left again', 'L') + par('number one', 'N') + par('number one again', 'N'),
    layouts: `<style:page-layout style:name="LR" style:page-usage="right">${paper(inches)}</style:page-layout><style:page-layout style:name="LL" style:page-usage="left">${paper(inches)}</style:page-layout>`,
    masters:
      '<style:master-page style:name="Right" style:page-layout-name="LR"/><style:master-page style:name="Left" style:page-layout-name="LL"/>',
    switches: today,
  },
  'page style of a table that opens with a table': {
    automatic: `${tableStyles()}<style:style style:name="O" style:family="table" style:master-page-name="Wide"><style:table-properties style:width="400pt" table:align="left"/></style:style>`,
    body: times(2, (i) => `<table:table table:style-name="O"><table:table-column table:style-name="A"/><table:table-column table:style-name="B"/>${row(cell(table(row(cell(par(`in ${i}`))))) + cell(par('beside')))}</table:table>${par('after')}`),
    layouts: `<style:page-layout style:name="LW">${paper('fo:margin-top="100pt" fo:margin-bottom="100pt" fo:margin-left="30pt" fo:margin-right="30pt"')}</style:page-layout>`,
    masters: '<style:master-page style:name="Wide" style:page-layout-name="LW"/>',
    switches: today,
  },
  'labels in the character style of their level': {
    outline:
      '<style:style style:name="B" style:family="text"><style:text-properties fo:font-family="Courier New" fo:font-size="22pt"/></style:style>',
    automatic:
      '<text:list-style style:name="K"><text:list-level-style-number text:level="1" text:style-name="B" style:num-format="1" style:num-suffix="."><style:list-level-properties text:list-level-position-and-space-mode="label-alignment"><style:list-level-label-alignment text:label-followed-by="listtab" text:list-tab-stop-position="60pt" fo:text-indent="-40pt" fo:margin-left="60pt"/></style:list-level-properties></text:list-level-style-number></text:list-style>',
    body: `<text:list text:style-name="K">${times(5, (i) => `<text:list-item>${par(`item ${i} ${lorem.slice(0, 120)}`)}</text:list-item>`)}</text:list>${par('end')}`,
    switches: today,
  },
  'boxed lines of one and a half at the foot of a page': {
    automatic:
      parStyle('X', 'fo:line-height="150%" fo:padding="1.4pt" fo:border="0.06pt solid #dddddd"') +
      [664, 667, 670, 673].map((gap) => `${parStyle(`G${gap}`, `fo:margin-bottom="${gap}pt"`, '', 'style:master-page-name="Standard"')}`).join(''),
    body: [664, 667, 670, 673].map((gap) => par('first', `G${gap}`) + par('boxed', 'X') + par('end')).join(''),
    switches: today,
  },
}
