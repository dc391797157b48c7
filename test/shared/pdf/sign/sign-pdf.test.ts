import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import { insertSignature, signedContent } from '../../../../shared/pdf/sign/insert-signature.ts'
import {
  prepareSignature,
  type SignatureField,
  type VisibleSignature,
} from '../../../../shared/pdf/sign/sign-pdf.ts'
import { signatureBytes, signContent } from '../../../../shared/signing/cms.ts'
import { readSigner } from '../../../../shared/signing/signer.ts'
import { inkOf, latin1, officePdf, pdfOf, repeatableRandom, stream } from '../../../helpers/pdf.ts'
import { signatureParts, signaturesOf, signingFixture, verifyWithOpenssl } from '../../../helpers/signing.ts'
import { useTemporary } from '../../../helpers/temporary.ts'

const place = useTemporary()
const { signal } = new AbortController()
const signedAt = Date.UTC(2027, 0, 2, 3, 4, 5)

async function signed(bytes: Uint8Array, field: Partial<SignatureField> = {}, key = 'rsa.pem') {
  const signer = await readSigner(signingFixture(key), undefined, signedAt)
  const { value, warnings } = await prepareSignature(
    bytes,
    { signedAt, name: signer.name, ...field },
    {
      codec: nodeCodec,
      random: repeatableRandom(),
      signal,
      reservedBytes: signatureBytes(signer, false),
    },
  )
  insertSignature(value, await signContent(signer, signedContent(value)))
  return { value: value.bytes, warnings }
}

/** One page of 300 x 200 pt whose origin is not at zero, in a version with a cross-reference table. */
const small = (page = '', catalog = '', version = '1.4') =>
  pdfOf(
    [
      `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
      '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[10 20 310 220]>>',
      `<</Type/Page/Parent 2 0 R/Contents 4 0 R${page}>>`,
      stream(''),
    ],
    { version },
  )

function structureIsSound(bytes: Uint8Array): void {
  const path = place()
  writeFileSync(path, bytes)
  execFileSync('qpdf', ['--check', path], { stdio: 'pipe' })
}

const valid =
  (name: string, covers = 'Total document signed') =>
  (found: ReadonlyMap<string, string>) =>
    expect([
      found.get('Signature Validation'),
      found.get('Signer Certificate Common Name'),
      found.has(covers),
    ]).toEqual(['Signature is Valid.', name, true])

describe('signed files', () => {
  it.each([
    ['a table of cross-references', small()],
    ['a stream of cross-references', small('', '', '1.7')],
    ['annotations and a form of its own', small('/Annots[]', '/AcroForm<</Fields[]/DA(/F 9 Tf)>>')],
    ['a file of an office', officePdf('letter-tagged')],
  ])('%s', async (_, bytes) => {
    const { value } = await signed(bytes, {
      reason: 'I agree',
      location: 'Zürich',
      contact: 'ada@example.com',
    })
    structureIsSound(value)
    const [found, more] = signaturesOf(place(), value)
    expect(more).toBeUndefined()
    valid('Ada Example')(found ?? new Map())
    expect(found?.get('Signature Type')).toBe('ETSI.CAdES.detached')
    expect(found?.get('Signature Field Name')).toBe('Signature1')
    const { der, content } = signatureParts(value)
    verifyWithOpenssl(place(), der, content)
    expect(
      content.length +
        2 * signatureBytes(await readSigner(signingFixture('rsa.pem'), undefined, signedAt), false) +
        2,
    ).toBe(value.length)
  })

  it('a second signature leaves the first as it is', async () => {
    const once = (await signed(small())).value
    const twice = (await signed(once, {}, 'p256.pem')).value
    expect(twice.subarray(0, once.length)).toEqual(once)
    structureIsSound(twice)
    const [first, second] = signaturesOf(place(), twice)
    valid('Ada Example', 'Not total document signed')(first ?? new Map())
    valid('Zoë Adler')(second ?? new Map())
    expect(second?.get('Signature Field Name')).toBe('Signature2')
  })

  it('a byte that changes is noticed', async () => {
    const { value } = await signed(small())
    value[40] = (value[40] ?? 0) ^ 1
    const { der, content } = signatureParts(value)
    expect(() => verifyWithOpenssl(place(), der, content)).toThrow()
  })
})

describe('visible signatures', () => {
  const box: VisibleSignature = {
    page: 1,
    x: 30,
    y: 50,
    width: 120,
    height: 40,
    lines: ['HHHHHHHHHHHH', 'HHH'],
  }
  const ink = async (visible: Partial<VisibleSignature>) => {
    const { value } = await signed(small(), { visible: { ...box, ...visible } })
    structureIsSound(value)
    return inkOf(place(), value, 1)
  }

  it('begin at the upper left corner of their place', async () => {
    const found = await ink({})
    expect(found?.left).toBeGreaterThan(29)
    expect(found?.left).toBeLessThan(33)
    expect(found?.top).toBeLessThan(151)
    expect(found?.top).toBeGreaterThan(144)
    expect(found?.right).toBeLessThan(151)
    expect(found?.bottom).toBeGreaterThan(109)
  })

  it('stay within their box and on the page', async () => {
    const narrow = await ink({ width: 30, height: 200, lines: ['H'.repeat(40)] })
    expect((narrow?.right ?? 0) - (narrow?.left ?? 0)).toBeLessThan(31)
    const beyond = await ink({ x: 9000, y: 9000, page: 99 })
    expect(beyond?.right).toBeLessThan(301)
    expect(beyond?.bottom).toBeGreaterThan(-1)
  })

  it('without text draw nothing', async () => {
    expect(await ink({ lines: [] })).toBeUndefined()
  })
})

describe('files that cannot be signed', () => {
  it.each([
    ['no PDF', latin1('hello'), 'pdf.broken'],
    ['an encrypted file', small('', '', '1.7').slice(), 'sign.encrypted'],
    [
      'a page that is no object of its own',
      pdfOf([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Count 1/Kids[<</Type/Page/MediaBox[0 0 9 9]>>]>>',
      ]),
      'sign.unsignable',
    ],
  ])('%s', async (name, bytes, code) => {
    const file =
      name === 'an encrypted file'
        ? pdfOf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>'], {
            trailer: '/Encrypt<<>>',
          })
        : bytes
    await expect(signed(file)).rejects.toMatchObject({ code })
  })
})
