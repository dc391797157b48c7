import { describe, expect, test } from 'vitest'
import { inReadingOrder, readsFromRight } from '../../../../plugins/engines/poppler/text/reading-order.ts'
import { type FlowInline, plainText } from '../../../../shared/flow/flow.ts'

const text = (content: string, style = {}): FlowInline => ({ kind: 'text', text: content, style })
/** As a page shows it: the characters from the left. */
const seen = (logical: string) => Array.from(logical).toReversed().join('')

describe('text that is written from right to left', () => {
  test.each([
    ['one word', seen('שלום'), 'שלום'],
    ['a sentence', seen('שלום עולם, זהו טקסט.'), 'שלום עולם, זהו טקסט.'],
    ['a figure in it', `${seen(' שקל')}1,200.50${seen('מחיר ')}`, 'מחיר 1,200.50 שקל'],
    [
      'Latin words in it',
      `${seen(' טוב מאוד לכולם')}Open Office${seen('זה ')}`,
      'זה Open Office טוב מאוד לכולם',
    ],
    ['brackets', `.(${seen('כן')}) ${seen('אולי')}`, 'אולי (כן).'],
    ['shapes of letters', 'ﻲﺑﺮﻋ', 'عربي'],
    ['some of it in a Latin line', `The word ${seen('שלום עולם')} is here`, 'The word שלום עולם is here'],
    ['a figure inside some of it', `See ${seen('פרק')} 12 ${seen('ספר')} (page)`, 'See ספר 12 פרק (page)'],
    ['none of it', 'left (to) right', 'left (to) right'],
  ])('%s', (_name, given, expected) => {
    expect(plainText(inReadingOrder([text(given)]))).toBe(expected)
  })

  test('formatting stays with its letters', () => {
    const bold = { bold: true }
    expect(inReadingOrder([text(seen('עולם ')), text(seen('שלום '), bold)])).toEqual([
      text('שלום ', bold),
      text('עולם '),
    ])
  })

  test('a picture in the line does not change it', () => {
    const line: readonly FlowInline[] = [text('םולש'), { kind: 'break' }]
    expect(inReadingOrder(line)).toBe(line)
  })

  test.each([
    ['שלום a', true],
    ['Hello ש', false],
    ['12', false],
  ])('%s is read from the right: %s', (line, expected) => {
    expect(readsFromRight(line)).toBe(expected)
  })
})
