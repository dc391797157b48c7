import { strFromU8, unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import { nodeCodec } from '../../../origin/codec.ts'
import { pdfLimits } from '../../../shared/pdf/model/limits.ts'
import { nameTreeEntries } from '../../../shared/pdf/model/name-tree.ts'
import { readPages } from '../../../shared/pdf/model/pages.ts'
import { textOfString } from '../../../shared/pdf/model/text-string.ts'
import { PdfDict, PdfRef, PdfString, type PdfValue } from '../../../shared/pdf/model/values.ts'
import { openPdf } from '../../../shared/pdf/read/open.ts'
import { pdfOf, stream } from '../../helpers/pdf.ts'
import { type Answer, base64, type Client } from './client.ts'
import { docx } from './office.ts'

const open = (file: Uint8Array) => openPdf(file, nodeCodec, pdfLimits)

type Files = Readonly<Record<string, string>>

/** Specification 4.10. The service runs with its default limit of 100. */
export function batchCases(client: () => Client): void {
  const people = [{ name: 'Ann', tags: ['a', 'b'] }, { name: 'Bo' }, { name: 'Cy' }]
  const post = (template: string | Uint8Array, body: object, query = '?download=true', version = '5') =>
    fetch(`${client().url}/render/template${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'service-version': version },
      body: JSON.stringify({ template: base64(template), ...body }),
    })
  const said = async (response: Response) => (await response.json()) as Answer['body']
  const bytes = async (response: Response) => new Uint8Array(await response.arrayBuffer())
  const zip = async (template: string, body: object, version = '5'): Promise<Files> => {
    const response = await post(template, body, undefined, version)
    const found = await bytes(response)
    expect([response.status, response.headers.get('content-type'), found.length]).toEqual([
      200,
      'application/zip',
      Number(response.headers.get('content-length')),
    ])
    return Object.fromEntries(Object.entries(unzipSync(found)).map(([name, file]) => [name, strFromU8(file)]))
  }
  const refused = async (body: object, template = '{d.name}', version = '5') => {
    const response = await post(template, body, '', version)
    return [response.status, (await said(response)).error]
  }
  /** Fails with the items that hold a text. */
  const tooLong = '{d.a:padl(1000000000)}'
  const byD = { data: people, batchSplitBy: 'd', batchReportName: '{d.name}' }

  it('one call gives one report for each element of an array', async () => {
    expect(await zip('Dear {d.name}', byD)).toEqual({
      'Ann.txt': 'Dear Ann',
      'Bo.txt': 'Dear Bo',
      'Cy.txt': 'Dear Cy',
    })
  })

  it('d.<arrayName> names a direct child array of data', async () => {
    const body = { data: { letters: people }, batchSplitBy: 'd.letters', batchReportName: '{d.name}' }
    expect(Object.keys(await zip('Dear {d.name}', body))).toEqual(['Ann.txt', 'Bo.txt', 'Cy.txt'])
  })

  const styles: readonly [
    says: string,
    by: string,
    template: string,
    name: string,
    first: Readonly<[string, string]>,
  ][] = [
    ['direct child access, d', 'd', '{d.name}-{c.x}', '{d.name}', ['Ann.txt', 'Ann-1']],
    ['direct child access, d.list', 'd.list', '{d.name}', '{d.name}', ['Ann.txt', 'Ann']],
    ['array access, d', 'd', '{d[i].name};{d[i+1].name}', '{d[0].name}', ['Ann.txt', 'Ann;']],
    [
      'array access, d.list',
      'd.list',
      '{d.list[i].name};{d.list[i+1].name}',
      '{d.list[0].name}',
      ['Ann.txt', 'Ann;'],
    ],
    ['array access without an end, d', 'd', '{d[i].name}', '{d[i].name}', ['Ann.txt', 'Ann']],
    [
      'array access without an end, d.list',
      'd.list',
      '{d.list[i].name}-{d.list[i].name:append(d.list[i].name)}',
      '{d.list[i].name}',
      ['Ann.txt', 'Ann-AnnAnn'],
    ],
    [
      'array access without an end: loops over what the item holds',
      'd.list',
      '{d.list[i].name}:{d.list[i].tags[i]},{d.list[i].tags[i+1]}',
      'x',
      ['x.txt', 'Ann:a,b,'],
    ],
    [
      'array access without an end: the second style is empty',
      'd.list',
      '{d.list[i].name}-{d.name}',
      '{d.name}',
      ['report.txt', 'Ann-'],
    ],
    [
      'direct access: the second style without an end is empty',
      'd.list',
      '{d.name}-{d.list[i].name}',
      '{d.list[i].name}',
      ['report.txt', 'Ann-'],
    ],
    ['direct access, d: the second style is empty', 'd', '{d.name}-{d[i].name}', 'x', ['x.txt', 'Ann-']],
    ['array access by index', 'd.list', '{d.list[0].name}', '{d.list[0].name}', ['Ann.txt', 'Ann']],
    ['array access with blanks', 'd.list', '{ d.list [0].name }', '{d.list[0].name}', ['Ann.txt', 'Ann']],
    [
      'array access through an alias',
      'd.list',
      '{#who = d.list[0].name}{$who}',
      '{$who}',
      ['Ann.txt', 'Ann'],
    ],
    [
      'array access: the other members of d stay',
      'd.list',
      '{d.list[0].name} of {d.firm}',
      'x',
      ['x.txt', 'Ann of F'],
    ],
    [
      'array access: the second style is empty',
      'd.list',
      '{d.list[0].name}-{d.name}',
      '{d.name}',
      ['report.txt', 'Ann-'],
    ],
    [
      'direct access: the second style is empty',
      'd.list',
      '{d.name}-{d.list[0].name}',
      '{d.list[0].name}',
      ['report.txt', 'Ann-'],
    ],
    [
      'direct access: the other members of d are not there',
      'd.list',
      '{d.name}-{d.firm}',
      'x',
      ['x.txt', 'Ann-'],
    ],
    [
      'a field that starts like the array is direct access',
      'd.list',
      '{d.listed}{d.name}',
      'x',
      ['x.txt', 'Ann'],
    ],
    ['without a tag the name decides', 'd.list', 'same', '{d.list[0].name}', ['Ann.txt', 'same']],
    ['a tag on c decides nothing', 'd.list', '{c.x}{d.list[0].name}', 'x', ['x.txt', '1Ann']],
  ]
  for (const [says, by, template, batchReportName, [file, text]] of styles) {
    it(`the first {d. tag decides the style: ${says}`, async () => {
      const data = by === 'd' ? people : { firm: 'F', list: people }
      const files = await zip(template, { data, complement: { x: 1 }, batchSplitBy: by, batchReportName })
      expect([Object.keys(files)[0], files[file]]).toEqual([file, text])
      expect(Object.keys(files)).toHaveLength(3)
    })
  }

  it('each report of array access receives an array of its single object', async () => {
    const files = await zip('{d[i].name}{d[i+1].name}{d:len}', { data: people, batchSplitBy: 'd' })
    expect(Object.values(files)).toEqual(['Ann1', 'Bo1', 'Cy1'])
  })

  it('without batchReportName the files are report, report (2), report (3)', async () => {
    const files = await zip('{d.name}', { data: people, batchSplitBy: 'd' })
    expect(files).toEqual({ 'report.txt': 'Ann', 'report (2).txt': 'Bo', 'report (3).txt': 'Cy' })
  })

  it('equal names are numbered, in capitals too, and differ from names that end in a number', async () => {
    const data = ['a', 'A', 'a (2)', 'a', 'b'].map((name) => ({ name }))
    const files = await zip('{d.name}', { data, batchSplitBy: 'd', batchReportName: '{d.name}' })
    expect(Object.keys(files)).toEqual(['a.txt', 'A (2).txt', 'a (2) (2).txt', 'a (3).txt', 'b.txt'])
  })

  it('report names become file names: no folders, no doubled extension, any letters', async () => {
    const data = ['../../etc/x', 'done.txt', 'Müller 文', ''].map((name) => ({ name }))
    const files = await zip('x{d.name:len}', { data, batchSplitBy: 'd', batchReportName: '{d.name}' })
    expect(Object.keys(files)).toEqual(['.._.._etc_x.txt', 'done.txt', 'Müller 文.txt', 'report.txt'])
  })

  it('the archive is named by reportName, with the tags of the first report', async () => {
    const disposition = async (more: object) =>
      (await post('{d.name}', { ...byD, ...more })).headers.get('content-disposition')
    expect(await disposition({})).toBe('attachment; filename="report.zip"')
    expect(await disposition({ reportName: 'all' })).toBe('attachment; filename="all.zip"')
    expect(await disposition({ reportName: 'from {d.name}' })).toBe('attachment; filename="from%20Ann.zip"')
  })

  it('without download the response is a renderId, which can be fetched once', async () => {
    const answer = await said(await post('{d.name}', byD, ''))
    expect(answer).toEqual({ success: true, data: { renderId: expect.stringMatching(/^[\w-]{28}\.zip$/) } })
    const file = await fetch(`${client().url}/render/${answer.data.renderId}`)
    expect(Object.keys(unzipSync(await bytes(file)))).toHaveLength(3)
    expect((await client().get(`/render/${answer.data.renderId}`)).status).toBe(404)
  })

  it('complement, enum and translations are shared by all', async () => {
    const files = await zip('{c.x}{d.n:convEnum(size)}{t(hi)}', {
      data: [{ n: 0 }, { n: 1 }],
      complement: { x: 'c' },
      enum: { size: ['small', 'large'] },
      lang: 'fr',
      translations: { fr: { hi: 'salut' } },
      batchSplitBy: 'd',
    })
    expect(Object.values(files)).toEqual(['csmallsalut', 'clargesalut'])
  })

  it('a stored template serves as well', async () => {
    const id = await client().hashed('Stored {d.name}')
    const response = await fetch(`${client().url}/render/${id}?download=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(byD),
    })
    expect(strFromU8(unzipSync(await bytes(response))['Bo.txt']!)).toBe('Stored Bo')
  })

  const paragraph = (text: string) =>
    `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`
  const pdf = { convertTo: 'pdf' }

  it('batchOutput zip with convertTo pdf: an archive of PDFs', async () => {
    const response = await post(docx(paragraph('{d.name}')), { ...byD, ...pdf, batchOutput: 'zip' })
    const files = unzipSync(await bytes(response))
    expect(Object.keys(files)).toEqual(['Ann.pdf', 'Bo.pdf', 'Cy.pdf'])
    for (const file of Object.values(files)) expect(strFromU8(file.subarray(0, 5))).toBe('%PDF-')
  })

  it('batchOutput pdf: the PDFs as one, in order; batchReportName is ignored', async () => {
    const body = { ...byD, ...pdf, batchOutput: 'pdf', reportName: 'for {d.name}' }
    const response = await post(docx(paragraph('{d.name}')), body)
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('content-disposition'),
    ]).toEqual([200, 'application/pdf', 'attachment; filename="for%20Ann.pdf"'])
    expect(readPages(open(await bytes(response)))).toHaveLength(3)
  })

  it('batchOutput pdf keeps the bookmarks, links, destinations and fields of every PDF', async () => {
    const form = pdfOf([
      '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[6 0 R]/DA(/F 0 Tf)/DR<</Font<</F 5 0 R>>>>>>/Names<</Dests<</Names[(top)[3 0 R/Fit]]>>>>/Outlines 8 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]/Resources<</Font<</F 5 0 R>>>>>>',
      '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Annots[6 0 R 7 0 R]>>',
      stream('BT /F 24 Tf 20 100 Td (Form) Tj ET'),
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      '<</Type/Annot/Subtype/Widget/FT/Tx/T(person)/V({d.name})/Rect[0 0 90 20]/P 3 0 R/DA(/F 9 Tf)>>',
      '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest(top)>>',
      '<</Type/Outlines/First 9 0 R/Last 9 0 R/Count 1>>',
      '<</Title(Top)/Parent 8 0 R/Dest(top)>>',
    ])
    const response = await post(form, { ...byD, ...pdf, batchOutput: 'pdf' })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    const document = open(await bytes(response))
    const text = (value: PdfValue, key: string) => {
      const holder = document.resolve(value)
      const found = holder instanceof PdfDict ? document.resolve(holder.get(key)) : null
      return found instanceof PdfString ? textOfString(found) : undefined
    }
    const list = (value: PdfValue) => {
      const found = document.resolve(value)
      return Array.isArray(found) ? found : []
    }
    const fields = list(document.dictAt(document.catalog, 'AcroForm')?.get('Fields') ?? null)
    expect(fields.map((field) => [text(field, 'T'), text(field, 'V')])).toEqual([
      ['person', 'Ann'],
      ['person_2', 'Bo'],
      ['person_3', 'Cy'],
    ])
    const names = nameTreeEntries(document, document.dictAt(document.catalog, 'Names')?.get('Dests') ?? null)
    const pages = readPages(document)
    const targets = names.map(([key, value]) => [key, list(value)[0]])
    expect(targets).toEqual([
      ['top', new PdfRef(pages[0]!.id)],
      ['top_2', new PdfRef(pages[1]!.id)],
      ['top_3', new PdfRef(pages[2]!.id)],
    ])
    const links = pages.map(({ dict }) => text(list(dict.get('Annots'))[1] ?? null, 'Dest'))
    expect(links).toEqual(['top', 'top_2', 'top_3'])
    const bookmarks: (string | undefined)[] = []
    let item = document.dictAt(document.catalog, 'Outlines')?.get('First') ?? null
    for (let dict = document.resolve(item); dict instanceof PdfDict; dict = document.resolve(item)) {
      bookmarks.push(text(dict, 'Dest'))
      item = dict.get('Next')
    }
    expect(bookmarks).toEqual(['top', 'top_2', 'top_3'])
  })

  it('batchOutput pdf with passwords encrypts the joined PDF, and invalid passwords fail before any render', async () => {
    const secured = (formatOptions: object) => ({
      ...byD,
      batchOutput: 'pdf',
      convertTo: { formatName: 'pdf', formatOptions },
    })
    const options = { EncryptFile: true, DocumentOpenPassword: 'open', Watermark: 'draft' }
    const response = await post(docx(paragraph('{d.name}')), secured(options))
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(strFromU8(await bytes(response), true)).toMatch(/\/Encrypt \d+ 0 R/)
    expect(await refused(secured({ Printing: 9 }), 'no office file')).toEqual([
      500,
      expect.stringMatching(/^Unable to generate the document\. .*Printing.* from 0 to 2/),
    ])
  })

  it('batchOutput pdf requires convertTo pdf', async () => {
    const issue = 'Invalid request body. Error: "batchOutput" "pdf" needs "convertTo" "pdf"'
    expect(await refused({ ...byD, batchOutput: 'pdf' })).toEqual([400, issue])
    expect(await refused({ ...byD, batchOutput: 'pdf', convertTo: 'html' })).toEqual([400, issue])
  })

  it('version 4 ignores batchOutput, version 3 has no batch', async () => {
    expect(Object.keys(await zip('{d.name}', { ...byD, batchOutput: 'pdf' }, '4'))).toHaveLength(3)
    const response = await post('{d[0].name}', byD, undefined, '3')
    expect([response.headers.get('content-type'), await response.text()]).toEqual([
      'text/plain; charset=utf-8',
      'Ann',
    ])
  })

  const targets: readonly [says: string, body: object, issue: RegExp][] = [
    ['deeper than one level', { data: {}, batchSplitBy: 'd.a.b' }, /"batchSplitBy" must be "d" or "d.<name/],
    ['an index', { data: [[{}]], batchSplitBy: 'd[0]' }, /"batchSplitBy" must be "d" or "d.<name/],
    ['another root', { data: {}, batchSplitBy: 'c.list' }, /"batchSplitBy" must be "d" or "d.<name/],
    ['an array that is not there', { data: {}, batchSplitBy: 'd.x' }, /must name an array that is a direct/],
    ['no array', { data: { x: {} }, batchSplitBy: 'd.x' }, /must name an array that is a direct/],
    ['a child of an array', { data: [], batchSplitBy: 'd.x' }, /must name an array that is a direct/],
    ['an object as d', { data: {}, batchSplitBy: 'd' }, /"data" must be an array/],
    ['an empty array', { data: [], batchSplitBy: 'd' }, /at least 1 object/],
    ['an array with texts', { data: [{}, 'x'], batchSplitBy: 'd' }, /array of objects, item 1 is none/],
    ['an array with arrays', { data: { x: [[]] }, batchSplitBy: 'd.x' }, /array of objects, item 0 is none/],
    ['an array with null', { data: [null], batchSplitBy: 'd' }, /array of objects, item 0 is none/],
    ['no data', { batchSplitBy: 'd' }, /"batchSplitBy" needs "data"/],
    ['another output', { ...byD, batchOutput: 'tar' }, /"batchOutput" must be "zip" or "pdf"/],
    [
      'another way with errors',
      { ...byD, batchOnError: 'skip' },
      /"batchOnError" must be "fail" or "report"/,
    ],
    [
      'errors in a PDF',
      { ...byD, ...pdf, batchOutput: 'pdf', batchOnError: 'report' },
      /"batchOnError" "report" needs "batchOutput" "zip"/,
    ],
  ]
  for (const [says, body, issue] of targets) {
    it(`refused with 400: ${says}`, async () => {
      expect(await refused(body)).toEqual([400, expect.stringMatching(issue)])
    })
  }

  it('no data in version 4 is 422 for a batch too', async () => {
    expect(await refused({ batchSplitBy: 'd' }, 'x', '4')).toEqual([422, 'Missing "data" property in body'])
  })

  it('100 reports are made, 101 are refused', async () => {
    const data = Array.from({ length: 101 }, (_, at) => ({ name: at }))
    const files = await zip('{d.name}', {
      data: data.slice(1),
      batchSplitBy: 'd',
      batchReportName: 'n{d.name}',
    })
    expect(Object.entries(files)).toEqual(data.slice(1).map(({ name }) => [`n${name}.txt`, String(name)]))
    expect(await refused({ data, batchSplitBy: 'd' })).toEqual([
      500,
      'Unable to generate the document. Cannot process more than 100 documents',
    ])
  })

  it('a failing report fails the batch and is named by its index', async () => {
    const body = {
      template: base64(tooLong),
      batchSplitBy: 'd',
      data: [{ n: 1 }, { n: 2 }, { n: 3, a: 'x' }],
    }
    const answer = await client().post('/render/template', JSON.stringify(body))
    expect([answer.status, answer.body]).toEqual([
      500,
      {
        success: false,
        error: expect.stringMatching(/^Unable to generate the document\. Item 2 of the batch: .*padl/),
        code: 'w101',
        data: { renderId: '' },
      },
    ])
  })

  it('batchOnError report keeps the other reports and adds errors.json', async () => {
    const response = await fetch(`${client().url}/render/template?download=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        template: base64(tooLong),
        batchSplitBy: 'd',
        batchOnError: 'report',
        batchReportName: 'n{d.n}',
        data: [{ n: 1 }, { n: 2, a: 'x' }, { n: 3 }],
      }),
    })
    const files = unzipSync(await bytes(response))
    expect(Object.keys(files)).toEqual(['n1.txt', 'n3.txt', 'errors.json'])
    expect(JSON.parse(strFromU8(files['errors.json']!))).toEqual([
      expect.objectContaining({ index: 1, error: expect.stringMatching(/padl/) }),
    ])
  })

  it('batchOnError report without a failure adds nothing', async () => {
    expect(Object.keys(await zip('{d.name}', { ...byD, batchOnError: 'report' }))).toHaveLength(3)
  })

  it('a mistake in the template fails the batch with all its problems', async () => {
    const response = await post('{d.name:nonsense()} {d.x:other()}', byD, '')
    const answer = await said(response)
    expect([response.status, answer.problems.length]).toEqual([500, 2])
    expect(answer.error).toMatch(/^Unable to generate the document\. Item 0 of the batch: /)
  })

  it('text that ends in the middle of the array is refused', async () => {
    const answer = await client().post('/render/template', '{"batchSplitBy":"d","data":[{"a":1},{"a"')
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringMatching(/^Invalid JSON body/)])
  })
}
