import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient, type Target } from '../contract/http/client.ts'
import { httpContract } from '../contract/http/suite.ts'
import { edgeTarget } from '../helpers/edge-target.ts'
import { originTarget } from '../helpers/origin-target.ts'
import { openRaw } from '../helpers/raw-http.ts'

const originSecret = 'a secret that both sides know, for tests alone'

/** The Worker with an origin behind it, as production has it. */
async function edgeBeforeOrigin(): Promise<Target> {
  const origin = await originTarget({ originSecret })
  try {
    const edge = await edgeTarget({
      SERVICE_ORIGIN_URL: origin.url,
      SERVICE_ORIGIN_SECRET: originSecret,
      SERVICE_NB_REPORT_MAX_WAITING: '0',
    })
    return {
      url: edge.url,
      stop: async () => {
        await edge.stop()
        await origin.stop()
      },
    }
  } catch (error) {
    await origin.stop()
    throw error
  }
}

httpContract('edge in workerd, an origin behind it', edgeBeforeOrigin)

describe('the edge alone', () => {
  let edge: Target
  let refusing: Target
  let origin: Target
  beforeAll(async () => {
    edge = await edgeTarget()
    origin = await originTarget()
    // Nobody listens there.
    refusing = await edgeTarget({
      SERVICE_ORIGIN_URL: 'http://127.0.0.1:9',
      SERVICE_ORIGIN_SECRET: originSecret,
    })
  })
  afterAll(async () => {
    await edge?.stop()
    await refusing?.stop()
    await origin?.stop()
  })

  const letter = new URL('../fixtures/templates/letter/', import.meta.url)
  const template = readFileSync(new URL('template.docx', letter)).toString('base64')
  const data = JSON.parse(readFileSync(new URL('data.json', letter), 'utf8'))

  it('fills a Word template to the byte as an origin does', async () => {
    const merged = async ({ url }: Target) => {
      const response = await fetch(`${url}/render/template?download=true`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ template, data }),
      })
      expect(response.status).toBe(200)
      return Buffer.from(await response.arrayBuffer())
    }
    const document = await merged(edge)
    expect(document.subarray(0, 2).toString()).toBe('PK')
    expect(document.equals(await merged(origin))).toBe(true)
  })

  it('makes ten reports while the caller waits; more need a webhook', async () => {
    const batch = (length: number) =>
      createClient(edge.url).post('/render/template', {
        template,
        data: Array.from({ length }, () => data),
        batchSplitBy: 'd',
      })
    expect((await batch(10)).body.data.renderId).toMatch(/\.zip$/)
    const refused = await batch(11)
    expect([refused.status, refused.body.error]).toEqual([
      500,
      'Unable to generate the document. A batch of more than 10 documents must be asynchronous, with the header "service-webhook-url"',
    ])
  })

  it('makes a PDF of it', async () => {
    const response = await fetch(`${edge.url}/render/template?download=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ template, data, convertTo: 'pdf', converter: 'I' }),
    })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    const text = execFileSync('pdftotext', ['-', '-'], {
      input: new Uint8Array(await response.arrayBuffer()),
    })
    expect(text.toString()).toContain('You have 1,240 points, which makes you a gold member.')
  })

  it('names the conversion that needs an origin', async () => {
    const answer = await createClient(edge.url).post('/render/template?download=true', {
      template,
      data,
      convertTo: 'rtf',
    })
    expect([answer.status, answer.body.error]).toEqual([
      500,
      'Unable to generate the document. Converting docx to rtf needs an origin server, and none is configured for this edge. Set SERVICE_ORIGIN_URL, or choose an output that the edge can produce by itself.',
    ])
  })

  it('reports that no origin answers, without its address', async () => {
    const answer = await createClient(refusing.url).post('/render/template?download=true', {
      template,
      data,
      convertTo: 'rtf',
    })
    expect([answer.status, answer.body.error]).toEqual([
      502,
      'No origin server could take this conversion. Send the request again in a moment.',
    ])
    expect(answer.text).not.toContain('127.0.0.1')
  })

  it('a download that is cut leaves the file available', async () => {
    const client = createClient(edge.url)
    const id = await client.hashed(`{d.a}${'0123456789abcdef'.repeat(1_200_000)}`)
    const { renderId } = (await client.post(`/render/${id}`, { data: { a: 'whole' } })).body.data
    const path = `/render/${renderId}`
    const raw = await openRaw(edge.url)
    raw.socket.pause()
    raw.write(`GET ${path} HTTP/1.1\r\nhost: x\r\naccept-encoding: identity\r\n\r\n`)
    await expect.poll(async () => (await client.send('HEAD', path)).status).toBe(404)
    raw.destroy()
    await expect.poll(async () => (await client.send('HEAD', path)).status).toBe(200)
    const file = await client.get(path, { 'accept-encoding': 'identity' })
    expect([file.status, file.text.slice(0, 6), file.text.length]).toEqual([200, 'whole0', 19_200_005])
    expect((await client.get(path)).status).toBe(404)
  })

  it('the scheduled cleanup removes expired files and rows', async () => {
    const short = await edgeTarget({
      SERVICE_RENDER_LIFE: '6',
      SERVICE_TEMPLATE_RETENTION: '0',
      SERVICE_TEMPLATE_PATH_RETENTION: '30',
    })
    const client = createClient(short.url)
    const files = async () => {
      const all = await readdir(join(short.state, 'v3', 'r2'), { recursive: true, withFileTypes: true })
      return all.filter((entry) => entry.isFile() && entry.parentPath.includes('blobs')).length
    }
    const [kept, gone] = [
      await client.hashed('kept {d.a}'),
      await client.version('gone {d.a}', { sample: '[{"data":{}}]' }),
    ]
    const fetched = (await client.post(`/render/${kept}`, { data: {} })).body.data.renderId
    expect((await client.get(`/render/${fetched}`)).status).toBe(200)
    const { renderId } = (await client.post(`/render/${kept}`, { data: {} })).body.data
    expect((await client.delete(`/template/${gone.id}`)).status).toBe(200)
    await expect.poll(files).toBe(4) // two templates, a sample, a render
    await expect.poll(async () => (await client.send('HEAD', `/render/${renderId}`)).status).toBe(404)
    await new Promise((resolve) => setTimeout(resolve, 1100)) // a sweep takes what ended in an earlier second
    expect((await fetch(`${short.url}/cdn-cgi/local/scheduled`)).status).toBe(200)
    await expect.poll(files).toBe(1)
    expect((await client.get(`/template/${kept}`)).text).toBe('kept {d.a}')
    expect((await client.get('/templates')).body.data).toHaveLength(1)

    // A template that lay unused: the day on which it was used is set back in the database below the Worker.
    const unused = await client.hashed('unused {d.a}')
    const days = () => usedDays(short.state)
    await expect.poll(() => [...days().values()].every((day) => day > 0)).toBe(true)
    expect([...days().keys()].sort()).toEqual([kept, unused].sort())
    usedDays(short.state, unused, days().get(unused)! - 31)
    expect((await fetch(`${short.url}/cdn-cgi/local/scheduled`)).status).toBe(200)
    await expect.poll(files).toBe(1)
    expect((await client.get(`/template/${unused}`)).status).toBe(404)
    expect((await client.get(`/template/${kept}`)).text).toBe('kept {d.a}')
    await short.stop()
  })
})

/** On which days templates were used, by id, as the database of a Worker has it; one of them may be set. */
function usedDays(state: string, id = '', day = 0): ReadonlyMap<string, number> {
  const folder = join(state, 'v3', 'd1', 'miniflare-D1DatabaseObject')
  const file = readdirSync(folder).find((name) => /^[0-9a-f]{64}\.sqlite$/.test(name))
  const database = new DatabaseSync(join(folder, file!))
  try {
    database.prepare('UPDATE templates SET used_day = ? WHERE version_id = ?').run(day, id)
    const rows = database.prepare('SELECT version_id AS id, used_day AS day FROM templates').all()
    return new Map(rows.map((row) => [String(row['id']), Number(row['day'])]))
  } finally {
    database.close()
  }
}
