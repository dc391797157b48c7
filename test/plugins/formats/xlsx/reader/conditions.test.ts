import { expect, it } from 'vitest'
import { nodeCodec } from '../../../../../origin/codec.ts'
import { readXlsx } from '../../../../../plugins/formats/xlsx/reader/open.ts'
import type { ConditionalRule } from '../../../../../shared/document/sheet.ts'
import { defaultLimits } from '../../../../../shared/limits.ts'
import { xlsxOf } from '../../../../helpers/xlsx.ts'

const extension = 'http://schemas.microsoft.com/office/spreadsheetml/2009/9/main'

async function read(
  after: string,
  dxfs = '',
): Promise<{ rules: readonly ConditionalRule[]; codes: string[] }> {
  const bytes = await xlsxOf({
    sheets: [{ name: 'One', cells: { A1: 1 }, after }],
    differentials: dxfs,
  })
  const { value, warnings } = readXlsx(bytes, { codec: nodeCodec, limits: defaultLimits })
  return { rules: value.sheets[0]?.conditions ?? [], codes: warnings.map(({ code }) => code) }
}
const rule = (attributes: string, content = ''): string =>
  `<conditionalFormatting sqref="A1:B2"><cfRule priority="1" dxfId="0" ${attributes}>${content}</cfRule></conditionalFormatting>`
const red = '<dxf><font><b/></font><fill><patternFill><bgColor rgb="FFFF0000"/></patternFill></fill></dxf>'

it.each<[string, string, unknown]>([
  [
    'type="cellIs" operator="between"',
    '<formula>1</formula><formula>B1*2</formula>',
    { kind: 'compare', operator: 'between', operands: ['1', 'B1*2'] },
  ],
  [
    'type="cellIs" operator="notEqual"',
    '<formula>"x"</formula>',
    { kind: 'compare', operator: 'unequal', operands: ['"x"'] },
  ],
  ['type="expression"', '<formula>A1&gt;2</formula>', { kind: 'formula', formula: 'A1>2' }],
  [
    'type="top10" percent="1" bottom="1" rank="20"',
    '',
    { kind: 'rank', rank: 20, percent: true, smallest: true },
  ],
  [
    'type="aboveAverage" aboveAverage="0" stdDev="2"',
    '',
    { kind: 'average', below: true, orEqual: false, deviations: 2 },
  ],
  ['type="duplicateValues"', '', { kind: 'duplicate' }],
  ['type="uniqueValues"', '', { kind: 'unique' }],
  [
    'type="containsText" operator="containsText" text="a"',
    '<formula>1</formula>',
    { kind: 'text', match: 'contains', text: 'a' },
  ],
  ['type="beginsWith"', '<formula>LEFT(A1,1)="a"</formula>', { kind: 'formula', formula: 'LEFT(A1,1)="a"' }],
  ['type="containsBlanks"', '<formula>1</formula>', { kind: 'blank' }],
  ['type="notContainsErrors"', '', { kind: 'no-error' }],
  ['type="timePeriod" timePeriod="last7Days"', '', { kind: 'period', period: 'last-7-days' }],
])('reads the condition %s', async (attributes, content, when) => {
  const { rules, codes } = await read(rule(attributes, content), red)
  expect(rules).toEqual([
    {
      areas: [{ top: 0, left: 0, bottom: 1, right: 1 }],
      effect: { kind: 'style', when, stops: false, style: { font: { bold: true }, fill: 'FF0000' } },
    },
  ])
  expect(codes).toEqual([])
})

it('reads scales, bars and icons in the order of their priority', async () => {
  const { rules } = await read(
    `<conditionalFormatting sqref="A1 C3:D4"><cfRule type="iconSet" priority="3"><iconSet iconSet="3Arrows" reverse="1" showValue="0"><cfvo type="percent" val="0"/><cfvo type="num" val="5" gte="0"/><cfvo type="percentile" val="90"/></iconSet></cfRule>
    <cfRule type="colorScale" priority="2"><colorScale><cfvo type="min"/><cfvo type="max"/><color rgb="FF0000FF"/><color rgb="FFFFFFFF"/></colorScale></cfRule>
    <cfRule type="dataBar" priority="1"><dataBar minLength="5"><cfvo type="num" val="1"/><cfvo type="max"/><color rgb="FF112233"/></dataBar><extLst><ext><x14:id xmlns:x14="${extension}">{1}</x14:id></ext></extLst></cfRule></conditionalFormatting>
    <extLst><ext xmlns:x14="${extension}" xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"><x14:conditionalFormattings><x14:conditionalFormatting><x14:cfRule type="dataBar" id="{1}"><x14:dataBar gradient="0" minLength="0" maxLength="100"><x14:cfvo type="autoMin"/><x14:cfvo type="autoMax"/><x14:negativeFillColor rgb="FFFF0000"/></x14:dataBar></x14:cfRule><xm:sqref>A1</xm:sqref></x14:conditionalFormatting></x14:conditionalFormattings></ext></extLst>`,
  )
  expect(rules.map(({ areas }) => areas.length)).toEqual([2, 2, 2])
  expect(rules.map(({ effect }) => effect)).toEqual([
    {
      kind: 'bar',
      from: { kind: 'auto' },
      to: { kind: 'auto' },
      color: '112233',
      negativeColor: 'FF0000',
      axisColor: '000000',
      gradient: false,
      axis: 'automatic',
      minLength: 0,
      maxLength: 100,
      showsValue: true,
    },
    {
      kind: 'scale',
      points: [
        { at: { kind: 'min' }, color: '0000FF' },
        { at: { kind: 'max' }, color: 'FFFFFF' },
      ],
    },
    {
      kind: 'icons',
      showsValue: false,
      icons: [
        { from: { kind: 'percent', share: 0 }, inclusive: true, icon: { set: '3Arrows', index: 2 } },
        { from: { kind: 'formula', formula: '5' }, inclusive: false, icon: { set: '3Arrows', index: 1 } },
        { from: { kind: 'percentile', share: 90 }, inclusive: true, icon: { set: '3Arrows', index: 0 } },
      ],
    },
  ])
})

it('reads rules of extensions with the formatting and the icons that they bring', async () => {
  const { rules } = await read(
    `<extLst><ext xmlns:x14="${extension}" xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"><x14:conditionalFormattings><x14:conditionalFormatting><x14:cfRule type="expression" priority="1"><xm:f>Two!A1=1</xm:f><x14:dxf><fill><patternFill patternType="solid"><fgColor rgb="FF00FF00"/></patternFill></fill></x14:dxf></x14:cfRule>
    <x14:cfRule type="iconSet" priority="2"><x14:iconSet custom="1"><x14:cfvo type="percent"><xm:f>0</xm:f></x14:cfvo><x14:cfvo type="num"><xm:f>$C$1</xm:f></x14:cfvo><x14:cfIcon iconSet="NoIcons" iconId="0"/><x14:cfIcon iconSet="3Flags" iconId="1"/></x14:iconSet></x14:cfRule><xm:sqref>B2:B9</xm:sqref></x14:conditionalFormatting></x14:conditionalFormattings></ext></extLst>`,
  )
  expect(rules[0]?.areas).toEqual([{ top: 1, left: 1, bottom: 8, right: 1 }])
  expect(rules.map(({ effect }) => effect)).toEqual([
    {
      kind: 'style',
      when: { kind: 'formula', formula: 'Two!A1=1' },
      style: { fill: '00FF00' },
      stops: false,
    },
    {
      kind: 'icons',
      showsValue: true,
      icons: [
        { from: { kind: 'percent', share: 0 }, inclusive: true },
        { from: { kind: 'formula', formula: '$C$1' }, inclusive: true, icon: { set: '3Flags', index: 1 } },
      ],
    },
  ])
})

it('keeps at most twenty thousand rules and reports the others', async () => {
  const { rules, codes } = await read(rule('type="duplicateValues"').repeat(20_001), red)
  expect(rules).toHaveLength(20_000)
  expect(codes).toEqual(['read.conditional-format'])
})
