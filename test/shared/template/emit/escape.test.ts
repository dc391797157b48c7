import { describe, expect, it } from 'vitest'
import { escapeFor, escapeMarkup } from '../../../../shared/template/emit/escape.ts'
import type { TagContext } from '../../../../shared/template/scan/tokens.ts'

const cases: readonly (readonly [context: TagContext, text: string, written: string])[] = [
  ['text', `<a & "b">\u0001`, '&lt;a &amp; "b"&gt;'],
  ['attribute', `<'&">`, '&lt;&#39;&amp;&quot;&gt;'],
  ['bare', 'a="b">', 'a="b"&gt;'],
  ['address', 'a b|{c}&d', 'a%20b%7C%7Bc%7D&amp;d'],
  ['comment', 'a--b-', 'a- -b- '],
  ['cdata', 'a]]>b', 'a]]]]><![CDATA[>b'],
  ['markdown', 'a|b\r\nc', 'a\\|b<br>c'],
  ['csv', 'a,"b"', '"a,""b"""'],
  ['csv', 'plain', 'plain'],
  ['quoted', 'a"b', 'a""b'],
  ['plain', '<a>', '<a>'],
]

describe('values in their place', () => {
  for (const [context, text, written] of cases)
    it(`${context}: ${JSON.stringify(text)}`, () => expect(escapeFor(context, text)).toBe(written))
  it('references in escaped text stay', () => expect(escapeMarkup('a&amp;<b>')).toBe('a&amp;&lt;b&gt;'))
})
