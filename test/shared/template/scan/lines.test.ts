import { describe, expect, it } from 'vitest'
import { tokenLines } from '../../../helpers/compile.ts'

const contexts = (text: string, syntax: 'csv' | 'json' | 'text' | 'markdown'): string[] =>
  tokenLines(text, syntax).filter((line) => line.startsWith('tag'))

describe('text formats', () => {
  it('a line is an element that its line end closes', () =>
    expect(tokenLines('a {d.v}\r\n\nb', 'text')).toEqual([
      'open  line ""',
      'text  "a "',
      'tag   {d.v} as plain',
      'close line "\\r\\n"',
      'open  line ""',
      'close line "\\n"',
      'open  line ""',
      'text  "b"',
      'close line ""',
    ]))

  it('a field of CSV that is a tag alone may be put in quotes, one in quotes is not', () =>
    expect(contexts('{d.a},x{d.b},"{d.c}"\n{d.d}', 'csv')).toEqual([
      'tag   {d.a} as csv',
      'tag   {d.b} as csv-part',
      'tag   {d.c} as quoted',
      'tag   {d.d} as csv',
    ]))

  it('JSON has contexts for strings, complete values and the markup between them', () =>
    expect(
      contexts('{"a": "x{d.a}", "b\\"{d.b}": {d.c} , "d": [{d.d}],"\\\\":[{d.e}{"n":1}{d.f}]\n}', 'json'),
    ).toEqual([
      'tag   {d.a} as json',
      'tag   {d.b} as json',
      'tag   {d.c} as json-value',
      'tag   {d.d} as json-value',
      'tag   {d.e} as plain',
      'tag   {d.f} as plain',
    ]))

  it('rows of a Markdown table escape their bars', () =>
    expect(contexts('{d.a}\n| {d.b} |\n', 'markdown')).toEqual([
      'tag   {d.a} as plain',
      'tag   {d.b} as markdown',
    ]))

  it('a block of HTML in Markdown is markup', () =>
    expect(tokenLines('<p title="{d.a}">\n{d.b}\n</p>\n\n{d.c}', 'markdown')).toEqual([
      'open  p "<p title=\\""',
      'tag   {d.a} as attribute',
      'more  "\\">"',
      'text  "\\n"',
      'tag   {d.b} as text',
      'text  "\\n"',
      'close p "</p>\\n"',
      'open  line ""',
      'close line "\\n"',
      'open  line ""',
      'tag   {d.c} as plain',
      'close line ""',
    ]))
})
