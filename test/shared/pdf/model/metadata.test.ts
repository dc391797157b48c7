import { describe, expect, test } from 'vitest'
import {
  archivePart,
  declaresAccessibility,
  declaringFourth,
  hasTitle,
  invoiceProfile,
  propertyOf,
  withInvoice,
  withMarkDescribed,
  withoutConformance,
} from '../../../../shared/pdf/model/metadata.ts'

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const archive = 'http://www.aiim.org/pdfa/ns/id/'
const accessible = 'http://www.aiim.org/pdfua/ns/id/'
const packet = (description: string, r = 'rdf') =>
  `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><${r}:RDF xmlns:${r}="${rdf}">${description}</${r}:RDF></x:xmpmeta><?xpacket end="w"?>`

/** The same properties as elements, as attributes, and with prefixes that no producer is known to choose. */
const forms: readonly (readonly [name: string, text: string])[] = [
  [
    'elements',
    packet(
      `<rdf:Description rdf:about="" xmlns:pdfaid="${archive}" xmlns:pdfuaid="${accessible}"><pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance><pdfuaid:part> 1</pdfuaid:part></rdf:Description>`,
    ),
  ],
  [
    'attributes',
    packet(
      `<rdf:Description rdf:about='' xmlns:pdfaid='${archive}' xmlns:pdfuaid="${accessible}" pdfaid:part = '2' pdfaid:conformance="B" pdfuaid:part="1"/>`,
    ),
  ],
  [
    'other prefixes',
    packet(
      `<q:Description q:about="" xmlns:a="${archive}" xmlns:u="${accessible}" a:part="2" a:conformance="B"><u:part>1</u:part></q:Description>`,
      'q',
    ),
  ],
]

describe.each(forms)('the standards that a packet declares as %s', (_name, text) => {
  test('are read', () => {
    expect(archivePart(text)).toBe(2)
    expect(declaresAccessibility(text)).toBe(true)
  })
  test('are removed one by one', () => {
    const plain = withoutConformance(text, { archive: true, accessible: false })
    expect(archivePart(plain)).toBe(0)
    expect(propertyOf(plain, archive, 'conformance')).toBeUndefined()
    expect(declaresAccessibility(plain)).toBe(true)
    expect(declaresAccessibility(withoutConformance(text, { archive: false, accessible: true }))).toBe(false)
  })
  test('become those of PDF/A-4', () => {
    const fourth = declaringFourth(text)
    expect(archivePart(fourth)).toBe(4)
    expect(propertyOf(fourth, archive, 'rev')).toBe('2020')
    expect(propertyOf(fourth, archive, 'conformance')).toBeUndefined()
    expect(declaresAccessibility(fourth)).toBe(true)
  })
  test('are described once, in the list of schemas of the packet', () => {
    const described = withMarkDescribed(text)
    expect(described).toContain(`<pdfaSchema:namespaceURI>${accessible}</pdfaSchema:namespaceURI>`)
    expect(withMarkDescribed(described)).toBe(described)
    const both = withInvoice(described, { name: 'BASIC', version: '1.0' }, 'factur-x.xml')
    expect(both.split('<pdfaExtension:schemas>')).toHaveLength(2)
    expect(both.split('<pdfaSchema:schema>')).toHaveLength(3)
    expect(propertyOf(both, 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#', 'ConformanceLevel')).toBe(
      'BASIC',
    )
  })
})

test('an invoice gets a packet where there is none', () =>
  expect(
    propertyOf(
      withInvoice('', { name: 'BASIC', version: '1.0' }, 'a.xml'),
      'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#',
      'DocumentFileName',
    ),
  ).toBe('a.xml'))

test('a title counts when it is not blank', () => {
  const titled = (title: string) =>
    packet(
      `<rdf:Description xmlns:d="http://purl.org/dc/elements/1.1/"><d:title><rdf:Alt><rdf:li xml:lang="x-default">${title}</rdf:li></rdf:Alt></d:title></rdf:Description>`,
    )
  expect(hasTitle(titled('Report'))).toBe(true)
  expect(hasTitle(titled(' '))).toBe(false)
  expect(hasTitle('')).toBe(false)
})

test('the profile of an invoice is read whatever the prefixes of the invoice are', () => {
  const invoice = (p: string) =>
    `<${p}:ExchangedDocumentContext xmlns:${p}="urn:un"><${p}:GuidelineSpecifiedDocumentContextParameter>\n <${p}:ID>urn:cen.eu:en16931:2017</${p}:ID></${p}:GuidelineSpecifiedDocumentContextParameter></${p}:ExchangedDocumentContext>`
  expect(invoiceProfile(invoice('ram'))?.name).toBe('EN 16931')
  expect(invoiceProfile(invoice('z'))?.name).toBe('EN 16931')
  expect(invoiceProfile('<a/>')).toBeUndefined()
})
