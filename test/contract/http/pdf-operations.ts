import { PDFDocument } from 'pdf-lib'
import { expect, it } from 'vitest'
import { accessibleProblems } from '../../helpers/conformance/accessible.ts'
import { archiveProblems } from '../../helpers/conformance/archive.ts'
import { base64, type Client, unique } from './client.ts'
import { docx } from './office.ts'

const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
const word = (...texts: string[]) =>
  docx(
    `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${texts.map(paragraph).join('')}</w:body></w:document>`,
  )

async function blank(width: number): Promise<string> {
  const made = await PDFDocument.create()
  made.addPage([width, 100])
  const bytes = await made.save()
  return `data:application/pdf;base64,${base64(bytes)}`
}

/** Template language 22.11 and 22.12, with the engine that both hosts have. */
export function pdfOperationCases(client: () => Client): void {
  const pdf = { convertTo: 'pdf', converter: 'I' }
  const widths = async (body: object, path = '/render/template?download=true') => {
    const answer = await fetch(`${client().url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...pdf, ...body }),
    })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    const file = await PDFDocument.load(await answer.arrayBuffer())
    return file.getPages().map((page) => Math.round(page.getWidth()))
  }

  it('files are joined in the order of their tags, in loops too, and options hold for the whole', async () => {
    const template = base64(word('{d.l[i].f:appendFile}{d.l[i+1].f:appendFile}', '{d.s:appendFile(start)}'))
    const data = { l: [{ f: await blank(101) }, { f: '' }, { f: await blank(102) }], s: await blank(103) }
    const own = 612
    expect(await widths({ template, data })).toEqual([103, own, 101, 102])
    const options = { formatName: 'pdf', formatOptions: { PageRange: '3-4' } }
    expect(await widths({ template, data, convertTo: options })).toEqual([101, 102])
  })

  it('engine I makes accessible PDF/A on both hosts', async () => {
    const options = { formatName: 'pdf', formatOptions: { SelectPdfVersion: 3, PDFUACompliance: true } }
    const body = { template: base64(word('Dear {d.name}')), data: { name: 'Ann' }, convertTo: options }
    const answer = await fetch(`${client().url}/render/template?download=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...pdf, ...body }),
    })
    expect([answer.status, answer.headers.get('service-converter')]).toEqual([200, 'I'])
    const file = new Uint8Array(await answer.arrayBuffer())
    expect(archiveProblems(file, 3)).toEqual([])
    // What only an author can say.
    expect(accessibleProblems(file).filter((problem) => !/no title|no language/.test(problem))).toEqual([])
  })

  it.each([
    ['PDF/A', { SelectPdfVersion: 2 }],
    ['PDF/UA', { PDFUACompliance: true }],
  ])('a watermark in %s has its fonts embedded', async (_, conformance) => {
    const formatOptions = { ...conformance, Watermarks: [{ text: 'DRAFT Ω' }] }
    const body = { template: base64(word('Dear {d.name}')), data: { name: 'Ann' } }
    const answer = await fetch(`${client().url}/render/template?download=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...pdf, ...body, convertTo: { formatName: 'pdf', formatOptions } }),
    })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    const file = new Uint8Array(await answer.arrayBuffer())
    const problems = 'SelectPdfVersion' in conformance ? archiveProblems(file, 2) : accessibleProblems(file)
    expect(problems.filter((problem) => !/no title|no language/.test(problem))).toEqual([])
  })

  it('another template is rendered with the value and joined', async () => {
    const inner = await client().form(
      { versioning: 'true' },
      { bytes: word('{d.x}', unique('inner')), filename: 'a.docx' },
    )
    const template = base64(word(`{d.v:appendTemplate('${inner.body.data.id}')}A`))
    expect(await widths({ template, data: { v: { x: 1 } } })).toHaveLength(2)
    expect(await widths({ template, data: {} })).toHaveLength(1)
  })

  it('the response has the positions of signatures and their values', async () => {
    const template = base64(word('A', '{d.signer:sign}', '{d.none:sign}'))
    const answer = await client().post('/render/template', {
      ...pdf,
      template,
      data: { signer: { name: 'Ada' } },
    })
    expect(answer.body.data.signatures).toEqual([
      {
        page: 1,
        x: expect.any(Number),
        y: expect.any(Number),
        width: expect.any(Number),
        height: expect.any(Number),
        data: { name: 'Ada' },
      },
    ])
    const file = await client().get(`/render/${answer.body.data.renderId}`)
    expect(file.text).not.toContain('sign.invalid')
  })

  it('other outputs ignore the tags with a warning; a file that cannot be joined is an error', async () => {
    const template = base64(word('{d.f:appendFile}'))
    const kept = await client().post('/render/template', { template, data: { f: await blank(101) } })
    expect(kept.headers.get('service-warning')).toBe('template.files.ignored')
    const failed = await client().post('/render/template', { ...pdf, template, data: { f: 'x' } })
    expect([failed.status, failed.body.error]).toEqual([
      500,
      expect.stringContaining('it is neither an address nor a data URI'),
    ])
    const nested = await client().form(
      { versioning: 'true' },
      { bytes: word("{d:appendTemplate('1')}", unique('n')), filename: 'a.docx' },
    )
    const outer = base64(word(`{d:appendTemplate('${nested.body.data.id}')}`))
    const refused = await client().post('/render/template', { ...pdf, template: outer, data: { a: 1 } })
    expect([refused.status, refused.body.error]).toEqual([
      500,
      expect.stringContaining('cannot append templates itself'),
    ])
  })

  it('a PDF form is a template, stored or sent along', async () => {
    const made = await PDFDocument.create()
    const field = made.getForm().createTextField('name')
    field.setText(`{d.name:upperCase} ${unique('form')}`)
    field.addToPage(made.addPage([200, 100]), { x: 10, y: 10, width: 150, height: 20 })
    const bytes = await made.save()
    const stored = await client().form({ versioning: 'true' }, { bytes, filename: 'form.pdf' })
    expect([stored.status, stored.body.data.type]).toEqual([200, 'pdf'])
    for (const path of [`/render/${stored.body.data.versionId}`, '/render/template']) {
      const answer = await fetch(`${client().url}${path}?download=true`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ data: { name: 'Ann' }, template: base64(bytes) }),
      })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
      const filled = await PDFDocument.load(await answer.arrayBuffer())
      expect(filled.getForm().getTextField('name').getText()).toMatch(/^ANN /)
    }
  })
}
