import { strToU8, type Zippable, zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { base64, type Client, sha256, unique } from './client.ts'

const types = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`
const rels = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`
const body = (inner: string) =>
  `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${inner}</w:body></w:document>`
const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`

/** A Word document of one part, and more entries when a case wants them. */
export function docx(documentXml: string, more: Zippable = {}): Uint8Array {
  return zipSync({
    '[Content_Types].xml': strToU8(types),
    '_rels/.rels': strToU8(rels),
    'word/document.xml': strToU8(documentXml),
    ...more,
  })
}

function manyEntries(): Uint8Array {
  const more: Zippable = {}
  // Stored: to compress nothing takes fflate a tenth of a millisecond each time.
  for (let at = 0; at < 9_998; at++) more[`word/media/${at}.bin`] = [new Uint8Array(0), { level: 0 }]
  return docx(body(paragraph('x')), more)
}

/** Bytes of a file with the name of an entry changed, in both places where a zip has it. */
function renamed(zip: Uint8Array, from: string, to: string): Uint8Array {
  const text = Array.from(zip, (byte) => String.fromCharCode(byte)).join('')
  return Uint8Array.from(text.replaceAll(from, to), (letter) => letter.charCodeAt(0))
}

const packages: readonly [name: string, file: () => Uint8Array][] = [
  ['cut in the middle', () => docx(body(paragraph(unique('cut').repeat(200)))).subarray(0, 500)],
  ['of 10,001 entries', manyEntries],
  [
    'that unpacks to more than 200 MB',
    () => docx(body(paragraph('x')), { 'word/media/bomb.xml': new Uint8Array(209_715_201) }),
  ],
  [
    'with an entry name that climbs',
    () =>
      renamed(
        docx(body(paragraph('x')), { 'word/aaaaaa/x.xml': strToU8('<x/>') }),
        'word/aaaaaa/',
        '../../../../',
      ),
  ],
]

/** Office files as templates: a real one, and those that must not get in (issue: bad input). */
export function officeCases(client: () => Client): void {
  const render = (inner: string, more: object, headers: Record<string, string> = {}) =>
    client().post(
      '/render/template?download=true',
      { template: base64(docx(body(inner))), data: { name: 'Ann' }, convertTo: 'pdf', ...more },
      headers,
    )
  // A document inserted whole is left out by the quick engine.
  const inserted = '<w:p><w:r><w:t>b</w:t></w:r></w:p><w:altChunk/>'

  it('converter I makes a PDF, and the response names the engine', async () => {
    const file = await render(paragraph('Dear {d.name}'), { converter: 'I' })
    expect([file.status, file.text.slice(0, 5)]).toEqual([200, '%PDF-'])
    expect(file.headers.get('service-converter')).toBe('I')
    expect(file.headers.get('service-warning')).toBeNull()
    expect(file.headers.get('service-fonts')).toBeNull()
  })

  it('converter auto uses I for what it can draw, and another engine otherwise', async () => {
    const plain = await render(paragraph('Dear {d.name}'), { converter: 'auto' })
    expect([plain.status, plain.headers.get('service-converter')]).toEqual([200, 'I'])
    const beyond = await render(inserted, { converter: 'auto' })
    expect([beyond.status, beyond.headers.get('service-converter')]).toEqual([200, 'L'])
    expect(beyond.headers.get('service-warning')).toBeNull()
  })

  it.each([
    [
      'layout.clipped',
      '<w:p><w:pPr><w:ind w:left="-20000" w:right="20000"/></w:pPr><w:r><w:t>beside the page</w:t></w:r></w:p>',
    ],
    [
      'layout.overlap',
      `<w:p><w:pPr><w:spacing w:line="60" w:lineRule="exact"/></w:pPr><w:r><w:t>${'one over another '.repeat(30)}</w:t></w:r></w:p>`,
    ],
  ])('I warns about a page with %s, and converter auto uses another engine', async (code, inner) => {
    const quick = await render(inner, { converter: 'I' })
    expect([quick.status, quick.headers.get('service-converter')]).toEqual([200, 'I'])
    expect(quick.headers.get('service-warning')).toBe(code)
    const auto = await render(inner, { converter: 'auto' })
    expect([auto.status, auto.text.slice(0, 5)]).toEqual([200, '%PDF-'])
    expect(auto.headers.get('service-converter')).toBe('L')
    expect(auto.headers.get('service-warning')).toBeNull()
  })

  it('a header has the code and count of what I cannot draw', async () => {
    const one = await render(inserted, { converter: 'I' })
    expect([one.status, one.headers.get('service-warning')]).toEqual([200, 'read.embedded-document'])
  })

  it('a drawing in an office document has a PNG beside it, or the response warns that it has none', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="9" height="9"/></svg>'
    const h = `<p><img src="data:image/svg+xml;base64,${btoa(svg)}"></p>`
    const file = await render(paragraph('{d.h:html}'), { convertTo: 'docx', data: { h } })
    expect([file.status, file.text.includes('word/media/merged1.svg')]).toEqual([200, true])
    const warning = file.headers.get('service-warning')
    expect(warning).toBe(file.text.includes('word/media/merged2.png') ? null : 'picture.no-png')
    const pdf = await render(paragraph('{d.h:html}'), { data: { h } })
    expect([pdf.status, pdf.headers.get('service-warning')]).toEqual([200, null])
  })

  it('the report of fonts is sent on request only', async () => {
    const font =
      '<w:p><w:r><w:rPr><w:rFonts w:ascii="Přívětivé Písmo" w:hAnsi="Přívětivé Písmo"/></w:rPr><w:t>a</w:t></w:r></w:p>'
    const file = await render(font, { converter: 'I' }, { 'service-fonts': 'report' })
    const report = JSON.parse(file.headers.get('service-fonts') ?? '')
    expect(Object.keys(report)).toEqual(['requested', 'used', 'substituted', 'missing'])
    expect(report.substituted.map(({ family }: { family: string }) => family)).toContain('Přívětivé Písmo')
    expect(report.missing).toEqual([])
    const stored = await client().post(
      '/render/template',
      { template: base64(docx(body(paragraph('a')))), data: {}, convertTo: 'pdf', converter: 'I' },
      { 'service-fonts': 'report' },
    )
    expect(JSON.parse(stored.headers.get('service-fonts') ?? '').used.length).toBeGreaterThan(0)
  })

  it('a Word template is filled, its other entries kept', async () => {
    const picture = new Uint8Array([1, 2, 3])
    const file = docx(body(paragraph('Dear {d.name}') + paragraph('&lt;{c.x}&gt;')), {
      'word/media/a.bin': picture,
    })
    const upload = await client().form({ versioning: 'true' }, { bytes: file, filename: 'a.docx' })
    expect(upload.body.data).toMatchObject({ type: 'docx', size: file.length })
    const response = await fetch(`${client().url}/render/${upload.body.data.id}?download=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data: { name: 'Ann & <Bob>' }, complement: { x: 'é' } }),
    })
    expect(response.headers.get('content-type')).toBe(
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    )
    const { unzipSync, strFromU8 } = await import('fflate')
    const entries = unzipSync(new Uint8Array(await response.arrayBuffer()))
    expect(strFromU8(entries['word/document.xml']!).replaceAll(' xml:space="preserve"', '')).toBe(
      body(paragraph('Dear Ann &amp; &lt;Bob&gt;') + paragraph('&lt;é&gt;')),
    )
    expect(entries['word/media/a.bin']).toEqual(picture)
  })

  it('the content decides the type, whatever the name says', async () => {
    const file = docx(body(paragraph(unique('name'))))
    for (const filename of ['a.odt', 'a.pdf', 'a', 'a.docx.txt']) {
      const answer = await client().form({}, { bytes: file, filename, type: 'text/plain' })
      expect([filename, answer.body.data?.templateExtension]).toEqual([filename, 'docx'])
    }
  })

  for (const [name, make] of packages) {
    it(`a package ${name} is refused on upload and inline, and leaves nothing behind`, async () => {
      const file = make()
      // That took a while in one go: connections that were closed meanwhile are seen before the next is chosen.
      await new Promise((resolve) => setTimeout(resolve, 100))
      const upload = await client().form({ versioning: 'true' }, { bytes: file, filename: 'a.docx' })
      expect(upload.body.success).toBe(false)
      expect([400, 415]).toContain(upload.status)
      if (upload.status === 400) expect(upload.body.error).toMatch(/^Cannot store template/)
      const inline = await client().post('/render/template', { data: {}, template: base64(file) })
      expect([415, 500]).toContain(inline.status)
      expect(inline.body.error).toMatch(/^(Unable to generate the document\. |Template format not supported)/)
      expect((await client().get(`/template/${await sha256(file)}`)).status).toBe(404)
      expect((await client().get('/status')).status).toBe(200)
    })
  }

  it('a document that is not well-formed XML, or has a DOCTYPE, is the documented 500', async () => {
    const broken = [
      body('<w:p><w:r><w:t>{d.a}</w:t></w:p>'),
      body(paragraph('{d.a}')).slice(0, -5),
      `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${body(paragraph('&e;{d.a}'))}`,
      `<!DOCTYPE x [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>${body(paragraph('&b;{d.a}'))}`,
    ]
    for (const xml of broken) {
      const answer = await client().post('/render/template', { data: { a: 1 }, template: base64(docx(xml)) })
      expect([xml.slice(0, 40), answer.status]).toEqual([xml.slice(0, 40), 500])
      expect(answer.body).toMatchObject({ success: false, code: 'w101', data: { renderId: '' } })
      expect(answer.body.error).toMatch(/^Unable to generate the document\. /)
      expect(answer.text).not.toContain('root:')
    }
  })

  it('all mistakes in tags are reported together, with their positions', async () => {
    const xml = body(paragraph('{d.a:nonsense()}') + paragraph('{d.b:other()}'))
    const answer = await client().post('/render/template', { data: {}, template: base64(docx(xml)) })
    expect(answer.status).toBe(500)
    expect(answer.body.problems.length).toBeGreaterThanOrEqual(2)
    expect(answer.body.problems[0]).toMatchObject({ place: { part: 'word/document.xml' } })
  })

  it('a password-protected file is refused', async () => {
    const ole = new Uint8Array(4096)
    ole.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
    for (const [at, letter] of [...'EncryptedPackage'].entries()) ole[1024 + at * 2] = letter.charCodeAt(0)
    const upload = await client().form({}, { bytes: ole, filename: 'a.docx' })
    expect([upload.status, upload.body.success]).toEqual([415, false])
  })

  it('files that cannot hold tags are not stored as templates', async () => {
    for (const bytes of ['{\\rtf1 {d.a}}', '%!PS-Adobe-3.0'])
      expect((await client().form({}, { bytes, filename: 'a.docx' })).status).toBe(415)
  })
}
