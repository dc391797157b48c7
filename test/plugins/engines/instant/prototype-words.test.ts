/**
 * The words that every object answers to, in the places of a web page and of a number format where a word selects something:
 * the result is that of a word which means nothing.
 */
import { describe, expect, test } from 'vitest'
import { parseFormat } from '../../../../plugins/engines/instant/style/cell-number/parse.ts'
import { createNumberPrinter } from '../../../../plugins/engines/instant/style/cell-number/print.ts'
import { layPage } from '../../../helpers/web-layout.ts'

/** Each word of the prototype, and one of its length and syntax that no table and no prototype has. */
const words = [
  ['constructor', 'constructoq'],
  ['__proto__', '__protq__'],
  ['toString', 'toStrinq'],
  ['valueOf', 'valueOq'],
  ['hasOwnProperty', 'hasOwnPropertq'],
] as const

const properties =
  `align-items align-self background background-color background-image background-position background-repeat
background-size border border-collapse border-style border-width box-shadow break-before break-inside caption-side clear color
content direction display filter flex flex-direction float font font-family font-size font-style font-variant font-weight gap
grid-area grid-auto-flow grid-template-areas grid-template-columns height hyphens justify-content letter-spacing line-height
list-style-type margin max-width opacity order overflow padding page position quotes text-align text-decoration text-transform
transform transform-origin unicode-bidi vertical-align visibility white-space width word-break writing-mode`.split(
    /\s+/,
  )

/** Values around the word, since shorthands and functions look their words up on their own. */
const values = [
  'WORD',
  'WORD WORD',
  '2WORD',
  '1px solid WORD',
  'linear-gradient(to WORD, red, blue)',
  'counter(a, WORD)',
]

/** Pages with the word in the places of attributes, elements and selectors. */
const pages = [
  '<ol type="WORD"><li>a</ol><ul type="WORD"><li>b</ul>',
  '<input type="WORD" value="a"><button type="WORD">b</button>',
  '<table align="WORD" rules="WORD" frame="WORD"><tr valign="WORD"><td align="WORD">a</table>',
  '<x-WORD>a</x-WORD><p align="WORD">b</p><font size="WORD" color="WORD">c</font>',
  '<style>WORD, [WORD], [type=WORD i], :WORD, ::WORD { color: red } @media WORD { p { color: red } } @page WORD { size: WORD }</style><p>a',
  '<style>@counter-style WORD { system: WORD; symbols: a } li { list-style: WORD }</style><ul><li>a</ul>',
  '<svg width="20" height="20" fill="WORD"><WORD/><rect width="9WORD" height="9" style="stroke: WORD; WORD: 1"/><text text-anchor="WORD">a</text></svg>',
  '<p lang="WORD">a soft word</p><p dir="WORD">b</p><math><mo form="WORD">a</mo></math>',
]

/** The frames of a page as text, with the word as `WORD` again: some of it is drawn, in lower case where the page says so. */
function drawn(template: string, word: string): string {
  const frames = layPage(template.replaceAll('WORD', word)).pages.map(({ frame }) => frame)
  const text = JSON.stringify(frames, (_key, value: unknown) =>
    typeof value === 'function' ? `function ${value.name}` : value,
  )
  return text.replaceAll(new RegExp(word, 'gi'), 'WORD')
}

describe.each(words)('%s', (word, neutral) => {
  const sameAsNeutral = (template: string): void => {
    const isSame = drawn(template, word) === drawn(template, neutral)
    expect(isSame, template).toBe(true)
  }

  test('as values of properties', () => {
    for (const property of properties)
      for (const value of values) sameAsNeutral(`<div style="${property}: ${value}">a <b>b</b></div>`)
  })

  test('as a property', () => sameAsNeutral('<p style="WORD: red; --WORD: 1px; margin: var(--WORD)">a'))

  test.each(pages)('%s', sameAsNeutral)

  test('in number formats', () => {
    const { print } = createNumberPrinter({ date1904: false, language: 'en-us' })
    for (const code of ['[WORD]0.0', '[$-WORD]0', '[$WORD-409]0', '[WORD>1]0;0', '"a"[WORD]'])
      expect(shown(code.replaceAll('WORD', word)), code).toBe(shown(code.replaceAll('WORD', neutral)))
    function shown(code: string): string {
      const text = JSON.stringify([parseFormat(code), print(12.5, code)])
      return text.replaceAll(word, neutral)
    }
  })
})
