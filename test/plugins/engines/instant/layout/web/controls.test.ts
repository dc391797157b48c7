import { describe, expect, it } from 'vitest'
import { fillsOf, layPage, smallPage, textsOf } from '../../../../../helpers/web-layout.ts'

const plain =
  'input, select, textarea, button { border-radius: 0 !important; border: 0 !important; padding: 0; font: 10px/20px Arial; background: #eee }'
const drawn = (body: string, styles = '') => {
  const { pages, boxes } = layPage(smallPage(body, plain + styles))
  const [page] = pages
  return { texts: textsOf(pages)[0], fills: page && fillsOf(page), undrawn: [...boxes.undrawn] }
}

describe('controls of forms', () => {
  it.each([
    ['a field with its value', '<input value="abc">', [['abc', 0, 13]]],
    ['a field with what it asks for', '<input placeholder=Name>', [['Name', 0, 13]]],
    ['a secret', '<input type=password value=ab>', [['••', 0, 13]]],
    ['a day', '<input type=date>', [['mm/dd/yyyy', 0, 13]]],
    ['a list with its first choice', '<select><option>one<option>two</select>', [['one', 0, 13]]],
    [
      'a list with its choice',
      '<select><optgroup><option>one<option selected>two</select>',
      [['two', 0, 13]],
    ],
    [
      'lines of text',
      '<textarea>\na\nb</textarea>',
      [
        ['a', 0, 13],
        ['b', 0, 33],
      ],
    ],
    ['nothing of what is hidden', '<input type=hidden value=x>a', [['a', 0, 13]]],
    [
      'a button with its content in the middle',
      '<button style="width: 60px"><b>go</b></button>',
      [['go', 24, 13]],
    ],
    [
      'a button with its value in the middle of its height',
      '<input type=submit value=go style="height: 60px">',
      [['go', 0, 33]],
    ],
  ])('show %s', (_, body, texts) => {
    expect(drawn(body).texts?.filter(([text]) => text !== '')).toEqual(texts)
  })

  it.each([
    ['as its letters ask for', '<input size=10>', [0, 0, 67, 20]],
    ['as the page says', '<input style="width: 100%">', [0, 0, 300, 20]],
    ['as its content, also as a block', '<button style="display: block">go</button>', [0, 0, 11, 20]],
    ['as its lines', '<textarea rows=3 cols=10></textarea>', [0, 0, 75, 60]],
  ])('are as large %s', (_, body, box) => {
    expect(drawn(body).fills?.map((one) => one.slice(0, 4))).toEqual([box])
  })

  it('keep check marks that the page draws itself as boxes', () => {
    const { fills, undrawn } = drawn(
      '<input type=checkbox>',
      '[type=checkbox] { appearance: none; width: 15px; height: 15px }',
    )
    expect([fills, undrawn]).toEqual([[[4, 3, 15, 15, 'eeeeee']], []])
  })
  it.each([['file'], ['range'], ['color']])('that are no text are reported: %s', (type) => {
    expect(drawn(`<input type=${type}>`).undrawn).toContain('fields of forms')
  })
  it('with very many choices or letters stay within bounds', () => {
    const many = '<option>x'.repeat(20_000)
    expect(
      drawn(`<select>${many}</select><input size=1e9 value="${'a'.repeat(100_000)}">`).texts?.length,
    ).toBe(2)
  })
})
