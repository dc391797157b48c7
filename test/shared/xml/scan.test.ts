import { describe, expect, it } from 'vitest'
import { defaultLimits } from '../../../shared/limits.ts'
import { decodeEntities, lexXml } from '../../../shared/xml/scan.ts'

const lexemes = (text: string): string[] =>
  lexXml(text, 'part', defaultLimits).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`)

describe('XML', () => {
  it('becomes lexemes that cover all of it', () => {
    expect(lexemes('<?xml version="1.0"?><a b=">"><!-- - --><c/>x<![CDATA[<]]></a>')).toEqual([
      'instruction <?xml version="1.0"?>',
      'open <a b=">">',
      'comment <!-- - -->',
      'void <c/>',
      'text x',
      'cdata <![CDATA[<]]>',
      'close </a>',
    ])
  })

  const wrong: Readonly<Record<string, string>> = {
    'an element that is not closed': '<a>',
    'elements closed in the wrong order': '<a><b></a></b>',
    'an element closed twice': '<a></a></a>',
    'two root elements': '<a/><b/>',
    'text outside of the root': 'x<a/>',
    'no element': ' ',
    'an opening tag that is cut off': '<a b="',
    'a comment that is cut off': '<a><!-- ',
    'an element without a name': '<a>< ></a>',
    'a declaration of types': '<!DOCTYPE a [<!ENTITY x "y">]><a/>',
    'a document type inside the root element': '<a><!DOCTYPE a></a>',
  }
  for (const [name, text] of Object.entries(wrong))
    it(`refuses ${name}`, () => expect(() => lexemes(text)).toThrow())

  it('decodes character references and leaves unknown ones', () =>
    expect(decodeEntities('&lt;&#65;&#x42;&nbsp;&who;&#0;')).toBe('<AB\u00a0&who;&#0;'))

  it('keeps references to half of a surrogate pair and beyond Unicode as they are written', () =>
    expect(decodeEntities('&#xD83D;&#57343;&#x1F600;&#x110000;')).toBe('&#xD83D;&#57343;😀&#x110000;'))
})
