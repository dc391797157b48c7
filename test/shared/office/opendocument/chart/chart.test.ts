/** Charts of OpenDocument into the model of charts. */
import { expect, it } from 'vitest'
import type { Chart } from '../../../../../shared/document/chart.ts'
import { readChart } from '../../../../../shared/office/opendocument/chart/chart.ts'
import { openVocabulary } from '../../../../../shared/office/opendocument/vocabulary.ts'
import { XmlCursor } from '../../../../../shared/xml/cursor.ts'

const uri = 'urn:oasis:names:tc:opendocument:xmlns'
const names = ['office', 'chart', 'table', 'text'].map((name) => `xmlns:${name}="${uri}:${name}:1.0"`)

function chartOf(kind: string, label = '<text:p>Sales</text:p>'): Chart {
  const cell = (content: string): string => `<table:table-cell>${content}</table:table-cell>`
  const axes = ['x', 'y'].map((axis) => `<chart:axis chart:dimension="${axis}"/>`).join('')
  const xml = `<office:document-content ${names.join(' ')}><office:body><office:chart><chart:chart chart:class="chart:${kind}"><chart:plot-area>${axes}<chart:series chart:class="chart:${kind}" chart:values-cell-range-address="local-table.$B$2:.$B$2" chart:label-cell-address="local-table.$B$1"/></chart:plot-area><table:table table:name="local-table"><table:table-row>${cell('')}${cell(label)}</table:table-row><table:table-row>${cell('<text:p>a</text:p>')}<table:table-cell office:value="3"/></table:table-row></table:table></chart:chart></office:chart></office:body></office:document-content>`
  const cursor = new XmlCursor(xml, openVocabulary)
  cursor.root()
  const chart = readChart(cursor)
  if (chart === undefined) throw new Error('no chart')
  return chart
}

it.each([
  ['line', false],
  ['area', false],
  ['stock', undefined],
])('the ends of the axis of a chart of the kind %s are between categories: %s', (kind, between) => {
  expect(chartOf(kind).values.between).toBe(between)
})

it.each([
  ['<text:p>Sales</text:p>', 'Sales'],
  [
    '<text:list><text:list-item><text:p>North</text:p></text:list-item><text:list-item><text:p>Sales</text:p></text:list-item></text:list>',
    'North Sales',
  ],
  [
    '<text:list><text:list-item><text:p/></text:list-item><text:list-item><text:p>Sales</text:p></text:list-item></text:list>',
    'Sales',
  ],
])('a series with the label %.40s has its levels as its name', (label, name) => {
  expect(chartOf('line', label).plots[0]?.series[0]?.name).toBe(name)
})

it.each([
  ['', []],
  ['<draw:custom-shape><text:p>over it</text:p></draw:custom-shape>', ['the shapes over it']],
  ['<draw:g><draw:frame/></draw:g><dr3d:scene/>', ['the shapes over it']],
])('a chart with %j after its plot names what is not drawn', (shapes, expected) => {
  const xml = `<office:document-content xmlns:office="${uri}:office:1.0" xmlns:chart="${uri}:chart:1.0" xmlns:draw="${uri}:drawing:1.0" xmlns:dr3d="${uri}:dr3d:1.0" xmlns:text="${uri}:text:1.0"><office:body><office:chart><chart:chart chart:class="chart:bar"><chart:plot-area/>${shapes}</chart:chart></office:chart></office:body></office:document-content>`
  const undrawn = new Set<string>()
  const cursor = new XmlCursor(xml, openVocabulary)
  cursor.root()
  readChart(cursor, undrawn)
  expect([...undrawn]).toEqual(expected)
})
