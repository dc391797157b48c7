import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, createClient, unique } from '../contract/http/client.ts'
import { type EdgeTarget, edgeTarget } from '../helpers/edge-target.ts'
import { openRaw, readRaw } from '../helpers/raw-http.ts'

/** What only a socket can say, to the Worker: cut bodies, slow ones, ones without an end. */
describe('the edge on the wire', () => {
  let edge: EdgeTarget
  let client: Client
  beforeAll(async () => {
    edge = await edgeTarget({
      SERVICE_MAX_DATA_SIZE: '1000000',
      SERVICE_REQUEST_TIMEOUT: '1500',
      SERVICE_MAX_CLIENT_RENDERS: '2',
    })
    client = createClient(edge.url)
  })
  afterAll(() => edge?.stop())
  const files = async () => {
    const folder = join(edge.state, 'v3', 'r2')
    const all = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
    return all.filter((entry) => entry.isFile() && entry.parentPath.includes('blobs')).length
  }
  const render = (length: string) =>
    `POST /render/template HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${length}\r\n\r\n`
  const upload =
    'POST /template HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=B\r\ncontent-length: 9000\r\n\r\n--B\r\nContent-Disposition: form-data; name="template"\r\n\r\n'

  it('an upload cut by its sender leaves nothing behind', async () => {
    const before = await files()
    for (const sent of [upload.slice(0, -40), upload, `${upload}${'x'.repeat(4000)}`]) {
      const raw = await openRaw(edge.url)
      raw.write(sent)
      await new Promise((resolve) => setTimeout(resolve, 100))
      raw.destroy()
    }
    expect((await client.get('/templates')).body.data).toEqual([])
    await expect.poll(files).toBe(before)
  })

  it('a sender that is too slow gets an error, and nothing of it is stored', async () => {
    for (const sent of [`${render('content-length: 5000')}{"data"`, `${upload}half`]) {
      const raw = await openRaw(edge.url)
      raw.write(sent)
      const { status, body } = readRaw(await raw.received((text) => text.includes('}')))
      expect([sent.slice(0, 14), status, body]).toEqual([
        sent.slice(0, 14),
        408,
        { success: false, error: 'The request body did not arrive in time.', code: 'api.body.slow' },
      ])
      raw.destroy()
    }
    expect((await client.get('/templates')).body.data).toEqual([])
  })

  it('a body over the limit is refused before it was sent, and one of unknown length while it is', async () => {
    const piece = `${(100_000).toString(16)}\r\n${'x'.repeat(100_000)}\r\n`
    for (const sent of [
      `${render('content-length: 99999999')}{"data"`,
      render('transfer-encoding: chunked') + piece.repeat(12),
    ]) {
      const raw = await openRaw(edge.url)
      raw.write(sent)
      const { status, body } = readRaw(await raw.received((text) => text.includes('}')))
      expect([status, body]).toEqual([
        413,
        {
          success: false,
          error: 'Content too large, the JSON size limit is 1000000 Bytes',
          code: 'api.json.too-large',
        },
      ])
      raw.destroy()
    }
  })

  it('more simultaneous renders of one client than allowed are 429, with retry-after', async () => {
    const open = async () => {
      const raw = await openRaw(edge.url)
      raw.write(`${render('content-length: 50')}{`)
      return raw
    }
    const held = [await open(), await open()]
    let refused = await client.post('/render/template', { data: {} })
    for (let tries = 0; refused.status !== 429 && tries < 50; tries++) {
      held.push(await open())
      refused = await client.post('/render/template', { data: {} })
    }
    expect([refused.status, refused.body, refused.headers.get('retry-after')]).toEqual([
      429,
      { success: false, error: 'Too Many Requests', code: 'api.too-many' },
      '1',
    ])
    expect((await client.get('/templates')).status).toBe(200)
    for (const raw of held) raw.destroy()
    await expect.poll(async () => (await client.post('/render/template', { data: {} })).status).toBe(422)
  })

  it('Expect: 100-continue, and bodies in many pieces', async () => {
    const text = unique('pieces')
    const body = `--B\r\nContent-Disposition: form-data; name="template"\r\n\r\n${text}\r\n--B--\r\n`
    const raw = await openRaw(edge.url)
    raw.write(
      `POST /template HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-type: multipart/form-data; boundary=B\r\ncontent-length: ${body.length}\r\n\r\n`,
    )
    for (const letter of body) raw.write(letter)
    expect(await raw.received((received) => received.includes('}}'))).toContain('"templateExtension":"txt"')
    raw.destroy()
  })
})
