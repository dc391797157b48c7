import { describe, expect, it } from 'vitest'
import {
  completeManifest,
  type ManifestDraft,
  maxManifestBytes,
  readManifest,
  withoutPasswords,
  writeManifest,
} from '../../../shared/provenance/manifest.ts'

const draft: ManifestDraft = {
  type: 'platen.provenance',
  version: 1,
  time: '2027-01-02T03:04:05.000Z',
  service: { name: 'platen', version: '1.2.3' },
  template: { format: 'docx', sha256: 'ab', id: '1', versionId: 'cd' },
  data: { hmacSha256: 'ef' },
  options: { convertTo: 'pdf' },
  engines: [{ letter: 'I', title: 'Instant layout engine' }],
  fonts: [],
  format: 'pdf',
}
/** FIPS 180-4: the digest of 'abc'. */
const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
const bytes = new TextEncoder().encode('abc')

it('a draft is completed with the digest of the document, and with its fonts where no engine reported any', async () => {
  const manifest = await completeManifest(draft, bytes, { producer: 'X 1', families: ['Carlito'] })
  expect(manifest).toMatchObject({
    producer: 'X 1',
    fonts: [{ family: 'Carlito' }],
    document: { format: 'pdf', sha256: abc, bytes: 3 },
  })
  expect(manifest).not.toHaveProperty('format')
  const reported = { ...draft, fonts: [{ family: 'Lato', version: 'Version 2.0' }] }
  expect((await completeManifest(reported, bytes, { families: ['Lato-Bold'] })).fonts).toEqual(reported.fonts)
})

it('what is written can be read', async () => {
  const manifest = await completeManifest(draft, bytes)
  expect(readManifest(writeManifest(manifest))).toEqual(manifest)
})

describe('what is no manifest', () => {
  const manifest = completeManifest(draft, bytes)
  it.each<[string, (good: Record<string, unknown>) => unknown]>([
    ['another type', (good) => ({ ...good, type: 'slsa' })],
    ['another version', (good) => ({ ...good, version: 2 })],
    ['a time that is none', (good) => ({ ...good, time: 'yesterday' })],
    ['no template', (good) => ({ ...good, template: undefined })],
    ['a digest that is a number', (good) => ({ ...good, data: { hmacSha256: 1 } })],
    ['engines that are no list', (good) => ({ ...good, engines: 'I' })],
    ['a font without a family', (good) => ({ ...good, fonts: [{}] })],
    [
      'a length that is no integer',
      (good) => ({ ...good, document: { format: 'pdf', sha256: 'a', bytes: 1.5 } }),
    ],
    ['a list', () => []],
    ['null', () => null],
  ])('%s', async (_, change) => {
    const changed = change({ ...(await manifest) })
    expect(readManifest(new TextEncoder().encode(JSON.stringify(changed)))).toBeUndefined()
  })
  it('text that is not JSON, not UTF-8, or too long', () => {
    expect(readManifest(new TextEncoder().encode('{'))).toBeUndefined()
    expect(readManifest(Uint8Array.of(0xff, 0xfe))).toBeUndefined()
    expect(readManifest(new Uint8Array(maxManifestBytes + 1))).toBeUndefined()
  })
})

it('passwords are withheld', () => {
  const options = { EncryptFile: true, DocumentOpenPassword: 'a', PermissionPassword: 'b', PageRange: '1' }
  expect(withoutPasswords(options)).toEqual({
    EncryptFile: true,
    DocumentOpenPassword: '(withheld)',
    PermissionPassword: '(withheld)',
    PageRange: '1',
  })
})
