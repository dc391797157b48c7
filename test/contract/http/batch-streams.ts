import { strFromU8, unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import { base64, type Client } from './client.ts'

/** One part of a multipart answer. */
interface Part {
  readonly headers: Headers
  readonly text: string
}

/** Batches that are answered while they are made: docs/api.md, "Streams of documents". */
export function batchStreamCases(client: () => Client): void {
  const people = [{ name: 'Ann' }, { name: 'Bo' }, { name: 'Cy' }]
  const template = base64('Dear {d.name}')
  /** Fails with the items that hold a text. */
  const failing = base64('{d.a:padl(1000000000)}')
  const lines = (options: object, items: readonly (object | string)[]) =>
    [options, ...items].map((item) => (typeof item === 'string' ? item : JSON.stringify(item))).join('\n')
  const send = (
    body: string | object,
    {
      path = '/render/template/stream',
      accept = 'multipart/mixed',
      type = '',
      ...headers
    }: Record<string, string> = {},
  ) =>
    fetch(`${client().url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': type || (typeof body === 'string' ? 'application/x-ndjson' : 'application/json'),
        accept,
        ...client().always,
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const partsOf = async (response: Response): Promise<readonly Part[]> => {
    expect(response.status).toBe(200)
    const boundary = /^multipart\/mixed; boundary="(.+)"$/.exec(
      response.headers.get('content-type') ?? '',
    )?.[1]
    const text = await response.text()
    expect(text.endsWith(`\r\n--${boundary}--\r\n`)).toBe(true)
    return text
      .split(`--${boundary}`)
      .slice(1, -1)
      .map((part) => {
        const head = part.slice(2, part.indexOf('\r\n\r\n'))
        const headers = new Headers(
          head.split('\r\n').map((line): [string, string] => [line.split(': ')[0]!, line.split(': ')[1]!]),
        )
        return { headers, text: part.slice(part.indexOf('\r\n\r\n') + 4, -2) }
      })
  }
  const shown = (parts: readonly Part[]) =>
    parts.map(({ headers, text }) => [
      headers.get('service-batch-index'),
      headers.get('service-batch-status'),
      headers.get('content-disposition')?.replace(/.*filename=/, '') ?? JSON.parse(text).error,
    ])
  const whole = [
    ['0', '200', '"Ann.txt"'],
    ['1', '200', '"Bo.txt"'],
    ['2', '200', '"Cy.txt"'],
  ]
  const byD = { template, data: people, batchSplitBy: 'd', batchReportName: '{d.name}' }

  it('each report is a part with its name, index, status and length', async () => {
    const parts = await partsOf(await send(byD))
    expect(shown(parts)).toEqual(whole)
    for (const { headers, text } of parts) {
      expect(Number(headers.get('content-length'))).toBe(text.length)
      expect(headers.get('content-type')).toMatch(/^text\/plain/)
    }
    expect(parts.map(({ text }) => text)).toEqual(['Dear Ann', 'Dear Bo', 'Dear Cy'])
  })

  it('items are read from the lines after the options', async () => {
    const options = { template, batchReportName: '{d.name}' }
    expect(shown(await partsOf(await send(lines(options, people))))).toEqual(whole)
  })

  for (const path of ['/render/template', '/render/template?download=true', '/render/template/file'])
    it(`Accept asks for parts on every path of a render: ${path}`, async () => {
      expect(shown(await partsOf(await send(byD, { path })))).toEqual(whole)
      const options = { template, batchReportName: '{d.name}' }
      expect(shown(await partsOf(await send(lines(options, people), { path })))).toEqual(whole)
    })

  it('without that header the reports are streamed in a zip', async () => {
    for (const body of [byD, lines({ template, batchReportName: '{d.name}' }, people)]) {
      const response = await send(body, { accept: '*/*' })
      expect([
        response.status,
        response.headers.get('content-type'),
        response.headers.get('content-length'),
      ]).toEqual([200, 'application/zip', null])
      const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
      expect(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)])).toEqual([
        ['Ann.txt', 'Dear Ann'],
        ['Bo.txt', 'Dear Bo'],
        ['Cy.txt', 'Dear Cy'],
      ])
    }
  })

  it('with batchOnError report, an item that fails becomes a part with its error', async () => {
    const items = [{}, { a: 'x' }, {}, '{"a":', '[1]']
    const parts = await partsOf(await send(lines({ template: failing, batchOnError: 'report' }, items)))
    expect(parts.map(({ headers }) => headers.get('service-batch-status'))).toEqual([
      '200',
      '500',
      '200',
      '400',
      '400',
    ])
    expect(parts.map(({ headers }) => headers.get('service-batch-end'))).toEqual(Array(5).fill(null))
    expect(JSON.parse(parts[1]!.text)).toMatchObject({
      success: false,
      error: expect.stringContaining('padl'),
    })
  })

  it('an item that fails ends the batch by default, with the number of the item', async () => {
    const items = [{}, { a: 'x' }, {}]
    const parts = await partsOf(await send(lines({ template: failing }, items)))
    expect(parts.map(({ headers }) => headers.get('service-batch-end'))).toEqual([null, 'failed'])
    expect(JSON.parse(parts[1]!.text).error).toContain('Item 1 of the batch')
  })

  it('the error of a failing first item is the response to the call', async () => {
    const response = await send(lines({ template: failing }, [{ a: 'x' }, {}]))
    expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([
      500,
      expect.stringContaining('Item 0 of the batch'),
    ])
  })

  it('an archive breaks off where an item fails and errors are not reported', async () => {
    const response = await send(lines({ template: failing }, [{}, { a: 'x' }]), {
      accept: 'application/zip',
    })
    const read = response.arrayBuffer().then((bytes) => unzipSync(new Uint8Array(bytes)))
    await expect(read).rejects.toThrow()
  })

  const refused: readonly [
    says: string,
    body: string | object,
    headers: Record<string, string>,
    status: number,
    error: RegExp,
  ][] = [
    ['no lines', '', {}, 400, /The batch has no items/],
    ['options alone', lines({ template }, []), {}, 400, /The batch has no items/],
    ['data beside the lines', lines({ template, data: {} }, [{}]), {}, 400, /"data" belongs on the lines/],
    ['an array by name', lines({ template, batchSplitBy: 'd.list' }, [{}]), {}, 400, /can only be "d"/],
    [
      'a private address',
      { template, dataUrl: 'http://127.0.0.1:1/' },
      {},
      400,
      /calls to its address are not allowed/,
    ],
    [
      'one PDF',
      lines({ template, convertTo: 'pdf', batchOutput: 'pdf' }, [{}]),
      {},
      400,
      /cannot be one PDF/,
    ],
    ['options that are no JSON', 'x\n{}', {}, 400, /JSON/],
    [
      'a webhook',
      lines({ template }, [{}]),
      { 'service-webhook-url': 'http://a.example/' },
      400,
      /cannot be asynchronous or repeated/,
    ],
    [
      'a preference',
      lines({ template }, [{}]),
      { prefer: 'respond-async' },
      400,
      /cannot be asynchronous or repeated/,
    ],
    ['a key', byD, { 'idempotency-key': 'abc' }, 400, /cannot be asynchronous or repeated/],
    ['no batch', { template, data: {} }, {}, 400, /Only a batch/],
    [
      'more than the limit of a batch',
      { ...byD, data: Array(101).fill({}) },
      {},
      500,
      /more than 100 documents/,
    ],
  ]
  for (const [says, body, headers, status, error] of refused)
    it(`refused: ${says}`, async () => {
      const response = await send(body, headers)
      expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([
        status,
        expect.stringMatching(error),
      ])
    })

  it('accepts more lines than the limit of a batch, since none is stored', async () => {
    const parts = await partsOf(await send(lines({ template }, Array(150).fill({ name: 'x' }))))
    expect(parts).toHaveLength(150)
  })
}
