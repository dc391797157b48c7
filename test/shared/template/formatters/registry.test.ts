import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { formatters, suggest } from '../../../../shared/template/formatters/registry.ts'
// @ts-expect-error: the scripts of test/run are plain JavaScript
import { page } from '../../../run/formatter-reference.mjs'

test('the registry has every formatter of the language, in order', () => {
  expect([...formatters.keys()].join(' ')).toBe(
    'abs add addD aggAvg aggCount aggCountD aggMax aggMin aggStr aggStrD aggSum and append appendFile ' +
      'appendTemplate arrayJoin arrayMap attachFile autoOrient barcode ceil chart check checkField color convCRLF ' +
      'convCurr convDate convEnum convert count cumCount cumCountD cumSum defaultURL diffD div drop ellipsis ' +
      'elseShow endOfD fill fillField floor formatC formatD formatI formatN formatR hideBegin hideEnd html ' +
      'ifContain ifEM ifEQ ifEmpty ifEqual ifGT ifGTE ifIN ifLT ifLTE ifNE ifNEM ifNIN ifTE imageFit int isImage ' +
      'keep len lowerCase md5 mod mul or padl padr prepend preserveCharRef print printJSON replace round set show ' +
      'showBegin showEnd sign slice split startOfD sub subD substr svgSelectiveUpdate svgUpdate t toEN toFR ' +
      'toFixed transform ucFirst ucWords unaccent uncheck upperCase',
  )
})

test.each([
  ['upercase', 'upperCase'],
  ['formtN', 'formatN'],
  ['ifeq', 'ifEQ'],
  ['agSum', 'aggSum'],
  ['formatd', 'formatD'],
  ['pritn', 'print'],
  ['neutral', undefined],
  ['xyzzy', undefined],
  ['a'.repeat(20_000), undefined],
])('%s suggests %s', (name, expected) => {
  expect(suggest(name)).toBe(expected)
})

test('REFERENCE.md is current: node test/run/formatter-reference.mjs writes it', () => {
  const file = new URL('../../../../shared/template/formatters/REFERENCE.md', import.meta.url)
  expect(readFileSync(file, 'utf8')).toBe(page())
})
