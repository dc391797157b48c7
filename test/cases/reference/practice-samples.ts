import { cell, lorem, par, row, ruled, table, times, type WordSample } from './word.ts'

/** What documents written by people showed, again as small as it goes. */

const framed = (wrap: string, x: number): string =>
  par('one') +
  par(
    'framed text',
    `<w:framePr w:w="2000" w:h="1000" w:hRule="exact" w:wrap="${wrap}" w:vAnchor="page" w:hAnchor="page" w:x="${x}" w:y="2000"/>`,
  ) +
  par(lorem) +
  par(lorem)
const hiddenMark = '<w:p><w:pPr><w:spacing w:before="100" w:after="300"/><w:rPr><w:vanish/></w:rPr></w:pPr></w:p>'
const pair = row(cell(3000, par('a')) + cell(3000, par('b')))
const headedStyle = `<w:style w:type="table" w:styleId="Headed"><w:name w:val="Headed"/><w:tblPr>${ruled()}</w:tblPr><w:tblStylePr w:type="firstRow"><w:trPr><w:tblHeader/></w:trPr></w:tblStylePr></w:style>`
const looseStyle =
  '<w:style w:type="paragraph" w:styleId="Loose"><w:name w:val="Loose"/><w:pPr><w:spacing w:before="120" w:line="360" w:lineRule="auto"/></w:pPr></w:style>'

export const practiceSamples: Readonly<Record<string, WordSample>> = {
  'rows cut after one line': {
    body:
      times(59, (i) => par(`l${i}`)) +
      table([3000, 3000], row(cell(3000, par(lorem)) + cell(3000, par('b'))) + pair) +
      par('end'),
  },
  'rows cut before the last line': {
    body:
      times(57, (i) => par(`l${i}`)) +
      table([3000, 3000], row(cell(3000, par('Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore', '<w:keepLines/>')) + cell(3000, par('b'))) + pair) +
      par('end'),
  },
  'line rule without a height': {
    styles: looseStyle,
    body: par(lorem, '<w:pStyle w:val="Loose"/><w:spacing w:after="0" w:lineRule="auto"/>') + par(lorem, '<w:pStyle w:val="Loose"/>'),
  },
  'empty paragraphs with hidden marks': {
    body: par('one', '<w:spacing w:after="200"/>') + hiddenMark + table([3000, 3000], pair) + hiddenMark + table([3000, 3000], pair) + par('two', '<w:spacing w:before="160"/>'),
  },
  'header rows by the style of the table': {
    styles: headedStyle,
    body: table(
      [3000, 3000],
      times(70, (i) => row(cell(3000, par(`r${i}`)) + cell(3000, par('b')))),
      '<w:tblStyle w:val="Headed"/>',
      '<w:tblW w:w="0" w:type="auto"/><w:tblLook w:val="01E0"/>',
    ),
  },
  'text through a frame': { body: framed('none', 3000) },
  'frame with text on its roomy side': { body: framed('auto', 4800) + framed('through', 5400) },
  'frame with text above and below': { body: framed('tight', 3000) },
}
