import { expect, it } from 'vitest'
import { archiveProblems } from '../../helpers/conformance/archive.ts'
import { signatureParts, signaturesOf, signingFixture, verifyWithOpenssl } from '../../helpers/signing.ts'
import { useTemporary } from '../../helpers/temporary.ts'
import { base64, type Client } from './client.ts'
import { docx } from './office.ts'

const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
const nextPage = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
const word = (...body: string[]) =>
  base64(
    docx(
      `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body.join('')}</w:body></w:document>`,
    ),
  )

const rsa = { key: signingFixture('rsa.p12'), password: 'secret' }
const p256 = { key: signingFixture('p256.pem') }

/** Specification 4.14: signatures of PDF files, by what both hosts run. */
export function signatureCases(client: () => Client): void {
  const place = useTemporary()
  const ask = async (body: object) => {
    const answer = await fetch(`${client().url}/render/template?download=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ converter: 'I', convertTo: 'pdf', data: {}, ...body }),
    })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    return { status: answer.status, type: answer.headers.get('content-type'), bytes }
  }
  const sign = async (body: object) => {
    const { status, type, bytes } = await ask(body)
    expect([status, type]).toEqual([200, 'application/pdf'])
    const { der, content } = signatureParts(bytes)
    verifyWithOpenssl(place(), der, content)
    return { bytes, found: signaturesOf(place(), bytes) }
  }
  const names = (found: readonly ReadonlyMap<string, string>[]) =>
    found.map((one) => [one.get('Signer Certificate Common Name'), one.get('Signature Validation')])

  it('a PDF is signed with the key of the request', async () => {
    const { found } = await sign({ template: word(paragraph('A')), sign: { ...rsa, reason: 'I agree' } })
    expect(names(found)).toEqual([['Ada Example', 'Signature is Valid.']])
  })

  it('several signatures go to the places of their tags', async () => {
    const template = word(paragraph('A {d.a:sign}'), nextPage, paragraph('B {d.b:sign}'))
    const { bytes, found } = await sign({
      template,
      data: { a: 1, b: 2 },
      sign: [rsa, { ...p256, text: 'Łódź 2027' }],
    })
    expect(names(found)).toEqual([
      ['Ada Example', 'Signature is Valid.'],
      ['Zoë Adler', 'Signature is Valid.'],
    ])
    const boxes = [
      ...Buffer.from(bytes)
        .toString('latin1')
        .matchAll(/\/Subtype\/Widget.*?\/Rect\[([^\]]*)\]/g),
    ]
    expect(boxes).toHaveLength(2)
    for (const [, box = ''] of boxes) {
      const [left = 0, bottom = 0, right = 0, top = 0] = box.split(' ').map(Number)
      expect([Math.round(right - left), Math.round(top - bottom)]).toEqual([180, 48])
      expect(left).toBeGreaterThan(72)
    }
  })

  it('positions follow the pages that PageRange keeps', async () => {
    const template = word(paragraph('A {d.a:sign}'), nextPage, paragraph('B {d.b:sign}'))
    const convertTo = { formatName: 'pdf', formatOptions: { PageRange: '2' } }
    const answer = await client().post('/render/template', {
      template,
      data: { a: 1, b: 2 },
      convertTo,
      converter: 'I',
    })
    expect(answer.body.data.signatures).toMatchObject([{ page: 1, data: 2 }])
  })

  it('PDF/A stays PDF/A with a visible signature', async () => {
    const convertTo = { formatName: 'pdf', formatOptions: { SelectPdfVersion: 2 } }
    const { bytes } = await sign({
      template: word(paragraph('A')),
      convertTo,
      sign: { ...p256, page: 1, x: 90, y: 90 },
    })
    expect(archiveProblems(bytes, 2)).toEqual([])
  })

  it('a file that is already signed keeps its signatures', async () => {
    const first = await sign({ template: word(paragraph('A')), sign: rsa })
    const { found } = await sign({
      template: base64(first.bytes),
      data: undefined,
      converter: undefined,
      sign: p256,
    })
    expect(names(found).map(([name]) => name)).toEqual(['Ada Example', 'Zoë Adler'])
  })

  it('the joined PDF of a batch is signed once, and each PDF of a zip is signed', async () => {
    const batch = {
      template: word(paragraph('{d.n}')),
      data: [{ n: 1 }, { n: 2 }],
      batchSplitBy: 'd',
      sign: p256,
    }
    const { found } = await sign({ ...batch, batchOutput: 'pdf' })
    expect(found).toHaveLength(1)
    const { bytes } = await ask({ ...batch, batchOutput: 'zip' })
    expect(
      Buffer.from(bytes)
        .toString('latin1')
        .match(/ETSI\.CAdES/g)?.length ?? 0,
    ).toBeLessThanOrEqual(2)
  })

  it.each([
    [
      'a service without a key of its own',
      { sign: true },
      'This service has no key of its own to sign with. Send one in \\"sign.key\\", or set SERVICE_SIGN_KEY.',
    ],
    ['a wrong password', { sign: { ...rsa, password: 'x' } }, 'its password is wrong'],
    ['something else', { sign: { key: 'AAAA' } }, 'neither PEM nor PKCS#12'],
    [
      'an unknown member',
      { sign: { ...rsa, paswort: 'x' } },
      'must be true, a signature, or an array of 1 to 5',
    ],
    [
      'another output',
      { sign: rsa, convertTo: undefined, converter: undefined },
      'Only a PDF can be signed.',
    ],
    ['no time-stamp server', { sign: { ...p256, timestamp: true } }, 'has no time-stamp server'],
    [
      'a PDF that is encrypted',
      {
        sign: rsa,
        convertTo: { formatName: 'pdf', formatOptions: { EncryptFile: true, DocumentOpenPassword: 'a' } },
      },
      'both signed and encrypted',
    ],
  ] as const)('is refused: %s', async (_, body, message) => {
    const { status, bytes } = await ask({ template: word(paragraph('A')), ...body })
    expect([status, new TextDecoder().decode(bytes)]).toEqual([400, expect.stringContaining(message)])
  })
}
