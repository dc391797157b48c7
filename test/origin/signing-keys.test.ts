import { copyFile, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OriginConfig } from '../../origin/config.ts'
import { createClient, type Target } from '../contract/http/client.ts'
import { docxOf, paragraph } from '../helpers/docx.ts'
import { originTarget } from '../helpers/origin-target.ts'
import { signaturesOf, signingFixture, signingFolder } from '../helpers/signing.ts'
import { useTemporary } from '../helpers/temporary.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const place = useTemporary()
const p12 = { signKey: signingFixture('rsa.p12'), signPassword: 'secret' }

/** A letter as PDF by engine I, so that no origin here starts an office. */
const letter = {
  template: Buffer.from(await docxOf(paragraph('Dear {d.name}'))).toString('base64'),
  data: { name: 'Ann' },
  convertTo: 'pdf',
  converter: 'I',
}

/** Signs a letter with the key of the operator. */
async function signed(target: Target, sign: unknown = true) {
  const body = { ...letter, sign }
  const answer = await fetch(`${target.url}/render/template?download=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (answer.status !== 200) throw new Error(await answer.text())
  const found = signaturesOf(place(), new Uint8Array(await answer.arrayBuffer()))
  return found.map((one) => [one.get('Signer Certificate Common Name'), one.get('Signature Validation')])
}

describe.each([
  ['in the settings, as PKCS#12', p12, undefined],
  ['in the settings, as PEM', { signKey: signingFixture('rsa.pem') }, undefined],
  ['in config/sign.pem', {}, 'rsa.pem'],
  ['in config/sign.p12', { signPassword: 'secret' }, 'rsa.p12'],
] as const)('the key of the operator %s', (_, changes: Partial<OriginConfig>, file) => {
  let folder = ''
  let target: Target | undefined
  beforeAll(async () => {
    folder = temporaryFolder('platen-signing')
    await mkdir(join(folder, 'config'))
    if (file !== undefined)
      await copyFile(new URL(file, signingFolder), join(folder, 'config', file.replace('rsa', 'sign')))
    target = await originTarget({ ...changes, ...(file !== undefined && { workdir: folder }) })
  })
  afterAll(async () => {
    await target?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('signs where a request asks for it', async () => {
    if (target === undefined) throw new Error('The origin did not start.')
    expect(await signed(target)).toEqual([['Ada Example', 'Signature is Valid.']])
    expect(await signed(target, { reason: 'I agree' })).toEqual([['Ada Example', 'Signature is Valid.']])
    expect(await signed(target, { key: signingFixture('p256.pem') })).toEqual([
      ['Zoë Adler', 'Signature is Valid.'],
    ])
    expect(await signed(target, false)).toEqual([])
  })
})

it('an asynchronous render signs, and neither webhook nor response has the key', async () => {
  const target = await originTarget(p12)
  try {
    const client = createClient(target.url)
    const body = { ...letter, sign: { key: signingFixture('p256.pem') } }
    const answer = await client.post('/render/template', body, { prefer: 'respond-async' })
    expect(answer.status).toBe(202)
    const id = answer.headers.get('service-job-id')
    for (;;) {
      const { body: job, text } = await client.get(`/jobs/${id}`)
      expect(text).not.toContain('PRIVATE KEY')
      if (job.data.renderId === undefined) continue
      const file = await fetch(`${target.url}/render/${job.data.renderId}`)
      const [found] = signaturesOf(place(), new Uint8Array(await file.arrayBuffer()))
      expect(found?.get('Signer Certificate Common Name')).toBe('Zoë Adler')
      break
    }
  } finally {
    await target.stop()
  }
})
