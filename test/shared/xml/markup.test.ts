import { describe, expect, test } from 'vitest'
import { escapeAttribute, escapeText, hasStructure, hasTag, withoutTags } from '../../../shared/xml/markup.ts'

describe('escaping', () => {
  test.each([
    ['plain', 'plain'],
    ['', ''],
    ['a <b> & "c" \'d\'', 'a &lt;b&gt; &amp; "c" \'d\''],
    ['&&', '&amp;&amp;'],
    ['\t\n\r\u007f\u0085\ufffd', '\t\n\r\u007f\u0085\ufffd'],
    ['a\u0000b\u000bc\u001fd\ufffee\uffff<', 'abcde&lt;'],
    ['\u{1f600}<\ud800', '\u{1f600}&lt;\ud800'],
  ])('%j between tags is %j', (text, expected) => expect(escapeText(text)).toBe(expected))
  test('in a value, double quotes too', () => expect(escapeAttribute('<"&\'>')).toBe("&lt;&quot;&amp;'&gt;"))
})

describe('markup without its tags', () => {
  test('is the text between them', () => expect(withoutTags('<a b="1">x<c/>&lt;y</a>')).toBe('x&lt;y'))
  test('a closing bracket in a value ends no tag', () => expect(withoutTags('<a b=">">x</a>')).toBe('x'))
  test('what is cut off stays', () => expect(withoutTags('x<a b="')).toBe('x<a b="'))
})

describe('tags of a template', () => {
  test('are found across runs', () => {
    expect(hasTag('<r>{</r><r a=">">d.x</r>}')).toBe(true)
    expect(hasStructure('{d.a<r/>[i]}')).toBe(true)
  })
  test('braces alone are none', () => expect(hasTag('<r>{ }</r>')).toBe(false))
})
