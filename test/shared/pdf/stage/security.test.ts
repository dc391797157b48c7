import { describe, expect, it } from 'vitest'
import { pureCodec } from '../../../../edge/codec.ts'
import { nodeCodec } from '../../../../origin/codec.ts'
import { passwordBytes } from '../../../../shared/pdf/stage/security/password.ts'
import { ask, finishPdf, officePdf, pdfOf, repeatableRandom, stream, textOf } from '../../../helpers/pdf.ts'
import { useTemporary } from '../../../helpers/temporary.ts'

const folder = useTemporary()
const letter = officePdf('letter-tagged')

describe('encryption', () => {
  it('opens with both passwords and no other', async () => {
    const { value } = await finishPdf(letter, {
      EncryptFile: true,
      DocumentOpenPassword: 'open sesame',
      RestrictPermissions: true,
      PermissionPassword: 'my house',
    })
    const at = folder()
    const asUser = await ask(at, value, 'qpdf', '--check', '--password=open sesame', '@')
    expect(asUser).toContain('R = 6')
    expect(asUser).toContain('Supplied password is user password')
    expect(asUser).toContain('stream encryption method: AESv3')
    expect(asUser).toContain('string encryption method: AESv3')
    expect(asUser).toContain('No syntax or stream encoding errors found')
    const asOwner = await ask(at, value, 'qpdf', '--check', '--password=my house', '@')
    expect(asOwner).toContain('Supplied password is owner password')
    await expect(ask(at, value, 'qpdf', '--check', '--password=other', '@')).rejects.toThrow(
      'invalid password',
    )
    await expect(ask(at, value, 'qpdf', '--check', '@')).rejects.toThrow('invalid password')
    const text = await ask(at, value, 'pdftotext', '-upw', 'open sesame', '@', '-')
    expect(text).toBe(await ask(at, letter, 'pdftotext', '@', '-'))
  })

  it('keeps every stream and string once it is decrypted', async () => {
    const { value } = await finishPdf(letter, { EncryptFile: true, DocumentOpenPassword: 'x' })
    const at = folder()
    const plain = await ask(
      at,
      value,
      'qpdf',
      '--password=x',
      '--decrypt',
      '--qdf',
      '--object-streams=disable',
      '@',
      '-',
    )
    expect(plain).toContain('StructTreeRoot')
    const info = await ask(at, value, 'pdfinfo', '-upw', 'x', '@')
    expect(info).toContain('Tagged:          yes')
    expect(info).toContain('Title:           Your year with us')
    expect(info).toContain('Producer:        LibreOffice')
  })

  it('encrypts names and text of the document', async () => {
    const title = 'A very secret title'
    const file = pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R>>',
      stream('(secret words) Tj', '/Note(secret note)'),
      `<</Title(${title})>>`,
    ])
    const { value } = await finishPdf(file, { EncryptFile: true, DocumentOpenPassword: 'x' })
    expect(textOf(value)).not.toMatch(/secret/)
    const shown = await ask(folder(), value, 'qpdf', '--password=x', '--show-object=4', '@')
    expect(shown).toContain('(secret note)')
  })

  it('is done the same with the pure codec of the edge', async () => {
    const options = { EncryptFile: true, DocumentOpenPassword: 'x', Watermark: 'DRAFT' }
    const { value } = await finishPdf(letter, options, { codec: pureCodec })
    const said = await ask(folder(), value, 'qpdf', '--check', '--password=x', '@')
    expect(said).toContain('No syntax or stream encoding errors found')
    expect(await ask(folder(), value, 'pdftotext', '-upw', 'x', '@', '-')).toContain('Your year with us')
  })

  it("is the same by WebCrypto and by the origin's ciphers", async () => {
    const options = { EncryptFile: true, DocumentOpenPassword: 'x', PermissionPassword: 'y' }
    const { ciphers, ...codec } = nodeCodec
    expect(ciphers).toBeDefined()
    const [one, two] = await Promise.all([finishPdf(letter, options), finishPdf(letter, options, { codec })])
    expect(Buffer.from(one.value).equals(Buffer.from(two.value))).toBe(true)
  })

  it('is the same for the same random bytes', async () => {
    const options = { EncryptFile: true, DocumentOpenPassword: 'x' }
    const [one, two] = await Promise.all([finishPdf(letter, options), finishPdf(letter, options)])
    expect(Buffer.from(one.value).equals(Buffer.from(two.value))).toBe(true)
    expect(repeatableRandom()(8)).toEqual(repeatableRandom()(8))
  })

  it('needs no password to open when only permissions are restricted', async () => {
    const { value } = await finishPdf(letter, {
      RestrictPermissions: true,
      PermissionPassword: 'p',
      Printing: 0,
    })
    const said = await ask(folder(), value, 'qpdf', '--check', '@')
    expect(said).toContain('print low resolution: not allowed')
  })

  const unicode = ['Grüße', 'пароль', '密码', 'a'.repeat(200).slice(0, 127)]
  it.each(unicode)('accepts the password %s', async (password) => {
    const { value } = await finishPdf(letter, { EncryptFile: true, DocumentOpenPassword: password })
    const said = await ask(folder(), value, 'qpdf', '--check', `--password=${password}`, '@')
    expect(said).toContain('No syntax or stream encoding errors')
  })
})

describe('permissions', () => {
  const all = {
    'extract for accessibility': true,
    'extract for any purpose': true,
    'print low resolution': true,
    'print high resolution': true,
    'modify document assembly': true,
    'modify forms': true,
    'modify annotations': true,
    'modify other': true,
  }
  const unchanging = {
    'modify document assembly': false,
    'modify forms': false,
    'modify annotations': false,
    'modify other': false,
  }
  it.each([
    [{}, {}],
    [{ Changes: 0 }, unchanging],
    [{ Changes: 1 }, { ...unchanging, 'modify document assembly': true }],
    [{ Changes: 2 }, { ...unchanging, 'modify forms': true }],
    [{ Changes: 3 }, { ...unchanging, 'modify forms': true, 'modify annotations': true }],
    [{ Changes: 4 }, {}],
    [{ Printing: 0 }, { 'print low resolution': false, 'print high resolution': false }],
    [{ Printing: 1 }, { 'print high resolution': false }],
    [{ Printing: 2 }, {}],
    [{ EnableCopyingOfContent: false }, { 'extract for any purpose': false }],
    [{ EnableTextAccessForAccessibilityTools: false }, { 'extract for accessibility': false }],
  ])('%j', async (options, expected) => {
    const restricted = { RestrictPermissions: true, PermissionPassword: 'p', ...options }
    const { value } = await finishPdf(letter, restricted)
    const said = await ask(folder(), value, 'qpdf', '--show-encryption', '@')
    for (const [right, granted] of Object.entries({ ...all, ...expected })) {
      expect(said).toContain(`${right}: ${granted ? 'allowed' : 'not allowed'}\n`)
    }
  })
})

describe('passwords as PDF stores them', () => {
  it.each([
    ['a\u00adb', 'ab'], // a soft hyphen is nothing
    ['a\u00a0b', 'a b'],
    ['\u2168', 'IX'],
    ['e\u0301', 'é'],
  ])('%j is %s', (given, expected) => {
    expect(passwordBytes(given)).toEqual(new TextEncoder().encode(expected))
  })
  it.each(['a\u0007', '\ue000', '\u0627a\u0628', '\u06271', '\ud800'])('%j is forbidden', (given) => {
    expect(passwordBytes(given)).toBeUndefined()
  })
  it('ends after 127 bytes', () => {
    expect(passwordBytes('é'.repeat(100))?.length).toBe(127)
  })
})
