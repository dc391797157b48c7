import { expect, test } from 'vitest'
import { readChart } from '../../../../../shared/office/ooxml/chart/chart.ts'
import { emptyTheme } from '../../../../../shared/office/ooxml/theme.ts'
import { chartXml, type SeriesSpec } from '../../../../helpers/charts.ts'

const series = (name: string): SeriesSpec => ({
  name: { formula: 'Data!$B$1', cache: [name] },
  values: { formula: 'Data!$B$2:$B$3', cache: [1, 2] },
})
const one = [series('North')]
const two = [series('North'), series('South')]

const withoutText =
  '<c:title><c:overlay val="0"/><c:txPr><a:bodyPr/><a:p><a:pPr><a:defRPr sz="1400"/></a:pPr></a:p></c:txPr></c:title>'
const emptyText = '<c:title><c:tx><c:rich><a:bodyPr/><a:p/></c:rich></c:tx><c:overlay val="0"/></c:title>'
const ofCell =
  '<c:title><c:tx><c:strRef><c:f>Data!$A$1</c:f><c:strCache><c:ptCount val="1"/><c:pt idx="0"><c:v>Sales</c:v></c:pt></c:strCache></c:strRef></c:tx></c:title>'

test.each([
  ['text of its own', ofCell, one, 'Sales'],
  ['no text, several series', withoutText, two, 'Chart Title'],
  ['no text, one series', withoutText, one, 'North'],
  ['an empty text', emptyText, two, undefined],
  ['none, several series', '<c:autoTitleDeleted val="0"/>', two, undefined],
  ['none, one series', '<c:autoTitleDeleted val="0"/>', one, 'North'],
  ['none, one series, deleted', '<c:autoTitleDeleted val="1"/>', one, undefined],
])('a title with %s', (_, heading, all, expected) => {
  const xml = chartXml({ kind: 'column', series: all }).replace('<c:autoTitleDeleted val="1"/>', heading)
  const { chart } = readChart(new TextEncoder().encode(xml), emptyTheme)
  expect(chart?.title?.lines.flat().map(({ text }) => text)[0]).toBe(expected)
  if (heading === withoutText) expect(chart?.title?.lines[0]?.[0]?.letters.size).toBe(14)
})

test('a title of an axis without text', () => {
  const xml = chartXml({ kind: 'column', series: two }).replace(
    '<c:axPos val="l"/>',
    `<c:axPos val="l"/>${withoutText}`,
  )
  const { chart } = readChart(new TextEncoder().encode(xml), emptyTheme)
  expect(JSON.stringify(chart)).toContain('"Axis Title"')
})

test('shapes over a chart are reported', () => {
  const xml = chartXml({ kind: 'column', series: one }).replace(
    '</c:chartSpace>',
    '<c:userShapes xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="r9"/></c:chartSpace>',
  )
  expect(readChart(new TextEncoder().encode(xml), emptyTheme).undrawn).toEqual(['the shapes over it'])
})

test('labels from cells have the texts of their points, and other fields what they stand for', () => {
  const label = (at: number, type: string) =>
    `<c:dLbl><c:idx val="${at}"/><c:tx><c:rich><a:bodyPr/><a:p><a:fld id="{1}" type="${type}"><a:t>[${type}]</a:t></a:fld></a:p></c:rich></c:tx></c:dLbl>`
  const cells = `<c15:datalabelsRange xmlns:c15="http://schemas.microsoft.com/office/drawing/2012/chart"><c15:f>Data!$A$2:$A$3</c15:f><c15:dlblRangeCache><c:ptCount val="2"/><c:pt idx="1"><c:v>South</c:v></c:pt></c15:dlblRangeCache></c15:datalabelsRange>`
  const read = (labels: string) => {
    const xml = chartXml({ kind: 'column', series: one })
      .replace(/(<\/c:ser>)/, `<c:extLst><c:ext uri="{0}">${cells}</c:ext></c:extLst>$1`)
      .replace(/(<c:val>)/, `<c:dLbls>${labels}<c:showVal val="0"/></c:dLbls>$1`)
    const { chart, undrawn } = readChart(new TextEncoder().encode(xml), emptyTheme)
    return { series: chart?.plots[0]?.series[0], undrawn }
  }
  const { series: found, undrawn } = read(label(1, 'CELLRANGE') + label(0, 'VALUE'))
  expect(found?.labelCells).toEqual(['', 'South'])
  expect([0, 1].map((at) => found?.pointLabels.get(at))).toMatchObject([
    { text: [[{ field: 'value' }]] },
    { text: [[{ field: 'cell' }]] },
  ])
  expect(undrawn).toEqual([])
  expect(read(label(0, 'VALUE')).undrawn).toEqual(['labels from cells'])
})

test('a chart without formatting is white with an outline, and transparent on a slide', () => {
  const xml = chartXml({ kind: 'column', series: one })
  const declared = xml.replace('</c:chartSpace>', '<c:spPr><a:noFill/></c:spPr></c:chartSpace>')
  const look = (part: string, place?: { isOnSlide: boolean }) =>
    readChart(new TextEncoder().encode(part), emptyTheme, place).chart?.formatting
  expect(look(xml)).toEqual({ fill: 'FFFFFF', line: 'D9D9D9' })
  expect(look(xml, { isOnSlide: true })).toEqual({ fill: 'none', line: 'none' })
  expect(look(declared, { isOnSlide: true })).toEqual({ fill: 'none', line: 'D9D9D9' })
})
