import { describe, expect, test } from 'vitest'
import { type Vocabulary, XmlCursor, XmlFault } from '../../../shared/xml/cursor.ts'

const vocabulary: Vocabulary = {
  prefixes: new Map([
    ['urn:w', 'w'],
    ['urn:w-strict', 'w'],
  ]),
  understood: new Set(['w']),
}

/** Elements, attributes and text as nested lists. */
function outline(xml: string): unknown {
  const cursor = new XmlCursor(xml, vocabulary)
  if (!cursor.root()) return undefined
  const walk = (): unknown => {
    const node: unknown[] = [cursor.name, ...cursor.attributes().map(([name, value]) => `${name}=${value}`)]
    cursor.each(
      () => node.push(walk()),
      (text) => text.trim() !== '' && node.push(`"${text}"`),
    )
    return node
  }
  return walk()
}

describe('what is read', () => {
  const table: readonly (readonly [string, string, unknown])[] = [
    ['elements and text', '<a>one<b/>two</a>', ['a', '"one"', ['b'], '"two"']],
    ['attributes in either quote', `<a x="1" y='2>3'/>`, ['a', 'x=1', 'y=2>3']],
    ['references', '<a x="&lt;&#65;&#x42;">&amp;&unknown;</a>', ['a', 'x=<AB', '"&&unknown;"']],
    [
      'references that every object knows',
      '<a>&constructor;&toString;</a>',
      ['a', '"&constructor;&toString;"'],
    ],
    [
      'comments, instructions and CDATA',
      '<?xml?><!-- <x> --><a>1<!-- 2 -->3<![CDATA[<4>]]></a>',
      ['a', '"1"', '"3"', '"<4>"'],
    ],
    [
      'a bound prefix by its usual name',
      '<n:a xmlns:n="urn:w"><n:b n:x="1"/></n:a>',
      ['w:a', 'xmlns:n=urn:w', ['w:b', 'w:x=1']],
    ],
    ['the default namespace', '<a xmlns="urn:w-strict"><b/></a>', ['w:a', 'xmlns=urn:w-strict', ['w:b']]],
    [
      'a taken choice',
      '<a><mc:AlternateContent><mc:Choice Requires="w"><b/></mc:Choice><mc:Fallback><c/></mc:Fallback></mc:AlternateContent></a>',
      ['a', ['b']],
    ],
    [
      'a fallback',
      '<a><mc:AlternateContent><mc:Choice Requires="x"><b/></mc:Choice><mc:Fallback><c/></mc:Fallback></mc:AlternateContent></a>',
      ['a', ['c']],
    ],
    ['an element that is cut off', '<a><b>text', ['a', ['b', '"text"']]],
  ]
  for (const [name, xml, expected] of table) test(name, () => expect(outline(xml)).toEqual(expected))
})

describe('what is refused', () => {
  for (const xml of ['<!DOCTYPE a [<!ENTITY b "c">]><a/>', '<a x="1', '<a', '<a><!-- ', '<a><![CDATA[ ']) {
    test(xml, () => expect(() => outline(xml)).toThrow(XmlFault))
  }
})

describe('walking', () => {
  test('what a visitor leaves is skipped', () => {
    const cursor = new XmlCursor('<a><b><x><y/></x></b><c/></a>', vocabulary)
    cursor.root()
    const seen: string[] = []
    cursor.each((name) => seen.push(name))
    expect(seen).toEqual(['b', 'c'])
  })
  test.each([
    ['children', '<a x="1"><b x="2"><c x="3"/></b><b x="4">t</b></a>'],
    ['an empty child', '<a x="1"><b x="2"/></a>'],
    ['text', '<a x="1">t</a>'],
    ['nothing', '<a x="1"/>'],
    ['an end that is missing', '<a x="1"><b x="2">'],
  ])('attributes of an element with %s can be read before and after its content', (_, text) => {
    for (const pass of [
      (cursor: XmlCursor) => cursor.each(() => cursor.attributes()),
      (cursor: XmlCursor) => cursor.text(),
    ]) {
      const cursor = new XmlCursor(text, vocabulary)
      cursor.root()
      pass(cursor)
      expect([cursor.name, cursor.attributes(), cursor.isEmpty]).toEqual(['a', [['x', '1']], true])
      const again: string[] = []
      cursor.each((name) => again.push(name))
      expect(again).toEqual([])
    }
  })
  test('markup is the whole element, also when it holds its own kind', () => {
    const cursor = new XmlCursor('<a><b i="1"><b/>t</b><c/></a>', vocabulary)
    cursor.root()
    const seen: string[] = []
    cursor.each((name) => {
      const markup = cursor.markup()
      seen.push(markup)
      if (name === 'b') cursor.pass(markup)
    })
    expect(seen).toEqual(['<b i="1"><b/>t</b>', '<c/>'])
  })
  test('markup ends where the element ends, with blanks in its last tag or a name that begins alike inside', () => {
    const cursor = new XmlCursor('<a><b><bc>1</bc></b ><b>2</b\n><b>3</b><c/></a >', vocabulary)
    cursor.root()
    const seen: string[] = []
    cursor.each(() => {
      const markup = cursor.markup()
      seen.push(markup)
      cursor.pass(markup)
    })
    expect(seen).toEqual(['<b><bc>1</bc></b >', '<b>2</b\n>', '<b>3</b>', '<c/>'])
  })
  test.each([
    ['tags with blanks and no attributes', '<b ></b >', '<b ></b >'],
    ['elements that end with a blank', '<b x="1">t</b >', '<b x="1">t</b >'],
  ])('%s: time grows with the length of the text, not by its square', (_, one, markup) => {
    const count = 100_000
    const cursor = new XmlCursor(`<a>${one.repeat(count)}</a>`, vocabulary)
    const begun = process.cpuUsage()
    cursor.root()
    let seen = 0
    cursor.each(() => {
      cursor.attributes()
      if (cursor.markup() === markup) seen++
    })
    expect(seen).toBe(count)
    expect(process.cpuUsage(begun).user / 1000, 'ms').toBeLessThan(6000)
  })
  test('deep nesting is skipped', () => {
    const cursor = new XmlCursor('<a>'.repeat(5000), vocabulary)
    cursor.root()
    let depth = 0
    const walk = (): void => {
      depth++
      cursor.each(walk)
    }
    cursor.each(walk)
    expect(depth).toBeLessThan(300)
    expect(cursor.tooDeep).toBe(true)
  })
})
