import { describe, expect, test } from 'vitest'
import { conventionalXml } from '../../../shared/xml/conventional.ts'

const sheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const compatibility = 'http://schemas.openxmlformats.org/markup-compatibility/2006'
const drawing = 'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing'
const w = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const strictW = 'http://purl.oclc.org/ooxml/wordprocessingml/main'

function check(text: string, expected: string): void {
  expect(conventionalXml(text)).toBe(expected)
}
const unchanged = (text: string) => check(text, text)

describe('a part in the conventional form is returned as it is', () => {
  test('spreadsheet, with an apostrophe, an equals sign and quotes in its text', () =>
    unchanged(`<worksheet xmlns="${sheet}"><f>IF(A1 = "x",'b c'!B1="y")</f><c r="A1" /></worksheet>`))
  test('declarations of extensions on inner elements', () =>
    unchanged(
      `<w:document xmlns:w="${w}"><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"/></w:document>`,
    ))
  test('references that keep a character from being lost', () =>
    unchanged(`<w:document xmlns:w="${w}" w:a="x&#10;y&#xA;"><w:t>&#39;&#160;</w:t></w:document>`))
  test('what is not well-formed', () => {
    unchanged(`<x:a xmlns:x="${sheet}"><x:b></x:a>`)
    const deep = Array.from({ length: 5_000 }, (_, n) => `<x:a xmlns:p${n}="urn:${n}">`).join('')
    unchanged(`<x:a xmlns:x="${sheet}">${deep}${'</x:a>'.repeat(5_001)}`)
    unchanged(`<x:a xmlns:x="${sheet}">`)
    unchanged('<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>')
    unchanged(`<x:a xmlns:x="${sheet}"><y:b/></x:a>`)
    unchanged(`<x:a xmlns:x="${sheet}"/><x:a xmlns:x="${sheet}"/>`)
  })
})

describe('names have the conventional prefix of their namespace', () => {
  test('a prefix where none is usual', () =>
    check(
      `<x:worksheet xmlns:x="${sheet}"><x:c r="A1"><x:v>1</x:v></x:c></x:worksheet>`,
      `<worksheet xmlns="${sheet}"><c r="A1"><v>1</v></c></worksheet>`,
    ))
  test('a default namespace where a prefix is usual', () =>
    check(
      `<wsDr xmlns="${drawing}"><from/></wsDr>`,
      `<xdr:wsDr xmlns:xdr="${drawing}"><xdr:from/></xdr:wsDr>`,
    ))
  test('attributes too', () =>
    check(
      `<worksheet xmlns="${sheet}" xmlns:q="${relationships}"><drawing q:id="rId1"/></worksheet>`,
      `<worksheet xmlns="${sheet}" xmlns:r="${relationships}"><drawing r:id="rId1"/></worksheet>`,
    ))
  test('strict namespaces stay what they are', () =>
    check(`<q:p xmlns:q="${strictW}"/>`, `<w:p xmlns:w="${strictW}"/>`))
  test('inner declarations of what the code writes go to the root', () =>
    check(
      `<worksheet xmlns="${sheet}"><drawing xmlns:r="${relationships}" r:id="rId1"/></worksheet>`,
      `<worksheet xmlns="${sheet}" xmlns:r="${relationships}"><drawing r:id="rId1"/></worksheet>`,
    ))
  test('a prefix that means something else inside and behind an element', () =>
    check(
      `<a xmlns="${sheet}" xmlns:p="urn:one"><p:x xmlns:p="urn:two"><p:y/></p:x><p:z/><w:b xmlns:w="urn:three"/></a>`,
      `<a xmlns="${sheet}" xmlns:ns1="urn:one" xmlns:ns2="urn:two" xmlns:ns3="urn:three"><ns2:x><ns2:y/></ns2:x><ns1:z/><ns3:b/></a>`,
    ))
  test('elements of another default namespace do not pass for those of the part', () =>
    check(
      `<a xmlns="${sheet}"><row xmlns="urn:other"><row/></row><row xmlns=""/><row/></a>`,
      `<a xmlns="${sheet}" xmlns:ns1="urn:other"><ns1:row><ns1:row/></ns1:row><row xmlns=""/><row/></a>`,
    ))
  test('values that name prefixes', () => {
    check(
      `<q:document xmlns:q="${w}" xmlns:ve="${compatibility}" xmlns:z="urn:z" ve:Ignorable="z" ve:ProcessContent="z:one q:two"><ve:AlternateContent><ve:Choice Requires="z q"/></ve:AlternateContent></q:document>`,
      `<w:document xmlns:w="${w}" xmlns:mc="${compatibility}" xmlns:z="urn:z" mc:Ignorable="z" mc:ProcessContent="z:one w:two"><mc:AlternateContent><mc:Choice Requires="z w"/></mc:AlternateContent></w:document>`,
    )
    check(
      '<t:table xmlns:t="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:f="urn:oasis:names:tc:opendocument:xmlns:of:1.2" t:formula="f:=[.A1]" t:name="f:x"/>',
      '<table:table xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" table:formula="of:=[.A1]" table:name="f:x"/>',
    )
  })
})

describe('the rest of the markup can be compared as it is written', () => {
  test('quotes and spaces', () =>
    check(
      `<a xmlns='${sheet}'><b  r = 'say "x" > y'  s="1" ><c ></c ></b ></a>`,
      `<a xmlns="${sheet}"><b r="say &quot;x&quot; &gt; y" s="1"><c></c></b></a>`,
    ))
  test.each(
    [' ', '\t', '\n', '\r\n'].flatMap((space) => [
      `<b r${space}="1"></b>`,
      `<b r=${space}"1"></b>`,
      `<b r='1'${space}></b>`,
      `<b r="1"></b${space}>`,
    ]),
  )('white space in a tag behind white space in text: %j', (tag) => {
    const text = 'a = "1" >\tb\t=\t"2"\t>\nc\n=\n"3"\r\n>'
    check(`<a xmlns="${sheet}">${text}${tag}</a>`, `<a xmlns="${sheet}">${text}<b r="1"></b></a>`)
  })
  test('comments and sections', () =>
    check(
      `<!-- one --><a xmlns="${sheet}">{d.<!-- <b> -->name}<![CDATA[<&]]></a>`,
      `<a xmlns="${sheet}">{d.name}&lt;&amp;</a>`,
    ))
  test('references for ordinary characters', () =>
    check(
      `<a xmlns="${sheet}" r="&#65;1&#10;&#34;">&#123;d.&#x6e;ame} &#60;&#x20;&#128512;</a>`,
      `<a xmlns="${sheet}" r="A1&#10;&#34;">{d.name} &#60;&#x20;\u{1f600}</a>`,
    ))
})
