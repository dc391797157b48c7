import { describe, expect, test } from 'vitest'
import {
  attributeOf,
  attributesOf,
  cutAtAttribute,
  elementsIn,
  insertInto,
  replaceAttribute,
  replaceContents,
  replaceElements,
  replaceTags,
  tagsIn,
  withoutAttribute,
  withoutAttributes,
} from '../../../shared/xml/elements.ts'

describe('elements', () => {
  const contents = (markup: string, ...names: string[]) =>
    [...elementsIn(markup, ...names)].map(({ attributes, content }) => [attributes, content])
  test('with one tag, two tags, and longer names beside', () =>
    expect(contents('<c r="1"/><cc>x</cc><c></c><c a=">" >y<d/></c >', 'c')).toEqual([
      [' r="1"', undefined],
      ['', ''],
      [' a=">" ', 'y<d/>'],
    ]))
  test('those inside others of the same name belong to these', () =>
    expect(contents('<a>1<a>2</a><a/><ab>3</ab></a><a>4</a>', 'a')).toEqual([
      ['', '1<a>2</a><a/><ab>3</ab>'],
      ['', '4'],
    ]))
  test('of several names', () =>
    expect(contents('<x><b/><a>1</a></x><b>2</b>', 'a', 'b')).toEqual([
      ['', undefined],
      ['', '1'],
      ['', '2'],
    ]))
  test('of any name', () =>
    expect([...elementsIn('<?pi?>text<b><a>1</a></b><c/></d>')].map(({ name }) => name)).toEqual(['b', 'c']))
  test('one that is cut off ends the search', () => {
    expect(contents('<a>1</a><a>2', 'a')).toEqual([['', '1']])
    expect(contents('<a b="', 'a')).toEqual([])
  })
  test('many that are never closed take linear time', () =>
    expect(contents('<a>'.repeat(200_000), 'a')).toEqual([]))
  test('are replaced in one pass', () =>
    expect(
      replaceElements('<a/>-<a>1</a>-<a>2</a>', 'a', (_, content) => (content === '1' ? undefined : '#')),
    ).toBe('#-<a>1</a>-#'))
  test('get other content', () =>
    expect(replaceContents('<a b="1">x</a><a/><c><a>y</a></c>', 'a', (content) => `${content}!`)).toBe(
      '<a b="1">x!</a><a/><c><a>y!</a></c>',
    ))
  test('more goes into the root', () => {
    expect(insertInto('<?xml?><a x="1"/>', 'a', '<b/>')).toBe('<?xml?><a x="1"><b/></a>')
    expect(insertInto('<a><c/></a >', 'a', '<b/>')).toBe('<a><c/><b/></a >')
    expect(insertInto('<a><c/></a>', 'a', '<b/>', 'first')).toBe('<a><b/><c/></a>')
  })
})

describe('attributes', () => {
  const tag = `<c r="A1" x:r='b"' note="r=&quot;2&quot;"\n s = "3" t="`
  test('are found by their name as it is written', () =>
    expect(['r', 'x:r', 's', 't', 'c', 'ote'].map((name) => attributeOf(tag, name))).toEqual([
      'A1',
      'b"',
      '3',
      undefined,
      undefined,
      undefined,
    ]))
  test('in what stands behind the name', () => expect(attributeOf(' a="1" b="2"', 'b')).toBe('2'))
  test('are replaced, removed, and cut', () => {
    expect(replaceAttribute('<c a="1" b="2"/>', 'a', '$&')).toBe('<c a="$&" b="2"/>')
    expect(replaceAttribute('<c a="1"/>', 'b', '3')).toBe('<c a="1"/>')
    expect(withoutAttribute('<c a="1" b="2"/>', 'b')).toBe('<c a="1"/>')
    expect(cutAtAttribute('<c a="1" b="2"/>', 'b')).toEqual({
      before: '<c a="1" b="',
      value: '2',
      after: '"/>',
    })
  })
})

describe('start tags', () => {
  test('of one name, in each other, with a closing bracket in a value', () =>
    expect([...tagsIn('<a n="1"><ab/><a n=">"/></a><a', 'a')]).toEqual(['<a n="1">', '<a n=">"/>']))
  test('are replaced, whatever their depth; end tags and instructions stay', () => {
    const marked = replaceTags('<?a?><a><b x=">"/>t</a><b', (tag, name) =>
      name === 'b' ? tag.replace('/>', ' y=""/>') : tag,
    )
    expect(marked).toBe('<?a?><a><b x=">" y=""/>t</a><b')
  })
})

describe('several attributes', () => {
  test('are read by name, with any white space and either quote', () =>
    expect([...attributesOf('<a b="1" c:d = \'"\' e="')]).toEqual([
      ['b', '1'],
      ['c:d', '"'],
    ]))
  test('are removed with the white space before them; one that is cut off stays', () => {
    const removed = (name: string) => name.startsWith('x')
    expect(withoutAttributes('<a x="1" b="x=2"\nx2="3"/>', removed)).toBe('<a b="x=2"/>')
    expect(withoutAttributes('<a b="1" x="', removed)).toBe('<a b="1" x="')
  })
})
