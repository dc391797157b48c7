import { createHash, createHmac } from 'node:crypto'
import JSZip from 'jszip'
import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../origin/codec.ts'
import { readManifest } from '../../../shared/provenance/manifest.ts'
import { verify } from '../../../shared/render/verify.ts'
import { docxOf, paragraph } from '../../helpers/docx.ts'
import { legible } from '../../helpers/legible.ts'
import { signaturesOf, signingFixture } from '../../helpers/signing.ts'
import { useTemporary } from '../../helpers/temporary.ts'
import { base64, type Client, unique } from './client.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** API 4.18: manifests of how documents were made. */
export function provenanceCases(client: () => Client): void {
  const place = useTemporary()
  const template = docxOf(paragraph('Dear {d.name}'))
  const data = { name: 'Ann' }
  const asked = async (body: object = {}) => ({
    template: base64(await template),
    data,
    convertTo: 'pdf',
    converter: 'I',
    provenance: true as boolean | object,
    ...body,
  })
  const ask = async (body: object, headers: Record<string, string> = {}, path = '/render/template') => {
    const answer = await fetch(`${client().url}${path}?download=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    expect(answer.status).toBe(200)
    const bytes = new Uint8Array(await answer.arrayBuffer())
    return { bytes, id: answer.headers.get('service-provenance'), headers: answer.headers }
  }
  const beside = async (id: string | null) => {
    const answer = await client().get(`/render/${id}`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
    const manifest = readManifest(new TextEncoder().encode(answer.text))
    if (manifest === undefined) throw new Error('The answer is no manifest.')
    return manifest
  }

  it('a PDF has the manifest that is beside it, and is the document that it describes', async () => {
    const { bytes, id } = await ask(await asked({ lang: 'de', provenance: { salt: 'pepper' } }))
    const found = await verify(
      {
        document: bytes,
        template: await template,
        data: new TextEncoder().encode(JSON.stringify(data, undefined, 2)),
        salt: 'pepper',
      },
      nodeCodec,
    )
    expect(found).toMatchObject({
      source: 'attached',
      document: 'same',
      appendedBytes: 0,
      template: 'same',
      data: 'same',
      manifest: {
        template: { format: 'docx', sha256: sha256(await template) },
        data: { hmacSha256: createHmac('sha256', 'pepper').update(JSON.stringify(data)).digest('hex') },
        options: { convertTo: 'pdf', converter: 'I', lang: 'de' },
        engines: [{ letter: 'I' }],
        fonts: [{ version: expect.stringMatching(/^Version/) }],
      },
    })
    expect(await beside(id)).toEqual(found?.manifest)
  })

  it('the header requests a manifest too, without digests of the data', async () => {
    const { id } = await ask(await asked({ provenance: undefined }), { 'service-provenance': 'yes' })
    const manifest = await beside(id)
    expect(manifest).not.toHaveProperty('data')
    expect(manifest.document.format).toBe('pdf')
  })

  it('there is no manifest unless it is requested', async () => {
    const plain = await asked({ provenance: undefined })
    const { bytes, headers } = await ask(plain)
    expect(headers.has('service-provenance')).toBe(false)
    expect(await verify({ document: bytes }, nodeCodec)).toBeUndefined()
    const answer = await client().post('/render/template', plain)
    expect(answer.body.data).not.toHaveProperty('provenance')
  })

  it('the same input gives the same bytes, and the digest in the manifest matches them', async () => {
    const body = await asked({ provenance: { attach: false } })
    const [one, two] = [await ask(body), await ask(body)]
    expect(Buffer.compare(one.bytes, two.bytes)).toBe(0)
    const { document } = await beside(one.id)
    expect(document).toEqual({ format: 'pdf', sha256: sha256(one.bytes), bytes: one.bytes.length })
    const attached = await beside((await ask(await asked())).id)
    expect(attached.document).toEqual(document)
  })

  it('a document other than a PDF has its manifest beside it', async () => {
    const { bytes, id } = await ask(await asked({ convertTo: undefined, converter: undefined }))
    const manifest = await beside(id)
    expect(manifest).toMatchObject({ engines: [], document: { format: 'docx', sha256: sha256(bytes) } })
    expect(await verify({ document: bytes, manifest }, nodeCodec)).toMatchObject({ document: 'same' })
  })

  it('a stored template is named by its ids, and the answer without the file names the manifest', async () => {
    const upload = { template: base64(await docxOf(paragraph(unique('A {d.name}')))), versioning: true }
    const { id, versionId } = (await client().post('/template', upload)).body.data
    const answer = await client().post(`/render/${id}`, {
      data,
      convertTo: 'pdf',
      converter: 'I',
      provenance: true,
    })
    expect(answer.body.data.provenance).toBe(answer.headers.get('service-provenance'))
    const manifest = await beside(answer.body.data.provenance)
    expect(manifest.template).toMatchObject({ id, versionId })
  })

  it('a job names the manifest', async () => {
    const accepted = await client().post('/render/template', await asked(), { prefer: 'respond-async' })
    const path = `/jobs/${accepted.headers.get('service-job-id')}`
    const job = await expect
      .poll(async () => (await client().get(path)).body.data, { timeout: 30_000, interval: 50 })
      .toMatchObject({ state: 'done' })
      .then(() => client().get(path))
    const manifest = await beside(job.body.data.provenance)
    const file = await fetch(`${client().url}/render/${job.body.data.renderId}`)
    const found = await verify({ document: new Uint8Array(await file.arrayBuffer()) }, nodeCodec)
    expect(found).toMatchObject({ document: 'same', manifest })
  })

  it('a signature covers the manifest', async () => {
    const sign = { key: signingFixture('p256.pem') }
    const { bytes } = await ask(await asked({ sign }))
    const found = await verify({ document: bytes }, nodeCodec)
    expect(found).toMatchObject({ document: 'same', manifest: { options: { signatures: 1 } } })
    expect(found?.appendedBytes).toBeGreaterThan(1_000)
    const [signature] = signaturesOf(place(), bytes)
    expect(signature?.get('Signature Validation')).toBe('Signature is Valid.')
    expect(await legible(place(), bytes)).not.toContain('PRIVATE KEY')
  })

  it('passwords are withheld, and an encrypted file has its manifest beside it', async () => {
    const formatOptions = { EncryptFile: true, DocumentOpenPassword: 'open sesame' }
    const { bytes, id, headers } = await ask(await asked({ convertTo: { formatName: 'pdf', formatOptions } }))
    expect(headers.get('service-warning')).toContain('provenance.not-attached')
    const manifest = await beside(id)
    expect(manifest.options.formatOptions).toEqual({ EncryptFile: true, DocumentOpenPassword: '(withheld)' })
    expect(manifest.document.sha256).toBe(sha256(bytes))
  })

  describe('batches', () => {
    const batch = { data: [{ name: 'Ann' }, { name: 'Bob' }], batchSplitBy: 'd', batchReportName: '{d.name}' }
    it('each report of a zip is followed by its manifest', async () => {
      const { bytes } = await ask(await asked({ ...batch, provenance: { salt: 'x' } }))
      const zip = await JSZip.loadAsync(bytes)
      expect(Object.keys(zip.files)).toEqual([
        'Ann.pdf',
        'Ann.pdf.provenance.json',
        'Bob.pdf',
        'Bob.pdf.provenance.json',
      ])
      const document = (await zip.file('Bob.pdf')?.async('uint8array')) ?? new Uint8Array()
      const text = (await zip.file('Bob.pdf.provenance.json')?.async('uint8array')) ?? new Uint8Array()
      const bob = new TextEncoder().encode('{"name":"Bob"}')
      const found = await verify({ document, data: bob, salt: 'x' }, nodeCodec)
      expect(found).toMatchObject({ document: 'same', data: 'same', manifest: readManifest(text) })
    })
    it('a joined PDF has one manifest for all reports', async () => {
      const { bytes, id } = await ask(
        await asked({ ...batch, batchOutput: 'pdf', provenance: { salt: 'x' } }),
      )
      const all = new TextEncoder().encode(JSON.stringify(batch.data))
      const found = await verify({ document: bytes, data: all, salt: 'x' }, nodeCodec)
      expect(found).toMatchObject({
        document: 'same',
        data: 'same',
        manifest: { engines: [{ letter: 'I' }] },
      })
      expect(await beside(id)).toEqual(found?.manifest)
    })
  })

  it.each([
    ['a text', 'yes'],
    ['an unknown member', { salt: 'a', time: 1 }],
    ['an empty salt', { salt: '' }],
    ['a salt that is too long', { salt: 'a'.repeat(201) }],
  ])('%s is refused', async (_, provenance) => {
    const answer = await client().post('/render/template', await asked({ provenance }))
    expect([answer.status, answer.body.error]).toEqual([
      400,
      expect.stringContaining('"provenance" must be a boolean or an object { salt, attach }'),
    ])
  })
}
