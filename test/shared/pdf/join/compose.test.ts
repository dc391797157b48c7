import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import { composePdf, type PdfComposition } from '../../../../shared/pdf/join/compose.ts'
import { invoiceProfile } from '../../../../shared/pdf/model/metadata.ts'
import { textOfString, textString } from '../../../../shared/pdf/model/text-string.ts'
import { failure } from '../../../helpers/merge.ts'
import { ask, latin1, officePdf, pdfOf, repeatableRandom, stream } from '../../../helpers/pdf.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

const folder = temporaryFolder('compose')
let files = 0
const look = (bytes: Uint8Array, command: string, ...args: string[]) =>
  ask(join(folder, String(++files)), bytes, command, ...args)

async function compose(bytes: Uint8Array, parts: Partial<PdfComposition>) {
  const { signal } = new AbortController()
  const composition = { before: [], after: [], attachments: [], ...parts }
  const made = await composePdf(bytes, composition, {
    codec: nodeCodec,
    random: repeatableRandom(),
    signal,
    now: Date.UTC(2026, 0, 2),
  })
  expect(await look(made.value.bytes, 'qpdf', '--check', '@')).toContain(
    'No syntax or stream encoding errors',
  )
  return made
}

/** One page that says a word; `more` goes into its dictionary, `catalog` into the catalogue. */
function page(word: string, more = '', catalog = '', extra: readonly string[] = []): Uint8Array {
  return pdfOf([
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]/Resources<</Font<</F 5 0 R>>>>>>',
    `<</Type/Page/Parent 2 0 R/Contents 4 0 R${more}>>`,
    stream(`BT /F 24 Tf 20 100 Td (${word}) Tj ET`),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...extra,
  ])
}

const words = async (bytes: Uint8Array) =>
  (await look(bytes, 'pdftotext', '@', '-'))
    .split('\f')
    .map((text) => text.trim())
    .filter(Boolean)

describe('joined files', () => {
  it('stand before and behind, in order, with what they inherit', async () => {
    const { value } = await compose(page('M'), {
      before: [page('A'), page('B')],
      after: [page('Y'), page('Z')],
    })
    expect(await words(value.bytes)).toEqual(['A', 'B', 'M', 'Y', 'Z'])
    expect(await look(value.bytes, 'pdfinfo', '-l', '5', '@')).toContain('Page    5 size:  300 x 200 pts')
  })

  it('one file twice', async () => {
    const twice = page('T')
    const { value } = await compose(page('M'), { after: [twice, twice] })
    expect(await words(value.bytes)).toEqual(['M', 'T', 'T'])
  })

  it('real files of an office, outlines and all', async () => {
    const { value, warnings } = await compose(officePdf('letter-tagged'), {
      after: [officePdf('letter-archive')],
    })
    const pages = Number(/Pages:\s+(\d+)/.exec(await look(value.bytes, 'pdfinfo', '@'))?.[1])
    const single = async (name: string) =>
      Number(/Pages:\s+(\d+)/.exec(await look(officePdf(name), 'pdfinfo', '@'))?.[1])
    expect(pages).toBe((await single('letter-tagged')) + (await single('letter-archive')))
    expect(warnings).toEqual([])
  })

  it('links by name lead to the place that their own file meant', async () => {
    const linked = (word: string) =>
      page(word, '/Annots[6 0 R]', '/Names<</Dests<</Names[(here)[3 0 R/Fit]]>>>>', [
        '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest(here)>>',
      ])
    const { value } = await compose(linked('A'), { after: [linked('B')] })
    const objects = await look(value.bytes, 'qpdf', '--qdf', '--object-streams=disable', '@', '-')
    expect([...objects.matchAll(/\/Dest \((.*?)\)/g)].map(([, name]) => name).sort()).toEqual([
      'here',
      'here_2',
    ])
    expect(await look(value.bytes, 'pdfinfo', '-dests', '@')).toMatch(
      / 1 \[ Fit +\] "here"\n +2 \[ Fit +\] "here_2"/,
    )
  })

  it('form fields are kept, and names stay apart', async () => {
    const form = (word: string) =>
      page(word, '/Annots[6 0 R]', '/AcroForm<</Fields[6 0 R]/DA(/Helv 0 Tf)>>', [
        `<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(${word})/Rect[0 0 90 20]/P 3 0 R>>`,
      ])
    const { value } = await compose(form('A'), { after: [form('B')], before: [form('C')] })
    const objects = await look(value.bytes, 'qpdf', '--qdf', '--object-streams=disable', '@', '-')
    expect([...objects.matchAll(/\/T \((.*?)\)/g)].map(([, name]) => name).sort()).toEqual([
      'name',
      'name_2',
      'name_3',
    ])
  })

  it('outlines stand one behind the other', async () => {
    const outlined = (word: string) =>
      page(word, '', '/Outlines 6 0 R', [
        '<</Type/Outlines/First 7 0 R/Last 7 0 R/Count 1>>',
        `<</Title(${word})/Parent 6 0 R/Dest[3 0 R/Fit]>>`,
      ])
    const { value } = await compose(outlined('A'), { after: [outlined('B')], before: [outlined('C')] })
    const json = JSON.parse(
      (await look(value.bytes, 'qpdf', '--json=1', '--json-key=outlines', '@')).trim(),
    ) as {
      outlines: { title: string; destpageposfrom1: number }[]
    }
    expect(json.outlines.map(({ title, destpageposfrom1 }) => `${title} ${destpageposfrom1}`)).toEqual([
      'C 1',
      'A 2',
      'B 3',
    ])
  })

  it.each([
    [
      'encrypted',
      pdfOf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>'], { trailer: '/Encrypt<<>>' }),
      'pdf.encrypted',
    ],
    ['cut off', latin1('%PDF-1.4 hello'), 'pdf.broken'],
  ])('%s', async (_name, bytes, code) => {
    expect((await failure(compose(page('M'), { after: [bytes] }))).code).toBe(code)
  })
})

describe('embedded files', () => {
  const bytes = new TextEncoder().encode('hello')
  const invoice = (id: string) =>
    new TextEncoder().encode(
      `<r><x:GuidelineSpecifiedDocumentContextParameter>\n<ram:ID>${id}</ram:ID></x:GuidelineSpecifiedDocumentContextParameter></r>`,
    )

  it('can be extracted again; equal names are distinguished', async () => {
    const { value } = await compose(page('M'), {
      attachments: [
        { name: 'a.txt', bytes, relationship: 'Data' },
        { name: 'a.txt', bytes, relationship: 'Source' },
        { name: 'ä.xml', bytes, relationship: 'Alternative' },
      ],
    })
    const list = await look(value.bytes, 'qpdf', '--list-attachments', '--verbose', '@')
    expect(list).toContain('a.txt')
    expect(list).toContain('a (2).txt')
    expect(list).toContain('ä.xml')
    expect(await look(value.bytes, 'qpdf', '--show-attachment=a (2).txt', '@')).toBe('hello')
    expect(await look(value.bytes, 'qpdf', '--qdf', '--object-streams=disable', '@', '-')).toContain(
      '/AFRelationship /Alternative',
    )
  })

  it('an invoice writes its profile beside the metadata that are there', async () => {
    const { value, warnings } = await compose(officePdf('letter-archive'), {
      attachments: [
        { name: 'factur-x.xml', bytes: invoice('urn:factur-x.eu:1p0:basicwl'), relationship: 'Data' },
      ],
    })
    const metadata = await look(value.bytes, 'pdfinfo', '-meta', '@')
    expect(metadata).toContain('<fx:ConformanceLevel>BASIC WL</fx:ConformanceLevel>')
    expect(metadata).toContain('<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>')
    expect(metadata).toMatch(/pdfaid:part/)
    expect(metadata.match(/<\/rdf:RDF>/g)).toHaveLength(1)
    expect(warnings.map(({ code }) => code)).toEqual(['invoice.rules', 'pdf.invoice-archive'])
  })

  it.each([
    ['urn:factur-x.eu:1p0:minimum', 'MINIMUM'],
    ['urn:factur-x.eu:1p0:basicwl', 'BASIC WL'],
    ['urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic', 'BASIC'],
    ['urn:cen.eu:en16931:2017', 'EN 16931'],
    ['urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended', 'EXTENDED'],
    ['urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0', 'XRECHNUNG'],
    ['something', undefined],
  ])('profile of %s', (id, expected) => {
    expect(invoiceProfile(new TextDecoder().decode(invoice(id)))?.name).toBe(expected)
  })

  it('an invoice without a profile is refused', async () => {
    const attachments = [{ name: 'Factur-X.xml', bytes: invoice('x'), relationship: 'Data' }] as const
    expect((await failure(compose(page('M'), { attachments }))).code).toBe('pdf.invoice')
  })
})

it('link targets are found on their page and removed', async () => {
  const marked = page('M', '/Annots[6 0 R 7 0 R]', '', [
    '<</Type/Annot/Subtype/Link/Rect[20 30 50 45]/A<</S/URI/URI(https://m.invalid/1)>>>>',
    '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://a.org)>>>>',
  ])
  const { value } = await compose(marked, { before: [page('A')], markerPrefix: 'https://m.invalid/' })
  expect([...value.markers]).toEqual([['1', { page: 2, x: 20, y: 155, width: 30, height: 15 }]])
  const objects = await look(value.bytes, 'qpdf', '--qdf', '--object-streams=disable', '@', '-')
  expect(objects).not.toContain('m.invalid')
  expect(objects).toContain('https://a.org')
})

it.each(['plain', 'Grüße', '€ 5', '日本', '\u2022 a'])('text %s is read as it was written', (text) => {
  expect(textOfString(textString(text))).toBe(text)
})
