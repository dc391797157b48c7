import { describe, expect, it } from 'vitest'
import { readPalette } from '../../../../../plugins/formats/xlsx/reader/colors.ts'
import { readSparklines } from '../../../../../plugins/formats/xlsx/reader/sparklines.ts'
import { workbookVocabulary } from '../../../../../plugins/formats/xlsx/reader/vocabulary.ts'
import type { SparklineGroup } from '../../../../../shared/document/sparkline.ts'
import { defaultColors } from '../../../../../shared/office/sheet/sparkline.ts'
import { XmlCursor } from '../../../../../shared/xml/cursor.ts'

const namespaces =
  'xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main" xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"'
const sparkline = (cells: string, at: string): string =>
  `<x14:sparkline><xm:f>${cells}</xm:f><xm:sqref>${at}</xm:sqref></x14:sparkline>`

function read(groups: string): readonly SparklineGroup[] {
  const cursor = new XmlCursor(
    `<x14:sparklineGroups ${namespaces}>${groups}</x14:sparklineGroups>`,
    workbookVocabulary,
  )
  cursor.root()
  const made: SparklineGroup[] = []
  readSparklines(cursor, readPalette(undefined), made)
  return made
}
const grouped = (attributes: string, content: string): readonly SparklineGroup[] =>
  read(
    `<x14:sparklineGroup ${attributes}>${content}<x14:sparklines>${sparkline('One!B1:D1', 'A1')}</x14:sparklines></x14:sparklineGroup>`,
  )

describe('sparklines of XLSX', () => {
  it('have the defaults of the format', () => {
    expect(grouped('', '')).toEqual([
      {
        kind: 'line',
        lineWidth: 0.75,
        colors: defaultColors,
        marked: new Set(),
        hasAxis: false,
        emptyCells: 'zero',
        includesHidden: false,
        rightToLeft: false,
        min: 'individual',
        max: 'individual',
        sparklines: [{ row: 0, column: 0, data: { sheet: 'One', top: 0, bottom: 0, left: 1, right: 3 } }],
      },
    ])
  })

  it.each<[string, string, Partial<SparklineGroup>]>([
    ['type="column" lineWeight="2.25"', '', { kind: 'column', lineWidth: 2.25 }],
    ['type="stacked" displayXAxis="1"', '', { kind: 'win-loss', hasAxis: true }],
    ['type="strange" lineWeight="-4"', '', { kind: 'line', lineWidth: 0.75 }],
    [
      'markers="1" high="true" low="0" first="1" last="1" negative="1"',
      '',
      { marked: new Set(['markers', 'high', 'first', 'last', 'negative']) },
    ],
    [
      'displayEmptyCellsAs="span" displayHidden="1" rightToLeft="1"',
      '',
      { emptyCells: 'span', includesHidden: true, rightToLeft: true },
    ],
    [
      'minAxisType="custom" manualMin="-2.5" maxAxisType="group" manualMax="9"',
      '',
      { min: -2.5, max: 'group' },
    ],
    ['minAxisType="custom" manualMin="none"', '', { min: 'individual' }],
    [
      '',
      '<x14:colorSeries rgb="FF112233"/><x14:colorLow theme="4"/>',
      { colors: { ...defaultColors, series: '112233', low: '4F81BD' } },
    ],
    [
      'dateAxis="1"',
      "<xm:f>'My days'!A2:A4</xm:f>",
      { dates: { sheet: 'My days', top: 1, bottom: 3, left: 0, right: 0 } },
    ],
  ])('read %s', (attributes, content, expected) => {
    expect(grouped(attributes, content)[0]).toMatchObject(expected)
  })

  it('without values or a cell are omitted', () => {
    const lost = '<x14:sparkline><xm:sqref>A1</xm:sqref></x14:sparkline>'
    expect(
      read(
        `<x14:sparklineGroup><x14:sparklines>${lost}${sparkline('Sum(A:A)', 'A1')}${sparkline('One!A1:A3', '')}</x14:sparklines></x14:sparklineGroup>`,
      ),
    ).toEqual([])
  })
})
