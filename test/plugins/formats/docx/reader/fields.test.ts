import { describe, expect, test } from 'vitest'
import { linkOf, liveField, parseInstruction } from '../../../../../plugins/formats/docx/reader/fields.ts'
import { layWord } from '../../../../helpers/laid-out.ts'

describe('instructions', () => {
  const table: readonly (readonly [
    string,
    string,
    readonly string[],
    readonly (readonly [string, string])[],
  ])[] = [
    [' PAGE  \\* MERGEFORMAT ', 'PAGE', [], [['\\*', 'MERGEFORMAT']]],
    [
      'HYPERLINK "https://example.org/a b" \\l "here"',
      'HYPERLINK',
      ['https://example.org/a b'],
      [['\\l', 'here']],
    ],
    [
      'TOC \\o "1-3" \\h \\z',
      'TOC',
      [],
      [
        ['\\o', '1-3'],
        ['\\h', ''],
        ['\\z', ''],
      ],
    ],
    ['', '', [], []],
  ]
  for (const [text, name, args, switches] of table) {
    test(text, () => {
      const parsed = parseInstruction(text)
      expect({ name: parsed.name, args: parsed.args, switches: [...parsed.switches] }).toEqual({
        name,
        args,
        switches,
      })
    })
  }
  test('page numbers outside a table of contents are updated', () => {
    expect(liveField(parseInstruction('PAGEREF _Toc1 \\h'), false)).toMatchObject({
      name: 'page-of',
      of: '_Toc1',
    })
    expect(liveField(parseInstruction('PAGEREF _Toc1 \\h'), true)).toMatchObject({ saved: true })
    expect(liveField(parseInstruction('PAGE \\* ROMAN'), false)).toMatchObject({
      name: 'page',
      format: 'upperRoman',
    })
    expect(liveField(parseInstruction('AUTHOR'), false)).toBeUndefined()
  })
  test('links to a bookmark, to an address, to both', () => {
    expect(linkOf(parseInstruction('HYPERLINK \\l "a"'))).toEqual({ anchor: 'a' })
    expect(linkOf(parseInstruction('HYPERLINK "u"'))).toEqual({ href: 'u' })
    expect(linkOf(parseInstruction('HYPERLINK "u" \\l "a"'))).toEqual({ href: 'u#a' })
  })
})

describe('fields in the text', () => {
  const mark = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
  const field = (instruction: string, result: string): string =>
    `${mark('begin')}<w:r><w:instrText>${instruction}</w:instrText></w:r>${mark('separate')}<w:r><w:t>${result}</w:t></w:r>${mark('end')}`
  const check = (inner: string, expected: string): void => {
    const { lines } = layWord({ body: `<w:p>${inner}</w:p>` })
    expect(lines.map((line) => line.text).join('/')).toBe(expected)
  }
  test('a result is kept where it cannot be known better', () => check(field('AUTHOR', 'Ann'), 'Ann'))
  test('a date is that of the day', () =>
    check(field('DATE \\@ "d MMMM yyyy, dddd"', '1 May'), '21 November 2026, Saturday'))
  test('the saved result of a locked field is kept', () => {
    const locked = (instruction: string, result: string): string =>
      field(instruction, result).replace('"begin"', '"begin" w:fldLock="1"')
    check(
      `${locked('DATE \\@ "d MMMM"', '1 May')}<w:fldSimple w:fldLock="true" w:instr="TIME"><w:r><w:t>, noon</w:t></w:r></w:fldSimple>`,
      '1 May, noon',
    )
    check(`${field('SET price "12"', '12')}${locked('REF price', 'ten')}`, 'ten')
    check(locked('PAGE', '77'), '1')
  })
  test('paragraphs of an instruction are not part of the text', () => {
    const part = (text: string): string => `<w:r><w:instrText>${text}</w:instrText></w:r>`
    const { lines } = layWord({
      body: `<w:p>${mark('begin')}${part('IF 1 = 1 "a')}</w:p><w:p>${part('b')}</w:p><w:p>${part('c" ""')}${mark('separate')}<w:r><w:t>a</w:t></w:r></w:p><w:p><w:r><w:t>b</w:t></w:r>${mark('end')}</w:p>`,
    })
    expect(lines.map(({ text }) => text)).toEqual(['a', 'b'])
    const { lines: alone } = layWord({ body: '<w:p><w:r><w:t>a</w:t></w:r></w:p>' })
    expect(lines[0]!.y).toBe(alone[0]!.y)
  })
  test('a text that is given to a bookmark shows nothing where it is given', () =>
    check(
      `${field('SET price "12"', '12')}<w:r><w:t>pay</w:t></w:r>${field('REF price', '12')}<w:fldSimple w:instr=" ASK name &quot;Who?&quot; "><w:r><w:t>Ann</w:t></w:r></w:fldSimple>`,
      'pay12',
    ))
  test('a page number is updated', () => check(field('PAGE', '77'), '1'))
  test('a field inside a field', () =>
    check(field('IF 1', `x</w:t></w:r>${field('PAGE', '9')}<w:r><w:t>y`), 'x1y'))
  test('a check box', () =>
    check(
      `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText>FORMCHECKBOX</w:instrText></w:r>${mark('end')}`,
      '\u2612',
    ))
})
