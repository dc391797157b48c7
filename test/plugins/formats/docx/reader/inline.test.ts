import { describe, expect, test } from 'vitest'
import type { Inline } from '../../../../../shared/document/document.ts'
import { layWord, readWord } from '../../../../helpers/laid-out.ts'

const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
const char = (type: string, inside = ''): string =>
  `<w:r><w:fldChar w:fldCharType="${type}">${inside}</w:fldChar></w:r>`
const field = (code: string, result: string, form = ''): string =>
  `${char('begin', form)}<w:r><w:instrText xml:space="preserve"> ${code} </w:instrText></w:r>${char('separate')}${result === '' ? '' : run(result)}${char('end')}`

const inlinesOf = (content: string): readonly Inline[] => {
  const [block] = readWord({ body: `<w:p>${content}</w:p>` }).sections[0]!.blocks
  return block?.kind === 'paragraph' ? block.inlines : []
}
const textOf = (content: string): string =>
  inlinesOf(content)
    .map((inline) => (inline.kind === 'text' ? inline.text : `<${inline.kind}>`))
    .join('|')

describe('sequences', () => {
  test('are counted anew, each by its name', () => {
    expect(
      textOf(field('SEQ Figure \\* ARABIC', '7') + field('SEQ Table', '7') + field('SEQ figure', '7')),
    ).toBe('1|1|2')
  })
  test('start over and repeat where they say so', () => {
    expect(textOf(field('SEQ a \\r 5', '') + field('SEQ a', '') + field('SEQ a \\c', ''))).toBe('5|6|6')
  })
  test('keep what was saved where it takes more to know it', () => {
    expect(textOf(field('SEQ a \\* ROMAN', 'IV') + field('SEQ a \\s 1', '9') + field('SEQ a \\h', 'x'))).toBe(
      'IV|9|x',
    )
  })
  test('in a simple field, in its look', () => {
    const simple = `<w:fldSimple w:instr=" SEQ a "><w:r><w:rPr><w:b/></w:rPr><w:t>7</w:t></w:r></w:fldSimple>`
    expect(inlinesOf(simple)).toMatchObject([{ kind: 'text', text: '1', run: { bold: true } }])
  })
})

describe('form fields', () => {
  const list = (result: string): string =>
    `<w:ffData><w:ddList>${result}<w:listEntry w:val="one"/><w:listEntry w:val="two"/></w:ddList></w:ffData>`
  test.each([
    ['the chosen entry', list('<w:result w:val="1"/>'), '', 'two'],
    ['the usual one', list('<w:default w:val="1"/>'), '', 'two'],
    ['the first one', list(''), '', 'one'],
    ['one that is not there', list('<w:result w:val="9"/>'), '', 'one'],
    ['what the file shows', list(''), 'shown', 'shown'],
  ])('a list shows %s', (_, form, result, text) => {
    expect(textOf(field('FORMDROPDOWN', result, form))).toBe(text)
  })
  test('boxes are ticked or not', () => {
    const box = (state: string): string =>
      field('FORMCHECKBOX', '', `<w:ffData><w:checkBox>${state}</w:checkBox></w:ffData>`)
    expect(textOf(box('<w:checked/>') + box('<w:default w:val="1"/>') + box(''))).toBe('☒|☒|☐')
  })
})

describe('a phonetic guide', () => {
  const ruby = `<w:r><w:ruby><w:rubyPr/><w:rt>${run('guide')}</w:rt><w:rubyBase>${run('Base')}</w:rubyBase></w:ruby></w:r>`
  test('stands over its base, which stays on the line', () => {
    const { lines, warnings } = layWord({ body: `<w:p>${run('before ')}${ruby}${run(' after')}</w:p>` })
    expect(warnings).toEqual([])
    expect(lines.map(({ text }) => text)).toEqual(['guide', 'before |Base| after'])
    expect(lines[0]!.y).toBeLessThan(lines[1]!.y - 8)
  })
  test('without a base is nothing', () => {
    expect(inlinesOf('<w:r><w:ruby><w:rt/><w:rubyBase/></w:ruby></w:r>')).toEqual([])
  })
})
