import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Outbound, OutboundRequest } from '../../../shared/ports/index.ts'
import { signatureBytes, signContent, timeStampsOf } from '../../../shared/signing/cms.ts'
import { readSigner } from '../../../shared/signing/signer.ts'
import { signingFixture, signingFolder, verifyWithOpenssl } from '../../helpers/signing.ts'
import { useTemporary } from '../../helpers/temporary.ts'

const place = useTemporary()
const now = Date.UTC(2027, 0, 1)
const content = new TextEncoder().encode('What is signed.')
const { signal } = new AbortController()

describe('signatures that OpenSSL accepts', () => {
  it.each(['rsa.pem', 'p256.pem', 'p384.pem', 'p521.pem'])('by %s', async (name) => {
    const signer = await readSigner(signingFixture(name), undefined, now)
    const der = await signContent(signer, content)
    const printed = verifyWithOpenssl(place(), der, content)
    for (const attribute of ['contentType', 'messageDigest', 'signingCertificateV2'])
      expect(printed).toContain(attribute)
    expect(printed).not.toContain('signingTime') // PAdES: the time is that of the dictionary
    expect(der.length).toBeLessThanOrEqual(signatureBytes(signer, false))
    expect(() => verifyWithOpenssl(place(), der, new TextEncoder().encode('Something else.'))).toThrow()
  })
})

/** A time-stamp server: what OpenSSL answers to the request, changed by `change`. */
function timeServer(
  change: (answer: Uint8Array) => Uint8Array = (answer) => answer,
  status = 200,
  asked: (query: Uint8Array) => Uint8Array = (query) => query,
) {
  const requests: OutboundRequest[] = []
  const folder = place()
  mkdirSync(folder, { recursive: true })
  const path = (name: string) => join(folder, name)
  const outbound: Outbound = {
    open: () => Promise.reject(new Error('unused')),
    refuses: () => false,
    async fetch(request) {
      requests.push(request)
      writeFileSync(path('query.tsq'), asked(request.body ?? new Uint8Array()))
      writeFileSync(path('serial'), '01')
      writeFileSync(
        path('tsa.cnf'),
        `[tsa]\nserial=${path('serial')}\ndefault_policy=1.2.3.4.1\ndigests=sha256\nordering=yes\ness_cert_id_alg=sha256\n`,
      )
      const key = new URL('tsa.pem', signingFolder).pathname
      const chosen = ['-config', path('tsa.cnf'), '-section', 'tsa', '-signer', key, '-inkey', key]
      execFileSync(
        'openssl',
        ['ts', '-reply', '-queryfile', path('query.tsq'), ...chosen, '-sha256', '-out', path('reply.tsr')],
        { stdio: 'pipe' },
      )
      return { status, headers: {}, body: change(readFileSync(path('reply.tsr'))) }
    },
  }
  return { outbound, requests, answer: () => readFileSync(path('reply.tsr')) }
}

describe('time stamps', () => {
  const sign = async (outbound: Outbound) => {
    const signer = await readSigner(signingFixture('rsa.pem'), undefined, now)
    const der = await signContent(signer, content, timeStampsOf(outbound, 'https://time.test/', signal))
    return { der, room: signatureBytes(signer, true) }
  }

  it('are in the signature', async () => {
    const { outbound, requests } = timeServer()
    const { der, room } = await sign(outbound)
    expect(verifyWithOpenssl(place(), der, content)).toContain('timeStampToken')
    expect(der.length).toBeLessThanOrEqual(room)
    expect(requests).toMatchObject([
      {
        url: 'https://time.test/',
        method: 'POST',
        headers: { 'content-type': 'application/timestamp-query' },
      },
    ])
  })

  it('of another request are refused', async () => {
    const first = timeServer()
    await sign(first.outbound)
    const old = first.answer()
    const { outbound } = timeServer(() => old)
    await expect(sign(outbound)).rejects.toMatchObject({
      code: 'sign.timestamp',
      details: { because: 'its answer belongs to another request' },
    })
  })

  it('without the nonce of the request are refused', async () => {
    /** A request without its nonce, which is an integer of eight bytes before the last member (RFC 3161, 2.4.1). */
    const withoutNonce = (query: Uint8Array) => {
      const end = query.length - 3 // certReq
      const changed = Uint8Array.from([...query.subarray(0, end - 10), ...query.subarray(end)])
      changed[1] = (changed[1] ?? 0) - 10
      return changed
    }
    const { outbound } = timeServer(undefined, 200, withoutNonce)
    await expect(sign(outbound)).rejects.toMatchObject({
      code: 'sign.timestamp',
      details: { because: 'its answer belongs to another request' },
    })
  })

  it.each([
    ['nothing', () => new Uint8Array(), 200, /cannot be read/],
    ['a page', () => new TextEncoder().encode('<html>'), 200, /cannot be read/],
    ['half an answer', (answer: Uint8Array) => answer.subarray(0, 300), 200, /cannot be read/],
    ['an error', (answer: Uint8Array) => answer, 503, /status 503/],
    ['a refusal', () => Uint8Array.of(0x30, 5, 0x30, 3, 2, 1, 2), 200, /refused/],
  ] as const)('%s is not a time stamp', async (_, change, status, because) => {
    const { outbound } = timeServer(change, status)
    await expect(sign(outbound)).rejects.toMatchObject({
      code: 'sign.timestamp',
      details: { because: expect.stringMatching(because) },
    })
  })
})
