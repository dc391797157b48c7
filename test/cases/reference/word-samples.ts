import { businessSamples } from './business-samples.ts'
import { measuredSamples } from './measured-samples.ts'
import { practiceSamples } from './practice-samples.ts'
import {
  anchor,
  broken,
  cell,
  columns,
  endOf,
  footed,
  footnote,
  headed,
  inline,
  item,
  listOf,
  lorem,
  mixed,
  mode14,
  noted,
  par,
  row,
  ruled,
  run,
  section,
  table,
  times,
  type WordSample,
} from './word.ts'

/** A field with the result that was saved. */
const field = (code: string, result: string): string =>
  ['begin', 'separate', 'end']
    .map((type) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`)
    .join('|')
    .replace('|', `<w:r><w:instrText xml:space="preserve"> ${code} </w:instrText></w:r>`)
    .replace('|', run(result))
const lines = (count: number): string => times(count, (i) => par(`l${i}`))
const plain = par('intro')
const rest = par(lorem)
const twice = lorem + lorem
const small = row(cell(1500, par('f1')) + cell(1500, par('f2')))
const floating = (place: string): string =>
  table([1500, 1500], small, `<w:tblpPr w:leftFromText="141" w:rightFromText="241" ${place}/>${ruled()}`)
const boxed = (space: number): string =>
  `<w:pBdr>${['top', 'left', 'bottom', 'right'].map((name) => `<w:${name} w:val="single" w:sz="8" w:space="${space}"/>`).join('')}</w:pBdr>`
const items = item('one') + item(lorem) + item('sub', 1) + item(`deep ${lorem}`, 2) + item('back')
const web =
  '<w:style w:type="paragraph" w:styleId="Web"><w:name w:val="Normal (Web)"/><w:basedOn w:val="Normal"/><w:pPr><w:spacing w:before="100" w:beforeAutospacing="1" w:after="100" w:afterAutospacing="1"/></w:pPr></w:style>'
const asWeb = '<w:pStyle w:val="Web"/>'
const tabbed = (stops: string, text: string): string =>
  `<w:p><w:pPr><w:tabs>${stops}</w:tabs></w:pPr>${text
    .split('\t')
    .map((part, i) => `<w:r>${i > 0 ? '<w:tab/>' : ''}<w:t xml:space="preserve">${part}</w:t></w:r>`)
    .join('')}</w:p>`
const stop = (kind: string, at: number, leader = 'none'): string =>
  `<w:tab w:val="${kind}" w:pos="${at}" w:leader="${leader}"/>`
const margins = (top: number, bottom: number): string =>
  `<w:tcMar><w:top w:w="${top}" w:type="dxa"/><w:bottom w:w="${bottom}" w:type="dxa"/></w:tcMar>`
const hides = '<w:hideMark/>'
const spaced = '<w:spacing w:after="360"/>'
const large = '<w:sz w:val="40"/>'
const spacedMore = '<w:spacing w:before="600" w:after="400"/>'
const tabOnly = '<w:r><w:tab/></w:r>'
const spacedBoth = '<w:spacing w:before="240" w:after="240"/>'
const end = row(cell(2000, par('end')) + cell(2000, par('e2')))
const frame = (place: string): string => par('framed text', `<w:framePr ${place}/>`)
const nest = (after: string): string =>
  table(
    [3000, 5000],
    row(
      cell(3000, par('one')) +
        cell(5000, par('b') + table([1500, 1500], small) + after),
    ),
  ) + par('after')
const around = 'w:hSpace="180" w:wrap="around" w:vAnchor="text" w:hAnchor="margin"'

/** Each feature of layout in the smallest document that shows it. */
export const wordSamples: Readonly<Record<string, WordSample>> = {
  'picture with text on both sides': { body: plain + mixed(anchor({ x: 100, y: 10 }), twice) + rest },
  'picture wrapped tightly': { body: plain + mixed(anchor({ wrap: 'tight', x: 100, y: 10 }), twice) + rest },
  'picture above and below text': { body: plain + mixed(anchor({ wrap: 'top-bottom', x: 100, y: 10 }), twice) },
  'picture over text': { body: plain + mixed(anchor({ wrap: 'none', x: 100, y: 10 }), twice) },
  'text left of a picture': { body: mixed(anchor({ x: 200, side: 'left' })) + rest },
  'text right of a picture': { body: mixed(anchor({ x: 100, side: 'right' })) + rest },
  'text on the larger side': { body: mixed(anchor({ x: 100, side: 'largest' })) + rest },
  'picture at the right margin': { body: mixed(anchor({ alignX: 'right', fromX: 'margin' })) + rest },
  'picture placed on the page, over earlier text': {
    body: times(4, () => rest) + mixed(anchor({ x: 100, y: 90, fromX: 'page', fromY: 'page' }), 'short') + rest,
  },
  'picture that reaches back': { body: rest + mixed(anchor({ x: 50, y: -20 })) + rest },
  'picture kept on the sheet at the right': { body: mixed(anchor({ x: 480 }), twice) },
  'picture kept on the sheet at the left': { body: mixed(anchor({ x: -120 }), twice) },
  'picture kept on the sheet at the foot': { body: lines(58) + mixed(anchor({ y: 20, height: 100 })) + rest },
  'words too long for the gap': { body: mixed(anchor({ x: 60, width: 280, height: 40 }), `Incomprehensibilities ${lorem}`) },
  'narrow gaps': { body: mixed(anchor({ x: 20, width: 150, height: 40 }), times(200, () => 'i ')) },
  'indents beside a picture': {
    body: mixed(anchor({}), lorem, '<w:ind w:left="720" w:firstLine="360"/>') + par(lorem, '<w:ind w:left="720"/>'),
  },
  'hanging indent beside a picture': { body: mixed(anchor({}), lorem, '<w:ind w:left="720" w:hanging="360"/>') },
  'list beside a picture': {
    body: mixed(anchor({ height: 100 }), 'x') + items,
    numbering: listOf(),
  },
  'justified around a picture': { body: mixed(anchor({ x: 120, y: 10 }), twice, '<w:jc w:val="both"/>') },
  'two pictures': { body: mixed(anchor({ x: 20 }) + anchor({ x: 250, y: 20 }), twice) + rest },
  'space before and a picture': { body: rest + mixed(anchor({ x: 50 }), lorem, '<w:spacing w:before="400"/>') },
  'picture in a cell': {
    body: plain + table([4000, 4000], row(cell(4000, mixed(anchor({ x: 20, y: 5 }))) + cell(4000, rest))) + par('after'),
  },
  'picture in a header': {
    body: rest + rest,
    header: mixed(anchor({ x: 20, height: 80 }), 'head words') + par('h2'),
    section: section(headed),
  },
  'picture in the line': { body: rest + mixed(inline(60, 40), ' text after the picture') + rest },
  'picture in a line of one and a half': {
    body: mixed(inline(60, 40), ' after', '<w:spacing w:line="360" w:lineRule="auto"/>') + par('end'),
  },
  'text box': {
    body:
      plain +
      mixed(anchor({ x: 100, y: 10, width: 150, height: 80, text: par('Text in a box that wraps over lines') }), twice),
  },
  'frame at a place': { body: rest + frame(`w:w="2000" ${around} w:x="1000" w:y="200"`) + par(twice) },
  'frame as wide as its text': { body: rest + frame(`${around} w:xAlign="center" w:y="1"`) + par(twice) },
  'floating table by distance': {
    body: plain + floating('w:vertAnchor="text" w:horzAnchor="margin" w:tblpX="1700" w:tblpY="100"') + rest,
  },
  'floating table left of the page': {
    body: plain + floating('w:vertAnchor="text" w:horzAnchor="page" w:tblpXSpec="left" w:tblpY="100"') + rest,
  },
  'floating table in the middle': {
    body: plain + floating('w:vertAnchor="text" w:horzAnchor="margin" w:tblpXSpec="center" w:tblpY="100"') + rest,
  },
  'floating table at the right': {
    body: plain + floating('w:vertAnchor="text" w:horzAnchor="text" w:tblpXSpec="right" w:tblpY="100"') + rest,
  },
  'floating table at the top of the sheet': {
    body: plain + floating('w:vertAnchor="page" w:horzAnchor="text" w:tblpX="1700" w:tblpYSpec="top"') + rest,
  },
  'floating table as wide as the text': {
    body:
      plain +
      table(
        [4500, 4526],
        row(cell(4500, par('f1')) + cell(4526, par('f2'))),
        `<w:tblpPr w:leftFromText="141" w:rightFromText="141" w:vertAnchor="text" w:horzAnchor="margin" w:tblpY="100"/>${ruled()}`,
      ) +
      rest,
  },
  'floating table that opens a cell': {
    body: table(
      [3000, 5000],
      row(
        cell(3000, par('one')) +
          cell(5000, floating('w:vertAnchor="text" w:tblpXSpec="right" w:tblpYSpec="center"') + par('beside')),
      ),
    ),
  },
  'table and its margins': { body: plain + table([2000, 3000], small) + par('after') },
  'table before mode 15': { body: plain + table([2000, 3000], small, ruled(36)) + par('after'), settings: mode14 },
  'nested table': { body: nest(par('after nested')) },
  'nested table before mode 15': { body: nest(par('after nested')), settings: mode14 },
  'nested table at the end of a cell': { body: nest(par()) },
  'tables in the middle and at the right': {
    body:
      table([1500, 1500], small, `<w:jc w:val="center"/>${ruled()}`) +
      par('x') +
      table([1500, 1500], small, `<w:jc w:val="right"/>${ruled()}`) +
      par('y') +
      table([1500, 1500], small, `<w:tblInd w:w="500" w:type="dxa"/>${ruled()}`),
  },
  'table of half the width': {
    body: table([1500, 1500], small, ruled(), '<w:tblW w:w="2500" w:type="pct"/>') + par('y'),
  },
  'merged rows': {
    body: table(
      [2000, 3000],
      row(cell(2000, par('tall') + par('t2') + par('t3'), '<w:vMerge w:val="restart"/>') + cell(3000, par('r1'))) +
        row(cell(2000, par(), '<w:vMerge/>') + cell(3000, par('r2'))) +
        row(cell(2000, par('b')) + cell(3000, par('r3'))),
    ),
  },
  'cells aligned in the middle and below': {
    body: table(
      [2000, 2000, 2000],
      row(
        cell(2000, par('top')) +
          cell(2000, par('mid'), '<w:vAlign w:val="center"/>') +
          cell(2000, par('bot'), '<w:vAlign w:val="bottom"/>'),
        '<w:trHeight w:val="1200"/>',
      ),
    ),
  },
  'cell margins of a row': {
    body:
      table(
        [2000, 2000],
        row(
          cell(2000, par('one'), margins(115, 60)) + cell(2000, par('two') + par('t2') + par('t3'), margins(0, 200)),
        ) + end,
      ) + par('x'),
  },
  'row of hidden marks': {
    body: table(
      [2000, 2000],
      row(cell(2000, par('', spaced), hides) + cell(2000, par('', spaced), hides), '<w:trHeight w:val="100"/>') + end,
    ),
  },
  'hidden marks beside text': {
    body: table([2000, 2000], row(cell(2000, par('x'), hides) + cell(2000, par('', spaced), hides)) + end),
  },
  'rows cut by a page': {
    body: lines(50) + table([2000, 6000], times(6, (i) => row(cell(2000, par(`row${i}`)) + cell(6000, rest)))),
  },
  'rows that stay whole': {
    body:
      lines(50) +
      table([2000, 6000], times(6, (i) => row(cell(2000, par(`row${i}`)) + cell(6000, rest), '<w:cantSplit/>'))),
  },
  'header rows': {
    body:
      lines(55) +
      table(
        [2000, 6000],
        row(cell(2000, par('H1')) + cell(6000, par('H2')), '<w:tblHeader/>') +
          times(12, (i) => row(cell(2000, par(`row${i}`)) + cell(6000, par('c')))),
      ),
  },
  'rows kept together': {
    body: lines(56) + table([4000], times(6, (i) => row(cell(4000, par(`row${i}`, '<w:keepNext/>'))))) + par('x'),
  },
  'row heights': {
    body: table(
      [2000, 2000],
      row(cell(2000, par('l')) + cell(2000, par('r')), '<w:trHeight w:val="400" w:hRule="exact"/>') +
        row(cell(2000, par('l')) + cell(2000, par('r')), '<w:trHeight w:val="800"/>') +
        end,
    ),
  },
  'shared paragraph borders': { body: par('a') + par('b', boxed(4)) + par('c', boxed(4)) + par('d') },
  'bordered paragraph cut by a page': { body: lines(55) + par(twice + lorem, boxed(4)) + par('x') },
  'automatic space in a list': {
    body: par('a', asWeb) + item('l1', 0, asWeb) + item('l2', 0, asWeb) + par('b', asWeb) + par('c'),
    styles: web,
    numbering: listOf(),
  },
  'automatic space in cells': {
    body: par('a', asWeb) + table([3000], row(cell(3000, par('x', asWeb) + par('y', asWeb)))) + par('b', asWeb),
    styles: web,
  },
  'line heights': {
    body: ['w:line="360" w:lineRule="auto"', 'w:line="276" w:lineRule="auto"', 'w:line="300" w:lineRule="exact"', 'w:line="400" w:lineRule="atLeast"']
      .map((kind) => par(lorem, `<w:spacing ${kind}/>`))
      .join(''),
  },
  'lines on a grid': {
    body: rest + par('x', '', '<w:sz w:val="40"/>') + rest,
    section: section('', '<w:docGrid w:type="lines" w:linePitch="360"/>'),
  },
  'rows as tall as declared at the end of a page': {
    body: [2, 4].reduce(
      (body, count) =>
        body +
        lines(body === '' ? 59 : 58) +
        table(
          [3000, 3000],
          row(
            cell(3000, times(count, (i) => par(`left ${i}`))) + cell(3000, par('right')),
            '<w:trHeight w:val="600"/>',
          ),
        ) +
        par('end', count === 2 ? '<w:pageBreakBefore/>' : ''),
      '',
    ),
  },
  'multiple line spacing in cells of a tall font': {
    body:
      table(
        [3000],
        times(6, (i) =>
          row(cell(3000, par(`row ${i}`, '<w:pStyle w:val="Tall"/><w:spacing w:line="480" w:lineRule="auto"/>'))),
        ),
      ) + par('end'),
    styles:
      '<w:style w:type="paragraph" w:styleId="Tall"><w:name w:val="Tall"/><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri"/><w:sz w:val="48"/></w:rPr></w:style>',
  },
  'lines on a grid above a footnote': {
    body: rest + noted('text', 1) + rest,
    section: section('', '<w:docGrid w:type="lines" w:linePitch="360"/>'),
    footnotes: footnote(1, 'note one'),
  },
  'tab stops': {
    body:
      tabbed(stop('left', 2000) + stop('center', 4000) + stop('right', 7000), 'a\tb\tcenter\tright') +
      tabbed(stop('decimal', 3000), 'x\t12.345') +
      tabbed(stop('left', 9500), 'beyond\tleft text here') +
      tabbed('', 'a\tb\tc\td'),
  },
  'numbered list': { body: items + times(9, (i) => item(`n${i}`)), numbering: listOf() },
  'list without a tab': { body: items, numbering: listOf('upperRoman', '(%1)', '<w:suff w:val="space"/>') },
  'list with long labels': { body: items, numbering: listOf('decimal', 'Article number %1.') },
  'even columns': {
    body:
      par('head') +
      endOf(columns(1, 720, 'nextPage')) +
      times(9, (i) => par(`c${i} ${lorem.slice(0, 60)}`)) +
      endOf(columns(2, 720, 'continuous')) +
      par('after'),
    section: columns(1, 720, 'continuous'),
  },
  'columns of the last section': {
    body: par('head') + endOf(columns(1, 720, 'nextPage')) + times(6, (i) => par(`c${i} ${lorem}`)),
    section: columns(2, 720, 'continuous'),
  },
  'break before the end of a section': {
    body: par('a') + '<w:p><w:r><w:br w:type="page"/></w:r></w:p>' + endOf(columns(1, 720, 'nextPage')) + par('b'),
    section: columns(1, 720, 'nextPage'),
  },
  'page breaks': {
    body:
      par('a') +
      '<w:p><w:r><w:t>x</w:t><w:br w:type="page"/><w:t>y</w:t></w:r></w:p>' +
      par('b') +
      par('c', '<w:pageBreakBefore/>'),
  },
  'hidden text': {
    body: par('a') + par('hidden', '', '<w:vanish/>') + par('b'),
  },
  'paragraphs kept together': {
    body: lines(55) + par('k1', '<w:keepNext/>') + par('k2', '<w:keepNext/>') + par(twice, '<w:keepLines/>') + par('x'),
  },
  'widows and orphans': { body: lines(59) + rest + rest },
  'foot notes': { body: noted('text', 1) + par('b') + noted('more', 2), footnotes: footnote(1, 'note one') + footnote(2, lorem) },
  'foot notes with space around them': {
    body: noted('text', 1) + par('b') + noted('more', 2),
    footnotes: (footnote(1, 'note one') + footnote(2, lorem)).replaceAll(
      '<w:p>',
      '<w:p><w:pPr><w:spacing w:before="200" w:after="300"/></w:pPr>',
    ),
  },
  'space between paragraphs of a document without settings': {
    body: par('a') + times(5, (i) => par(`b${i}`, '<w:spacing w:before="200" w:after="300"/>')) + par('c'),
    settings: false,
  },
  'lines of one and a half to the foot of the page': {
    body: times(90, (i) => par(`l${i}`, '<w:spacing w:line="360" w:lineRule="auto"/>')),
    section: section('', '').replace('w:bottom="1440"', 'w:bottom="1590"'),
  },
  'tabs that go with the word behind them': {
    body:
      tabbed(stop('left', 8000), 'Left side\tincomprehensibilities next') +
      tabbed(stop('left', 4000) + stop('left', 8000), 'Left\t\tincomprehensibilities') +
      tabbed(stop('left', 8000), 'Left\ttwo incomprehensibilities') +
      tabbed(stop('left', 9026), 'Left\taa') +
      tabbed(stop('center', 9026), 'Left\tcentre') +
      par('end'),
  },
  'bands without lines between them': {
    body: table([3000, 3000], times(6, (i) => row(cell(3000, par(`a${i}`)) + cell(3000, par(`b${i}`)))), '<w:tblStyle w:val="Bands"/><w:tblLook w:val="0400" w:noVBand="1"/>') + par('end'),
    styles: `<w:style w:type="table" w:styleId="Bands"><w:name w:val="Bands"/><w:tblPr><w:tblStyleRowBandSize w:val="1"/>${ruled(24)}</w:tblPr>${[1, 2].map((band) => `<w:tblStylePr w:type="band${band}Horz"><w:tcPr><w:tcBorders><w:insideH w:val="nil"/></w:tcBorders></w:tcPr></w:tblStylePr>`).join('')}</w:style>`,
  },
  'foot note cut by a page': {
    body: lines(45) + noted('text', 1) + times(10, (i) => par(`m${i}`)),
    footnotes: footnote(1, times(6, () => `${lorem} `)),
  },
  'tall header and footer': {
    body: lines(70),
    header: times(6, (i) => par(`head${i}`)),
    footer: times(6, (i) => par(`foot${i}`)),
    section: section(headed + footed),
  },
  'justified text': {
    body:
      par(twice, '<w:jc w:val="both"/>') +
      `<w:p><w:pPr><w:jc w:val="both"/></w:pPr>${run(lorem)}<w:r><w:br/></w:r>${run('next')}</w:p>`,
  },
  'headers of pages of one side': {
    body: lines(130),
    header: par('head', '', '<w:sz w:val="40"/>') + par('head2'),
    footer: par('foot') + par('foot2'),
    section: section(headed + footed).replaceAll('="1440" w:', '="720" w:'),
    settings: '<w:evenAndOddHeaders/>',
  },
  'page breaks inside paragraphs': {
    body:
      par('a') +
      mixed(broken('page'), 'begins with one', spacedBoth) +
      par('b', spacedBoth) +
      mixed(run('text') + broken('page'), 'behind it', spacedBoth) +
      mixed(run('text') + broken('page'), ' ', spacedBoth) +
      par('c', spacedBoth) +
      mixed(broken('page') + broken('page'), 'two in a row') +
      table([3000], row(cell(3000, mixed(run('in a') + broken('page'), 'cell')))) +
      par('end'),
  },
  'page breaks that keep their paragraph mark': {
    body: par('a') + `<w:p>${broken('page')}</w:p>` + par('b') + `<w:p>${run('c')}${broken('page')}</w:p>` + par('d'),
    settings: '<w:compat><w:splitPgBreakAndParaMark/></w:compat>',
  },
  'page break at the end of a section on the page': {
    body:
      par('a') +
      `<w:p><w:pPr>${columns(1, 720, 'continuous')}</w:pPr>${broken('page')}</w:p>` +
      par('b'),
    section: columns(1, 720, 'continuous'),
  },
  'line breaks of another size': {
    body:
      `<w:p>${run('one')}${broken('textWrapping', large)}${run('two')}${broken('textWrapping', large)}${broken()}${run('three')}</w:p>` +
      `<w:p>${run(' ', large)}${broken()}${run('x')}${broken()}${run(' ', large)}${broken('textWrapping', '<w:sz w:val="8"/>')}${run('y')}</w:p>` +
      par('after'),
  },
  'floating table wider than the text': {
    body: times(3, (i) => par(`t${i}`) + table([5000, 5000], row(cell(5000, par('w1')) + cell(5000, par('w2'))), `<w:tblpPr w:leftFromText="141" w:rightFromText="141" w:vertAnchor="page" w:horzAnchor="margin" w:tblpXSpec="${['left', 'center', 'right'][i - 1]}" w:tblpY="3000"/>${ruled()}`)) + par('after'),
  },
  'drawing of the older kind in the line': {
    body: par('a') + `<w:p>${run('before')}<w:r><w:pict><v:rect xmlns:v="urn:schemas-microsoft-com:vml" style="width:120pt;height:40pt"><v:textbox><w:txbxContent>${par('inside')}</w:txbxContent></v:textbox></v:rect></w:pict></w:r>${run('behind')}</w:p>` + par('b'),
  },
  'space between sections of a page': {
    body:
      par('a', spacedMore) +
      `<w:p><w:pPr>${spacedMore}${columns(1, 720, 'continuous')}</w:pPr>${run('b')}</w:p>` +
      times(4, (i) => par(`c${i}`, spacedMore)) +
      `<w:p><w:pPr>${spacedMore}${columns(2, 720, 'continuous')}</w:pPr></w:p>` +
      par('d', spacedMore) +
      table([3000], row(cell(3000, par('e')))) +
      endOf(columns(1, 720, 'continuous')) +
      par('f', spacedMore),
    section: columns(1, 720, 'continuous'),
  },
  'columns broken by hand': {
    body:
      par('a', spacedMore) +
      mixed(broken('column'), 'begins with it', spacedMore) +
      endOf(columns(2, 720, 'continuous')) +
      par('b', spacedMore) +
      mixed(run('before') + broken('column'), 'behind', spacedMore) +
      endOf(columns(2, 720, 'continuous')) +
      par('c', spacedMore) +
      `<w:p>${run('ends with it')}${broken('column')}</w:p>` +
      par('d') +
      endOf(columns(2, 720, 'continuous')) +
      par('end'),
    section: columns(1, 720, 'continuous'),
  },
  'foot notes that hang': {
    body: noted('text', 1) + noted('more', 2) + noted('last', 3),
    footnotes: [tabOnly, run(' ') + tabOnly, tabOnly + tabOnly]
      .map(
        (between, i) =>
          `<w:footnote w:id="${i + 1}"><w:p><w:pPr><w:ind w:left="${i * 500 + 340}" w:hanging="${i * 200 + 340}"/></w:pPr><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteRef/></w:r>${between}${run(`note ${lorem}`)}</w:p></w:footnote>`,
      )
      .join(''),
  },
  'faces at their sizes': {
    body: ['Times New Roman', 'Arial', 'Calibri', 'Courier New']
      .flatMap((face, i) =>
        [15, 17, 20, 21, 26, 36].map((size, j) =>
          times(8, (line) =>
            par(
              `f${line}`,
              line === 1 && j % 3 === 0 && i + j > 0 ? '<w:pageBreakBefore/>' : '',
              `<w:rFonts w:ascii="${face}" w:hAnsi="${face}"/><w:sz w:val="${size}"/>`,
            ),
          ),
        ),
      )
      .join(''),
  },
  'header rows look like the first': {
    body:
      table(
        [3000, 3000],
        times(6, (i) => row(cell(3000, par(`a${i}`)) + cell(3000, par(`b${i}`)), i <= 2 ? '<w:tblHeader/>' : '')),
        '<w:tblStyle w:val="Firsts"/><w:tblLook w:val="04A0" w:firstRow="1" w:lastRow="0" w:firstColumn="0" w:lastColumn="0" w:noHBand="0" w:noVBand="1"/>',
      ) + par('end'),
    styles: `<w:style w:type="table" w:styleId="Firsts"><w:name w:val="Firsts"/><w:tblPr><w:tblStyleRowBandSize w:val="1"/>${ruled()}</w:tblPr><w:tblStylePr w:type="firstRow"><w:rPr>${large}</w:rPr></w:tblStylePr><w:tblStylePr w:type="band1Horz"><w:rPr><w:sz w:val="28"/></w:rPr></w:tblStylePr></w:style>`,
  },
  'marks of empty paragraphs': {
    body: [
      '<w:rStyle w:val="Large"/>',
      '<w:rStyle w:val="Large"/><w:sz w:val="30"/>',
      large,
    ]
      .map((mark, i) => par(`p${i}`) + `<w:p><w:pPr><w:rPr>${mark}</w:rPr></w:pPr></w:p>`)
      .join('') + par('end'),
    styles: `<w:style w:type="character" w:styleId="Large"><w:name w:val="Large"/><w:rPr>${large}</w:rPr></w:style>`,
  },
  'line numbers': {
    body: lines(6) + par(lorem),
    section: section('', '<w:lnNumType w:countBy="2" w:start="1" w:distance="400"/>'),
  },
  'references to bookmarks': {
    body:
      mixed(field('REF later \\h', 'what was saved'), ' before it') +
      mixed(`<w:bookmarkStart w:id="1" w:name="later"/>${run('Words of now')}<w:bookmarkEnd w:id="1"/>`) +
      mixed(field('REF later', 'what was saved'), ' behind it') +
      mixed(field('SEQ Figure \\* ROMAN', 'IX') + run(' ') + field('SEQ Figure', '9'), ' figures'),
  },
  'columns from right to left': {
    body: par(lorem) + par(lorem),
    section: section('', '<w:cols w:num="2" w:space="720"/><w:bidi/>'),
  },
  'borders with a line between': {
    body: times(3, (i) => par(`l${i}`, boxed(4).replace('</w:pBdr>', `<w:between w:val="single" w:sz="8" w:space="4"/></w:pBdr>`))) + rest,
  },
  'text along an outline': {
    body: mixed(
      anchor({ wrap: 'tight', x: 150, width: 140, height: 100 }).replace(
        /<wp:start.*?<\/wp:wrapPolygon>/,
        '<wp:start x="10800" y="0"/><wp:lineTo x="0" y="10800"/><wp:lineTo x="10800" y="21600"/><wp:lineTo x="21600" y="10800"/><wp:lineTo x="10800" y="0"/></wp:wrapPolygon>',
      ),
      twice,
    ),
  },
  'marks over letters': {
    body: times(3, () => par(lorem, '', '<w:em w:val="dot"/>')) + rest,
  },
  ...measuredSamples,
  ...practiceSamples,
  ...businessSamples,
}
