import { band, cell, type OpenSample, paper, par, parStyle, picture, row, style, table, tableStyles } from './open.ts'
import { lorem, times } from './word.ts'

const sectionStyle = (name: string, attributes: string, columns = ''): string =>
  `<style:style style:name="${name}" style:family="section"><style:section-properties ${attributes}>${columns}</style:section-properties></style:style>`
const section = (name: string, body: string): string =>
  `<text:section text:style-name="${name}" text:name="${name}">${body}</text:section>`
const columns = (count: number): string =>
  `<style:columns fo:column-count="${count}" fo:column-gap="20pt"/>`

const textStyle = (name: string, attributes: string): string =>
  `<style:style style:name="${name}" style:family="text"><style:text-properties ${attributes}/></style:style>`
const span = (name: string, text: string): string =>
  `<text:span text:style-name="${name}">${text}</text:span>`
const tabs = (stop: string): string => `<style:tab-stops><style:tab-stop ${stop}/></style:tab-stops>`

const boxed = 'fo:border="1pt solid #000000" fo:padding="6pt" fo:background-color="#ffff00" fo:margin-left="20pt"'
const lines = (count: number): string => times(count, (i) => par(`line ${i}`))
const heading = (level: number, text: string, style = 'Standard'): string =>
  `<text:h text:style-name="${style}" text:outline-level="${level}">${text}</text:h>`
const chapter = (display: string, level: number): string =>
  `<text:chapter text:display="${display}" text:outline-level="${level}">saved</text:chapter>`
const frame = (place: string, content: string): string =>
  `<draw:frame draw:style-name="f" draw:name="f" text:anchor-type="paragraph" draw:z-index="0" ${place}><draw:text-box>${content}</draw:text-box></draw:frame>`
const frameStyle = (attributes: string, content = ''): string =>
  `<style:style style:name="f" style:family="graphic" style:parent-style-name="Graphics"><style:graphic-properties style:wrap="parallel" style:vertical-pos="from-top" style:vertical-rel="paragraph" style:horizontal-pos="from-left" style:horizontal-rel="paragraph" ${attributes}>${content}</style:graphic-properties></style:style>`

/** What LibreOffice makes of sections, letters and frames that say more than most. */
export const moreOpenSamples: Readonly<Record<string, OpenSample>> = {
  'sections with margins and a ground': {
    body:
      par('a', 'P') +
      section('S', par('first', 'P') + par(lorem, 'P')) +
      par('between', 'P') +
      section('S', table(row(cell(par('x')) + cell(par('y'))))) +
      section('S', par('first') + section('U', par(lorem) + par('inner')) + par('tail')) +
      par('end'),
    automatic:
      tableStyles('style:width="300pt" table:align="left"') +
      parStyle('P', 'fo:margin-top="12pt" fo:margin-bottom="6pt"') +
      sectionStyle('S', 'fo:background-color="#ffff00" fo:margin-left="40pt" fo:margin-right="30pt"') +
      sectionStyle('U', 'fo:margin-left="20pt" fo:margin-right="50pt"'),
  },
  'columns between the margins of a section': {
    body:
      par('a') + section('S', times(6, (i) => par(`c${i} ${lorem.slice(0, 100)}`))) + par('after'),
    automatic: sectionStyle('S', 'fo:margin-left="40pt" fo:margin-right="20pt"', columns(2)),
  },
  'tabs in lines at the right and in the middle': {
    body:
      par('right<text:tab/>z', 'R') +
      par('mid<text:tab/>z', 'C') +
      par('right<text:tab/>z', 'T') +
      par('mid<text:tab/>z', 'U') +
      par(`right<text:tab/>${lorem}`, 'R'),
    automatic:
      parStyle('R', 'fo:text-align="end"') +
      parStyle('C', 'fo:text-align="center"') +
      parStyle('T', 'fo:text-align="end"', tabs('style:position="200pt" style:type="right"')) +
      parStyle('U', 'fo:text-align="center"', tabs('style:position="200pt" style:type="center"')),
  },
  'first lines that indent themselves': {
    body: par(lorem, 'S') + par('big', 'T'),
    automatic:
      parStyle('S', 'style:auto-text-indent="true" fo:text-indent="50pt"') +
      `<style:style style:name="T" style:family="paragraph" style:parent-style-name="Standard"><style:paragraph-properties style:auto-text-indent="true"/><style:text-properties fo:font-size="20pt"/></style:style>`,
  },
  'shadows of paragraphs': {
    body: par('a') + par(lorem, 'S') + par(lorem, 'T') + par('b'),
    automatic:
      parStyle('S', 'fo:border="1pt solid #000000" style:shadow="#808080 -5pt -5pt"') +
      parStyle('T', 'fo:background-color="#ffff00" style:shadow="#808080 5pt 5pt"'),
  },
  'borders that do not join': {
    body: par('a', 'S') + par('b', 'S') + par('c'),
    automatic: parStyle('S', 'fo:border="1pt solid #000000" fo:padding="4pt" style:join-border="false"'),
  },
  'letters raised by a share of the line': {
    body: par(`a ${span('R', 'sup')} b`) + par(`a ${span('Q', 'sup')} b`) + par(`a ${span('P', 'sub')} b`) + par('end'),
    automatic:
      textStyle('R', 'style:text-position="33% 58%"') +
      textStyle('Q', 'style:text-position="50% 80%"') +
      textStyle('P', 'style:text-position="-40% 90%"'),
  },
  'leading between lines': {
    body: par(lorem, 'S') + par('x', 'S') + par('y') + par('z'),
    automatic: parStyle('S', 'style:line-spacing="6pt"'),
  },
  'text at the top, in the middle and at the foot of its line': {
    body: ['top', 'middle', 'bottom'].map((at) => par(`${span('R', 'big')} small text`, at)).join(''),
    automatic:
      textStyle('R', 'fo:font-size="30pt"') +
      ['top', 'middle', 'bottom'].map((at) => parStyle(at, `style:vertical-align="${at}"`)).join(''),
  },
  'last lines that are justified or in the middle': {
    body: par(lorem, 'J') + par('two words', 'J') + par('one', 'W') + par(lorem, 'C'),
    automatic:
      parStyle('J', 'fo:text-align="justify" fo:text-align-last="justify"') +
      parStyle('W', 'fo:text-align="justify" fo:text-align-last="justify" style:justify-single-word="true"') +
      parStyle('C', 'fo:text-align="justify" fo:text-align-last="center"'),
  },
  'frames on sheets that they name': {
    body: `${[3, 1].map((sheet) => `<draw:frame draw:style-name="f" draw:name="f${sheet}" text:anchor-type="page" text:anchor-page-number="${sheet}" svg:x="100pt" svg:y="120pt" svg:width="200pt" svg:height="60pt" draw:z-index="${sheet}"><draw:text-box>${par(`on sheet ${sheet}`)}</draw:text-box></draw:frame>`).join('')}${par(lorem)}${par(lorem)}`,
    automatic:
      '<style:style style:name="f" style:family="graphic" style:parent-style-name="Graphics"><style:graphic-properties style:wrap="parallel" fo:padding="0pt" style:vertical-pos="from-top" style:vertical-rel="page" style:horizontal-pos="from-left" style:horizontal-rel="page"/></style:style>',
  },
  'headings with the numbers they were saved with': {
    body: '<text:h text:style-name="Standard" text:outline-level="1"><text:number>7.</text:number>Heading</text:h>',
  },
  'borders inside frames': {
    body:
      par(frame('svg:x="20pt" svg:y="10pt" svg:width="200pt" svg:height="80pt"', par(lorem.slice(0, 100))) + lorem) +
      par(lorem),
    automatic: frameStyle('fo:border="5pt solid #000000" fo:border-left="3pt solid #ff0000" fo:padding="4pt"'),
  },
  'columns in a frame': {
    body: par(frame('svg:width="300pt" svg:height="150pt"', times(3, (i) => par(`c${i} ${lorem}`))) + lorem),
    automatic: frameStyle('fo:border="0.5pt solid #000000" fo:padding="3pt"', columns(2)),
  },
  'chapters that begin pages with a box': {
    automatic: parStyle('B', 'fo:break-before="page" fo:padding="6pt" fo:border="1pt solid #000000"'),
    body: lines(3) + ['One', 'Two', 'Three'].map((name) => heading(1, name, 'B') + lines(3)).join(''),
    layout: paper('fo:margin="72pt"') + band('header', 20, 5),
    master: `<style:header>${par(`head ${chapter('name', 1)}`)}</style:header>`,
  },
  'chapters in header and footer': {
    body:
      lines(10) +
      heading(1, 'One') +
      lines(60) +
      heading(2, 'Sub') +
      lines(60) +
      heading(1, 'Two') +
      lines(50) +
      heading(1, 'Three') +
      lines(30) +
      heading(2, 'Sub three') +
      lines(50),
    layout: paper('fo:margin="72pt"') + band('header', 20, 5) + band('footer', 20, 5),
    master: `<style:header>${par(`head ${chapter('name', 1)} / ${chapter('name', 2)}`)}</style:header><style:footer>${par(`foot ${chapter('name', 1)} / ${chapter('number-and-name', 2)}|`)}</style:footer>`,
  },
  'columns of an index below its title': {
    body: `${par('a')}<text:alphabetical-index text:style-name="S" text:name="I"><text:index-body><text:index-title text:style-name="T" text:name="t">${par('Index title')}</text:index-title>${times(12, (i) => par(`entry${i}`))}</text:index-body></text:alphabetical-index>${par('end')}`,
    automatic: sectionStyle('S', '', columns(2)) + sectionStyle('T', ''),
  },
  'table that fills a cell': {
    body: `<table:table table:name="t" table:style-name="T"><table:table-column table:style-name="A"/><table:table-column table:style-name="B"/>${row(`${cell(par('x'))}<table:table-cell table:style-name="C"><table:table table:name="u" table:is-sub-table="true"><table:table-column table:number-columns-repeated="2"/>${row(cell(par('s1')) + cell(par('s2')))}${row(cell(par('s3')) + cell(par('s4')))}</table:table></table:table-cell>`)}</table:table>`,
    automatic: tableStyles(),
  },
  'table that stays whole': {
    body: lines(54) + table(times(6, (i) => row(cell(par(`r${i}`)) + cell(par('a'))))) + par('after'),
    automatic: tableStyles('style:width="400pt" table:align="left" style:may-break-between-rows="false"'),
  },
  'lines and grounds of header and footer': {
    body: lines(60),
    layout: paper('fo:margin="72pt"') + band('header', 30, 8, boxed) + band('footer', 30, 8, boxed),
    master: `<style:header>${par('head') + par('second') + par('third')}</style:header><style:footer>${par('foot')}</style:footer>`,
  },
  'frames in a line that grow': {
    body: ['top', 'middle', 'bottom']
      .map((at) =>
        par(
          `x <draw:frame draw:style-name="${at}" draw:name="${at}" text:anchor-type="as-char" svg:width="150pt" draw:z-index="0" ${at === 'top' ? 'style:rel-width="50%"' : ''}><draw:text-box fo:min-height="20pt">${par(lorem.slice(0, 120))}</draw:text-box></draw:frame> y`,
        ),
      )
      .join(''),
    automatic: ['top', 'middle', 'bottom']
      .map((at) =>
        style('graphic', at, `style:vertical-pos="${at}" style:vertical-rel="baseline" fo:border="1pt solid #000000" fo:padding="3pt"`),
      )
      .join(''),
  },
  'picture inside its border': {
    body: par(picture('paragraph', 'svg:x="20pt" svg:y="10pt"') + lorem),
    automatic: style('graphic', 'g', 'style:wrap="parallel" style:vertical-pos="from-top" style:vertical-rel="paragraph" style:horizontal-pos="from-left" style:horizontal-rel="paragraph" fo:border="4pt solid #ff0000" fo:padding="6pt"'),
  },
  'letters over several lines': {
    body: par(lorem, 'L') + par(lorem, 'W') + par('Too short', 'L') + par(lorem.slice(0, 130), 'L') + par('end'),
    automatic:
      parStyle('L', '', '<style:drop-cap style:lines="3" style:length="1" style:distance="4pt"/>') +
      parStyle('W', '', '<style:drop-cap style:lines="2" style:length="word"/>'),
  },
  'letters over two lines where paragraphs share their line space': {
    body: par('before') + par(lorem, 'L') + par(`!${lorem}`, 'L') + par('end'),
    automatic: parStyle('L', 'fo:margin-left="15pt" fo:text-indent="-15pt"', '<style:drop-cap style:lines="2" style:distance="6pt"/>'),
    switches: { UseFormerLineSpacing: true, AddParaTableSpacing: false },
  },
  'boxes that the upper paragraph joins': {
    body: ['J', 'A', 'A', 'J', 'J', 'A'].map((name, at) => par(`box ${at}`, name)).join('') + par('end'),
    automatic: ['true', 'false'].map((join, at) => parStyle(at === 0 ? 'J' : 'A', `fo:border="1pt solid #000000" fo:padding="4pt" style:join-border="${join}"`)).join(''),
  },
  'labels wider than their place': {
    body: ['short', 'longer'].map((text, at) => `<text:list text:style-name="N"><text:list-item>${at === 0 ? par(text) : `<text:list><text:list-item>${par(text)}</text:list-item></text:list>`}</text:list-item></text:list>`).join('') + par('end'),
    automatic: `<text:list-style style:name="N"><text:list-level-style-number text:level="1" style:num-format="1"><style:list-level-properties text:min-label-width="28pt" text:min-label-distance="7pt"/></text:list-level-style-number><text:list-level-style-number text:level="2" style:num-format="1" style:num-prefix="Chapter " text:display-levels="2"><style:list-level-properties text:min-label-width="28pt" text:min-label-distance="7pt"/></text:list-level-style-number></text:list-style>`,
  },
  'drawings that do not flow with the text of their cell': {
    body: table(row(cell(par(`${picture('paragraph', 'svg:x="20pt" svg:y="2pt"')}one`)) + cell(par('two')))) + par('three') + table(row(cell(par(`${picture('paragraph', 'svg:x="20pt" svg:y="2pt"').replace('"g"', '"h"')}one`)) + cell(par('two')))) + par('end'),
    automatic:
      tableStyles() +
      ['g', 'h'].map((name, at) => style('graphic', name, `style:wrap="run-through" style:run-through="foreground" style:vertical-pos="from-top" style:vertical-rel="paragraph" style:horizontal-pos="from-left" style:horizontal-rel="paragraph" style:flow-with-text="${at === 1}"`)).join(''),
  },
  'boxes around lines that hang': {
    body:
      ['P', 'H', 'P', 'W', 'P'].map((name) => par(`box ${name} ${lorem}`, name)).join(par('between')) +
      par('head', 'P') +
      ['A', 'B'].map((list) => `<text:list text:style-name="${list}">${['one', lorem].map((text) => `<text:list-item>${par(text, 'P')}</text:list-item>`).join('')}</text:list>`).join(par('head', 'P')) +
      par('end'),
    automatic:
      ['P', 'H', 'W'].map((name, at) => parStyle(name, `fo:border="4pt solid #000000" fo:padding="10pt" fo:margin-left="${[0, 40, 40][at]}pt" fo:text-indent="${[0, -30, -6][at]}pt"`)).join('') +
      '<text:list-style style:name="A"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix=")"><style:list-level-properties text:space-before="8pt" text:min-label-width="36pt" text:min-label-distance="7pt" fo:text-align="end"/></text:list-level-style-number></text:list-style>' +
      '<text:list-style style:name="B"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."><style:list-level-properties text:list-level-position-and-space-mode="label-alignment"><style:list-level-label-alignment text:label-followed-by="listtab" text:list-tab-stop-position="36pt" fo:text-indent="-30pt" fo:margin-left="36pt"/></style:list-level-properties></text:list-level-style-number></text:list-style>',
  },
  'boxes around lines that hang as they did': {
    body:
      ['P', 'H', 'P', 'W', 'I', 'H', 'J'].map((name) => par(`box ${name} ${lorem}`, name)).join('') +
      par('head', 'P') +
      ['A', 'P', 'I', 'B'].map((list, at) => `<text:list text:style-name="${at > 2 ? 'B' : 'A'}">${['one', lorem].map((text) => `<text:list-item>${par(text, at === 0 || at > 2 ? 'P' : list)}</text:list-item>`).join('')}</text:list>`).join(par('head', 'P')) +
      par('end'),
    automatic:
      ['P', 'H', 'W', 'I', 'J'].map((name, at) => parStyle(name, `fo:border="2pt solid #000000" fo:padding="8pt" fo:margin-left="${[0, 40, 40, 10, 10][at]}pt" fo:text-indent="${[0, -30, -6, 20, 6][at]}pt"`)).join('') +
      '<text:list-style style:name="A"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix=")"><style:list-level-properties text:min-label-width="36pt" text:min-label-distance="7pt" fo:text-align="end"/></text:list-level-style-number></text:list-style>' +
      '<text:list-style style:name="B"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."><style:list-level-properties text:list-level-position-and-space-mode="label-alignment"><style:list-level-label-alignment text:label-followed-by="listtab" text:list-tab-stop-position="36pt" fo:text-indent="-30pt" fo:margin-left="36pt"/></style:list-level-properties></text:list-level-style-number></text:list-style>',
    switches: { IgnoreFirstLineIndentInNumbering: true },
  },
  'tables that end their page': {
    body: ['T', 'U'].map((name) => table(row(cell(par('x')) + cell(par('y')))).replace('"T"', `"${name}"`)).join(par('between')) + par('end'),
    automatic:
      tableStyles('style:width="300pt" table:align="left" fo:break-after="page"') +
      style('table', 'U', 'style:width="300pt" table:align="left" fo:break-after="column"'),
  },
  'column breaks without columns': {
    body:
      par('one') + par('two', 'K') + table(row(cell(par('x')) + cell(par('y')))) + par('three', 'F') + par('four') +
      section('S', par('in a column') + par('in the next', 'K') + par('there')) +
      par('end', 'K'),
    automatic:
      tableStyles('style:width="300pt" table:align="left" fo:break-before="column"') +
      parStyle('K', 'fo:break-before="column"') +
      parStyle('F', 'fo:break-after="column"') +
      sectionStyle('S', '', columns(2)),
  },
  'boxes that open a section': {
    body:
      par('start') +
      par('before', 'B') +
      section('S', par('first', 'B') + par('inner') + section('S', par('second', 'B')) + par('tail', 'B')) +
      par('behind', 'B') +
      par('end'),
    automatic:
      sectionStyle('S', 'style:editable="false"') +
      parStyle('B', 'fo:border="2pt solid #000000" fo:padding="10pt" fo:margin-bottom="8pt"'),
  },
  'frames between paragraphs': {
    body: par('one') + picture('paragraph', 'svg:x="20pt" svg:y="2pt"') + par(lorem) + section('S', par('two') + picture('char', 'svg:x="20pt" svg:y="2pt"') + par(lorem)),
    automatic:
      sectionStyle('S', 'style:editable="false"') +
      style('graphic', 'g', 'style:wrap="run-through" style:run-through="foreground" style:vertical-pos="from-top" style:vertical-rel="paragraph" style:horizontal-pos="from-left" style:horizontal-rel="paragraph"'),
  },
  'letters of a file without default styles': {
    body: par('VAVAVAVAVATo Ty, y, r. VAVAVATo end'),
    defaults:
      '<style:style style:name="Standard" style:family="paragraph"><style:text-properties fo:font-family="Arial" fo:font-size="12pt"/></style:style>',
  },
  'boxes of forms': {
    body: ['S', 'L'].map((name) => par(['', '<field:param field:name="Checkbox_Checked" field:value="true"/>'].map((param) => `<text:span text:style-name="${name}"><field:fieldmark field:type="vnd.oasis.opendocument.field.FORMCHECKBOX">${param}</field:fieldmark> box</text:span> and `).join(''))).join(''),
    automatic: textStyle('S', 'fo:font-size="10pt"') + textStyle('L', 'fo:font-size="24pt"'),
    switches: { AddExternalLeading: true },
  },
  'labels formatted as the mark of their paragraph': marks(true),
  'labels without the formatting of marks': marks(false),
  'labels on lines of their own': {
    body: `<text:list text:style-name="N">${['first', lorem, 'last'].map((text) => `<text:list-item>${par(text)}</text:list-item>`).join('')}</text:list>`,
    automatic:
      '<text:list-style style:name="N"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."><style:list-level-properties text:list-level-position-and-space-mode="label-alignment"><style:list-level-label-alignment text:label-followed-by="newline" fo:text-indent="-18pt" fo:margin-left="36pt"/></style:list-level-properties></text:list-level-style-number></text:list-style>',
  },
  'first page of a page style with another header': {
    body: par('a', 'P') + par('b', 'Q'),
    automatic:
      '<style:style style:name="P" style:family="paragraph" style:parent-style-name="Standard" style:master-page-name="First"/>' +
      parStyle('Q', 'fo:break-before="page"'),
    master: `<style:header>${par('standard')}</style:header>`,
    layout: paper('fo:margin="72pt"') + band('header', 20, 10),
    masters: `<style:master-page style:name="First" style:page-layout-name="L" style:next-style-name="Standard"><style:header>${par('other pages')}</style:header><style:header-first>${par('first page')}</style:header-first></style:master-page>`,
  },
}

/** Items of a list whose spans end their text, or are all of it. */
function marks(ApplyParagraphMarkFormatToNumbering: boolean): OpenSample {
  const span = (name: string, text: string): string => `<text:span text:style-name="${name}">${text}</text:span>`
  const items = [
    'plain',
    `behind${span('L', '')}`,
    `${span('S', 'whole')}`,
    `${span('S', 'whole and empty')}${span('L', '')}`,
    `${span('S', 'two')}${span('S', 'spans')}`,
    `${span('N', 'named')}`,
    `last ${span('L', 'word')}`,
    `${span('L', `nested${span('S', '')}`)}`,
    `<text:bookmark text:name="b"/>${span('S', 'bookmark')}`,
    `<text:a xlink:href="http://a.example/">${span('S', 'link')}</text:a>`,
    `${span('S', 'space')} `,
    'end',
  ]
  return {
    body: `<text:list text:style-name="M">${items.map((item) => `<text:list-item>${par(item)}</text:list-item>`).join('')}</text:list>`,
    automatic:
      textStyle('S', 'fo:font-size="7pt"') +
      textStyle('L', 'fo:font-size="15pt"') +
      '<text:list-style style:name="M"><text:list-level-style-number text:level="1" style:num-format="1"><style:list-level-properties text:list-level-position-and-space-mode="label-alignment"><style:list-level-label-alignment text:label-followed-by="listtab" fo:text-indent="-36pt" fo:margin-left="36pt"/></style:list-level-properties></text:list-level-style-number></text:list-style>',
    outline: textStyle('N', 'fo:font-size="7pt"'),
    switches: { ApplyParagraphMarkFormatToNumbering, AddExternalLeading: true },
  }
}
