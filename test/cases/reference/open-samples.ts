import { moreOpenSamples } from './open-more-samples.ts'
import { olderOpenSamples } from './open-older-samples.ts'
import { openTableSamples } from './open-table-samples.ts'
import { band, cell, type OpenSample, paper, par, parStyle, picture, row, style, table, tableStyles } from './open.ts'
import { lorem, times } from './word.ts'

const lines = (count: number): string => times(count, (i) => par(`line ${i}`))
const inch = 'fo:margin-top="72pt" fo:margin-bottom="72pt" fo:margin-left="72pt" fo:margin-right="72pt"'
const bands = (least: number, gap: number, more = ''): OpenSample => ({
  body: lines(60),
  layout: paper(inch) + band('header', least, gap, more) + band('footer', least, gap, more),
  master: `<style:header>${par('head')}</style:header><style:footer>${par('foot')}</style:footer>`,
})
const standing = (place: string, of: string): OpenSample => ({
  body:
    par(lorem) +
    par(`${lorem.slice(0, 80)}${picture('as-char', 'svg:y="-20pt"')} after ${lorem}`) +
    par('end'),
  automatic: style('graphic', 'g', `style:vertical-pos="${place}" style:vertical-rel="${of}"`),
})
const beside = (attributes: string, place: string): OpenSample => ({
  body: par(lorem, 'I') + par(picture('paragraph', place) + lorem, 'I') + par(lorem),
  automatic:
    parStyle('I', 'fo:margin-left="30pt" fo:margin-right="20pt" fo:margin-top="10pt"') +
    style('graphic', 'g', `fo:margin-left="5pt" fo:margin-right="5pt" ${attributes}`),
})
const fromParagraph =
  'style:vertical-pos="from-top" style:vertical-rel="paragraph" style:horizontal-pos="from-left" style:horizontal-rel="paragraph"'
const level = (number: number, more: string): string =>
  `<text:list-level-style-number text:level="${number}" style:num-format="1" style:num-suffix="."><style:list-level-properties text:list-level-position-and-space-mode="label-alignment"><style:list-level-label-alignment text:label-followed-by="${more}" text:list-tab-stop-position="${36 * number}pt" fo:text-indent="-18pt" fo:margin-left="${36 * number}pt"/></style:list-level-properties></text:list-level-style-number>`
const list = (followed: string): OpenSample => ({
  body: `<text:list text:style-name="N"><text:list-item>${par('one')}</text:list-item><text:list-item>${par(lorem)}<text:list><text:list-item>${par('sub')}</text:list-item><text:list-item>${par(lorem)}${par('second paragraph')}</text:list-item></text:list></text:list-item><text:list-item>${par('three')}</text:list-item></text:list>`,
  automatic: `<text:list-style style:name="N">${level(1, followed)}${level(2, followed)}</text:list-style>`,
})
const tabs = (...stops: string[]): string =>
  `<style:tab-stops>${stops.map((stop) => `<style:tab-stop ${stop}/>`).join('')}</style:tab-stops>`
const spacing = (attributes: string): OpenSample => ({
  body: par('a') + par(lorem, 'S') + par('one', 'S') + par('b'),
  automatic: parStyle('S', attributes),
})
const two = row(cell(par('x')) + cell(par(lorem))) + row(cell(par('y')) + cell(par('z')))

const note = (kind: 'footnote' | 'endnote', body: string): string =>
  `<text:note text:note-class="${kind}"><text:note-citation>1</text:note-citation><text:note-body>${body}</text:note-body></text:note>`
const changed = (id: string, what: string): string =>
  `<text:changed-region xml:id="${id}" text:id="${id}">${what.replace('>', `>${changeInfo}`)}</text:changed-region>`
const changeInfo =
  '<office:change-info><dc:creator>A</dc:creator><dc:date>2020-01-01T00:00:00</dc:date></office:change-info>'
const textStyle = (name: string, attributes: string): string =>
  `<style:style style:name="${name}" style:family="text"><style:text-properties ${attributes}/></style:style>`
const styleWith = (name: string, more: string, attributes: string): string =>
  `<style:style style:name="${name}" style:family="paragraph" style:parent-style-name="Standard" ${more}><style:paragraph-properties ${attributes}/></style:style>`

export const openSamples: Readonly<Record<string, OpenSample>> = {
  ...moreOpenSamples,
  ...olderOpenSamples,
  ...openTableSamples,
  'header and footer as tall as their text': bands(5, 10),
  'header and footer of a least height': bands(40, 10),
  'header and footer with space that gives way': bands(14, 14.4, 'style:dynamic-spacing="true"'),
  'header and footer without the space below their text': {
    ...bands(5, 10),
    master: `<style:header>${par('head', 'W')}</style:header><style:footer>${par('foot', 'W')}</style:footer>`,
    masterStyles: parStyle('W', 'fo:margin-top="8pt" fo:margin-bottom="14pt" fo:line-height="150%"'),
  },
  'heading in a list of the outline': {
    body: `<text:list text:style-name="Outline"><text:list-item><text:h text:style-name="Standard" text:outline-level="1">Heading</text:h></text:list-item></text:list>${par(lorem)}`,
    outline:
      '<text:outline-style style:name="Outline"><text:outline-level-style text:level="1" style:num-format="1" style:num-suffix="."><style:list-level-properties text:min-label-distance="11pt"/></text:outline-level-style></text:outline-style>',
  },
  'page style that another follows': {
    ...bands(20, 10),
    body: par('start', 'F') + lines(60),
    automatic: parStyle('F', '', '', 'style:master-page-name="First"'),
    layouts: `<style:page-layout style:name="M">${paper('fo:margin-top="150pt" fo:margin-bottom="150pt" fo:margin-left="100pt" fo:margin-right="72pt"')}</style:page-layout>`,
    masters:
      '<style:master-page style:name="First" style:page-layout-name="M" style:next-style-name="Standard"/>',
  },
  'borders inside the margins': {
    body: par('a') + par('b', 'B') + par('c') + par('d', 'D') + par('e'),
    automatic:
      parStyle('B', 'fo:padding="5pt" fo:border-top="1pt solid #000000" fo:border-bottom="none" fo:border-left="none" fo:border-right="none"') +
      parStyle('D', 'fo:padding="5pt" fo:border="1pt solid #000000"'),
  },
  'picture on the baseline': standing('top', 'baseline'),
  'picture in the middle of the baseline': standing('middle', 'baseline'),
  'picture below the baseline': standing('bottom', 'baseline'),
  'picture from the baseline': standing('from-top', 'baseline'),
  'picture at the top of its line': standing('top', 'line'),
  'picture in the middle of its line': standing('middle', 'line'),
  'picture at the foot of its line': standing('bottom', 'line'),
  'picture with text on both sides': beside(`style:wrap="parallel" ${fromParagraph}`, 'svg:x="150pt" svg:y="5pt"'),
  'picture with text on the larger side': beside(`style:wrap="dynamic" ${fromParagraph}`, 'svg:x="150pt" svg:y="5pt"'),
  'picture with text above and below': beside(`style:wrap="none" ${fromParagraph}`, 'svg:x="150pt" svg:y="5pt"'),
  'picture under text': beside(`style:wrap="run-through" ${fromParagraph}`, 'svg:x="150pt" svg:y="5pt"'),
  'picture between the indents': beside(
    'style:wrap="parallel" style:vertical-pos="from-top" style:vertical-rel="paragraph-content" style:horizontal-pos="right" style:horizontal-rel="paragraph-content"',
    'svg:y="5pt"',
  ),
  'picture in the indent': beside(
    'style:wrap="parallel" style:vertical-pos="from-top" style:vertical-rel="paragraph" style:horizontal-pos="right" style:horizontal-rel="paragraph-start-margin"',
    'svg:y="5pt"',
  ),
  'table': { body: par('a') + table(two) + par('b'), automatic: tableStyles() },
  'table between margins': {
    body: par('a') + table(two) + par('b'),
    automatic: tableStyles('table:align="margins" fo:margin-left="20pt" fo:margin-right="31pt" style:width="400pt"'),
  },
  'cells over rows and columns': {
    body: table(
      row(cell(par('x'), 'C', 'table:number-rows-spanned="2"') + cell(par('y'))) +
        row(`<table:covered-table-cell/>${cell(par('z'))}`) +
        row(`${cell(par('w'), 'C', 'table:number-columns-spanned="2"')}<table:covered-table-cell/>`),
    ),
    automatic: tableStyles(),
  },
  'rows cut by a page': {
    body: lines(50) + table(times(6, (i) => row(cell(par(`r${i}`)) + cell(par(lorem))))) + par('b'),
    automatic: tableStyles(),
  },
  'numbered list': list('listtab'),
  'numbered list with spaces': list('space'),
  'tab stops from the indent': {
    body: par('a<text:tab/>b<text:tab/>c', 'T') + par('x<text:tab/>y<text:tab/>z', 'U'),
    automatic:
      parStyle('T', '', tabs('style:position="100pt"', 'style:position="300pt" style:type="center"')) +
      parStyle('U', 'fo:margin-left="50pt" fo:text-indent="-20pt"'),
  },
  'tab stops that a style says anew': {
    body: par('x<text:tab/>y<text:tab/>z', 'V'),
    automatic:
      parStyle('T', '', tabs('style:position="100pt"', 'style:position="150pt"')) +
      parStyle('V', '', tabs('style:position="120pt"', 'style:position="300pt"')).replace(
        'parent-style-name="Standard"',
        'parent-style-name="T"',
      ),
  },
  'list of the older kind in an indented style': {
    body: `<text:list text:style-name="N"><text:list-item>${par('one', 'I')}${par('more', 'I')}</text:list-item></text:list>`,
    automatic: `${parStyle('I', 'fo:margin-left="20pt"')}<text:list-style style:name="N"><text:list-level-style-number text:level="1" style:num-format="a" style:num-suffix=")"><style:list-level-properties text:space-before="18pt" text:min-label-width="18pt"/></text:list-level-style-number></text:list-style>`,
  },
  'lines of one and a half': spacing('fo:line-height="150%"'),
  'lines of a least height': spacing('style:line-height-at-least="20pt"'),
  'lines of one height': spacing('fo:line-height="18pt"'),
  'margins that add up': {
    body: par('a', 'S') + par('b', 'S') + par('c'),
    automatic: parStyle('S', 'fo:margin-top="10pt" fo:margin-bottom="5pt"'),
  },
  'columns of a section': {
    body: `${par('a')}<text:section text:style-name="S" text:name="s">${times(9, (i) => par(`c${i} ${lorem.slice(0, 60)}`))}</text:section>${par('b')}`,
    automatic:
      '<style:style style:name="S" style:family="section"><style:section-properties><style:columns fo:column-count="2" fo:column-gap="20pt"><style:column style:rel-width="1*" fo:start-indent="0pt" fo:end-indent="10pt"/><style:column style:rel-width="1*" fo:start-indent="10pt" fo:end-indent="0pt"/></style:columns></style:section-properties></style:style>',
  },
  'border around the page': {
    layout: paper(
      'fo:margin="40pt" fo:border="6pt double #000000" style:border-line-width="1pt 4pt 1pt" fo:padding="20pt"',
    ),
    body: par(lorem),
  },
  'border around the page, header and all': {
    layout:
      paper('fo:margin="40pt" fo:border-top="3pt solid #000000" fo:border-left="3pt solid #000000" fo:padding="15pt"') +
      band('header', 0, 10),
    master: `<style:header>${par('above')}</style:header>`,
    body: par(lorem),
  },
  'foot notes': {
    body:
      par(`a<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>${par('note one')}</text:note-body></text:note> text`) +
      par('b'),
  },
  'line numbers': {
    outline:
      '<text:linenumbering-configuration text:number-lines="true" text:increment="2" text:offset="20pt" style:num-format="1" text:count-empty-lines="true"/>',
    automatic: parStyle('N', 'text:number-lines="false"'),
    body: ['a', 'b', 'c', 'd', 'e', 'f'].map((text, i) => par(text, i === 2 ? 'N' : 'Standard')).join(''),
  },
  'sides of text from right to left': {
    automatic: ['start', 'end', 'left', 'right']
      .map((side) => parStyle(`R${side}`, `style:writing-mode="rl-tb" fo:text-align="${side}"`))
      .join(''),
    body: ['start', 'end', 'left', 'right'].map((side) => par(side, `R${side}`)).join(''),
  },
  'letters in other cases': {
    automatic: ['capitalize', 'lowercase', 'uppercase']
      .map((kind) => `<style:style style:name="${kind}" style:family="text"><style:text-properties fo:text-transform="${kind}"/></style:style>`)
      .join(''),
    body: ['capitalize', 'lowercase', 'uppercase']
      .map((kind) => par(`<text:span text:style-name="${kind}">Some words of tExt</text:span> and more`))
      .join(''),
  },
  'foot notes that hang': {
    outline:
      '<style:style style:name="Anchor" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style><style:style style:name="Mark" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style><text:notes-configuration text:note-class="footnote" text:citation-style-name="Mark" text:citation-body-style-name="Anchor" style:num-format="a" style:num-prefix="(" style:num-suffix=")" text:start-value="2" text:start-numbering-at="document"/>',
    automatic: parStyle('F', 'fo:margin-left="30pt" fo:text-indent="-30pt"'),
    body: times(2, (i) => par(`text ${note('footnote', par(`note ${i} ${lorem}`, 'F'))} more`)),
  },
  'end notes on their page style': {
    outline:
      '<text:notes-configuration text:note-class="endnote" text:master-page-name="Ends" style:num-format="1" text:start-value="0"/>',
    layouts: `<style:page-layout style:name="E">${paper(inch.replaceAll('72', '30')).replace('/>', '><style:footnote-sep style:adjustment="left" style:rel-width="25%" style:color="#000000"/></style:page-layout-properties>')}</style:page-layout>`,
    masters: `<style:master-page style:name="Ends" style:page-layout-name="E"/>`,
    body: par(`text ${note('endnote', par('the end', 'F'))} more`),
    automatic: parStyle('F', 'fo:margin-left="20pt" fo:text-indent="-20pt"'),
  },
  'tracked changes': {
    body: `<text:tracked-changes>${changed('c1', `<text:deletion>${par('gone ')}</text:deletion>`)}${changed('c2', `<text:deletion>${par('end of one')}${par('all of two')}${par('start of three ')}</text:deletion>`)}${changed('c3', '<text:insertion></text:insertion>')}</text:tracked-changes>${par('a <text:change text:change-id="c1"/>b')}${par('c <text:change text:change-id="c2"/>d')}${par('e <text:change-start text:change-id="c3"/>new<text:change-end text:change-id="c3"/> f')}`,
  },
  'hidden text': {
    automatic: textStyle('H', 'text:display="none" fo:font-size="24pt"'),
    body:
      par('a <text:span text:style-name="H">hidden</text:span>b') +
      par('<text:span text:style-name="H">all hidden</text:span>') +
      `<text:section text:name="s" text:condition="ooow:2 * 2 == 4" text:display="condition" text:is-hidden="true">${par('d')}</text:section>` +
      par('e'),
  },
  'spans inside spans': {
    outline: textStyle('Big', 'fo:font-size="20pt"'),
    automatic:
      textStyle('Bold', 'fo:font-weight="bold"') +
      textStyle('Small', 'fo:font-size="8pt"') +
      textStyle('Slanted', 'fo:font-style="italic"'),
    body: par(
      'a <text:span text:style-name="Big">big <text:span text:style-name="Bold">bold <text:span text:style-name="Slanted">slanted</text:span></text:span></text:span> <text:span text:style-name="Small">small <text:span text:style-name="Big">still small</text:span></text:span> end',
    ),
  },
  'page styles in turn': {
    layouts: [30, 90, 150]
      .map((left, i) => `<style:page-layout style:name="L${i}">${paper(inch.replace('left="72', `left="${left}`))}</style:page-layout>`)
      .join(''),
    masters: [1, 2, 1]
      .map((next, i) => `<style:master-page style:name="M${i}" style:page-layout-name="L${i}" style:next-style-name="M${next}"/>`)
      .join(''),
    automatic: parStyle('P', 'style:page-number="auto"', '', 'style:master-page-name="M0"'),
    body: par('first', 'P') + lines(240),
  },
  'lists of no style and of that of a paragraph': {
    outline:
      `<text:list-style style:name="N">${level(1, 'listtab')}</text:list-style>` +
      styleWith('Item', 'style:list-style-name="N"', 'fo:margin-left="60pt" fo:text-indent="-20pt"') +
      styleWith('Plain', 'style:list-style-name="N"', ''),
    body: `<text:list><text:list-item>${par('one', 'Item')}</text:list-item><text:list-item>${par(lorem, 'Item')}</text:list-item></text:list><text:list text:style-name="N"><text:list-item>${par('one', 'Plain')}</text:list-item><text:list-item>${par(lorem, 'Item')}</text:list-item></text:list>`,
  },
  'picture as a bullet': {
    automatic:
      '<text:list-style style:name="N"><text:list-level-style-image text:level="1" xlink:href="Pictures/img1.png" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"><style:list-level-properties text:list-level-position-and-space-mode="label-alignment" style:vertical-pos="middle" style:vertical-rel="char" fo:width="30pt" fo:height="30pt"><style:list-level-label-alignment text:label-followed-by="nothing" fo:text-indent="-20pt" fo:margin-left="40pt"/></style:list-level-properties></text:list-level-style-image></text:list-style>',
    body: `<text:list text:style-name="N"><text:list-item>${par('one')}</text:list-item><text:list-item>${par(lorem)}</text:list-item></text:list>`,
  },
  'letters as numbers': {
    automatic: ['A', 'a', 'i']
      .map((format, i) => `<text:list-style style:name="N${i}"><text:list-level-style-number text:level="1" text:start-value="28" style:num-format="${format}" style:num-suffix="." ${i === 1 ? 'style:num-letter-sync="true"' : ''}><style:list-level-properties text:list-level-position-and-space-mode="label-alignment"><style:list-level-label-alignment text:label-followed-by="listtab" fo:text-indent="-40pt" fo:margin-left="40pt"/></style:list-level-properties></text:list-level-style-number></text:list-style>`)
      .join(''),
    body: [0, 1, 2].map((i) => `<text:list text:style-name="N${i}"><text:list-item>${par('one')}</text:list-item></text:list>`).join(''),
  },
  'right tab behind the margin': {
    automatic: parStyle('T', '', tabs('style:position="500pt" style:type="right"')),
    body: par('left<text:tab/>right', 'T'),
  },
  'padding without a border': {
    automatic: parStyle('P', 'fo:padding="6pt" fo:border="none" fo:background-color="#dddddd"'),
    body: par('a') + par(lorem, 'P') + par('b'),
  },
  'optimal wrap with little room': beside(
    `style:wrap="dynamic" ${fromParagraph}`,
    'svg:x="15pt" svg:y="5pt" style:rel-width="85%" style:rel-height="scale"',
  ),
  'picture with its caption in a frame': {
    automatic:
      style('graphic', 'g', 'style:vertical-pos="top" style:vertical-rel="baseline"') +
      style('graphic', 'f', `fo:padding="0pt" fo:border="none" ${fromParagraph}`) +
      textStyle('H', 'text:display="none"'),
    body: par(
      `<draw:frame draw:style-name="f" draw:name="f" text:anchor-type="paragraph" svg:x="40pt" svg:y="2pt" svg:width="100pt" draw:z-index="1"><draw:text-box fo:min-height="60pt">${par(`${picture('as-char')}<text:span text:style-name="H"><text:line-break/></text:span>Figure 1: a picture`)}</draw:text-box></draw:frame>${lorem}${lorem}`,
    ),
  },
}
