import { describe, expect, test } from 'vitest'
import { countLabels } from '../../../../../plugins/engines/instant/style/labels.ts'
import { formatCounter } from '../../../../../plugins/engines/instant/style/number-format.ts'
import { createStyler } from '../../../../../plugins/engines/instant/style/styler.ts'
import { p, readWord } from '../../../../helpers/laid-out.ts'

describe('formats', () => {
  const table: readonly (readonly [string, number, string])[] = [
    ['decimal', 12, '12'],
    ['decimalZero', 7, '07'],
    ['decimalZero', 12, '12'],
    ['decimalZero4', 7, '0007'],
    ['decimalZero3', 1234, '1234'],
    ['decimalZero3', -7, '-7'],
    ['upperRoman', 1994, 'MCMXCIV'],
    ['lowerRoman', 4, 'iv'],
    ['upperLetter', 1, 'A'],
    ['upperLetter', 27, 'AA'],
    ['lowerLetter', 53, 'aaa'],
    ['ordinal', 1, '1st'],
    ['ordinal', 12, '12th'],
    ['ordinal', 22, '22nd'],
    ['cardinalText', 42, 'Forty-two'],
    ['cardinalText', 1203, 'One thousand two hundred three'],
    ['ordinalText', 21, 'Twenty-first'],
    ['ordinalText', 30, 'Thirtieth'],
    ['numberInDash', 3, '- 3 -'],
    ['none', 3, ''],
    ['hex', 255, 'FF'],
    ['chicago', 5, '**'],
    ['chineseCounting', 21, '二十一'],
    ['chineseCounting', 12, '十二'],
    ['chineseCountingThousand', 1012, '一千零一十二'],
    ['chineseCountingThousand', 10_000, '10000'],
    ['japaneseCounting', 1111, '千百十一'],
    ['japaneseLegal', 24, '弐拾四'],
    ['chineseLegalSimplified', 105, '壹佰零伍'],
    ['ideographLegalTraditional', 20, '貳拾'],
    ['ideographTraditional', 10, '癸'],
    ['ideographTraditional', 11, '11'],
    ['ideographZodiac', 12, '亥'],
    ['decimalEnclosedCircleChinese', 21, '㉑'],
    ['decimalEnclosedCircleChinese', 50, '㊿'],
    ['decimalEnclosedCircleChinese', 51, '51'],
    ['aiueo', 46, 'ﾝ'],
    ['aiueoFullWidth', 47, 'ア'],
    ['iroha', 2, 'ﾛ'],
    ['irohaFullWidth', 24, 'ウ'],
    ['ganada', 15, '가'],
    ['chosung', 14, 'ㅎ'],
    ['koreanDigital', 20, '이영'],
    ['koreanCounting', 21, '이십일'],
    ['koreanLegal', 24, '스물넷'],
    ['koreanLegal', 100, '100'],
    ['thaiNumbers', 10, '๑๐'],
    ['hebrew1', 15, 'טו'],
    ['hebrew1', 124, 'קכד'],
    ['hebrew2', 23, 'אא'],
    ['arabicAbjad', 5, 'ه'],
    ['ganada', 0, '0'],
    ['unknownFormat', 9, '9'],
    ['upperRoman', 0, '0'],
    ['lowerLetter', -3, '-3'],
    ['decimalEnclosedCircle', 3, '\u2462'],
  ]
  for (const [format, value, text] of table) {
    test(`${value} as ${format} is '${text}'`, () => expect(formatCounter(value, format)).toBe(text))
  }
})

const level = (index: number, text: string, more = '', format = 'decimal'): string =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`
const list = (levels: string, nums = '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'): string =>
  `<w:abstractNum w:abstractNumId="0">${levels}</w:abstractNum>${nums}`
const item = (depth: number, num = 1): string =>
  p('x', `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${num}"/></w:numPr>`)

function check(numbering: string, items: string, expected: readonly string[]): void {
  const document = readWord({ body: items, numbering })
  const labels = countLabels(document, createStyler(document))
  expect(
    document.sections[0]!.blocks.map((block) =>
      block.kind === 'paragraph' ? labels.paragraphs.get(block)?.text : '',
    ),
  ).toEqual(expected)
}

describe('labels', () => {
  const three = level(0, '%1.') + level(1, '%1.%2') + level(2, '%1.%2.%3)')
  test('levels count under each other and start over', () =>
    check(list(three), [0, 1, 1, 2, 0, 1].map((depth) => item(depth)).join(''), [
      '1.',
      '1.1',
      '1.2',
      '1.2.1)',
      '2.',
      '2.1',
    ]))
  test('a level that is skipped counts as begun', () => check(list(three), item(2), ['1.1.1)']))
  test('two lists on one definition count on together', () =>
    check(
      list(
        three,
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/></w:num>',
      ),
      item(0) + item(0, 2) + item(0),
      ['1.', '2.', '3.'],
    ))
  test('a start override begins again, once', () =>
    check(
      list(
        three,
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>',
      ),
      item(0) + item(0, 2) + item(0, 2),
      ['1.', '5.', '6.'],
    ))
  test('a list that only replaces a level continues the count', () =>
    check(
      list(
        level(0, '%1.'),
        `<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0">${level(0, '%1)', '', 'upperLetter')}</w:lvlOverride></w:num>`,
      ),
      item(0) + item(0, 2) + item(0, 2) + item(0),
      ['1.', 'B)', 'C)', '4.'],
    ))
  test('a level that never restarts continues', () =>
    check(
      list(level(0, '%1.') + level(1, '%2)', '<w:lvlRestart w:val="0"/>')),
      item(0) + item(1) + item(0) + item(1),
      ['1.', '1)', '2.', '2)'],
    ))
  test('legal numbering writes every counter in decimal', () =>
    check(list(level(0, '%1', '', 'upperRoman') + level(1, '%1.%2', '<w:isLgl/>')), item(0) + item(1), [
      'I',
      '1.1',
    ]))
  for (const [series, label] of [
    ['0001, 0002, 0003, ...', '0001'],
    ['01, 02, 03, ...', '01'],
    ['0000000001, ...', '1'],
    ['&#x0D9A;, ...', '1'],
  ] as const) {
    test(`a custom format that begins with ${series}`, () =>
      check(
        list(
          `<w:lvl w:ilvl="0"><w:start w:val="1"/><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="w14"><w:numFmt w:val="custom" w:format="${series}"/></mc:Choice><mc:Fallback><w:numFmt w:val="decimal"/></mc:Fallback></mc:AlternateContent><w:lvlText w:val="%1"/></w:lvl>`,
        ),
        item(0),
        [label],
      ))
  }
  test('bullets keep their text', () =>
    check(list(level(0, '\u2022', '', 'bullet')), item(0) + item(0), ['\u2022', '\u2022']))
})
