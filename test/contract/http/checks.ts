import { describe, expect, it } from 'vitest'
import { docxOf, paragraph } from '../../helpers/docx.ts'
import { base64, type Client, unique } from './client.ts'

const pageBreak = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'

interface Case {
  readonly name: string
  readonly request?: object
  readonly expect?: object
}

/** Specification 4.17: the cases of templates. */
export function checkCases(client: () => Client): void {
  const store = async (template: Uint8Array | string, fields: object = { versioning: true }) => {
    const answer = await client().post('/template', { template: base64(template), ...fields })
    expect(answer.status).toBe(200)
    return answer.body.data as { readonly id: string; readonly versionId: string }
  }
  const letter = () =>
    docxOf(
      `${[unique('start'), 'Dear {d.name}', 'You have {d.points} points'].map(paragraph).join('')}${pageBreak}${paragraph('Second page for {d.name}')}`,
    )
  const put = async (id: string, cases: readonly Case[]) => {
    const answer = await client().put(`/template/${id}/checks`, { cases })
    expect([answer.status, answer.body]).toMatchObject([200, { data: { cases: cases.length } }])
  }
  const run = async (id: string, body: object = {}) => {
    const { status, body: answer } = await client().post(`/template/${id}/check`, body)
    expect(status).toBe(200)
    return answer.data as Report
  }
  const pdf = { convertTo: 'pdf', converter: 'I' }
  const ann = { data: { name: 'Ann', points: 12 }, ...pdf }

  describe('cases are stored with a version', () => {
    it('a version has no cases at first, then those that were put, unchanged', async () => {
      const { id, versionId } = await store('Dear {d.name}')
      const before = await client().get(`/template/${id}/checks`)
      expect(before.body).toEqual({ success: true, data: { versionId, cases: [] } })
      const cases = [
        { name: 'Ann, "é"', request: { data: { name: 'Ann\u2028' } }, expect: { contains: ['Ann'] } },
      ]
      await put(id, cases)
      const after = await client().get(`/template/${id}/checks`)
      expect(after.body.data).toEqual({ versionId, cases })
      await put(id, [])
      expect((await client().get(`/template/${versionId}/checks`)).body.data.cases).toEqual([])
    })
    it('the next version inherits the cases, and changing them does not change the other version', async () => {
      const first = await store('Dear {d.name}')
      await put(first.id, [{ name: 'one' }])
      const second = await store('Hello {d.name}', { id: first.id })
      const namesOf = async (path: string) => {
        const { body } = await client().get(`/template/${path}`)
        return body.data.cases.map(({ name }: Case) => name)
      }
      expect(await namesOf(`${second.versionId}/checks`)).toEqual(['one'])
      await put(first.id, [{ name: 'two' }])
      expect(await namesOf(`${first.id}/checks?versionId=${first.versionId}`)).toEqual(['one'])
      expect(await namesOf(`${first.id}/checks?versionId=${second.versionId}`)).toEqual(['two'])
    })
    it.each([
      ['{}', '"cases" is required'],
      ['{"cases":{}}', '"cases" must be an array'],
      ['{"cases":[1]}', 'case 1 must be an object'],
      ['{"cases":[{}]}', 'case 1: "name" must be a text of 1 to 100 characters'],
      ['{"cases":[{"name":"a"},{"name":"a"}]}', 'two cases have the same name'],
      ['{"cases":[{"name":"a","when":1}]}', 'case 1 has a field other than name, request and expect'],
      [
        '{"cases":[{"name":"a","expect":{"text":["b"]}}]}',
        'case 1: "expect" has a field other than contains, excludes, pages, pictures, error',
      ],
      [
        '{"cases":[{"name":"a","expect":{"pages":0}}]}',
        'case 1: "pages" must be a number of pages, or an object { min, max }',
      ],
      [
        '{"cases":[{"name":"a","request":{"batchSplitBy":"d"}}]}',
        'case 1: "request" cannot have "batchSplitBy"',
      ],
      [
        '{"cases":[{"name":"a","request":{"lang":1}}]}',
        'case 1: in "request", "lang" must be a string of at most 200 characters',
      ],
      [
        JSON.stringify({ cases: Array.from({ length: 51 }, (_, index) => ({ name: String(index) })) }),
        'there are more than 50 cases',
      ],
      [
        JSON.stringify({ cases: [{ name: 'a', request: { data: { a: 'x'.repeat(4 * 1024 * 1024) } } }] }),
        'the cases have more than 4194304 bytes',
      ],
    ])('%.60s is refused', async (body, issue) => {
      const { id } = await store('Dear {d.name}')
      const answer = await client().put(`/template/${id}/checks`, body)
      expect([answer.status, answer.body.error]).toEqual([400, `Invalid checks. Error: ${issue}`])
    })
    it('cases of an unknown template are 404', async () => {
      expect((await client().get(`/template/${'0'.repeat(64)}/checks`)).status).toBe(404)
      expect((await client().put(`/template/1/checks`, { cases: [] })).status).toBe(404)
      expect((await client().post(`/template/1/check`, {})).status).toBe(404)
    })
  })

  describe('texts and pages', () => {
    it('passes when the document has the text and pages', async () => {
      const { id } = await store(await letter())
      await put(id, [
        {
          name: 'Ann',
          request: ann,
          expect: {
            contains: ['Dear Ann', 'You have 12 points', { text: 'Second page for Ann', page: 2 }],
            excludes: ['undefined', { text: 'Second page', page: 1 }],
            pages: 2,
          },
        },
        { name: 'pages may be a range', request: ann, expect: { pages: { min: 1, max: 3 } } },
        { name: 'nothing is expected', request: ann },
      ])
      const report = await run(id)
      expect(report.cases.flatMap(({ failures }) => failures)).toEqual([])
      expect([report.passed, report.cases.map(({ pages }) => pages)]).toEqual([true, [2, 2, undefined]])
    })
    it('fails when a text is missing, and quotes the document', async () => {
      const { id } = await store(await letter())
      const cases = [
        {
          name: 'Ann',
          request: ann,
          expect: {
            contains: ['Dear Anne', { text: 'Dear Ann', page: 2 }, { text: 'Dear', page: 3 }],
            excludes: ['12 points'],
            pages: { max: 1 },
          },
        },
      ]
      const { passed, cases: reports } = await run(id, { cases })
      expect([passed, reports[0]?.passed]).toEqual([false, false])
      expect(reports[0]?.failures).toEqual([
        {
          kind: 'contains',
          message: 'The document lacks "Dear Anne".',
          expected: 'Dear Anne',
          actual: expect.stringContaining('Dear Ann You have 12 points'),
        },
        {
          kind: 'contains',
          message: 'Page 2 lacks "Dear Ann".',
          expected: 'Dear Ann',
          page: 2,
          actual: 'Second page for Ann',
        },
        { kind: 'contains', message: 'The document has no page 3.', expected: 'Dear', page: 3 },
        {
          kind: 'excludes',
          message: 'The document has "12 points".',
          expected: '12 points',
          actual: expect.stringContaining('You have 12 points'),
        },
        {
          kind: 'pages',
          message: 'The document has 2 pages instead of 1.',
          expected: '1',
          actual: '2',
        },
      ])
    })
    it.each([
      ['an office document is read by its pages', { data: { name: 'Ann', points: 1 } }],
      ['a PDF by its text', ann],
    ])('%s', async (_, request) => {
      const { id } = await store(await letter())
      const expected = { contains: ['You have', { text: 'Second page for Ann', page: 2 }], pages: 2 }
      expect((await run(id, { cases: [{ name: 'a', request, expect: expected }] })).cases[0]).toMatchObject({
        failures: [],
        passed: true,
      })
    })
    it('text is the file itself, and white space does not count', async () => {
      const { id } = await store(`<p>${unique('start')}</p><b>{d.name}</b>`)
      const request = { data: { name: 'Ann  Lee' }, convertTo: 'html' }
      const cases = [{ name: 'a', request, expect: { contains: ['<b>Ann Lee</b>'], excludes: ['{d.'] } }]
      expect((await run(id, { cases })).passed).toBe(true)
    })
    it('languages and translations of the request count', async () => {
      const { id } = await store(`{t(hello)} {d.total:formatN(2)} ${unique('start')}`)
      const request = {
        data: { total: 1234.5 },
        lang: 'de-de',
        translations: { 'de-de': { hello: 'Guten Tag' } },
      }
      const cases = [{ name: 'German', request, expect: { contains: ['Guten Tag 1.234,50'] } }]
      expect((await run(id, { cases })).cases[0]).toMatchObject({ failures: [], passed: true })
    })
  })

  describe('errors', () => {
    const cases = (error?: string) => [
      { name: 'broken', request: { data: {} }, expect: error === undefined ? {} : { error } },
    ]
    it('an expected error passes, also by the code of a problem', async () => {
      const { id } = await store(`{d.a:nothing} ${unique('start')}`)
      const { cases: reports } = await run(id, { cases: cases() })
      const [failure] = reports[0]?.failures ?? []
      expect(failure).toMatchObject({
        kind: 'error',
        message: expect.stringMatching(/^The render failed\. /),
      })
      expect((await run(id, { cases: cases(failure?.actual) })).passed).toBe(true)
      expect((await run(id, { cases: cases('api.render.failed') })).passed).toBe(true)
      expect((await run(id, { cases: cases('convert.busy') })).cases[0]?.failures[0]).toMatchObject({
        kind: 'error',
        expected: 'convert.busy',
      })
    })
    it('an expected error that does not happen fails', async () => {
      const { id } = await store(`{d.a} ${unique('start')}`)
      expect((await run(id, { cases: cases('api.render.failed') })).cases[0]?.failures).toEqual([
        {
          kind: 'error',
          message: 'The render should have failed, but it produced a document.',
          expected: 'api.render.failed',
        },
      ])
    })
  })

  describe('pictures', () => {
    const pictured = (name: string, png?: string, maxChanged?: number) => [
      {
        name: 'looks',
        request: { data: { name, points: 1 }, ...pdf },
        expect: {
          pictures: [
            { page: 1, ...(png !== undefined && { png }), ...(maxChanged !== undefined && { maxChanged }) },
          ],
        },
      },
    ]
    it('are recorded from a response, and compared from then on', async () => {
      const { id } = await store(await letter())
      const first = await run(id, { cases: pictured('Ann'), pictures: true })
      expect(first.cases[0]?.failures).toEqual([
        { kind: 'picture', message: 'No picture of page 1 is recorded.', page: 1 },
      ])
      const png = first.cases[0]?.pictures?.[0]?.png ?? ''
      expect(atob(png).slice(1, 4)).toBe('PNG')
      await put(id, pictured('Ann', png))
      const same = await run(id)
      expect(same.cases[0]).toEqual({
        name: 'looks',
        passed: true,
        failures: [],
        pictures: [{ page: 1, changed: 0, areas: [] }],
      })
      const other = await run(id, { cases: pictured('Bartholomew', png) })
      const [picture] = other.cases[0]?.pictures ?? []
      expect([other.passed, picture?.png]).toEqual([false, undefined])
      expect(other.cases[0]?.failures[0]?.message).toMatch(
        /^Page 1 looks different: \d+(\.\d+)? % of it changed, 0.05 % may\.$/,
      )
      expect(picture?.changed).toBeGreaterThan(0)
      // The name is at the top of the page.
      expect(picture?.areas.length).toBeGreaterThan(0)
      for (const { top, height } of picture?.areas ?? []) expect(top + height).toBeLessThan(0.5)
      expect((await run(id, { cases: pictured('Bartholomew', png, 0.5) })).passed).toBe(true)
    })
    it.each([
      ['a page that is not there', [{ page: 9 }], /^Page 9 could not be drawn\. /],
      ['a file that is no picture', [{ page: 1, png: 'AAAA' }], /^The picture of page 1 is not a PNG/],
      ['a picture of another size', [{ page: 1, png: onePixel }], /^Page 1 looks different: 100 %/],
    ])('%s', async (_, pictures, message) => {
      const { id } = await store(await letter())
      const { cases } = await run(id, { cases: [{ name: 'a', request: ann, expect: { pictures } }] })
      expect(cases[0]?.failures.map((failure) => failure.message)).toEqual([expect.stringMatching(message)])
    })
  })

  describe('what runs', () => {
    it('only named cases, in their order', async () => {
      const { id } = await store(`{d.name} ${unique('start')}`)
      await put(
        id,
        ['a', 'b', 'c'].map((name) => ({ name, request: { data: {} } })),
      )
      expect((await run(id, { names: ['c', 'a'] })).cases.map(({ name }) => name)).toEqual(['c', 'a'])
      const answer = await client().post(`/template/${id}/check`, { names: ['d'] })
      expect([answer.status, answer.body.error]).toEqual([404, 'The template has no case with that name'])
    })
    it('a version, without a body', async () => {
      const first = await store(`Dear {d.name} ${unique('start')}`)
      await put(first.id, [
        { name: 'a', request: { data: { name: 'Ann' } }, expect: { contains: ['Dear Ann'] } },
      ])
      const second = await store(`Hello {d.name} ${unique('start')}`, { id: first.id })
      const check = async (query: string) =>
        (await client().send('POST', `/template/${first.id}/check${query}`)).body.data.passed
      expect(await check('')).toBe(false)
      expect(await check(`?versionId=${first.versionId}`)).toBe(true)
      expect(await check(`?versionId=${second.versionId}`)).toBe(false)
    })
    it('a template in the body, without storing it', async () => {
      const template = base64(`Dear {d.name} ${unique('start')}`)
      const cases = [{ name: 'a', request: { data: { name: 'Ann' } }, expect: { contains: ['Dear Ann'] } }]
      const { status, body } = await client().post('/template/check', { template, cases })
      expect([status, body.data.passed]).toEqual([200, true])
      expect((await client().post('/template/check', { cases })).status).toBe(422)
    })
    it('nothing when the body is not JSON', async () => {
      const { id } = await store(`Dear {d.name} ${unique('start')}`)
      const answer = await client().send('POST', `/template/${id}/check`, {
        body: 'names=a',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      expect([answer.status, answer.body.error]).toEqual([
        400,
        '"Content-Type" header is not "application/json"',
      ])
    })
  })
}

/** A PNG of one grey pixel. */
const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=='

interface Report {
  readonly passed: boolean
  readonly cases: readonly {
    readonly name: string
    readonly passed: boolean
    readonly pages?: number
    readonly failures: readonly {
      readonly kind: string
      readonly message: string
      readonly actual?: string
      readonly expected?: string
    }[]
    readonly pictures?: readonly {
      readonly page: number
      readonly changed?: number
      readonly areas: readonly { readonly top: number; readonly height: number }[]
      readonly png?: string
    }[]
  }[]
}
