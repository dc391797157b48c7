import { expect, it } from 'vitest'
import { type ChartStyles, readFormat } from '../../../../../shared/office/opendocument/chart/chart-style.ts'
import { openVocabulary } from '../../../../../shared/office/opendocument/vocabulary.ts'
import { XmlCursor } from '../../../../../shared/xml/cursor.ts'

const uri = 'urn:oasis:names:tc:opendocument:xmlns'

it.each([
  ['number:decimal-places="2"', '0.00'],
  ['number:decimal-places="3" number:min-decimal-places="1" number:grouping="true"', '#,##0.0##'],
  ['', 'General'],
  ['number:decimal-places="0" number:min-integer-digits="0"', '#'],
  ['number:decimal-places="2" number:min-decimal-places="-7"', '0.##'],
  ['number:decimal-places="-1" number:min-integer-digits="-3"', '0'],
  [
    'number:decimal-places="1e9" number:min-decimal-places="x" number:min-integer-digits="0.5"',
    `0.${'#'.repeat(20)}`,
  ],
  ['number:decimal-places="Infinity" number:min-integer-digits="NaN"', `0.${'0'.repeat(20)}`],
])('a number format of a chart with %j', (attributes, code) => {
  const xml = `<number:number-style xmlns:number="${uri}:datastyle:1.0" xmlns:style="${uri}:style:1.0" style:name="n"><number:number ${attributes}/></number:number-style>`
  const styles: ChartStyles = { styles: new Map(), formats: new Map() }
  const cursor = new XmlCursor(xml, openVocabulary)
  cursor.root()
  readFormat(cursor, styles)
  expect(styles.formats.get('n')).toBe(code)
})

it('conditions of a number format of a chart are sections', () => {
  const number =
    '<number:number number:decimal-places="0" number:min-integer-digits="1"/><number:text> Ft</number:text>'
  const map = (sign: string, style: string) =>
    `<style:map style:condition="value()${sign}0" style:apply-style-name="${style}"/>`
  const xml = `<x xmlns:number="${uri}:datastyle:1.0" xmlns:style="${uri}:style:1.0" xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"><number:number-style style:name="P0">${number}</number:number-style><number:number-style style:name="P1"><loext:text>-</loext:text>${number}</number:number-style><number:text-style style:name="n"><number:text-content/>${map('&gt;', 'P0')}${map('&lt;', 'P1')}${map('=', 'missing')}</number:text-style></x>`
  const styles: ChartStyles = { styles: new Map(), formats: new Map() }
  const cursor = new XmlCursor(xml, openVocabulary)
  cursor.root()
  cursor.each(() => readFormat(cursor, styles))
  expect(styles.formats.get('n')).toBe('[>0]0" Ft";[<0]-0" Ft";@')
})

it.each([
  [
    '<number:number-style style:name="n"><number:scientific-number number:decimal-places="2" number:min-integer-digits="1" number:min-exponent-digits="3"/></number:number-style>',
    '0.00E+000',
  ],
  [
    '<number:date-style style:name="n" number:automatic-order="true"><number:day number:style="long"/><number:text>/</number:text><number:month number:style="long"/><number:text>/</number:text><number:year/></number:date-style>',
    'mm/dd/yy',
  ],
  [
    '<number:date-style style:name="n" number:automatic-order="true" number:language="fr"><number:day number:style="long"/><number:text>/</number:text><number:month number:style="long"/><number:text>/</number:text><number:year/></number:date-style>',
    '[$-fr]dd/mm/yy',
  ],
  [
    '<number:percentage-style style:name="n" number:language="hu" number:country="HU"><number:number number:decimal-places="1" number:min-integer-digits="1"/><number:text>%</number:text></number:percentage-style>',
    '[$-hu-HU]0.0%',
  ],
])(
  'the format of an axis %.60s has its exponent, its language and the order of the locale',
  (style, code) => {
    const xml = `<x xmlns:number="${uri}:datastyle:1.0" xmlns:style="${uri}:style:1.0">${style}</x>`
    const styles: ChartStyles = { styles: new Map(), formats: new Map() }
    const cursor = new XmlCursor(xml, openVocabulary)
    cursor.root()
    cursor.each(() => readFormat(cursor, styles))
    expect(styles.formats.get('n')).toBe(code)
  },
)
