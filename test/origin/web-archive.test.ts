import { expect, it } from 'vitest'
import { startServer } from '../../origin/server.ts'
import { bytesOf, fromBytes } from '../../shared/plugin/byte-source.ts'
import { base64 } from '../contract/http/client.ts'
import { accessibleProblems } from '../helpers/conformance/accessible.ts'
import { archiveProblems } from '../helpers/conformance/archive.ts'
import { testConfig } from '../helpers/origin-config.ts'
import { useServices } from '../helpers/origin-services.ts'

const services = useServices()

const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSuQmCC'
const page = `<!doctype html><html lang="en"><title>Invoice 12</title><style>@page{size:A5}p{color:#246}</style>
<h1>Invoice 12</h1><p>For <a href="https://example.com/">Example</a>, with <b>bold</b> and <code>code</code>.
<table><thead><tr><th>Item<th>Sum</thead><tr><td>Paper<td>12.00</tr><tr><td>Ink<td>30.00</tr></table>
<h2>Notes</h2><ul><li>One<li>Two</ul><img src="${pixel}" alt="A square" width="40"></html>`

async function convert(options: Record<string, unknown>, letter?: string, source = page) {
  const made = await services().converter.convert({
    source: fromBytes(new TextEncoder().encode(source)),
    from: 'html',
    to: 'pdf',
    letter,
    options,
    deadline: Date.now() + 200_000,
    signal: new AbortController().signal,
  })
  const bytes = await bytesOf(made.value)
  return {
    bytes,
    text: Buffer.from(bytes).toString('latin1'),
    letters: made.letters,
    warnings: made.warnings,
  }
}

it.each([2, 3] as const)('a web page becomes PDF/A-%i by the browser, and PDF/UA with it', async (part) => {
  for (const letter of [undefined, 'C']) {
    const { bytes, letters, warnings } = await convert(
      { SelectPdfVersion: part, PDFUACompliance: true, MarginTop: '2cm' },
      letter,
    )
    expect(archiveProblems(bytes, part)).toEqual([])
    expect(accessibleProblems(bytes)).toEqual([])
    expect([letters, warnings]).toEqual([['C'], []])
  }
})

it('PDF/UA of a web page has the tags of its elements, its links and its bookmarks', async () => {
  const { bytes, letters, warnings } = await convert({ PDFUACompliance: true })
  expect(accessibleProblems(bytes)).toEqual([])
  expect([letters, warnings]).toEqual([['C'], []])
  const plain = await convert({ PDFUACompliance: true, SelectPdfVersion: 2, PageRange: '1' }, 'C')
  expect(archiveProblems(plain.bytes, 2)).toEqual([])
})

it('a page that cannot be PDF/A-1 as printed is drawn by the office, unless the browser was requested', async () => {
  const clear = page.replace('color:#246', 'opacity:0.5')
  const { bytes, letters } = await convert({ SelectPdfVersion: 1 }, undefined, clear)
  expect([archiveProblems(bytes, 1), letters]).toEqual([[], ['L']])
  await expect(convert({ SelectPdfVersion: 1 }, 'C', clear)).rejects.toMatchObject({
    code: 'pdf.unconformable',
    message: expect.stringContaining('transparency'),
  })
})

it('a page with an electronic invoice becomes PDF/A-3 that embeds it', async () => {
  const { config, remove } = await testConfig({ mergeWorkers: 1 })
  const server = await startServer(config)
  try {
    const xml =
      '<a><GuidelineSpecifiedDocumentContextParameter><ID>urn:cen.eu:en16931:2017</ID></GuidelineSpecifiedDocumentContextParameter></a>'
    const answer = await fetch(`${server.url}/render/template?download=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        template: base64(
          new TextEncoder().encode(page.replace('<h2>', "{d.xml:attachFile('factur-x.xml')}<h2>")),
        ),
        data: { xml: `data:application/xml;base64,${base64(new TextEncoder().encode(xml))}` },
        convertTo: 'pdf',
        converter: 'C',
      }),
    })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    expect([
      answer.status,
      answer.headers.get('service-converter'),
      answer.headers.get('service-warning'),
    ]).toEqual([200, 'C', 'invoice.rules']) // The XML is no more than the identifier of its profile.
    expect(archiveProblems(bytes, 3)).toEqual([])
    expect(Buffer.from(bytes).toString('latin1')).toContain('/AFRelationship')
  } finally {
    await server.stop()
    await remove()
  }
})
