import { describe, expect, test } from 'vitest'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { afterOdfRender, beforeOdfRender } from '../../../../shared/office/charts/odf-chart.ts'

const cell = (text: string, attributes = '') =>
  `<table:table-cell${attributes}><text:p>${text}</text:p></table:table-cell>`
const chart = (rows: string, series: string) =>
  `<office:document-content><office:automatic-styles><style:style style:name="ch1"><style:graphic-properties draw:fill-color="#004586"/></style:style></office:automatic-styles><office:body><chart:chart><chart:plot-area>${series}</chart:plot-area><table:table table:name="A &amp; B"><table:table-columns><table:table-column/></table:table-columns>${rows}</table:table></chart:chart></office:body></office:document-content>`
const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`

describe('before a render', () => {
  test('rows and cells are marked, those that stand for several are written out', () =>
    expect(
      beforeOdfRender(
        chart(row(cell('{d.a}'), '<table:table-cell table:number-columns-repeated="2"/>'), ''),
        'p',
      ).match(/<table:table-row.*<\/table:table-row>/)?.[0],
    ).toBe(
      '<table:table-row r="1"><table:table-cell c="1"><text:p>{d.a}</text:p></table:table-cell><table:table-cell c="2"/><table:table-cell c="3"/></table:table-row>',
    ))
  test('a binding that an editor cut into runs replaces the number that it names', () =>
    expect(
      beforeOdfRender(
        chart(
          row(
            cell('{d.l[i].n}<text:s/>{bind<text:span text:style-name="T1">Chart(3) = d.l[i].v}</text:span>'),
            cell('3', ' office:value-type="float" office:value="3"'),
          ),
          '',
        ),
        'p',
      ).match(/<table:table-cell.*<\/table:table-cell>/)?.[0],
    ).toBe(
      '<table:table-cell c="1"><text:p>{d.l[i].n}</text:p></table:table-cell><table:table-cell c="2" n="1"><text:p>{d.l[i].v}</text:p></table:table-cell>',
    ))
  test('a binding to a number that no cell has is an error', () =>
    expect(() => beforeOdfRender(chart(row(cell('{bindChart(3) = d.v}')), ''), 'p')).toThrow(AppError))
  test('a chart without tags stays as it is', () => {
    const plain = chart(row(cell('1')), '')
    expect(beforeOdfRender(plain, 'p')).toBe(plain)
  })
})

describe('after a render', () => {
  const series = `<chart:series chart:values-cell-range-address="'A &amp; B'.$B$2:.$B$2" chart:label-cell-address="'A &amp; B'.$B$1" chart:style-name="ch1"><chart:data-point chart:repeated="1"/></chart:series>`
  const marked = (number: number, ...columns: number[]) =>
    `<table:table-row r="${number}">${columns.map((column) => cell('x', ` c="${column}"`)).join('')}</table:table-row>`
  test('addresses cover the rows that were written, and points are counted', () => {
    const out = afterOdfRender(chart(marked(1, 1, 2) + marked(2, 1, 2) + marked(2, 1, 2), series))
    expect(out).toContain(`chart:values-cell-range-address="'A &amp; B'.$B$2:.$B$3"`)
    expect(out).toContain('chart:repeated="2"')
    expect(out).not.toMatch(/ [rcn]="/)
  })
  test('a series whose column repeats is copied in the next colour', () => {
    const out = afterOdfRender(chart(marked(1, 1, 2, 2) + marked(2, 1, 2, 2), series))
    expect([...out.matchAll(/chart:label-cell-address="([^"]*)"/g)].map(([, address]) => address)).toEqual([
      "'A &amp; B'.$B$1",
      "'A &amp; B'.$C$1",
    ])
    expect(out).toContain('style:name="ch1_2_0"><style:graphic-properties draw:fill-color="#ff420e"/>')
  })
})
