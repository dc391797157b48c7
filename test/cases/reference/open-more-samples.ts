import { cell, type OpenSample, par, parStyle, row, table, tableStyles } from './open.ts'
import { lorem, times } from './word.ts'

const sectionStyle = (name: string, attributes: string, columns = ''): string =>
  `<style:style style:name="${name}" style:family="section"><style:section-properties ${attributes}>${columns}</style:section-properties></style:style>`
const section = (name: string, body: string): string =>
  `<text:section text:style-name="${name}" text:name="${name}">${body}</text:section>`
const columns = (count: number): string =>
  `<style:columns fo:column-count="${count}" fo:column-gap="20pt"/>`

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
}
