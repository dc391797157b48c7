import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { archiveProblems } from '../../helpers/conformance/archive.ts'
import { attachedFiles, look } from '../../helpers/look.ts'
import { base64, type Client } from './client.ts'
import { docx } from './office.ts'

const example = (file: string) =>
  readFileSync(new URL(`../../fixtures/templates/electronic-invoice/${file}`, import.meta.url), 'utf8')
const data = JSON.parse(example('data.json'))
const creditNote = JSON.parse(example('credit-note.json'))
const encoded = (text: string) => base64(new TextEncoder().encode(text))
const page = base64(
  docx(
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>{d.title} {d.number}</w:t></w:r></w:p></w:body></w:document>',
  ),
)

/** Specification of the request field `invoice`: electronic invoices as PDF/A-3 and as XML. */
export function invoiceCases(client: () => Client): void {
  const upload = async (text: string): Promise<string> => {
    const { body } = await client().post('/template', { template: encoded(text), payload: 'invoice' })
    return body.data.id ?? body.data.templateId
  }
  const ask = async (body: object) => {
    const answer = await fetch(`${client().url}/render/template?download=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data, ...body }),
    })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    const type = answer.headers.get('content-type')
    const failure = type?.includes('json') ? JSON.parse(new TextDecoder().decode(bytes)) : undefined
    return { status: answer.status, bytes, failure }
  }

  it.each([
    ['an invoice', data],
    ['a credit note', creditNote],
  ])(
    '%s becomes a PDF/A-3 with its XML, from a template filled with the same data',
    async (_name, content) => {
      const template = await upload(example('factur-x.xml'))
      const invoice = { template, profile: 'EN 16931' }
      const { status, bytes, failure } = await ask({
        template: page,
        data: content,
        convertTo: 'pdf',
        converter: 'I',
        invoice,
      })
      expect([status, failure]).toEqual([200, undefined])
      expect(archiveProblems(bytes, 3)).toEqual([])
      const [attached] = await attachedFiles(bytes)
      expect(attached?.name).toBe('factur-x.xml')
      expect(attached?.text).toContain(`<ram:ID>${content.number}</ram:ID>`)
      const metadata = await look(bytes, 'pdfinfo', '-meta', '@')
      for (const [property, value] of [
        ['DocumentType', 'INVOICE'],
        ['DocumentFileName', 'factur-x.xml'],
        ['Version', '1.0'],
        ['ConformanceLevel', 'EN 16931'],
      ])
        expect(metadata).toContain(`<fx:${property}>${value}</fx:${property}>`)
      const objects = await look(bytes, 'qpdf', '--qdf', '--object-streams=disable', '@', '-')
      expect(objects).toContain('/AFRelationship /Alternative')
      expect(objects).toContain('/Subtype /text#2fxml')
    },
  )

  it('broken rules fail the render with their numbers, fields and paths, or are warnings', async () => {
    const template = await upload(example('factur-x.xml'))
    const broken = {
      ...data,
      buyer: { ...data.buyer, name: '' },
      totals: { ...data.totals, net: 1229.71 },
    }
    const request = { template: page, data: broken, convertTo: 'pdf', converter: 'I' }
    const { status, failure } = await ask({ ...request, invoice: { template } })
    expect(status).toBe(500)
    expect(failure.error).toContain('The electronic invoice factur-x.xml breaks the rule BR-07')
    const rules = failure.problems.map(({ rule, field }: Record<string, string>) => [rule, field])
    expect(rules).toEqual([
      ['BR-07', 'BT-44'],
      ['BR-CO-10', 'BT-106'],
      ['BR-CO-15', 'BT-112'],
    ])
    expect(failure.problems[0].place).toMatchObject({
      part: 'factur-x.xml',
      at: expect.stringMatching(/ram:BuyerTradeParty\/ram:Name$/),
    })
    const warned = await ask({ ...request, invoice: { template, check: 'warnings' } })
    expect(warned.status).toBe(200)
  })

  it('an invoice is rendered as XML in UBL and checked', async () => {
    const template = encoded(example('xrechnung.xml'))
    const valid = await ask({ template, invoice: { profile: 'XRECHNUNG' } })
    expect(valid.status).toBe(200)
    expect(new TextDecoder().decode(valid.bytes)).toContain('<cbc:ID>R-2026-0815</cbc:ID>')
    const broken = await ask({ template, data: { ...data, reference: '' }, invoice: true })
    expect(broken.failure.problems).toMatchObject([{ rule: 'BR-DE-15', field: 'BT-10' }])
    const other = await ask({ template, invoice: { profile: 'BASIC' } })
    expect(other.failure.problems).toMatchObject([{ rule: 'PROFILE', field: 'BT-24' }])
  })

  it.each([
    [
      'a PDF without an invoice',
      { template: page, convertTo: 'pdf', converter: 'I', invoice: true },
      /has no electronic invoice/,
    ],
    ['a text', { template: encoded('Hello {d.number}'), invoice: true }, /the output is TXT/],
    [
      'a PDF with UBL',
      { template: page, convertTo: 'pdf', converter: 'I', xml: 'xrechnung.xml' },
      /send UBL as XML/,
    ],
    [
      'a template that is not XML',
      { template: page, convertTo: 'pdf', converter: 'I', text: 'Hello' },
      /is not an XML file/,
    ],
    [
      'an older part of PDF/A',
      {
        template: page,
        convertTo: { formatName: 'pdf', formatOptions: { SelectPdfVersion: 2 } },
        converter: 'I',
        xml: 'factur-x.xml',
      },
      /is not PDF\/A-3/,
    ],
  ])('%s is refused', async (_name, { xml, text, ...body }: Record<string, unknown>, message) => {
    const source = typeof xml === 'string' ? example(xml) : (text as string | undefined)
    const template = source === undefined ? undefined : await upload(source)
    const { failure } = await ask({ ...body, ...(template !== undefined && { invoice: { template } }) })
    expect(failure?.error).toMatch(message)
  })

  it('invalid options are refused', async () => {
    for (const invoice of ['yes', { profile: 'COMFORT' }, { checks: 'errors' }]) {
      const { status, failure } = await ask({ template: page, convertTo: 'pdf', invoice })
      expect([status, failure.error]).toEqual([400, expect.stringContaining('invoice')])
    }
  })
}
