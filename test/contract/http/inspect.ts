import { expect, it } from 'vitest'
import { base64, type Client } from './client.ts'

/** POST /template/lint and POST /template/schema, beside the specification: both take the body of an inline render. */
export function inspectCases(client: () => Client): void {
  const template = (text: string) => base64(text)

  it('lint lists every problem with its place and renders nothing', async () => {
    const answer = await client().post('/template/lint', {
      template: template('<p>{d.a:upercase}</p><p>{d.l[i].n}</p>'),
      data: {},
    })
    expect(answer.status).toBe(200)
    expect(answer.body.success).toBe(true)
    expect(answer.body.data.errors).toMatchObject([
      {
        code: 'template.formatter.unknown',
        message: 'Formatter "upercase" does not exist. Do you mean "upperCase"?',
        place: { tag: '{d.a:upercase}', snippet: '{d.a:upercase}' },
      },
      { message: 'The marker {d.l[i].n} has no corresponding [i+1] for array "l".' },
    ])
  })

  it('lint with data warns of what the data lacks, by name', async () => {
    const answer = await client().post('/template/lint', {
      template: template('Hello {d.name} {d.city}'),
      data: { name: 'Ann' },
    })
    expect(answer.body.data).toEqual({
      errors: [],
      warnings: [
        {
          code: 'template.data.missing',
          message: 'd.city is not in the data: its tags print nothing.',
          where: 'd.city',
        },
      ],
    })
  })

  it('lint without data says nothing about data', async () => {
    const answer = await client().post('/template/lint', { template: template('Hello {d.name}') })
    expect(answer.body).toEqual({ success: true, data: { errors: [], warnings: [] } })
  })

  it('lint considers the requested output', async () => {
    const answer = await client().post('/template/lint', { template: template('x'), convertTo: 'nonsense' })
    expect(answer.body.data.errors).toMatchObject([{ code: 'convert.unknown-format' }])
  })

  it('the body says the type of a template that its content leaves open', async () => {
    // In a page a tag may run through elements; plain text has none.
    const text = template('<p>{d.<b>name</b>}</p>')
    const schema = async (extension: string) => {
      const { body } = await client().post('/template/schema', { template: text, extension })
      return Object.keys(body.data.schema.properties)
    }
    expect([await schema('html'), await schema('txt')]).toEqual([['name'], ['<b>name</b>']])
    const answer = await client().post('/template/lint', { template: text, extension: 'png' })
    expect([answer.status, answer.body.success]).toEqual([415, false])
  })

  it('schema returns a JSON Schema and a sample', async () => {
    const answer = await client().post('/template/schema', {
      template: template('{d.name:upperCase} {d.total:formatC} {c.brand}'),
    })
    expect(answer.status).toBe(200)
    expect(answer.body.data).toEqual({
      schema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        title: 'd',
        type: 'object',
        properties: { name: { type: 'string' }, total: { type: 'number' } },
        required: ['name', 'total'],
      },
      complementSchema: expect.objectContaining({ title: 'c', required: ['brand'] }),
      sample: { data: { name: 'Name', total: 100.5 }, complement: { brand: 'Brand' } },
    })
  })

  it('a sample renders and can be stored with its template', async () => {
    const text = 'Hello {d.name}!'
    const { body } = await client().post('/template/schema', { template: template(text) })
    const { sample } = body.data
    const stored = await client().post('/template', { template: template(text), sample: [sample] })
    expect(stored.status).toBe(200)
    const file = await client().post('/render/template?download=true', {
      template: template(text),
      data: sample.data,
    })
    expect(file.text).toBe('Hello Name!')
  })

  it.each(['/template/lint', '/template/schema'])('%s without a file, or without JSON', async (path) => {
    const none = await client().post(path, { data: {} })
    expect([none.status, none.body.success]).toEqual([422, false])
    const text = await client().send('POST', path, { body: 'x', headers: { 'content-type': 'text/plain' } })
    expect([text.status, text.body]).toEqual([
      400,
      { success: false, error: '"Content-Type" header is not "application/json"', code: 'api.content-type' },
    ])
    const broken = await client().send('POST', path, {
      body: `{"template":"${template('x')}","data":{"a":}}`,
      headers: { 'content-type': 'application/json' },
    })
    expect([broken.status, broken.body.success]).toEqual([400, false])
  })
}
