import { describe, expect, it } from 'vitest'
import { layPage, smallPage, textsOf } from '../../../../../helpers/web-layout.ts'

const laid = (body: string, styles = '') =>
  textsOf(layPage(smallPage(body, styles)).pages)[0]?.map(([text, x, y]) => [text, x, (y - 13) / 20])
const texts = (body: string, styles = '') => laid(body, styles)?.map(([text]) => text)

describe('lines of a page', () => {
  it.each([
    ['break where a page allows it', '<p style="width: 40px">superca<wbr>lifragi', ['superca', 'lifragi']],
    [
      'break there at the end of an element',
      '<p style="width: 40px"><b>superca</b><wbr>lifragi',
      ['superca', 'lifragi'],
    ],
    [
      'break there in text that does not wrap',
      '<p style="width: 40px; white-space: nowrap">superca<wbr>lifragi',
      ['superca', 'lifragi'],
    ],
    [
      'end with an ellipsis where their box cuts them off',
      '<p style="width: 40px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis">one <b>two</b> three',
      ['one', 't', '\u2026'],
    ],
    [
      'have none where nothing is cut off',
      '<p style="width: 40px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis">one',
      ['one'],
    ],
    ['break before a space that does not fit', '<p style="width: 23px">aaaa bb', ['aaaa', 'bb']],
    ['do not break there if they fit', '<p>superca<wbr>lifragi', ['supercalifragi']],
    ['show a soft hyphen at their end', '<p style="width: 40px">super&shy;calif', ['super-', 'calif']],
    [
      'do not break there where words are not divided',
      '<p style="width: 40px; hyphens: none">super&shy;calif',
      ['supercalif'],
    ],
    ['show none elsewhere', '<p>super&shy;calif', ['super\u00adcalif']],
    [
      'break before a part whose hyphen does not fit',
      '<p style="width: 31px">aaa&shy;bb&shy;ccc',
      ['aaa-', 'bb\u00adccc'],
    ],
    [
      'break behind the rest of a word that was cut',
      '<p style="width: 40px; overflow-wrap: break-word">aaaaaaaaa?bbbbb',
      ['aaaaaaa', 'aa?', 'bbbbb'],
    ],
  ])('%s', (_, body, expected) => {
    expect(texts(body)?.map((text) => String(text).replace('\u2010', '-'))).toEqual(expected)
  })
  it('have the last line of an inline block on their baseline', () => {
    const block = (style: string, content: string) =>
      `<span style="display: inline-block; ${style}">${content}</span>`
    expect(laid(`x ${block('', 'a<br>b')}${block('display: inline-flex', '<p>c<br>d')}`)).toEqual(
      expect.arrayContaining([
        ['x', 0, 1],
        ['a', 8, 0],
        ['b', 8, 1],
        ['c', 13, 1],
        ['d', 13, 2],
      ]),
    )
  })
})

describe('lengths of a page', () => {
  const body = '<p style="width: 50vw; height: 50vh; text-align: right">a</p><p style="margin-left: 10vmin">b'
  it.each([
    [
      'refer to its page area',
      '',
      [
        ['a', 144, 0],
        ['b', 30, 7.5],
      ],
    ],
    [
      'without its margins',
      '@page { margin: 37.5pt }',
      [
        ['a', 144, 2.5],
        ['b', 70, 7.5],
      ],
    ],
  ])('%s', (_, styles, expected) => {
    expect(laid(body, styles)).toEqual(expected)
  })
})
