import { describe, expect, test } from 'vitest'
import { DataStores } from '../../../../../plugins/formats/docx/reader/data-binding.ts'

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relationships = (...targets: readonly (readonly [type: string, target: string])[]): string =>
  `<Relationships>${targets.map(([type, target], index) => `<Relationship Id="r${index}" Type="${office}/${type}" Target="${target}"/>`).join('')}</Relationships>`
const store = '{AAAAAAAA-0000-0000-0000-000000000001}'
const texts: Readonly<Record<string, string>> = {
  'word/_rels/document.xml.rels': relationships(
    ['customXml', '../customXml/item1.xml'],
    ['customXml', '../customXml/item2.xml'],
  ),
  'customXml/item1.xml':
    '<d xmlns="urn:d" kind="letter"><name>Ann &amp; Co</name><list><one>first</one><one>second</one></list><none/></d>',
  'customXml/_rels/item1.xml.rels': relationships(['customXmlProps', 'props1.xml']),
  'customXml/props1.xml': `<x:datastoreItem x:itemID="${store.toLowerCase()}" xmlns:x="http://schemas.openxmlformats.org/officeDocument/2006/customXml"/>`,
  'customXml/item2.xml': '<plain><name>Bee</name></plain>',
  '_rels/.rels': relationships(
    ['core-properties', 'docProps/core.xml'],
    ['extended-properties', 'docProps/app.xml'],
  ),
  'docProps/core.xml':
    '<c:coreProperties xmlns:c="urn:c" xmlns:dc="urn:dc"><dc:title>The title</dc:title></c:coreProperties>',
  'docProps/app.xml': '<Properties xmlns="urn:app"><Company>The firm</Company></Properties>',
}
const stores = (): DataStores =>
  new DataStores((name) => {
    const text = texts[name]
    return text === undefined ? undefined : new TextEncoder().encode(text)
  }, 'word/document.xml')
const valueAt = (
  path: string,
  id: string | undefined = store,
  namespaces = "xmlns:n='urn:d'",
): string | undefined => stores().value({ path, namespaces, ...(id !== undefined && { store: id }) })

describe('the value a control is bound to', () => {
  test.each([
    ['an element', '/n:d[1]/n:name[1]', 'Ann & Co'],
    ['one of several', '/n:d[1]/n:list[1]/n:one[2]', 'second'],
    ['without numbers', '/n:d/n:list/n:one', 'first'],
    ['an attribute', '/n:d[1]/@kind', 'letter'],
    ['an empty element', '/n:d[1]/n:none[1]', undefined],
    ['what is not there', '/n:d[1]/n:list[1]/n:one[3]', undefined],
    ['another root', '/n:e[1]/n:name[1]', undefined],
    ['a path of another kind', '/n:d[1]/*[1]', undefined],
    ['no path', '', undefined],
  ])('%s', (_, path, value) => expect(valueAt(path)).toBe(value))

  test('is searched only in the store of its ID', () => {
    expect(valueAt('/plain[1]/name[1]')).toBeUndefined()
    expect(valueAt('/plain[1]/name[1]', '{BBBBBBBB-0000-0000-0000-000000000001}')).toBeUndefined()
  })
  test('without an id in all stores', () =>
    expect(stores().value({ path: '/plain[1]/name[1]', namespaces: '' })).toBe('Bee'))
  test.each([
    [
      'the title',
      '{6C3C8BC8-F283-45AE-878A-BAB7291924A1}',
      '/c:coreProperties[1]/d:title[1]',
      "xmlns:c='urn:c' xmlns:d='urn:dc'",
      'The title',
    ],
    [
      'the firm',
      '{6668398D-A668-4E3E-A5EB-62B293D839F1}',
      '/a:Properties[1]/a:Company[1]',
      'xmlns:a="urn:app"',
      'The firm',
    ],
  ])('properties of the document: %s', (_, id, path, namespaces, value) =>
    expect(valueAt(path, id, namespaces)).toBe(value),
  )

  test('a store that is not XML has no values', () => {
    const broken = new DataStores(
      (name) =>
        new TextEncoder().encode(name === 'customXml/item1.xml' ? '<!DOCTYPE x><x>' : (texts[name] ?? '')),
      'word/document.xml',
    )
    expect(broken.value({ path: '/x[1]', namespaces: '' })).toBeUndefined()
  })
  test('the search stops at a limit', () => {
    const large = `<d><name>${'x'.repeat(20_000_000)}</name></d>`
    let read = 0
    const parts = new DataStores((name) => {
      if (name === 'customXml/item1.xml') read++
      return new TextEncoder().encode(name === 'customXml/item1.xml' ? large : (texts[name] ?? ''))
    }, 'word/document.xml')
    const values = [1, 2, 3, 4].map((index) =>
      parts.value({ path: `/d[1]/name[1]/${'x'.repeat(index)}`, namespaces: '' }),
    )
    expect(values).toEqual([undefined, undefined, undefined, undefined])
    expect(parts.value({ path: '/d[1]/name[1]', namespaces: '' })).toBeUndefined()
    expect(read).toBe(1)
  })
})
