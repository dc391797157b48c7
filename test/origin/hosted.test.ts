import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { unzipSync } from 'fflate'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { createApp } from '../../origin/app.ts'
import { startServer } from '../../origin/server.ts'
import { createServices } from '../../origin/services.ts'
import { AppError } from '../../shared/errors/app-error.ts'
import { sweepOrphans } from '../../shared/services/sweep.ts'
import { authenticationContract } from '../contract/http/authentication.ts'
import { base64, createClient } from '../contract/http/client.ts'
import { hostedContract } from '../contract/http/hosted.ts'
import { testConfig } from '../helpers/origin-config.ts'
import { accountCommands, platen } from '../helpers/platen-cli.ts'

async function hosted(authenticationPublicKey = '') {
  const { config, remove } = await testConfig({ hosted: true, mergeWorkers: 1, authenticationPublicKey })
  await platen(config.workdir, 'generate-keys')
  const server = await startServer(config)
  return {
    url: server.url,
    platen: accountCommands(config.workdir),
    stop: async () => {
      await server.stop()
      await remove()
    },
  }
}

hostedContract('origin, embedded', () => hosted())

it('a closed account is removed with everything it has, and its tokens do not work for a later one', async () => {
  const { config, remove } = await testConfig({ hosted: true, mergeWorkers: 1 })
  await platen(config.workdir, 'generate-keys')
  const services = await createServices(config)
  const app = createApp(services)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const command = accountCommands(config.workdir)
  const accounts = async (...args: readonly string[]) => (await command('accounts', ...args)).out
  const clientOf = async (name: string) =>
    createClient(url, { authorization: `Bearer ${await accounts('token', name)}` })
  for (const name of ['stays', 'goes']) await accounts('create', name)
  const [stays, goes] = [await clientOf('stays'), await clientOf('goes')]
  for (const client of [stays, goes]) {
    await client.version('own {d.a}', { category: 'c', tags: '["t"]', sample: '[{"data":{}}]' })
    await client.post('/render/template', { template: btoa('{d.a}'), data: {} })
  }
  await accounts('close', 'goes')
  expect(await accounts('remove', 'goes')).toBe('goes  removed')
  expect(await accounts('create', 'goes')).toBe('goes  100 credits a month')
  await expect.poll(async () => (await goes.get('/templates')).status).toBe(401)
  const again = await clientOf('goes')
  expect((await again.get('/templates?includeVersions=true')).body.data).toEqual([])
  expect((await again.get('/templates/tags')).body.data).toEqual([])
  expect((await stays.get('/templates')).body.data).toHaveLength(1)
  // Files go with the sweep of what no row names, once they are old enough to be certain.
  const later = { now: () => Date.now() + 3 * 3_600_000 }
  const left = async (account: string) => {
    const found: string[] = []
    for await (const { key } of services.blobs.list(`${account}/`)) found.push(key)
    return found.length
  }
  expect([await left('goes'), await left('stays')]).toEqual([3, 3])
  expect((await sweepOrphans({ ...services, clock: later })).removed).toBe(3)
  expect([await left('goes'), await left('stays')]).toEqual([0, 3])
  app.server.closeAllConnections()
  await app.close()
  await services.stop()
  await remove()
})

it('a render that is accepted and charged is not refused because the database goes away before its credits are reported', async () => {
  const { config, remove } = await testConfig({ hosted: true, mergeWorkers: 1 })
  await platen(config.workdir, 'generate-keys')
  const services = await createServices(config)
  let isAway = false
  const app = createApp({
    ...services,
    sql: {
      ...services.sql,
      query: async (statement) => {
        if (isAway) throw new AppError('storage.unavailable')
        return services.sql.query(statement)
      },
      batch: async (statements) => {
        const changed = await services.sql.batch(statements)
        isAway ||= statements.some(({ text }) => text.startsWith('INSERT INTO jobs'))
        return changed
      },
    },
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const command = accountCommands(config.workdir)
  await command('accounts', 'create', 'payer')
  const { out: token } = await command('accounts', 'token', 'payer')
  const client = createClient(url, { authorization: `Bearer ${token}`, prefer: 'respond-async' })
  const answer = await client.post('/render/template', { template: btoa('{d.a}'), data: {} })
  expect([answer.status, answer.text, isAway]).toEqual([202, answer.text, true])
  expect(answer.headers.get('service-job-id')).toMatch(/^[0-9a-f]{32}$/)
  expect(answer.headers.get('service-credits-remaining')).toBeNull()
  app.server.closeAllConnections()
  await app.close()
  await services.stop()
  await remove()
})

// Accounts apart, once more: now they are kept in the records.
authenticationContract('origin, hosted', async (publicKeys) => {
  const target = await hosted(publicKeys)
  for (const name of ['self', 'first', 'second'])
    await target.platen('accounts', 'create', name, '--credits', 'unlimited')
  return target
})

it('nothing that a test token gets is without its watermark', async () => {
  const { config, remove } = await testConfig({ hosted: true, mergeWorkers: 1 })
  await platen(config.workdir, 'generate-keys')
  const server = await startServer(config)
  const command = accountCommands(config.workdir)
  const accounts = async (...args: readonly string[]) => (await command('accounts', ...args)).out
  await accounts('create', 'tester')
  const authorization = `Bearer ${await accounts('token', 'tester', '--kind', 'test')}`
  const client = createClient(server.url, { authorization })
  const fetched = async (path: string, sent?: { readonly body: string; readonly type?: string }) => {
    const response = await fetch(`${server.url}${path}`, {
      headers: { authorization, ...(sent && { 'content-type': sent.type ?? 'application/json' }) },
      ...(sent && { method: 'POST', body: sent.body }),
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect([path, response.status, response.ok ? '' : Buffer.from(bytes).toString()]).toEqual([path, 200, ''])
    return bytes
  }
  const page = base64('<p>one {d.x}')
  const rendered = (body: object) =>
    fetched('/render/template?download=true', {
      body: JSON.stringify({ template: page, data: {}, convertTo: 'pdf', ...body }),
    })
  /** The text of each page, without white space. */
  const pagesOf = (input: Uint8Array) =>
    execFileSync('pdftotext', ['-raw', '-', '-'], { input })
      .toString()
      .split('\f')
      .slice(0, -1)
      .map((text) => text.replace(/\s/g, ''))
  const marked = (...texts: readonly string[]) => texts.map((text) => expect.stringMatching(`${text}.*TEST`))

  const batch = { data: [{ x: 'a' }, { x: 'b' }], batchSplitBy: 'd', batchOutput: 'pdf' }
  expect(pagesOf(await rendered(batch))).toEqual(marked('onea', 'oneb'))
  const appended = await client.hashed('<p>two')
  const appending = base64(`<p>one{d.id:appendTemplate('${appended}', end)}`)
  const joined = await rendered({ template: appending, data: { id: {} } })
  expect(pagesOf(joined)).toEqual(marked('one', 'two'))
  const key = readFileSync(new URL('../fixtures/signing/p256.pem', import.meta.url), 'utf8')
  const sign = { key, page: 1, x: 0, y: 0, width: 600, height: 800 }
  expect(pagesOf(await rendered({ sign }))).toEqual(marked('one'))
  const lines = [{ template: page, convertTo: 'pdf' }, { x: 'a' }, { x: 'b' }].map((line) =>
    JSON.stringify(line),
  )
  const stream = { body: lines.join('\n'), type: 'application/x-ndjson' }
  for (const entry of Object.values(unzipSync(await fetched('/render/template/stream', stream))))
    expect(pagesOf(entry)).toEqual(marked('one'))
  const later = await client.post(
    '/render/template',
    { template: page, data: { x: 'later' }, convertTo: 'pdf' },
    { prefer: 'respond-async' },
  )
  const job = async () => (await client.get(`/jobs/${later.headers.get('service-job-id')}`)).body.data
  await expect.poll(job).toMatchObject({ state: 'done' })
  expect(pagesOf(await fetched(`/render/${(await job()).renderId}`))).toEqual(marked('onelater'))

  // The document before it became a PDF is not in the PDF.
  const word = readFileSync(new URL('../fixtures/templates/letter/template.docx', import.meta.url))
  const convertTo = { formatName: 'pdf', formatOptions: { IsAddStream: true } }
  const office = await rendered({ template: word.toString('base64'), convertTo, converter: 'L' })
  expect(Buffer.from(office).toString('latin1')).not.toContain('AdditionalStreams')

  // A picture is one of the PDF.
  const { id } = await client.version('<p>page {d.x}', { sample: '[{"data":{"x":"filled"}}]' })
  for (const data of ['none', 'sample']) {
    const { data: pixels, info } = await sharp(
      await fetched(`/template/${id}/preview?width=400&data=${data}`),
    )
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const isRed = (at: number) => pixels[at]! - pixels[at + 1]! > 15
    const red = Array.from({ length: pixels.length / 3 }, (_, at) => isRed(3 * at)).filter(Boolean).length
    expect([data, info.width, red / (pixels.length / 3)]).toEqual([data, 400, expect.closeTo(0.06, 1)])
    expect(red).toBeGreaterThan(1_000)
  }
  const svg = await client.get(`/template/${id}/preview?format=svg`)
  expect([svg.status, svg.body.code]).toEqual([403, 'w117'])
  // The cases of a template have no pictures.
  const checked = await client.post('/template/check', {
    template: page,
    cases: [{ name: 'a', request: { data: {}, convertTo: 'pdf' }, expect: {} }],
    pictures: true,
  })
  expect([checked.status, JSON.stringify(checked.body).includes('iVBOR')]).toEqual([200, false])
  await server.stop()
  await remove()
})

const gotenberg = new URL('../../plugins/routes/gotenberg', import.meta.url).pathname

it('routes of plugins cost as much as a render, and test tokens may not use them: their documents have no watermark', async () => {
  const { config, remove } = await testConfig({ hosted: true, mergeWorkers: 1, plugins: [gotenberg] })
  await platen(config.workdir, 'generate-keys')
  const server = await startServer(config)
  const command = accountCommands(config.workdir)
  const accounts = async (...args: readonly string[]) => (await command('accounts', ...args)).out
  await accounts('create', 'payer', '--credits', '3')
  const tokens = {
    production: await accounts('token', 'payer'),
    test: await accounts('token', 'payer', '--kind', 'test'),
  }
  const used = async () => Number(/^payer {2}(\d+) of 3 /m.exec(await accounts('list'))?.[1])
  const post = async (
    kind: keyof typeof tokens,
    files: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const form = new FormData()
    for (const [name, content] of Object.entries(files)) form.append('files', new Blob([content]), name)
    const answer = await fetch(`${server.url}/forms/chromium/convert/html`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${tokens[kind]}`, ...headers },
    })
    await answer.arrayBuffer()
    return [answer.status, answer.headers.get('service-credits-remaining')]
  }
  const page = { 'index.html': '<p>page' }
  expect(await post('test', page)).toEqual([403, null])
  expect(await post('production', page)).toEqual([200, '2'])
  expect([await post('production', { 'other.html': 'x' }), await used()]).toEqual([[400, null], 1])
  const large = { ...page, 'data.txt': ' '.repeat(1_100_000) }
  // Work after the answer is charged when it begins, and kept unless it fails.
  const webhook = {
    'gotenberg-webhook-url': 'http://example.invalid',
    'gotenberg-webhook-error-url': 'http://example.invalid',
  }
  expect(await post('production', { 'other.html': 'x' }, webhook)).toEqual([204, '2'])
  expect(await post('production', large)).toEqual([200, '0'])
  expect([await post('production', page), await used()]).toEqual([[402, null], 3])
  await server.stop()
  await remove()
})
